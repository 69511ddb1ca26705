//! The search tree over a Schreier-Sims chain (Junttila 2003, Alg. 4.1 and 4.2).
//!
//! A node at level k is a product g of transversal elements; its children send the next base point to g(c), c in the
//! orbit of that point. A selector keeps the children whose valuation it chooses; among the leaves that remain, the one
//! with the lexicographically smallest image g^-1 M is the representative. Prunings: a prefix that is already larger
//! than the best (L1492); two leaves with the same image differ by a stabiliser of M, which makes whole branches
//! copies of finished ones (L1496): found stabilisers are kept and composed, by orbits of the ones that fix the prefix.

use super::Hardness;
use super::selector::Selector;
use crate::group::Chain;

pub struct Search<'a> {
    chain: &'a Chain,
    selector: Selector,
    prune: bool,
    /// Nodes after which the best so far is taken.
    budget: u64,
    first_leaf_only: bool,
}

pub struct Found {
    pub hardness: Hardness,
    pub nodes: u64,
}

pub struct Workspace {
    moved: usize,
    /// Row k + 1: the element after level k, valid from that level's point on. Row 0 is the identity.
    rows: Vec<u32>,
    levels: Vec<LevelState>,
    sorted: Vec<u64>,
    /// The image under construction, the best image, and the element and level images that gave it.
    current: Vec<u64>,
    best: Vec<u64>,
    best_element: Vec<u32>,
    best_images: Vec<u32>,
    images: Vec<u32>,
    stabilisers: Vec<Vec<u32>>,
    /// Stabilisers of this run; the list above only keeps its allocations.
    found: usize,
}

#[derive(Default)]
struct LevelState {
    /// Members of the orbit that the selector kept, and the next to try.
    members: Vec<u32>,
    next: usize,
    /// Is the prefix up to this level the best image's prefix?
    equal: bool,
    /// Images of the base point whose branches are finished.
    finished: Vec<u32>,
    /// Union-find over points: orbits of the stabilisers that fix the images of all earlier levels.
    orbit: Vec<u32>,
    /// Stabilisers already taken into `orbit`; it is rebuilt where this is 0.
    joined: usize,
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
            levels: (0..levels).map(|_| LevelState::default()).collect(),
            sorted: Vec::new(),
            current: vec![0; moved],
            best: vec![0; moved],
            best_element: vec![0; moved],
            best_images: vec![0; levels],
            images: vec![0; levels],
            stabilisers: Vec::new(),
            found: 0,
        }
    }

    pub fn best(&self) -> &[u64] {
        &self.best
    }

    fn row(&self, k: usize) -> &[u32] {
        &self.rows[k * self.moved..(k + 1) * self.moved]
    }

    /// g^-1 M for the element that the last walk ended with.
    pub fn collect(&self, chain: &Chain, values: &[u64], image: &mut [u64]) {
        for k in 0..chain.levels().len() {
            let row = self.row(k + 1);
            for x in chain.segment(k) {
                image[x] = values[row[x] as usize];
            }
        }
    }
}

impl<'a> Search<'a> {
    pub fn canonical(chain: &'a Chain, selector: Selector) -> Self {
        Search { chain, selector, prune: true, budget: u64::MAX, first_leaf_only: false }
    }

    pub fn whole_group(chain: &'a Chain) -> Self {
        Search { prune: false, ..Search::canonical(chain, Selector::Trivial) }
    }

    pub fn bounded(chain: &'a Chain, selector: Selector, budget: Option<u64>) -> Self {
        let search = Search::canonical(chain, selector);
        Search { budget: budget.unwrap_or(u64::MAX), first_leaf_only: budget.is_none(), ..search }
    }

    /// Follows the least valuation down the tree; false where two children share it.
    #[inline]
    pub fn walk(&self, valuation: &[u64], workspace: &mut Workspace) -> bool {
        let moved = workspace.moved;
        for (k, level) in self.chain.levels().iter().enumerate() {
            let (above, below) = workspace.rows.split_at_mut((k + 1) * moved);
            let g = &above[k * moved..];
            let (mut least, mut member, mut alone) = (u64::MAX, 0, false);
            for (at, &c) in level.orbit.iter().enumerate() {
                let value = valuation[g[c as usize] as usize];
                if value < least {
                    (least, member, alone) = (value, at, true);
                } else if value == least {
                    alone = false;
                }
            }
            if !alone {
                return false;
            }
            self.chain.extend(k, member, g, &mut below[..moved]);
        }
        true
    }

    /// Leaves the representative in `workspace.best()`.
    pub fn run(&self, values: &[u64], valuation: &[u64], workspace: &mut Workspace) -> Found {
        let depth = self.chain.levels().len();
        let mut state = Run { leaves: 0, nodes: 0, branched: false, differs: false };
        workspace.found = 0;
        let mut k = 0;
        self.open(0, valuation, workspace, &mut state);
        loop {
            if state.leaves > 0 && (self.first_leaf_only || state.nodes > self.budget) {
                break;
            }
            let Some(member) = self.next_member(k, workspace) else {
                if k == 0 {
                    break;
                }
                k -= 1;
                continue;
            };
            state.nodes += 1;
            if !self.descend(k, member, values, workspace, &mut state) {
                continue;
            }
            if k + 1 < depth {
                k += 1;
                self.open(k, valuation, workspace, &mut state);
            } else {
                k = self.leaf(k, workspace, &mut state);
            }
        }
        let hardness = match (state.branched, state.differs) {
            (false, _) => Hardness::Trivial,
            (true, false) => Hardness::Easy,
            (true, true) => Hardness::Hard,
        };
        Found { hardness, nodes: state.nodes }
    }

