//! The quotient as a Kripke structure: expanded state by state as searches ask for it, then kept in a compact form.
//!
//! In: a quotient, and what formulas read off states and steps. Out: for each expanded state the atoms that hold in it and its
//! edges. Several formulas share one structure, so a state is expanded once for all of them. The structure itself does not
//! depend on the layout of states: where a slot becomes too narrow the states are laid out anew and the rest stays.

use super::atoms::{StateAtom, Steps};
use crate::canon::Canonicaliser;
use crate::model::{PackedModel, Start, Step};
use crate::quotient::{Detail, Edge, Quotient, Unfinished};
use crate::schema::Schema;
use crate::visited::{Inserted, Link, Sharded, StateId, Visited};

/// In `first`: a state that is not expanded.
const UNEXPANDED: u32 = u32::MAX;
/// Under which number `judge` reports an error of the model.
const ERROR: usize = 1;
/// Edges of room that is made at least.
const GROWTH: usize = 1 << 12;

pub struct Structure {
    visited: Sharded,
    atoms: Vec<StateAtom>,
    /// Are the classes of steps kept beside the edges?
    keeps_classes: bool,
    /// Does an atom ask whether a step leads back to the state itself?
    reads_loops: bool,
    /// 64-bit words that hold the atoms of one state.
    words: usize,
    bits: Vec<u64>,
    /// By state: where its edges begin. There stands how many they are, then follow the targets.
    first: Vec<u32>,
    targets: Vec<u32>,
    /// By edge, where they are kept: what `Steps` says of the label.
    classes: Vec<u64>,
    /// By edge, where only fair runs count: the number of the set of individuals that act, and of the witness.
    fair_edges: Vec<(u32, u32)>,
    /// States in which runs begin, ascending.
    pub initial: Vec<u32>,
    /// States that come before these.
    before: Vec<u32>,
    /// Does a step fail, or has a condition no value? Then the model is wrong, and formulas have no answer.
    pub has_failed: bool,
    /// Were states taken for equivalent that no element maps to each other? Then individuals cannot be followed.
    pub lacks_witnesses: bool,
    pub expanded: u64,
    pub edges: u64,
    /// Properties that the state at hand satisfies.
    satisfied: Vec<usize>,
}

impl Structure {
    pub fn new(schema: &Schema, compares: bool, atoms: Vec<StateAtom>, keeps_classes: bool) -> Structure {
        Structure {
            visited: Sharded::new(schema, compares, 1),
            words: atoms.len().div_ceil(64),
            reads_loops: atoms.contains(&StateAtom::Sink),
            atoms,
            keeps_classes,
            bits: Vec::new(),
            first: Vec::new(),
            targets: Vec::new(),
            classes: Vec::new(),
            fair_edges: Vec::new(),
            initial: Vec::new(),
            before: Vec::new(),
            has_failed: false,
            lacks_witnesses: false,
            satisfied: Vec::new(),
            expanded: 0,
            edges: 0,
        }
    }

    /// Is it stored only because it is in the orbit of another state (flooding)?
    pub fn is_shadow(&self, state: u32, packed: &mut [u64]) -> bool {
        matches!(self.visited.read(StateId(u64::from(state)), packed), Link::Shadow(_))
    }

    /// States are numbered below this.
    pub fn states(&self) -> u32 {
        self.first.len() as u32
    }

    pub fn is_expanded(&self, state: u32) -> bool {
        self.first[state as usize] != UNEXPANDED
    }

    pub fn expanded_states(&self) -> impl Iterator<Item = u32> {
        (0..self.states()).filter(|&state| self.is_expanded(state))
    }

    /// Does the atom of this number hold in an expanded state?
    #[inline]
    pub fn holds(&self, state: u32, atom: usize) -> bool {
        self.bits[state as usize * self.words + atom / 64] >> (atom % 64) & 1 != 0
    }

    /// Targets of an expanded state.
    #[inline]
    pub fn targets(&self, state: u32) -> &[u32] {
        let from = self.first[state as usize] as usize;
        &self.targets[from + 1..from + 1 + self.targets[from] as usize]
    }

    /// What formulas see of the step along an edge.
    #[inline]
    pub fn class(&self, state: u32, edge: usize) -> u64 {
        if self.keeps_classes { self.classes[self.first[state as usize] as usize + 1 + edge] } else { 0 }
    }

