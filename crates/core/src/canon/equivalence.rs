//! Is there a group element that maps one state to another, and which leave a state as it is? (A11, A19; Stab(G, M))
//!
//! Backtracking over the Schreier-Sims chain: an image of a base point is tried only if value and colour agree there and
//! at every position decided with it. Colours respect the group, so this loses nothing.

use num_bigint::BigUint;

use crate::group::Chain;

pub struct Equivalence<'a> {
    pub chain: &'a Chain,
}

/// Generators (images of the moved slots) and order of a stabiliser.
#[derive(Debug, Default)]
pub struct Stabiliser {
    generators: Vec<Vec<u32>>,
    count: usize,
    /// Orbit lengths along the chain; their product is the order.
    indices: Vec<u32>,
}

impl Stabiliser {
    pub fn generators(&self) -> &[Vec<u32>] {
        &self.generators[..self.count]
    }

    pub fn is_trivial(&self) -> bool {
        self.count == 0
    }

    pub fn order(&self) -> BigUint {
        self.indices.iter().map(|&index| BigUint::from(index)).product()
    }
}

pub struct Workspace {
    moved: usize,
    rows: Vec<u32>,
    element: Vec<u32>,
    stabiliser: Stabiliser,
    /// By point: 0 unknown, 1 in the base point's orbit, 2 ruled out.
    state_of: Vec<u8>,
    stack: Vec<u32>,
}

impl Workspace {
    pub fn new(chain: &Chain) -> Workspace {
        let (moved, levels) = (chain.moved(), chain.levels().len());
        let mut rows = vec![0; (levels + 1) * moved];
        for (x, image) in rows[..moved].iter_mut().enumerate() {
            *image = x as u32;
        }
        Workspace {
            moved,
            rows,
            element: vec![0; moved],
            stabiliser: Stabiliser::default(),
            state_of: vec![0; moved],
            stack: Vec::new(),
        }
    }
}

/// Values and colours of a state at the moved slots.
type Painted<'v> = (&'v [u64], &'v [u64]);

impl Equivalence<'_> {
    /// An element g with g(from) = to, as images.
    pub fn find<'w>(&self, from: Painted, to: Painted, workspace: &'w mut Workspace) -> Option<&'w [u32]> {
        // Row 0 may hold another element's rows only above level 0: it is always the identity.
        if !self.decided_agree(0..self.first_point(), 0, from, to, workspace) {
            return None;
        }
        self.complete(0, from, to, workspace).then(|| self.assemble(0, workspace))
    }

    fn first_point(&self) -> usize {
        self.chain.levels().first().map_or(self.chain.moved(), |level| level.point as usize)
    }

    fn decided_agree(
        &self,
        at: std::ops::Range<usize>,
        row: usize,
        from: Painted,
        to: Painted,
        w: &Workspace,
    ) -> bool {
        let g = &w.rows[row * w.moved..(row + 1) * w.moved];
        at.into_iter().all(|x| {
            let y = g[x] as usize;
            from.0[x] == to.0[y] && from.1[x] == to.1[y]
        })
    }

    /// Extends the element in row k to all levels from k on.
    fn complete(&self, k: usize, from: Painted, to: Painted, workspace: &mut Workspace) -> bool {
        let Some(level) = self.chain.levels().get(k) else { return true };
        for member in 0..level.orbit.len() {
            if self.child(k, member, from, to, workspace) && self.complete(k + 1, from, to, workspace) {
                return true;
            }
        }
        false
    }

    /// Puts the child into row k + 1; false where something decided disagrees.
    #[inline]
    fn child(&self, k: usize, member: usize, from: Painted, to: Painted, workspace: &mut Workspace) -> bool {
        let level = &self.chain.levels()[k];
        let moved = workspace.moved;
        let (above, below) = workspace.rows.split_at_mut((k + 1) * moved);
        let g = &above[k * moved..];
        let image = g[level.orbit[member] as usize] as usize;
        let point = level.point as usize;
        if from.1[point] != to.1[image] || from.0[point] != to.0[image] {
            return false;
        }
        self.chain.extend(k, member, g, &mut below[..moved]);
        self.decided_agree(self.chain.segment(k), k + 1, from, to, workspace)
    }

    /// The whole element; positions before level `start` stay.
    fn assemble<'w>(&self, start: usize, workspace: &'w mut Workspace) -> &'w [u32] {
        let moved = workspace.moved;
        for (x, image) in workspace.element.iter_mut().enumerate() {
            *image = x as u32;
        }
        for k in start..self.chain.levels().len() {
            for x in self.chain.segment(k) {
                workspace.element[x] = workspace.rows[(k + 1) * moved + x];
            }
        }
        &workspace.element
    }

    /// Could a base point go anywhere else at all, by colours?
    pub fn may_have_stabiliser(&self, colours: &[u64]) -> bool {
        self.chain.levels().iter().any(|level| {
            let own = colours[level.point as usize];
            level.orbit[1..].iter().any(|&c| colours[c as usize] == own)
        })
    }

    /// Level by level from the last: which images can the base point take while the earlier base points stay? The
    /// generators found form a strong generating set, so the orbit lengths multiply to the order.
    pub fn stabiliser<'w>(
        &self,
        values: &[u64],
        colours: &[u64],
        workspace: &'w mut Workspace,
    ) -> &'w Stabiliser {
        workspace.stabiliser.count = 0;
        workspace.stabiliser.indices.clear();
        let painted = (values, colours);
        for k in (0..self.chain.levels().len()).rev() {
            let level = &self.chain.levels()[k];
            let own = colours[level.point as usize];
            if !level.orbit[1..].iter().any(|&c| colours[c as usize] == own) {
                continue;
            }
            workspace.state_of.fill(0);
            workspace.flood(level.point, 1);
            // The earlier levels stay: the identity stands in row k.
            let moved = workspace.moved;
            for x in 0..moved {
                workspace.rows[k * moved + x] = x as u32;
            }
            for member in 1..level.orbit.len() {
                let image = level.orbit[member];
                if workspace.state_of[image as usize] != 0 || colours[image as usize] != own {
                    continue;
                }
                if self.child(k, member, painted, painted, workspace)
                    && self.complete(k + 1, painted, painted, workspace)
                {
                    self.assemble(k, workspace);
                    workspace.keep_element();
                    workspace.state_of.fill(0);
                    workspace.flood(level.point, 1);
                } else {
                    workspace.flood(image, 2);
                }
            }
            let length = workspace.state_of.iter().filter(|&&state| state == 1).count() as u32;
            workspace.stabiliser.indices.push(length);
        }
        &workspace.stabiliser
    }
}

impl Workspace {
    fn keep_element(&mut self) {
        let Workspace { stabiliser, element, .. } = self;
        if stabiliser.count == stabiliser.generators.len() {
            stabiliser.generators.push(Vec::new());
        }
        let kept = &mut stabiliser.generators[stabiliser.count];
        kept.clear();
        kept.extend_from_slice(element);
        stabiliser.count += 1;
    }

    /// Marks the orbit of a point under the generators found so far.
    fn flood(&mut self, point: u32, state: u8) {
        self.state_of[point as usize] = state;
        self.stack.push(point);
        while let Some(x) = self.stack.pop() {
            for generator in &self.stabiliser.generators[..self.stabiliser.count] {
                let y = generator[x as usize];
                if self.state_of[y as usize] != state {
                    self.state_of[y as usize] = state;
                    self.stack.push(y);
                }
            }
        }
    }
}
