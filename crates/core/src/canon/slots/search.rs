//! The search tree over a Schreier-Sims chain (Junttila 2003, Alg. 4.1 and 4.2).
//!
//! A node at level k is a product g of transversal elements; its children send the next base point to g(c), c in the
//! orbit of that point. A selector keeps the children whose valuation it chooses; among the leaves that remain, the one
//! with the lexicographically smallest image g^-1 M is the representative. Prunings: a prefix that is already larger
//! than the best (4.3); two leaves with the same image differ by a stabiliser of M, which makes whole branches
//! copies of finished ones. Stabilisers come from equal leaves, kept and composed by orbits of those that fix
//! the prefix, and, cheaper, from exchanging two children directly without descending to their leaves.

use std::ops::Range;

use super::super::selector::largest_unshared;
use super::super::stabiliser::{join, root};
use super::super::{Cancel, Hardness, SearchCost, Selector};
use super::add_slot;
use crate::group::{Chain, Level, Product};

pub struct Search<'a> {
    chain: &'a Chain,
    selector: Selector,
    prune: bool,
    /// Nodes after which the best so far is taken.
    budget: u64,
    first_leaf_only: bool,
}

pub struct Workspace {
    /// The element of the node at hand: one factor for each level above it.
    product: Product,
    levels: Vec<LevelState>,
    sorted: Vec<u64>,
    /// By level: the member that the last walk took.
    path: Vec<u32>,
    /// Slots and their new values.
    moves: Vec<(u32, u64)>,
    /// The image under construction, the best image, and the element and level images that gave it.
    current: Vec<u64>,
    best: Vec<u64>,
    best_element: Vec<u32>,
    best_images: Vec<u32>,
    images: Vec<u32>,
    stabilisers: Vec<Vec<u32>>,
    /// Stabilisers of this run; the list above only keeps its allocations.
    found: usize,
    cancel: Cancel,
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
    pub fn new(chain: &Chain, cancel: &Cancel) -> Workspace {
        let (moved, levels) = (chain.moved(), chain.levels().len());
        Workspace {
            product: Product::new(moved),
            levels: (0..levels).map(|_| LevelState::default()).collect(),
            sorted: Vec::new(),
            path: Vec::new(),
            moves: Vec::new(),
            current: vec![0; moved],
            best: vec![0; moved],
            best_element: vec![0; moved],
            best_images: vec![0; levels],
            images: vec![0; levels],
            stabilisers: Vec::new(),
            found: 0,
            cancel: cancel.clone(),
        }
    }

    pub fn best(&self) -> &[u64] {
        &self.best
    }

