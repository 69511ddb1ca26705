//! From a program to code: one guard and one body for each instance of an action where there are few, else one for the
//! action, with its parameters in cells.

mod emit;
mod expressions;
mod statements;
mod threading;

use std::rc::Rc;

pub use emit::target_of;
use emit::{Binding, Compiler, Operand, ReturnTo};

use super::calls::may_call;
use super::code::{Cell, Code, ERROR, Op, Target};
use super::effects::Effect;
use super::extents::{Extent, extent};
use super::guards::{Guard, Guards};
use super::ir::{Action, Bound, Domain, Expr, Program, PropertyKind, Type};
use super::layout::{Layout, Types};
use crate::model::Label;

/// Instances of one action that get code of their own, and of all actions together.
const INSTANCES_OF_ACTION: u64 = 512;
const INSTANCES: u64 = 1 << 13;

/// The properties of the program are numbered after deadlock (0) and errors (1).
pub fn number(property: usize) -> u32 {
    property as u32 + 1 + ERROR
}

/// The instances of an action: labels `first..first + count`, numbered by parameter values, the last counting fastest.
#[derive(Clone, Debug)]
pub struct Instances {
    pub first: Label,
    pub count: u64,
    pub parameters: Vec<Parameter>,
    /// With code of their own: by instance, where the body begins. Else the one body, and the cells of the parameters.
    pub bodies: Vec<Target>,
    /// By body: where its code ends.
    ends: Vec<Target>,
    /// By body: the slots it may write; None where that is not known.
    pub writes: Vec<Option<Box<[u32]>>>,
    /// By body: the judgements that may turn out differently after it.
    pub touches: Vec<Box<[u32]>>,
    pub cells: Option<Cell>,
    pub slow: Option<Slow>,
}

/// Guard and body once more, for instances whose fast code failed: a quantifier fails only where no instance decides it,
/// and the fast code stops at the first instance that fails. Parameters are in cells; the guard emits where it holds.
#[derive(Clone, Copy, Debug)]
pub struct Slow {
    pub cells: Cell,
    pub guard: Target,
    pub body: Target,
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub low: i64,
    pub size: u64,
    /// The points that its values stand for, from the smallest on; empty where it is no element.
    pub points: Vec<u32>,
    pub is_position: bool,
}

impl Instances {
    /// Which body a label runs.
    pub fn body(&self, label: Label) -> usize {
        if self.cells.is_none() { (label - self.first) as usize } else { 0 }
    }

    /// The values of the parameters, first to last.
    pub fn values(&self, label: Label) -> Vec<i64> {
        let mut rest = u64::from(label - self.first);
        let mut values: Vec<i64> = self
            .parameters
            .iter()
            .rev()
            .map(|parameter| {
                let value = parameter.low + (rest % parameter.size) as i64;
                rest /= parameter.size;
                value
            })
            .collect();
        values.reverse();
        values
    }
}

pub struct Compiled {
    pub code: Code,
    /// By label: which action it belongs to.
    pub action_of: Vec<u32>,
    /// By label, for the first of them.
    pub effects: Vec<Option<Effect>>,
    pub starts: Vec<Instances>,
    pub actions: Vec<Instances>,
    pub guards: Guards,
    /// Run on every new state: emit the properties that are violated, tell which are covered. Fast and, if any, slow.
    pub judge: Vec<(Target, Option<Target>)>,
    /// By judgement: the key of states of which it has nothing to tell.
    pub fine: Vec<Option<Effect>>,
    /// Discards a state that is not wanted.
    pub assume: Option<(Target, Option<Target>)>,
}

/// What is wrong with a program that type-checks: it is too large to run.
#[derive(Debug, PartialEq, Eq)]
pub enum TooLarge {
    Labels,
    Code,
}

