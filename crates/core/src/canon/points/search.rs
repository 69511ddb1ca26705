//! The search tree over the base of the group (Junttila 2003, Alg. 7.2 and 7.4.2; A15, A17, A18, A24).
//!
//! A node at level k has chosen the points that go to the first k base points. Its children choose for the next, among the
//! points of one colour; each choice gives the point a colour of its own, and the colours are refined again. A leaf is an
//! element g, its image is g^-1 s, the smallest image is the representative. Two leaves with the same image differ by a
//! stabiliser of the state, so the branch between them is a copy of a finished one; mostly that is found without descending,
//! because exchanging two children leaves the state as it is.

use super::super::stabiliser::{join, root};
use super::super::{Cancel, Hardness, SearchCost, Selector};
use super::{Colours, GroupAction};
use crate::group::{Blocks, Chain, Group, Level, Moves, Product};

/// How much of the tree is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchExtent {
    /// Colours settle again after each choice; else they are those of the root (A15).
    pub refines: bool,
    /// All children are followed, and nothing is pruned (A24's all permutations).
    pub everything: bool,
    pub first_leaf_only: bool,
    pub budget: u64,
}

impl SearchExtent {
    pub const CANONICAL: SearchExtent =
        SearchExtent { refines: true, everything: false, first_leaf_only: false, budget: u64::MAX };
}

/// How a group is gone through where nothing has to be tried.
pub struct Factors {
    /// Direct factors that are exchanges of blocks, and nothing inside them.
    sorted: Vec<Blocks>,
    /// The levels of the others.
    levels: Vec<usize>,
}

impl Factors {
    pub fn of(group: &Group) -> Factors {
        let sorted: Vec<Blocks> =
            group.blocks().iter().filter(|blocks| blocks.inner.is_empty()).cloned().collect();
        let is_sorted = |level: &Level| {
            let point = level.point as usize;
            sorted.iter().any(|blocks| (blocks.start..blocks.start + blocks.points()).contains(&point))
        };
        let levels = group.chain().levels().iter().enumerate();
        let levels = levels.filter(|(_, level)| !is_sorted(level)).map(|(k, _)| k).collect();
        Factors { sorted, levels }
    }
}

pub struct Search<'a, A: GroupAction> {
    pub chain: &'a Chain,
    pub factors: &'a Factors,
    pub action: &'a A,
    pub extent: SearchExtent,
}

#[derive(Default)]
struct Node {
    /// Members of the level's orbit that may be chosen, and the next to try.
    members: Vec<u32>,
    next: usize,
    /// Points whose branches are finished.
    finished: Vec<u32>,
    /// Colours when the node was opened.
    colours: Vec<u64>,
    /// Have all points different colours from here on?
    discrete: bool,
}

pub struct Workspace {
    product: Product,
    nodes: Vec<Node>,
    sorted: Vec<u64>,
    order: Vec<u32>,
    inverse: Vec<u32>,
    support: Vec<u32>,
    image: Vec<u64>,
    best: Vec<u64>,
    best_element: Vec<u32>,
    best_choices: Vec<u32>,
    choices: Vec<u32>,
    stabilisers: Vec<Vec<u32>>,
    /// Union-find: points whose exchange, and nothing else, leaves the state as it is. Such points are so at every node,
    /// so a class of n of them costs n tests, however deep the tree (A22: what a state does not mention is one class).
    twins: Vec<u32>,
    /// Union-find for pruning by found stabilisers.
    orbit: Vec<u32>,
    cancel: Cancel,
}

#[derive(Default)]
struct SearchTally {
    leaves: u64,
    nodes: u64,
    branched: bool,
    differs: bool,
}

impl Workspace {
    pub fn new(chain: &Chain, slots: usize, cancel: &Cancel) -> Workspace {
        let (points, levels) = (chain.moved(), chain.levels().len());
        Workspace {
            product: Product::new(points),
            nodes: (0..levels).map(|_| Node::default()).collect(),
            sorted: Vec::new(),
            order: Vec::new(),
            inverse: vec![0; points],
            support: Vec::new(),
            image: vec![0; slots],
            best: vec![0; slots],
            best_element: vec![0; points],
            best_choices: vec![0; levels],
            choices: vec![0; levels],
            stabilisers: Vec::new(),
            twins: Vec::new(),
            orbit: Vec::new(),
            cancel: cancel.clone(),
        }
    }

    pub fn best(&self) -> &[u64] {
        &self.best
    }
}

