//! A pattern: a template and its renamed copies (Romijn and Springintveld 1999, Definition 6.1).
//!
//! A *vector* has the state of each copy. An action moves every copy that can do it; the colours of the template's edges that
//! are taken are the *colours* of the action, a multiset. Two actions after variant traces are symmetric if their colours
//! agree (Definition 6.4). A *node* is a state of the machine with a vector, a row of numbers: the state, then the vector.

use super::NONE;
use super::interner::Interner;
use super::{StateMachine, Stopped};

pub struct Pattern {
    initial: Vec<u32>,
    /// By action of the machine: the copies that have it.
    parts: Vec<Vec<Part>>,
}

/// What an action of the machine does in one copy.
struct Part {
    copy: u32,
    /// (state, colour, target) of the template, by state.
    moves: Vec<(u32, u32, u32)>,
}

/// Edges of a template with their colours.
pub struct Template<'a> {
    /// Source, action, target of each edge.
    pub edges: &'a [u32],
    /// By edge.
    pub colours: &'a [u32],
}

impl Pattern {
    /// `images`: by copy and action of the template, the action of the machine, or NONE. `initial`: by copy. `actions`: how
    /// many the machine has. None where numbers do not fit, or a copy has two edges for one action in a state.
    pub fn new(
        template: &Template<'_>,
        images: &[Vec<u32>],
        initial: Vec<u32>,
        actions: usize,
    ) -> Option<Self> {
        if images.len() != initial.len() || template.edges.len() != 3 * template.colours.len() {
            return None;
        }
        let mut parts: Vec<Vec<Part>> = (0..actions).map(|_| Vec::new()).collect();
        for (copy, image) in images.iter().enumerate() {
            for (edge, &colour) in template.edges.chunks_exact(3).zip(template.colours) {
                let &action = image.get(edge[1] as usize)?;
                if action == NONE {
                    continue;
                }
                let own = parts.get_mut(action as usize)?;
                if own.last().is_none_or(|part| part.copy != copy as u32) {
                    own.push(Part { copy: copy as u32, moves: Vec::new() });
                }
                own.last_mut()?.moves.push((edge[0], colour, edge[2]));
            }
        }
        for part in parts.iter_mut().flatten() {
            part.moves.sort_unstable();
            if part.moves.windows(2).any(|two| two[0].0 == two[1].0) {
                return None;
            }
        }
        Some(Pattern { initial, parts })
    }

    pub fn copies(&self) -> usize {
        self.initial.len()
    }

    /// Moves the copies of a node and collects the colours, ascending; none where no copy has the action. `node` becomes the
    /// node after it but for its state.
    pub fn step(&self, node: &mut [u32], action: u32, colours: &mut Vec<u32>) {
        colours.clear();
        for part in &self.parts[action as usize] {
            let state = &mut node[part.copy as usize + 1];
            if let Ok(at) = part.moves.binary_search_by_key(state, |taken| taken.0) {
                let (_, colour, target) = part.moves[at];
                colours.push(colour);
                *state = target;
            }
        }
        colours.sort_unstable();
    }
}

/// Nodes found so far, each with the step that first led to it.
pub struct Nodes {
    rows: Interner,
    /// By node: its predecessor and the action, or NONE.
    from: Vec<(u32, u32)>,
}

impl Nodes {
    /// With the first node: the machine's initial state and the copies as they begin.
    pub fn new(machine: &StateMachine, pattern: &Pattern) -> Result<Self, Stopped> {
        let mut rows = Interner::default();
        let mut first = vec![machine.initial[0]];
        first.extend_from_slice(&pattern.initial);
        rows.intern(&first)?;
        Ok(Nodes { rows, from: vec![(NONE, NONE)] })
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    pub fn row(&self, node: u32) -> &[u32] {
        self.rows.row(node)
    }

    pub fn state(&self, node: u32) -> u32 {
        self.rows.row(node)[0]
    }

    /// `row` after `action` of `source`; its number and whether it is new.
    pub fn add(&mut self, row: &[u32], source: u32, action: u32) -> Result<(u32, bool), Stopped> {
        let (node, is_new) = self.rows.intern(row)?;
        if is_new {
            self.from.push((source, action));
        }
        Ok((node, is_new))
    }

    /// The actions that first led to a node.
    pub fn trace(&self, node: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut at = self.from[node as usize];
        while at.0 != NONE {
            found.push(at.1);
            at = self.from[at.0 as usize];
        }
        found.reverse();
        found
    }
}