    /// The number of the set of individuals that act on an edge. Only where fair runs are looked for.
    #[inline]
    pub fn acting(&self, state: u32, edge: usize) -> u32 {
        self.fair_edges[self.first[state as usize] as usize + 1 + edge].0
    }

    /// The number of the element that maps what the step leads to to the target. Only where fair runs are looked for.
    #[inline]
    pub fn witness(&self, state: u32, edge: usize) -> u32 {
        self.fair_edges[self.first[state as usize] as usize + 1 + edge].1
    }

    /// The values of a state, in the layout of the schema.
    pub fn values(&self, schema: &Schema, state: u32) -> Vec<u64> {
        let (mut packed, mut values) = (vec![0; schema.words()], vec![0; schema.slots().len()]);
        self.visited.read(StateId(u64::from(state)), &mut packed);
        schema.unpack(&packed, &mut values);
        values
    }

    pub fn bytes(&self) -> usize {
        self.visited.bytes()
            + self.bits.capacity() * 8
            + self.first.capacity() * 4
            + self.targets.capacity() * 4
            + self.classes.capacity() * 8
            + self.fair_edges.capacity() * 8
    }

    /// The same states in a wider layout. Numbers stay: there is one shard, and its states keep their order.
    pub fn lay_out_anew(&mut self, old: &Schema, new: &Schema) {
        let empty = Sharded::new(new, false, 1);
        let (visited, _) = std::mem::replace(&mut self.visited, empty).relaid(old, new);
        self.visited = visited;
    }

    fn room_for(&mut self, state: StateId) -> Result<u32, Unfinished> {
        let number = u32::try_from(state.0).ok().filter(|&number| number < UNEXPANDED);
        let number = number.ok_or(Unfinished::Full)?;
        if self.first.len() <= number as usize {
            self.first.resize(number as usize + 1, UNEXPANDED);
            self.bits.resize((number as usize + 1) * self.words, 0);
        }
        Ok(number)
    }

    /// Stores the states in which runs begin. States before these (constants are set up, variables are not) are expanded.
    pub fn enter<M: PackedModel, C: Canonicaliser>(
        &mut self,
        quotient: &mut Quotient<'_, M, C>,
        starts: &[Start],
        steps: &mut Steps<'_>,
    ) -> Result<(), Unfinished> {
        self.initial.clear();
        self.before.clear();
        for start in starts {
            if !quotient.start(start)? {
                self.has_failed |= matches!(start.step, Step::Failed(_));
                continue;
            }
            let (Inserted::Fresh(id) | Inserted::Known(id)) =
                quotient.insert(&self.visited, Link::Initial)?
            else {
                return Err(Unfinished::Full);
            };
            self.room_for(id)?;
            let run_begins = quotient.model.run_begins(&start.values);
            if run_begins { &mut self.initial } else { &mut self.before }.push(id.0 as u32);
        }
        for at in 0..self.before.len() {
            let state = self.before[at];
            self.expand(quotient, steps, state)?;
            let begin = self.first[state as usize] as usize;
            let targets = begin + 1..begin + 1 + self.targets[begin] as usize;
            self.initial.extend_from_slice(&self.targets[targets]);
        }
        self.initial.sort_unstable();
        self.initial.dedup();
        Ok(())
    }

    /// Where runs do not begin in the states that the model starts with: the state before one in which they do, and the position
    /// of the edge between them.
    pub fn before(&self, initial: u32) -> Option<(u32, u32)> {
        self.before.iter().find_map(|&state| {
            let at = self.targets(state).iter().position(|&target| target == initial)?;
            Some((state, at as u32))
        })
    }