pub fn compile(program: &Program, types: &Types, layout: &Layout) -> Result<Compiled, TooLarge> {
    let mut first = 0;
    let mut numbered = |actions: &[Action]| -> Result<Vec<Instances>, TooLarge> {
        actions
            .iter()
            .map(|action| {
                let instances = instances(action, types, first)?;
                first += instances.count;
                Ok(instances)
            })
            .collect()
    };
    let mut actions = numbered(&program.actions)?;
    let mut starts = numbered(&program.starts)?;
    let all = first;
    if all > u64::from(u32::MAX) / 2 {
        return Err(TooLarge::Labels);
    }
    let mut compiler = Compiler::new(program, types, layout);
    let mut guards = Vec::new();
    for (action, instances) in program.actions.iter().zip(&mut actions) {
        let own = instances.count <= INSTANCES_OF_ACTION && all <= INSTANCES;
        compiler.guards(action, instances, own, &mut guards);
    }
    for (action, instances) in program.actions.iter().zip(&mut actions) {
        compiler.bodies(action, instances);
    }
    for (action, instances) in program.starts.iter().zip(&mut starts) {
        instances.cells = None;
        if instances.count > INSTANCES_OF_ACTION {
            instances.cells = Some(compiler.cells(instances.parameters.len()));
        }
        compiler.bodies(action, instances);
    }
    let fast_judge = compiler.judgements();
    let from = compiler.here() as usize;
    let saved = compiler.saved_for_assumptions();
    let assume = compiler.assumptions(saved);
    let assuming = from..compiler.here() as usize;
    let mut slow_judge = vec![None; fast_judge.len()];
    let mut slow_assume = None;
    if program.quantifies {
        compiler.thorough = true;
        for (action, instances) in program.actions.iter().zip(&mut actions) {
            instances.slow = Some(compiler.slow(action, instances));
        }
        for (action, instances) in program.starts.iter().zip(&mut starts) {
            instances.slow = Some(compiler.slow(action, instances));
        }
        slow_judge = compiler.judgements().into_iter().map(|(start, _)| Some(start)).collect();
        slow_assume = compiler.assumptions(saved);
    }
    if compiler.is_too_large() {
        return Err(TooLarge::Code);
    }
    let judge = fast_judge.iter().map(|&(start, _)| start).zip(slow_judge).collect();
    let assume = assume.map(|fast| (fast, slow_assume));
    compiler.link();
    threading::thread_jumps(&mut compiler.code);
    let extents = extents(&compiler.code, &actions);
    note_written(&mut actions, &extents);
    if extent(&compiler.code, assuming.start, assuming.end).writes.is_none_or(|written| !written.is_empty()) {
        // Functions that change the state, called by assumptions: they run after every body.
        actions.iter_mut().for_each(|action| action.writes.fill(None));
    }
    let reads: Vec<_> = fast_judge.iter().map(|(start, end)| reads(&compiler.code, *start, *end)).collect();
    note_touched(&mut actions, &reads);
    let key = |read: &Option<Vec<u32>>| Effect::of_question(read.as_ref()?, &layout.schema);
    let fine = reads.iter().map(key).collect();
    let guards = Guards::new(guards, &compiler.code, &layout.schema);
    let action_of = if all <= INSTANCES {
        let numbered = actions.iter().enumerate();
        numbered.flat_map(|(at, each)| std::iter::repeat_n(at as u32, each.count as usize)).collect()
    } else {
        Vec::new()
    };
    let effects = if assume.is_none() { effects(&actions, &extents, layout) } else { Vec::new() };
    Ok(Compiled { code: compiler.code, action_of, effects, starts, actions, guards, judge, fine, assume })
}

/// By action and body: what it reads and writes.
fn extents(code: &Code, actions: &[Instances]) -> Vec<Vec<Extent>> {
    let of_body = |(&start, &end): (&Target, &Target)| extent(code, start as usize, end as usize);
    actions.iter().map(|each| each.bodies.iter().zip(&each.ends).map(of_body).collect()).collect()
}

fn note_written(actions: &mut [Instances], extents: &[Vec<Extent>]) {
    for (action, extents) in actions.iter_mut().zip(extents) {
        action.writes = extents.iter().map(|each| each.writes.as_deref().map(Into::into)).collect();
    }
}

