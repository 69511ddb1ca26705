//! From a program to code: one guard and one body for each instance of an action where there are few, else one for the
//! action, with its parameters in cells.

mod actions;
mod conditions;
mod emit;
mod expressions;
mod instances;
mod loops;
mod may_fail;
mod places;
mod statements;
mod threading;

use emit::Compiler;
pub use emit::target_of;
pub use instances::Instances;
use instances::instances;

use super::body_cache::Footprint;
use super::code::{Code, ERROR, Op, Target};
use super::extents::{Extent, extent};
use super::guards::{Guard, Guards};
use super::ir::{Action, Expr, Program, PropertyKind};
use super::layout::{Layout, Types};

/// Instances of one action that get code of their own, and of all actions together.
const INSTANCES_OF_ACTION: u64 = 1 << 12;
const INSTANCES: u64 = 1 << 15;

/// Start states, before any is found to be the same as another.
const MAX_STARTS: u64 = 1 << 24;

/// The properties of the program are numbered after deadlock (0) and errors (1).
pub fn number(property: usize) -> u32 {
    property as u32 + 1 + ERROR
}

pub struct Compiled {
    pub code: Code,
    /// By label: which action it belongs to.
    pub action_of: Vec<u32>,
    /// By label, for the first of them.
    pub footprints: Vec<Option<Footprint>>,
    pub starts: Vec<Instances>,
    pub actions: Vec<Instances>,
    pub guards: Guards,
    /// Run on every new state: emit the properties that are violated, record which are covered.
    pub judge: Vec<Target>,
    /// By judgement: the key of states in which it finds nothing.
    pub fine: Vec<Option<Footprint>>,
    /// Discards a state in which an assumption does not hold.
    pub assume: Option<Target>,
    /// Do steps violate properties and go on?
    pub notes: bool,
    /// Guards of the actions that are enabled only where no other can happen.
    pub idle: Guards,
    pub control: Option<Control>,
    /// Emits something where a state without steps is a proper end.
    pub proper_end: Option<Target>,
}

/// How processes get and keep control.
pub struct Control {
    /// That holds the process in control.
    pub slot: u32,
    /// By what it holds, less one.
    pub processes: Vec<Process>,
    /// Does the code of some guards emit labels of several processes?
    pub is_mixed: bool,
}

/// The guards of the actions of one process.
pub struct Process {
    pub guards: Guards,
    pub idle: Guards,
}

/// What is wrong with a program that type-checks: it is too large to run.
#[derive(Debug, PartialEq, Eq)]
pub enum TooLarge {
    Labels,
    Starts,
    Code,
}

