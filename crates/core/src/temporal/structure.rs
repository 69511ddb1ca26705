//! The quotient as a Kripke structure: states with the atoms that hold in them, and their edges.
//!
//! In: a quotient, and what formulas read off states and steps. Out: for each expanded state its atoms and its edges. States are
//! expanded as searches ask for them (`expanding`), once for all formulas. Their edges are kept, or, where memory is short, fired
//! again whenever they are asked for. The structure itself does not depend on the layout of states: where a slot becomes too narrow
//! the states are laid out anew and the rest stays.

use super::atoms::StateAtom;
use super::edge_lists::{ClassMasks, EdgeLists, Edges, RecentEdges};
use super::state_set::StateSet;
use crate::canon::Canonicaliser;
use crate::model::PackedModel;
use crate::quotient::{Detail, Edge, Quotient, Unfinished};
use crate::schema::Schema;
use crate::visited::{Link, Pending, Sharded, StateId, Visited};

pub struct Structure {
    pub(super) visited: Sharded,
    pub(super) atoms: AtomTable,
    /// Bits of the atoms that hold, `atoms.words` words for each state.
    pub(super) bits: Vec<u64>,
    /// States whose atoms are known.
    pub(super) is_expanded: StateSet,
    /// Expanded states from which no step leads to a state.
    pub(super) ends: StateSet,
    /// What formulas see of steps: the classes that some formula says are taken.
    pub(super) taken: u64,
    pub(super) classes: ClassMasks,
    pub(super) keeps_edges: bool,
    /// By expanded state, where edges are kept: where they begin in `kept`.
    pub(super) first: Vec<u32>,
    pub(super) kept: EdgeLists,
    pub(super) recent: RecentEdges,
    /// States in which runs begin, ascending.
    pub initial: Vec<u32>,
    /// States that come before these, with their targets.
    pub(super) before: Vec<(u32, Vec<u32>)>,
    /// Does a step fail, or has a condition no value? Then the model is wrong, and formulas have no answer.
    pub has_failed: bool,
    /// Were states taken for equivalent that no element maps to each other? Then individuals cannot be followed.
    pub lacks_witnesses: bool,
    pub expanded: u64,
    pub edges: u64,
    /// Of all edges at the time at which most were kept.
    pub edge_bytes: usize,
    pub(super) pending: Pending,
}

/// Which atoms are noted of states.
pub struct AtomTable {
    /// 64-bit words that hold the atoms of one state.
    pub words: usize,
    /// By number of a property: the atom that it is; NONE where it is none.
    pub of_property: Vec<u32>,
    /// All other atoms, by number.
    pub others: Vec<(usize, StateAtom)>,
    /// Does an atom ask whether a step leads back to the state itself?
    pub reads_loops: bool,
}

impl AtomTable {
    pub const NONE: u32 = u32::MAX;

    fn new(atoms: &[StateAtom]) -> AtomTable {
        let mut table = AtomTable {
            words: atoms.len().div_ceil(64),
            of_property: Vec::new(),
            others: Vec::new(),
            reads_loops: atoms.contains(&StateAtom::Sink),
        };
        for (number, &atom) in atoms.iter().enumerate() {
            let StateAtom::Satisfied(property) = atom else {
                table.others.push((number, atom));
                continue;
            };
            if table.of_property.len() <= property {
                table.of_property.resize(property + 1, AtomTable::NONE);
            }
            table.of_property[property] = number as u32;
        }
        table
    }
}

impl Structure {
    /// `taken`: the classes of steps that formulas say are taken. Atoms are different from each other.
    pub fn new(schema: &Schema, compares: bool, atoms: &[StateAtom], taken: u64) -> Structure {
        Structure {
            visited: Sharded::new(schema, compares, 1),
            atoms: AtomTable::new(atoms),
            bits: Vec::new(),
            is_expanded: StateSet::default(),
            ends: StateSet::default(),
            taken,
            classes: ClassMasks::default(),
            keeps_edges: true,
            first: Vec::new(),
            kept: EdgeLists::default(),
            recent: RecentEdges::default(),
            initial: Vec::new(),
            before: Vec::new(),
            has_failed: false,
            lacks_witnesses: false,
            expanded: 0,
            edges: 0,
            edge_bytes: 0,
            pending: Pending::default(),
        }
    }

    /// Is it stored only because it is in the orbit of another state (flooding)?
    pub fn is_shadow(&self, state: u32, packed: &mut [u64]) -> bool {
        matches!(self.visited.read(StateId(u64::from(state)), packed), Link::Shadow(_))
    }

    /// States are numbered below this.
    pub fn states(&self) -> u32 {
        self.is_expanded.universe() as u32
    }

    #[inline]
    pub fn is_expanded(&self, state: u32) -> bool {
        self.is_expanded.contains(state)
    }

    pub fn expanded_states(&self) -> &StateSet {
        &self.is_expanded
    }

    /// Expanded states in which runs end.
    pub fn ends(&self) -> &StateSet {
        &self.ends
    }

    /// Does the atom of this number hold in an expanded state?
    #[inline]
    pub fn holds(&self, state: u32, atom: usize) -> bool {
        self.bits[state as usize * self.atoms.words + atom / 64] >> (atom % 64) & 1 != 0
    }

    /// The edges of an expanded state, where they are kept, or were fired again just now.
    #[inline]
    pub fn edges(&self, state: u32) -> Option<Edges<'_>> {
        if self.keeps_edges {
            return Some(self.kept.at(self.first[state as usize] as usize, &self.classes.masks));
        }
        self.recent.get(state, &self.classes.masks)
    }

    pub fn keeps_edges(&self) -> bool {
        self.keeps_edges
    }

    /// From now on edges are fired again when they are asked for.
    pub fn forget_edges(&mut self) {
        self.edge_bytes = self.edge_bytes.max(self.kept.bytes());
        self.keeps_edges = false;
        (self.kept, self.first) = Default::default();
    }

    /// Bytes of the edges that are kept.
    pub fn kept_bytes(&self) -> usize {
        self.kept.bytes()
    }

    /// All states are expanded: returns the room that was made for more edges.
    pub fn shrink_edges(&mut self) {
        self.kept.shrink();
        self.edge_bytes = self.edge_bytes.max(self.kept.bytes());
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
            + self.is_expanded.bytes()
            + self.ends.bytes()
            + self.first.capacity() * 4
            + self.kept.bytes()
            + self.recent.bytes()
    }

    /// The same states in a wider layout. Numbers stay: there is one shard, and its states keep their order.
    pub fn lay_out_anew(&mut self, old: &Schema, new: &Schema) {
        let empty = Sharded::new(new, false, 1);
        let (visited, _) = std::mem::replace(&mut self.visited, empty).relaid(old, new);
        self.visited = visited;
    }

    /// Where runs do not begin in the states that the model starts with: the state before one in which they do, and the position
    /// of the edge between them.
    pub fn before(&self, initial: u32) -> Option<(u32, u32)> {
        self.before.iter().find_map(|(state, targets)| {
            let at = targets.iter().position(|&target| target == initial)?;
            Some((*state, at as u32))
        })
    }

    /// The edges of an expanded state with more of their detail, in the same order.
    pub fn edges_in_detail<M: PackedModel, C: Canonicaliser>(
        &self,
        quotient: &mut Quotient<'_, M, C>,
        state: u32,
        detail: Detail,
        each: impl FnMut(Edge<'_>),
    ) -> Result<(), Unfinished> {
        quotient.edges(&self.visited, StateId(u64::from(state)), detail, each)
    }
}