/// By label, as long as all labels have bodies of their own.
fn effects(actions: &[Instances], extents: &[Vec<Extent>], layout: &Layout) -> Vec<Option<Effect>> {
    let own = actions.iter().zip(extents).take_while(|(each, _)| each.cells.is_none());
    own.flat_map(|(_, extents)| extents.iter().map(|each| Effect::new(each, &layout.schema))).collect()
}

fn reads(code: &Code, start: Target, end: Target) -> Option<Vec<u32>> {
    extent(code, start as usize, end as usize).reads
}

/// Tells each body which judgements look at a slot that it may write.
fn note_touched(actions: &mut [Instances], reads: &[Option<Vec<u32>>]) {
    for instances in actions {
        let touches = instances.writes.iter().map(|written| {
            let may_change = |read: &Option<Vec<u32>>| match (read, written) {
                (Some(read), Some(written)) => written.iter().any(|slot| read.binary_search(slot).is_ok()),
                _ => true,
            };
            (0..).zip(reads).filter(|(_, read)| may_change(read)).map(|(number, _)| number).collect()
        });
        instances.touches = touches.collect();
    }
}

fn instances(action: &Action, types: &Types, first: u64) -> Result<Instances, TooLarge> {
    let parameters: Vec<Parameter> = action.parameters.iter().map(|bound| parameter(bound, types)).collect();
    let mut count = 1u64;
    for parameter in &parameters {
        count = count.checked_mul(parameter.size).filter(|&n| n <= 1 << 40).ok_or(TooLarge::Labels)?;
    }
    let first = Label::try_from(first).map_err(|_| TooLarge::Labels)?;
    Ok(Instances {
        first,
        count,
        parameters,
        bodies: Vec::new(),
        ends: Vec::new(),
        writes: Vec::new(),
        touches: Vec::new(),
        cells: None,
        slow: None,
    })
}

fn parameter(bound: &Bound, types: &Types) -> Parameter {
    match &bound.domain {
        Domain::All(type_) => {
            let (low, _) = types.bounds(type_);
            let points = types.points_of(type_);
            Parameter { low, size: types.size(type_) as u64, points, is_position: false }
        }
        Domain::Positions(bag) => {
            let capacity = capacity_of(bag, types);
            Parameter { low: 0, size: capacity as u64, points: Vec::new(), is_position: true }
        }
        Domain::Range(..) => unreachable!("parameters of actions range over types or bags"),
    }
}

fn capacity_of(bag: &super::ir::Place, types: &Types) -> usize {
    match &*place_type(bag, types) {
        Type::Bag(_, capacity) => *capacity,
        _ => unreachable!("the program was type-checked: positions are those of a bag"),
    }
}

fn place_type(place: &super::ir::Place, types: &Types) -> Rc<Type> {
    use super::ir::Place;
    let inner = match place {
        Place::Variable(_, type_) => return type_.clone(),
        Place::Index(inner, _) | Place::Component(inner, _) | Place::Entry(inner, _) => {
            place_type(inner, types)
        }
    };
    match (&*inner, place) {
        (Type::Array(_, element) | Type::Bag(element, _), _) => element.clone(),
        (Type::Record(fields), Place::Component(_, name)) => types.field(fields, name).1.clone(),
        _ => unreachable!("the program was type-checked"),
    }
}