pub fn compile(program: &Program, types: &Types, layout: &Layout) -> Result<Compiled, TooLarge> {
    let processes = match &program.control {
        Some((_, type_)) => types.points_of(type_.without_optional()),
        None => Vec::new(),
    };
    let mut first = 0;
    let mut numbered = |actions: &[Action]| -> Result<Vec<Instances>, TooLarge> {
        actions
            .iter()
            .map(|action| {
                let instances = instances(action, types, &processes, first)?;
                first += instances.count;
                Ok(instances)
            })
            .collect()
    };
    let mut actions = numbered(&program.actions)?;
    let mut starts = numbered(&program.starts)?;
    let all = first;
    if starts.iter().map(|each| each.count).sum::<u64>() > MAX_STARTS {
        return Err(TooLarge::Starts);
    }
    if all > u64::from(u32::MAX) / 2 {
        return Err(TooLarge::Labels);
    }
    let mut compiler = Compiler::new(program, types, layout);
    let mut guards = Vec::new();
    compiler.is_question = true;
    for (action, instances) in program.actions.iter().zip(&mut actions) {
        let own = instances.count <= INSTANCES_OF_ACTION && all <= INSTANCES;
        let mut found = Vec::new();
        compiler.guards(action, instances, own, &mut found);
        guards.push(found);
    }
    compiler.is_question = false;
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
    compiler.is_question = true;
    let judgements = compiler.judgements();
    let proper_end = compiler.proper_end();
    compiler.is_question = false;
    let from = compiler.here() as usize;
    let assume = compiler.assumptions();
    let assuming = from..compiler.here() as usize;
    if compiler.is_too_large() {
        return Err(TooLarge::Code);
    }
    compiler.link();
    threading::thread_jumps(&mut compiler.code);
    let extents = extents(&compiler.code, &actions);
    note_written(&mut actions, &extents);
    if extent(&compiler.code, assuming.start, assuming.end).writes.is_none_or(|written| !written.is_empty()) {
        // Functions that change the state, called by assumptions: they run after every body.
        actions.iter_mut().for_each(|action| action.writes.fill(None));
    }
    let reads: Vec<_> = judgements.iter().map(|(start, end)| reads(&compiler.code, *start, *end)).collect();
    note_touched(&mut actions, &reads);
    let key = |read: &Option<Vec<u32>>| Footprint::of_question(read.as_ref()?, &layout.schema);
    let fine = reads.iter().map(key).collect();
    let judge = judgements.iter().map(|&(start, _)| start).collect();
    let tables = |idle: bool, process: Option<u64>| {
        let asked = guards_of(program, &actions, &guards, idle, process);
        Guards::new(asked, &compiler.code, &layout.schema)
    };
    let control = program.control.as_ref().map(|(name, _)| Control {
        slot: layout.first_slot[name],
        processes: (1..=processes.len() as u64)
            .map(|process| Process {
                guards: tables(false, Some(process)),
                idle: tables(true, Some(process)),
            })
            .collect(),
        is_mixed: guards.iter().flatten().any(|guard| guard.label.is_none()),
    });
    let (guards, idle) = (tables(false, None), tables(true, None));
    let action_of = if all <= INSTANCES {
        let numbered = actions.iter().enumerate();
        numbered.flat_map(|(at, each)| std::iter::repeat_n(at as u32, each.count as usize)).collect()
    } else {
        Vec::new()
    };
    let notes = compiler.code.ops.iter().any(|op| matches!(op, Op::Note { .. }));
    let footprints = if assume.is_none() { footprints(&actions, &extents, layout) } else { Vec::new() };
    let code = compiler.code;
    Ok(Compiled {
        code,
        action_of,
        footprints,
        starts,
        actions,
        guards,
        judge,
        fine,
        assume,
        notes,
        idle,
        control,
        proper_end,
    })
}

/// The guards of actions that are idle or not, of all processes or one. One that emits labels of several processes counts for
/// each of them.
fn guards_of(
    program: &Program,
    actions: &[Instances],
    guards: &[Vec<Guard>],
    idle: bool,
    process: Option<u64>,
) -> Vec<Guard> {
    let numbered = program.actions.iter().zip(actions).zip(guards);
    let asked = numbered.filter(|((action, _), _)| action.idle == idle);
    let acts = |instances: &Instances, guard: &Guard| match (process, guard.label) {
        (None, _) => true,
        (Some(process), Some(label)) => instances.actor(label) == process,
        (Some(_), None) => instances.actor.is_some(),
    };
    asked
        .flat_map(|((_, instances), guards)| guards.iter().filter(move |guard| acts(instances, guard)))
        .cloned()
        .collect()
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
fn footprints(actions: &[Instances], extents: &[Vec<Extent>], layout: &Layout) -> Vec<Option<Footprint>> {
    let own = actions.iter().zip(extents).take_while(|(each, _)| each.cells.is_none());
    own.flat_map(|(_, extents)| extents.iter().map(|each| Footprint::new(each, &layout.schema))).collect()
}

fn reads(code: &Code, start: Target, end: Target) -> Option<Vec<u32>> {
    extent(code, start as usize, end as usize).reads
}

/// Records for each body which judgements read a slot that it may write.
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

/// The properties that every new state is asked about, with their numbers.
fn judged(program: &Program) -> impl Iterator<Item = (usize, PropertyKind, &Expr)> {
    program.properties.iter().enumerate().filter_map(|(at, property)| match property.kind {
        PropertyKind::Invariant | PropertyKind::Goal | PropertyKind::Cover => {
            Some((at, property.kind, property.expression.as_ref()?))
        }
        PropertyKind::Assumption | PropertyKind::Stated | PropertyKind::Limit => None,
    })
}

fn assumed(program: &Program) -> impl Iterator<Item = &Expr> {
    let assumed = program.properties.iter().filter(|each| each.kind == PropertyKind::Assumption);
    assumed.filter_map(|each| each.expression.as_ref())
}