impl<A: GroupAction> Search<'_, A> {
    /// The one path where all points have colours of their own: follows the least at every level. In a group of blocks this
    /// sorts them by the colours of their first points.
    pub fn walk(&self, values: &[u64], colours: &Colours, workspace: &mut Workspace, memory: &mut A::Memory) {
        let Workspace { product, inverse, best, order, .. } = workspace;
        product.shrink(0);
        let levels = self.chain.levels();
        for level in self.factors.levels.iter().map(|&k| &levels[k]) {
            let g = product.images();
            let (mut least, mut member) = (u64::MAX, 0);
            for (at, &c) in level.orbit.iter().enumerate() {
                let colour = colours.current[g[c as usize] as usize];
                if colour < least {
                    (least, member) = (colour, at);
                }
            }
            product.push(level.element(member));
        }
        for (x, &y) in product.images().iter().enumerate() {
            inverse[y as usize] = x as u32;
        }
        for blocks in &self.factors.sorted {
            order.clear();
            order.extend(0..blocks.count as u32);
            order.sort_unstable_by_key(|&at| colours.current[blocks.block(at as usize).start]);
            for (to, &from) in order.iter().enumerate() {
                for (to, from) in blocks.block(to).zip(blocks.block(from as usize)) {
                    inverse[from] = to as u32;
                }
            }
        }
        self.action.apply(inverse, values, best, memory);
    }

    /// Leaves the representative in `workspace.best()`; `colours` are settled.
    pub fn run(
        &self,
        values: &[u64],
        colours: &mut Colours,
        workspace: &mut Workspace,
        memory: &mut A::Memory,
    ) -> SearchCost {
        let depth = self.chain.levels().len();
        let mut tally = SearchTally::default();
        workspace.stabilisers.clear();
        workspace.twins.clear();
        workspace.twins.extend(0..self.chain.moved() as u32);
        workspace.product.shrink(0);
        let mut k = 0;
        self.open(0, colours, workspace, &mut tally);
        loop {
            let enough = self.extent.first_leaf_only || tally.nodes > self.extent.budget;
            if workspace.cancel.poll() || tally.leaves > 0 && enough {
                break;
            }
            workspace.product.shrink(k);
            let Some(member) = self.next_member(k, values, workspace, memory) else {
                if k == 0 {
                    break;
                }
                k -= 1;
                continue;
            };
            tally.nodes += 1;
            workspace.product.push(self.chain.levels()[k].element(member));
            if k + 1 == depth {
                k = self.leaf(k, values, workspace, &mut tally, memory);
                continue;
            }
            self.descend(k, values, colours, workspace, memory);
            k += 1;
            self.open(k, colours, workspace, &mut tally);
        }
        let hardness = match (tally.branched, tally.differs) {
            (false, _) => Hardness::Trivial,
            (true, false) => Hardness::Easy,
            (true, true) => Hardness::Hard,
        };
        SearchCost { hardness, nodes: tally.nodes }
    }

    /// The colours below the choice just made at level k.
    fn descend(
        &self,
        k: usize,
        values: &[u64],
        colours: &mut Colours,
        workspace: &mut Workspace,
        memory: &mut A::Memory,
    ) {
        let node = &workspace.nodes[k];
        colours.current.copy_from_slice(&node.colours);
        let discrete = node.discrete;
        if !discrete && self.extent.refines && node.members.len() > 1 {
            colours.set_apart(workspace.choices[k], k);
            self.action.settle(values, colours, memory);
        }
    }

    /// Lists the children of the node at level k.
    fn open(&self, k: usize, colours: &mut Colours, workspace: &mut Workspace, tally: &mut SearchTally) {
        let level = &self.chain.levels()[k];
        let g = workspace.product.images();
        let node = &mut workspace.nodes[k];
        let colour_of = |c: &u32| colours.current[g[*c as usize] as usize];
        let chosen = if self.extent.everything {
            None
        } else {
            Selector::LeastUnique.choose(level.orbit.iter().map(colour_of), &mut workspace.sorted)
        };
        node.members.clear();
        let kept = level
            .orbit
            .iter()
            .enumerate()
            .filter(|(_, c)| chosen.is_none_or(|chosen| colour_of(c) == chosen));
        node.members.extend(kept.map(|(member, _)| member as u32));
        node.next = 0;
        node.finished.clear();
        node.colours.clear();
        node.colours.extend_from_slice(&colours.current);
        node.discrete = k > 0 && node.members.len() == 1 && colours.distinct() == colours.current.len();
        tally.branched |= node.members.len() > 1;
    }

    /// The next child whose branch is not a copy of a finished one.
    fn next_member(
        &self,
        k: usize,
        values: &[u64],
        workspace: &mut Workspace,
        memory: &mut A::Memory,
    ) -> Option<usize> {
        let level = &self.chain.levels()[k];
        loop {
            let node = &mut workspace.nodes[k];
            let member = *node.members.get(node.next)? as usize;
            let first = node.members[0] as usize;
            node.next += 1;
            let g = workspace.product.images();
            let point = g[level.orbit[member] as usize];
            let first_point = g[level.orbit[first] as usize];
            let copy = member != first
                && !self.extent.everything
                && (root(&mut workspace.twins, first_point) == root(&mut workspace.twins, point)
                    || self.exchanges(level, (first, member), values, workspace, memory)
                    || workspace.joins_finished(k, point));
            if copy {
                continue;
            }
            workspace.nodes[k].finished.push(point);
            workspace.choices[k] = point;
            return Some(member);
        }
    }

    /// With a and b the elements of two children and g the node's: does g (b a^-1) g^-1, or g (a b a^-1) g^-1 where that
    /// leads there too, stabilise the state? Both lie in the group, fix the choices above and map the one to the other.
    fn exchanges(
        &self,
        level: &Level,
        (first, second): (usize, usize),
        values: &[u64],
        workspace: &mut Workspace,
        memory: &mut A::Memory,
    ) -> bool {
        let (a, b) = (level.element(first), level.element(second));
        let conjugate_leads_there = a.image(level.orbit[second]) == level.orbit[second];
        (conjugate_leads_there && self.stabilises(|y| a.image(b.image(y)), (a, b), values, workspace, memory))
            || self.stabilises(|y| b.image(y), (a, b), values, workspace, memory)
    }

    /// Is the element that sends g(a(y)) to g(h(y)) for each y a stabiliser of the state?
    fn stabilises(
        &self,
        h: impl Fn(u32) -> u32,
        (a, b): (Moves, Moves),
        values: &[u64],
        workspace: &mut Workspace,
        memory: &mut A::Memory,
    ) -> bool {
        let Workspace { product, inverse, support, .. } = workspace;
        let g = product.images();
        for (x, at) in inverse.iter_mut().enumerate() {
            *at = x as u32;
        }
        support.clear();
        for (x, y) in a.iter().chain(b.iter()) {
            for point in [x, y] {
                let (from, to) = (g[a.image(point) as usize], g[h(point) as usize]);
                if inverse[from as usize] != to {
                    inverse[from as usize] = to;
                    support.push(from);
                }
            }
        }
        let fixes = self.action.fixes(inverse, support, values, memory);
        if let (true, &mut [a, b]) = (fixes, support.as_mut_slice()) {
            join(&mut workspace.twins, a, b);
        }
        fixes
    }

    /// Takes a leaf in; the level where the search goes on.
    fn leaf(
        &self,
        k: usize,
        values: &[u64],
        workspace: &mut Workspace,
        tally: &mut SearchTally,
        memory: &mut A::Memory,
    ) -> usize {
        let Workspace { product, inverse, image, best, .. } = workspace;
        for (x, &y) in product.images().iter().enumerate() {
            inverse[y as usize] = x as u32;
        }
        self.action.apply(inverse, values, image, memory);
        let same = tally.leaves > 0 && *image == *best;
        let better = tally.leaves == 0 || !same && self.action.precedes(image, best);
        tally.differs |= tally.leaves > 0 && !same;
        tally.leaves += 1;
        if better {
            best.copy_from_slice(image);
            workspace.best_element.copy_from_slice(product.images());
            workspace.best_choices.copy_from_slice(&workspace.choices);
        }
        if !same || self.extent.everything {
            return k;
        }
        workspace.add_stabiliser();
        // Back to where the two paths part: this branch is a copy of the one that holds the best leaf.
        (0..=k).find(|&level| workspace.choices[level] != workspace.best_choices[level]).unwrap_or(k)
    }
}

impl Workspace {
    /// The current leaf has the best image: this element after the inverse of the best one stabilises the state.
    fn add_stabiliser(&mut self) {
        let mut stabiliser = vec![0; self.best_element.len()];
        for (&best, &here) in self.best_element.iter().zip(self.product.images()) {
            stabiliser[best as usize] = here;
        }
        self.stabilisers.push(stabiliser);
    }

    /// Is the point in one orbit with a finished one, under the stabilisers that fix the choices above level k?
    fn joins_finished(&mut self, k: usize, point: u32) -> bool {
        let Workspace { stabilisers, orbit, choices, nodes, best_element, .. } = self;
        let finished = &nodes[k].finished;
        if stabilisers.is_empty() || finished.is_empty() {
            return false;
        }
        orbit.clear();
        orbit.extend(0..best_element.len() as u32);
        for stabiliser in stabilisers.iter().filter(|g| choices[..k].iter().all(|&x| g[x as usize] == x)) {
            for (x, &y) in stabiliser.iter().enumerate() {
                join(orbit, x as u32, y);
            }
        }
        let of_point = root(orbit, point);
        finished.iter().any(|&done| root(orbit, done) == of_point)
    }
}