impl Compiler<'_> {
    /// Writes the guards of an action: each tells its label where it holds.
    fn guards(&mut self, action: &Action, instances: &mut Instances, own: bool, guards: &mut Vec<Guard>) {
        if !own {
            instances.cells = Some(self.cells(instances.parameters.len()));
            let start = self.here();
            self.guard_in_loops(action, instances);
            self.emit(Op::Halt);
            return guards.push(Guard::new(None, start, self.here()));
        }
        for label in (instances.first..).take(instances.count as usize) {
            let start = self.here();
            self.scope(|this| {
                let next = this.label();
                for (bound, value) in action.parameters.iter().zip(instances.values(label)) {
                    this.name(&bound.name, Binding::Value(Operand::Constant(value)));
                    this.skip_absent(bound, Operand::Constant(value), next);
                }
                this.branch(&action.guard, false, next);
                this.emit(Op::Emit { number: label });
                this.bind_label(next);
                this.restore_after(&action.guard);
                this.emit(Op::Halt);
            });
            guards.push(Guard::new(Some(label), start, self.here()));
        }
    }

    /// An instance for a position that no entry has is none.
    fn skip_absent(&mut self, bound: &Bound, position: Operand, next: Target) {
        if let Domain::Positions(bag) = &bound.domain {
            let bag = self.place(bag);
            let Type::Bag(element, capacity) = &*bag.type_.clone() else {
                unreachable!("the program was type-checked: positions are those of a bag")
            };
            let spec = self.bag(element, *capacity);
            let (bag, position) = (self.address(&bag), self.in_cell(position));
            let to = self.cell();
            self.emit(Op::Present { to, bag, position, spec });
            self.emit(Op::JumpUnless { test: to, target: next });
        }
    }

    /// Guards may call functions, and functions may change the state.
    fn restore_after(&mut self, guard: &Expr) {
        if may_call(guard) {
            self.emit(Op::Restore);
        }
    }

    fn guard_in_loops(&mut self, action: &Action, instances: &Instances) {
        let label = self.cell();
        let (first, end) = (self.constant(i64::from(instances.first)), self.label());
        let (again, next) = (self.label(), self.label());
        let cells = instances.cells.unwrap_or_default();
        for (at, parameter) in instances.parameters.iter().enumerate() {
            let low = self.constant(parameter.low);
            self.emit(Op::Move { to: cells + at as Cell, from: low });
        }
        if instances.parameters.iter().any(|parameter| parameter.size == 0) {
            self.emit(Op::Jump { target: end });
        }
        self.emit(Op::Move { to: label, from: first });
        self.bind_label(again);
        self.emit(Op::Catch { label, target: next });
        self.scope(|this| {
            for (at, bound) in action.parameters.iter().enumerate() {
                let value = Operand::Cell(cells + at as Cell);
                this.name(&bound.name, Binding::Value(value));
                this.skip_absent(bound, value, next);
            }
            this.branch(&action.guard, false, next);
            this.emit(Op::EmitCell { from: label });
        });
        self.bind_label(next);
        self.restore_after(&action.guard);
        let one = self.constant(1);
        self.emit(Op::Add { to: label, left: label, right: one });
        // The last parameter counts fastest; one that is past its end starts again, and the one before it goes on.
        for (at, parameter) in instances.parameters.iter().enumerate().rev() {
            let cell = cells + at as Cell;
            let last = self.constant(parameter.low + parameter.size as i64 - 1);
            let wraps = self.label();
            self.emit(Op::JumpLessOrEqual { left: last, right: cell, target: wraps });
            self.emit(Op::Add { to: cell, left: cell, right: one });
            self.emit(Op::Jump { target: again });
            self.bind_label(wraps);
            let low = self.constant(parameter.low);
            self.emit(Op::Move { to: cell, from: low });
        }
        self.bind_label(end);
        self.emit(Op::Uncatch);
    }

    fn bodies(&mut self, action: &Action, instances: &mut Instances) {
        let own: Vec<Label> = match instances.cells {
            Some(_) => vec![instances.first],
            None => (instances.first..).take(instances.count as usize).collect(),
        };
        for label in own {
            instances.bodies.push(self.here());
            self.scope(|this| {
                let values = instances.values(label);
                for (at, bound) in action.parameters.iter().enumerate() {
                    let value = match instances.cells {
                        Some(cells) => Operand::Cell(cells + at as Cell),
                        None => Operand::Constant(values[at]),
                    };
                    this.name(&bound.name, Binding::Value(value));
                }
                let end = this.label();
                this.returns.push(ReturnTo { label: end, result: None });
                this.block(&action.body);
                this.returns.pop();
                this.bind_label(end);
                this.sort_bags();
                this.emit(Op::Halt);
            });
            instances.ends.push(self.here());
        }
    }

    /// Entries may have been changed in place.
    fn sort_bags(&mut self) {
        for bag in self.layout.shape.bags.clone() {
            let spec = self.bag_spec(bag.width, bag.capacity);
            let at = self.constant(i64::from(bag.first));
            self.emit(Op::Sort { bag: at, spec });
        }
    }

    fn slow(&mut self, action: &Action, instances: &Instances) -> Slow {
        let cells = self.cells(instances.parameters.len());
        let guard = self.here();
        self.scope(|this| {
            let next = this.label();
            for (at, bound) in action.parameters.iter().enumerate() {
                let value = Operand::Cell(cells + at as Cell);
                this.name(&bound.name, Binding::Value(value));
                this.skip_absent(bound, value, next);
            }
            this.branch(&action.guard, false, next);
            this.emit(Op::Emit { number: 0 });
            this.bind_label(next);
            this.emit(Op::Halt);
        });
        let mut once = Instances { cells: Some(cells), bodies: Vec::new(), ..instances.clone() };
        self.bodies(action, &mut once);
        Slow { cells, guard, body: once.bodies[0] }
    }

    /// Where the code of each begins and ends.
    fn judgements(&mut self) -> Vec<(Target, Target)> {
        let mut judge = Vec::new();
        let program = self.program;
        for (at, kind, expression) in judged(program) {
            let start = self.here();
            let end = self.label();
            self.branch(expression, kind == PropertyKind::Invariant, end);
            self.emit(match kind {
                PropertyKind::Cover => Op::Cover { property: number(at) },
                _ => Op::Emit { number: number(at) },
            });
            self.bind_label(end);
            self.restore_after(expression);
            self.emit(Op::Halt);
            judge.push((start, self.here()));
        }
        judge
    }

    /// Cells for what the body left, where assumptions call functions: these may change the state, and it is put back.
    fn saved_for_assumptions(&mut self) -> Option<Cell> {
        let calls = assumed(self.program).any(may_call);
        calls.then(|| self.cells(self.code.slots))
    }

    fn copy_state(&mut self, to: Cell, from: Cell) {
        let (to, from) = (self.constant(i64::from(to)), self.constant(i64::from(from)));
        self.emit(Op::Copy { to, from, count: self.code.slots as u32 });
    }

    fn assumptions(&mut self, saved: Option<Cell>) -> Option<Target> {
        let assumed: Vec<&Expr> = assumed(self.program).collect();
        if assumed.is_empty() {
            return None;
        }
        let (start, no) = (self.here(), self.label());
        match saved {
            // Slow code runs after fast code that failed, wherever that left the state.
            Some(saved) if self.thorough => self.copy_state(0, saved),
            Some(saved) => self.copy_state(saved, 0),
            None => {}
        }
        for expression in assumed {
            self.branch(expression, false, no);
            if let Some(saved) = saved.filter(|_| may_call(expression)) {
                self.copy_state(0, saved);
            }
        }
        self.emit(Op::Halt);
        self.bind_label(no);
        self.emit(Op::Discard);
        Some(start)
    }
}

/// The properties that every new state is asked about, with their numbers.
fn judged(program: &Program) -> impl Iterator<Item = (usize, PropertyKind, &Expr)> {
    program.properties.iter().enumerate().filter_map(|(at, property)| match property.kind {
        PropertyKind::Invariant | PropertyKind::Goal | PropertyKind::Cover => {
            Some((at, property.kind, property.expression.as_ref()?))
        }
        PropertyKind::Assumption | PropertyKind::Stated => None,
    })
}

fn assumed(program: &Program) -> impl Iterator<Item = &Expr> {
    let assumed = program.properties.iter().filter(|each| each.kind == PropertyKind::Assumption);
    assumed.filter_map(|each| each.expression.as_ref())
}