    /// The edges of an expanded state with more of their detail, in the same order.
    pub fn edges_again<M: PackedModel, C: Canonicaliser>(
        &self,
        quotient: &mut Quotient<'_, M, C>,
        state: u32,
        detail: Detail,
        each: impl FnMut(Edge<'_>),
    ) -> Result<(), Unfinished> {
        quotient.edges(&self.visited, StateId(u64::from(state)), detail, each)
    }

    /// Finds the edges of a state and the atoms that hold in it, unless they are known. Where it cannot be finished, nothing is
    /// kept but new states that are not expanded.
    #[inline]
    pub fn expand<M: PackedModel, C: Canonicaliser>(
        &mut self,
        quotient: &mut Quotient<'_, M, C>,
        steps: &mut Steps<'_>,
        state: u32,
    ) -> Result<(), Unfinished> {
        if self.is_expanded(state) { Ok(()) } else { self.find_edges(quotient, steps, state) }
    }

    fn find_edges<M: PackedModel, C: Canonicaliser>(
        &mut self,
        quotient: &mut Quotient<'_, M, C>,
        steps: &mut Steps<'_>,
        state: u32,
    ) -> Result<(), Unfinished> {
        let begin = self.targets.len();
        grow_gently(&mut self.targets);
        self.targets.push(0);
        if self.keeps_classes {
            grow_gently(&mut self.classes);
            self.classes.push(0);
        }
        let mut seen = Seen { classes: 0, leaves: false, ends: false, has_witnesses: true };
        let schema = quotient.model.schema();
        let values = if steps.are_read() { self.values(schema, state) } else { Vec::new() };
        let mut largest = 0;
        let detail = match (&steps.fairness, self.reads_loops) {
            (Some(_), _) => Detail::Witnesses,
            (None, true) => Detail::Redirections,
            (None, false) => Detail::Targets,
        };
        if steps.fairness.is_some() {
            grow_gently(&mut self.fair_edges);
            self.fair_edges.push((0, 0));
        }
        let Structure { targets, classes, keeps_classes, visited, fair_edges, .. } = self;
        let found = quotient.edges(visited, StateId(u64::from(state)), detail, |edge| {
            let class = steps.class(edge.label, &values);
            seen.classes |= class;
            seen.leaves |= edge.is_redirected || edge.target.0 != u64::from(state);
            largest = largest.max(edge.target.0);
            targets.push(edge.target.0 as u32);
            if *keeps_classes {
                classes.push(class);
            }
            if let Some(fairness) = &mut steps.fairness {
                let acting = fairness.acting(edge.label, &values);
                seen.has_witnesses &= edge.witness.is_some();
                fair_edges.push((acting, fairness.element(edge.witness.unwrap_or_default())));
            }
        });
        let room = found.and_then(|()| self.room_for(StateId(largest)));
        let is_full = self.targets.len() >= UNEXPANDED as usize;
        if let Err(why) = room.and(if is_full { Err(Unfinished::Full) } else { Ok(()) }) {
            self.targets.truncate(begin);
            self.classes.truncate(begin);
            self.fair_edges.truncate(begin);
            return Err(why);
        }
        let count = self.targets.len() - begin - 1;
        self.targets[begin] = count as u32;
        self.first[state as usize] = begin as u32;
        self.expanded += 1;
        self.edges += count as u64;
        seen.ends = count == 0;
        self.has_failed |= !quotient.expansion().failures.is_empty();
        self.lacks_witnesses |= !seen.has_witnesses;
        self.evaluate(quotient, state, &seen);
        Ok(())
    }

    /// Notes the atoms that hold in the state that was just opened.
    fn evaluate<M: PackedModel, C: Canonicaliser>(
        &mut self,
        quotient: &mut Quotient<'_, M, C>,
        state: u32,
        seen: &Seen,
    ) {
        self.satisfied.clear();
        let satisfied = &mut self.satisfied;
        quotient.judge(&mut |property| satisfied.push(property));
        self.has_failed |= self.satisfied.contains(&ERROR);
        let from = state as usize * self.words;
        for (number, atom) in self.atoms.iter().enumerate() {
            let holds = match *atom {
                StateAtom::Satisfied(property) => self.satisfied.contains(&property),
                StateAtom::Enabled(class) => seen.classes & class != 0,
                StateAtom::Ends => seen.ends,
                StateAtom::Sink => !seen.leaves,
                StateAtom::Initial => self.initial.binary_search(&state).is_ok(),
            };
            self.bits[from + number / 64] |= u64::from(holds) << (number % 64);
        }
    }
}

/// What the edges of one state have in common.
struct Seen {
    /// All that `Steps` says of some enabled step.
    classes: u64,
    leaves: bool,
    ends: bool,
    has_witnesses: bool,
}

/// Room for more, by a quarter at a time: what is kept of millions of edges should not double.
fn grow_gently<T>(list: &mut Vec<T>) {
    if list.capacity() - list.len() < GROWTH {
        list.reserve_exact((list.len() / 4).max(GROWTH));
    }
}