    /// Turns M into g^-1 M for the element that the last walk ended with. Appends the slots that change.
    #[inline]
    pub fn take_image(&mut self, chain: &Chain, values: &mut [u64], changed: &mut Vec<Range<usize>>) {
        let Workspace { product, path, moves, current, .. } = self;
        let g = product.images();
        let taken = || chain.levels().iter().zip(&*path).filter(|&(_, &member)| member > 0);
        let factors = taken().map(|(level, &member)| level.element(member as usize));
        if factors.map(|factor| factor.iter().size_hint().0).sum::<usize>() >= chain.moved() {
            current.clear();
            current.extend(g.iter().map(|&x| values[x as usize]));
            values[..chain.moved()].copy_from_slice(current);
            changed.push(0..chain.moved());
            return;
        }
        moves.clear();
        // What an element leaves where it is, some of its factors do not move, or move back.
        for (level, &member) in taken() {
            let images =
                level.element(member as usize).iter().map(|(x, _)| (x, values[g[x as usize] as usize]));
            moves.extend(images.filter(|&(x, value)| values[x as usize] != value));
        }
        for &(x, value) in &*moves {
            values[x as usize] = value;
            add_slot(changed, x as usize);
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

    /// Follows a value that only one child has down the tree, the least where it stands alone, else the largest of those
    /// that do (the selector `LeastUnique`); false where at some node every value is shared.
    #[inline]
    pub fn walk(&self, valuation: &[u64], workspace: &mut Workspace) -> bool {
        let Workspace { product, sorted, path, .. } = workspace;
        product.shrink(0);
        path.clear();
        for level in self.chain.levels() {
            let g = product.images();
            let value_of = |c: &u32| valuation[g[*c as usize] as usize];
            let (mut least, mut member, mut alone) = (u64::MAX, 0, false);
            for (at, c) in level.orbit.iter().enumerate() {
                let value = value_of(c);
                if value < least {
                    (least, member, alone) = (value, at, true);
                } else if value == least {
                    alone = false;
                }
            }
            if !alone {
                let Some(unshared) = largest_unshared(level.orbit.iter().map(value_of), sorted) else {
                    return false;
                };
                member = level.orbit.iter().position(|c| value_of(c) == unshared).unwrap_or(0);
            }
            path.push(member as u32);
            product.push(level.element(member));
        }
        true
    }

    /// Leaves the representative in `workspace.best()`; where cancel ended, some image, to be thrown away.
    pub fn run(&self, values: &[u64], valuation: &[u64], workspace: &mut Workspace) -> SearchCost {
        let depth = self.chain.levels().len();
        let mut state = Run { leaves: 0, nodes: 0, branched: false, differs: false };
        workspace.found = 0;
        workspace.product.shrink(0);
        let mut k = 0;
        self.open(0, valuation, workspace, &mut state);
        loop {
            if workspace.cancel.poll()
                || state.leaves > 0 && (self.first_leaf_only || state.nodes > self.budget)
            {
                break;
            }
            workspace.product.shrink(k);
            let Some(member) = self.next_member(k, values, workspace) else {
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
        SearchCost { hardness, nodes: state.nodes }
    }

    /// Lists the children of the node at level k that the selector keeps.
    fn open(&self, k: usize, valuation: &[u64], workspace: &mut Workspace, state: &mut Run) {
        let level = &self.chain.levels()[k];
        let g = workspace.product.images();
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
    fn next_member(&self, k: usize, values: &[u64], workspace: &mut Workspace) -> Option<usize> {
        let level = &self.chain.levels()[k];
        loop {
            let node = &mut workspace.levels[k];
            let member = *node.members.get(node.next)? as usize;
            let first = node.members[0] as usize;
            node.next += 1;
            let image = workspace.product.images()[level.orbit[member] as usize];
            if member != first && self.prune && workspace.is_copy(k, level, (first, member), values, image) {
                continue;
            }
            workspace.levels[k].finished.push(image);
            workspace.images[k] = image;
            return Some(member);
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
        workspace.product.push(self.chain.levels()[k].element(member));
        let g = workspace.product.images();
        let mut equal = state.leaves > 0 && (k == 0 || workspace.levels[k - 1].equal);
        for x in self.chain.segment(k) {
            let value = values[g[x] as usize];
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
            workspace.best_element.copy_from_slice(workspace.product.images());
            workspace.best_images.copy_from_slice(&workspace.images);
            workspace.levels.iter_mut().for_each(|level| level.equal = true);
            return k;
        }
        if !self.prune {
            return k;
        }
        workspace.add_stabiliser();
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
    /// The current leaf has the best image: this element after the inverse of the best one stabilises the marking.
    fn add_stabiliser(&mut self) {
        if self.found == self.stabilisers.len() {
            self.stabilisers.push(vec![0; self.best.len()]);
        }
        let stabiliser = &mut self.stabilisers[self.found];
        for (&best, &here) in self.best_element.iter().zip(self.product.images()) {
            stabiliser[best as usize] = here;
        }
        self.found += 1;
    }

    /// Is the child's branch a copy of a finished one? `pair`: the first child tried here, and this one.
    fn is_copy(&mut self, k: usize, level: &Level, pair: (usize, usize), values: &[u64], image: u32) -> bool {
        self.exchanges(level, pair, values) || (self.found > 0 && self.joins_finished(k, image))
    }

    /// With a and b the elements of the two children and g the node's: does g (a b a^-1) g^-1 or g (b a^-1) g^-1
    /// stabilise the marking while it maps the one child to the other? Both lie in the group and fix the prefix.
    fn exchanges(&self, level: &Level, (first, second): (usize, usize), values: &[u64]) -> bool {
        let (a, b) = (level.element(first), level.element(second));
        let g = self.product.images();
        let value = |x: u32| values[g[x as usize] as usize];
        let conjugate_leads_there = a.image(level.orbit[second]) == level.orbit[second];
        if conjugate_leads_there && b.iter().all(|(y, by)| value(a.image(by)) == value(a.image(y))) {
            return true;
        }
        b.iter().all(|(y, by)| value(by) == value(a.image(y)))
            && a.iter().all(|(y, ay)| value(b.image(y)) == value(ay))
    }

    /// Is the image in one orbit with a finished one, under the stabilisers that fix the images chosen above level k?
    fn joins_finished(&mut self, k: usize, image: u32) -> bool {
        let Workspace { levels, stabilisers, images, found, best, .. } = self;
        let node = &mut levels[k];
        if node.joined == 0 {
            node.orbit.clear();
            node.orbit.extend(0..best.len() as u32);
        }
        for stabiliser in &stabilisers[node.joined..*found] {
            if images[..k].iter().all(|&x| stabiliser[x as usize] == x) {
                for (x, &y) in stabiliser.iter().enumerate() {
                    join(&mut node.orbit, x as u32, y);
                }
            }
        }
        node.joined = *found;
        let of_image = root(&mut node.orbit, image);
        (0..node.finished.len()).any(|at| root(&mut node.orbit, node.finished[at]) == of_image)
    }
}