    /// Lists the children of the node at level k that the selector keeps.
    fn open(&self, k: usize, valuation: &[u64], workspace: &mut Workspace, state: &mut Run) {
        let level = &self.chain.levels()[k];
        let moved = workspace.moved;
        let g = &workspace.rows[k * moved..(k + 1) * moved];
        let value_of = |c: &u32| valuation[g[*c as usize] as usize];
        let chosen = self.selector.choose(level.orbit.iter().map(value_of), &mut workspace.sorted);
        let node = &mut workspace.levels[k];
        node.members.clear();
        let kept =
            level.orbit.iter().enumerate().filter(|(_, c)| chosen.is_none_or(|chosen| value_of(c) == chosen));
        node.members.extend(kept.map(|(member, _)| member as u32));
        node.next = 0;
        node.joined = 0;
        node.finished.clear();
        state.branched |= node.members.len() > 1;
    }

    /// The next child whose branch is not a copy of a finished one.
    fn next_member(&self, k: usize, workspace: &mut Workspace) -> Option<usize> {
        let orbit = &self.chain.levels()[k].orbit;
        loop {
            let at = workspace.levels[k].next;
            let member = *workspace.levels[k].members.get(at)? as usize;
            workspace.levels[k].next += 1;
            let image = workspace.row(k)[orbit[member] as usize];
            if at == 0 || workspace.found == 0 || !workspace.is_copy(k, image) {
                workspace.levels[k].finished.push(image);
                workspace.images[k] = image;
                return Some(member);
            }
        }
    }

    /// Goes to the child; false where its prefix is already larger than the best image.
    fn descend(
        &self,
        k: usize,
        member: usize,
        values: &[u64],
        workspace: &mut Workspace,
        state: &mut Run,
    ) -> bool {
        let moved = workspace.moved;
        let (above, below) = workspace.rows.split_at_mut((k + 1) * moved);
        let row = &mut below[..moved];
        self.chain.extend(k, member, &above[k * moved..], row);
        let mut equal = state.leaves > 0 && (k == 0 || workspace.levels[k - 1].equal);
        for x in self.chain.segment(k) {
            let value = values[row[x] as usize];
            workspace.current[x] = value;
            if equal && value != workspace.best[x] {
                state.differs = true;
                if value > workspace.best[x] {
                    return false;
                }
                equal = false;
            }
        }
        workspace.levels[k].equal = equal;
        true
    }

    /// Takes a leaf in; the level where the search goes on.
    fn leaf(&self, k: usize, workspace: &mut Workspace, state: &mut Run) -> usize {
        let same = state.leaves > 0 && workspace.levels[k].equal;
        state.leaves += 1;
        if !same {
            workspace.best.copy_from_slice(&workspace.current);
            for level in 0..=k {
                let row = level + 1;
                for x in self.chain.segment(level) {
                    workspace.best_element[x] = workspace.rows[row * workspace.moved + x];
                }
                workspace.best_images[level] = workspace.images[level];
                workspace.levels[level].equal = true;
            }
            return k;
        }
        if !self.prune {
            return k;
        }
        workspace.add_stabiliser(self.chain);
        // Back to where the two paths part: this branch is a copy of the one that holds the best leaf.
        (0..=k).find(|&level| workspace.images[level] != workspace.best_images[level]).unwrap_or(k)
    }
}

struct Run {
    leaves: u64,
    nodes: u64,
    branched: bool,
    differs: bool,
}

impl Workspace {
    /// The leaf just met has the best image: this element after the inverse of the best one stabilises the marking.
    fn add_stabiliser(&mut self, chain: &Chain) {
        if self.found == self.stabilisers.len() {
            self.stabilisers.push(vec![0; self.moved]);
        }
        let stabiliser = &mut self.stabilisers[self.found];
        for level in 0..chain.levels().len() {
            for x in chain.segment(level) {
                stabiliser[self.best_element[x] as usize] = self.rows[(level + 1) * self.moved + x];
            }
        }
        self.found += 1;
    }

    /// Is the image in one orbit with a finished one, under the stabilisers that fix the images chosen above level k?
    fn is_copy(&mut self, k: usize, image: u32) -> bool {
        let Workspace { levels, stabilisers, images, found, moved, .. } = self;
        let node = &mut levels[k];
        if node.joined == 0 {
            node.orbit.clear();
            node.orbit.extend(0..*moved as u32);
        }
        for stabiliser in &stabilisers[node.joined..*found] {
            if images[..k].iter().all(|&x| stabiliser[x as usize] == x) {
                for (x, &y) in stabiliser.iter().enumerate() {
                    let (a, b) = (root(&mut node.orbit, x as u32), root(&mut node.orbit, y));
                    node.orbit[a.max(b) as usize] = a.min(b);
                }
            }
        }
        node.joined = *found;
        let of_image = root(&mut node.orbit, image);
        (0..node.finished.len()).any(|at| root(&mut node.orbit, node.finished[at]) == of_image)
    }
}

fn root(parent: &mut [u32], mut x: u32) -> u32 {
    while parent[x as usize] != x {
        parent[x as usize] = parent[parent[x as usize] as usize];
        x = parent[x as usize];
    }
    x
}
