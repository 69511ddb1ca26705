//! Is there an element that maps one state to another, and which leave a state as it is? (A19; Stab(G, s))
//!
//! Both states are refined side by side: a choice for a base point on the one side is matched on the other by a point of
//! the same colour, and where the refined colours no longer agree the match was wrong.

use super::super::stabiliser::Growing;
use super::super::{Cancel, Stabiliser};
use super::{Colours, GroupAction};
use crate::group::{Chain, Moves, Product};

pub struct Isomorphism<'a, A: GroupAction> {
    pub chain: &'a Chain,
    pub action: &'a A,
}

/// Colours to settle, and buffers of the kind of states at hand.
pub struct Settling<'s, A: GroupAction> {
    pub colours: &'s mut Colours,
    pub memory: &'s mut A::Memory,
}

pub struct Workspace {
    product: Product,
    /// Colours by level, of the left and of the right state.
    left: Vec<Vec<u64>>,
    right: Vec<Vec<u64>>,
    image: Vec<u64>,
    support: Vec<u32>,
    element: Vec<u32>,
    growing: Growing,
    cancel: Cancel,
}

impl Workspace {
    pub fn new(chain: &Chain, slots: usize, cancel: &Cancel) -> Workspace {
        let (points, levels) = (chain.moved(), chain.levels().len() + 1);
        Workspace {
            product: Product::new(points),
            left: vec![vec![0; points]; levels],
            right: vec![vec![0; points]; levels],
            image: vec![0; slots],
            support: Vec::new(),
            element: vec![0; points],
            growing: Growing::new(points),
            cancel: cancel.clone(),
        }
    }
}

impl Workspace {
    /// The element that `exists` found last.
    pub fn element(&self) -> &[u32] {
        self.product.images()
    }
}

/// Two states, and buffers to refine their colours in.
struct Pair<'v> {
    left: &'v [u64],
    right: &'v [u64],
}

impl<A: GroupAction> Isomorphism<'_, A> {
    /// Is there an element g with g(from) = to? Both colourings are settled.
    pub fn exists(
        &self,
        (from, from_colours): (&[u64], &[u64]),
        (to, to_colours): (&[u64], &[u64]),
        settling: &mut Settling<A>,
        workspace: &mut Workspace,
    ) -> bool {
        workspace.product.shrink(0);
        workspace.left[0].copy_from_slice(from_colours);
        workspace.right[0].copy_from_slice(to_colours);
        self.extend(0, &Pair { left: from, right: to }, settling, workspace)
    }

    /// Extends the element of the first k levels to all levels.
    fn extend(&self, k: usize, pair: &Pair, settling: &mut Settling<A>, workspace: &mut Workspace) -> bool {
        let Some(level) = self.chain.levels().get(k) else {
            let Workspace { product, image, .. } = workspace;
            self.action.apply(product.images(), pair.left, image, settling.memory);
            return *image == pair.right;
        };
        (0..level.orbit.len()).any(|member| self.extend_by(k, member, pair, settling, workspace))
    }

    fn extend_by(
        &self,
        k: usize,
        member: usize,
        pair: &Pair,
        settling: &mut Settling<A>,
        workspace: &mut Workspace,
    ) -> bool {
        let level = &self.chain.levels()[k];
        let point = level.point;
        let wanted = workspace.product.images()[level.orbit[member] as usize];
        if workspace.left[k][point as usize] != workspace.right[k][wanted as usize] || workspace.cancel.poll()
        {
            return false;
        }
        let left = self.below(k, pair.left, point, settling, &mut workspace.left);
        let right = self.below(k, pair.right, wanted, settling, &mut workspace.right);
        if left != right {
            return false;
        }
        workspace.product.push(level.element(member));
        if self.extend(k + 1, pair, settling, workspace) {
            return true;
        }
        workspace.product.pop();
        false
    }

    /// Colours one level down, with a point set apart; their summary.
    fn below(
        &self,
        k: usize,
        values: &[u64],
        point: u32,
        settling: &mut Settling<A>,
        by_level: &mut [Vec<u64>],
    ) -> u64 {
        let Settling { colours, memory } = settling;
        colours.current.copy_from_slice(&by_level[k]);
        colours.set_apart(point, k);
        self.action.settle(values, colours, memory);
        by_level[k + 1].copy_from_slice(&colours.current);
        colours.summary()
    }

    /// Level by level from the last: which points can take the place of the base point while the earlier base points
    /// stay? The elements found form a strong generating set, so the orbit lengths multiply to the order.
    pub fn stabiliser<'w>(
        &self,
        values: &[u64],
        settling: &mut Settling<A>,
        workspace: &'w mut Workspace,
    ) -> &'w Stabiliser {
        workspace.growing.start();
        workspace.left[0].copy_from_slice(&settling.colours.current);
        let mut known = 0;
        for (k, level) in self.chain.levels().iter().enumerate().rev() {
            let own = workspace.left[0][level.point as usize];
            if !level.orbit[1..].iter().any(|&c| workspace.left[0][c as usize] == own) {
                continue;
            }
            workspace.growing.open_level();
            for member in 1..level.orbit.len() {
                let point = level.orbit[member];
                if workspace.left[0][point as usize] != own
                    || workspace.growing.is_decided(level.point, point)
                {
                    continue;
                }
                if self.exchange(k, member, values, workspace, settling.memory)
                    || self.search_from(k, member, values, &mut known, settling, workspace)
                {
                    workspace.growing.keep(&workspace.element);
                } else {
                    workspace.growing.rule_out(point);
                }
            }
            workspace.growing.close_level(level);
        }
        &workspace.growing.stabiliser
    }

    /// Does the transversal element itself leave the state as it is?
    fn exchange(
        &self,
        k: usize,
        member: usize,
        values: &[u64],
        workspace: &mut Workspace,
        memory: &mut A::Memory,
    ) -> bool {
        let moves = self.chain.levels()[k].element(member);
        let Workspace { element, support, .. } = workspace;
        for (x, at) in element.iter_mut().enumerate() {
            *at = x as u32;
        }
        support.clear();
        for (x, y) in moves.iter() {
            element[x as usize] = y;
            support.push(x);
        }
        self.action.fixes(element, support, values, memory)
    }

    /// Looks for any element that keeps the base points before level k and sends that of level k to its `member`.
    fn search_from(
        &self,
        k: usize,
        member: usize,
        values: &[u64],
        known: &mut usize,
        settling: &mut Settling<A>,
        workspace: &mut Workspace,
    ) -> bool {
        // Colours with the base points before level k set apart, on both sides.
        while *known < k {
            let point = self.chain.levels()[*known].point;
            self.below(*known, values, point, settling, &mut workspace.left);
            *known += 1;
        }
        let (left, right) = (&workspace.left[k], &mut workspace.right[k]);
        right.copy_from_slice(left);
        workspace.product.shrink(0);
        // The levels before k keep their base points: identity factors.
        for _ in 0..k {
            workspace.product.push(Moves::NONE);
        }
        let found = self.extend_by(k, member, &Pair { left: values, right: values }, settling, workspace);
        if found {
            workspace.element.copy_from_slice(workspace.product.images());
        }
        found
    }
}
