//! Is there a group element that maps one state to another, and which leave a state as it is? (A11, A19; Stab(G, M))
//!
//! Backtracking over the Schreier-Sims chain: an image of a base point is tried only if value and colour agree there and
//! at every position decided with it. Colours respect the group, so this loses nothing.

use super::super::stabiliser::Growing;
use super::super::{Cancel, Stabiliser};
use crate::group::{Chain, Product};

pub struct Equivalence<'a> {
    pub chain: &'a Chain,
}

pub struct Workspace {
    product: Product,
    growing: Growing,
    cancel: Cancel,
}

impl Workspace {
    pub fn new(chain: &Chain, cancel: &Cancel) -> Workspace {
        Workspace {
            product: Product::new(chain.moved()),
            growing: Growing::new(chain.moved()),
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

/// Values and colours of a state at the moved slots.
type Painted<'v> = (&'v [u64], &'v [u64]);

impl Equivalence<'_> {
    /// Is there an element g with g(from) = to? Where cancel ended the answer is to be thrown away.
    pub fn exists(&self, from: Painted, to: Painted, workspace: &mut Workspace) -> bool {
        workspace.product.shrink(0);
        self.complete(0, from, to, workspace)
    }

    /// Extends the element of the first k levels to all levels; on failure the element is as before.
    fn complete(&self, k: usize, from: Painted, to: Painted, workspace: &mut Workspace) -> bool {
        let Some(level) = self.chain.levels().get(k) else { return true };
        (0..level.orbit.len()).any(|member| self.complete_by(k, member, from, to, workspace))
    }

    fn complete_by(
        &self,
        k: usize,
        member: usize,
        from: Painted,
        to: Painted,
        workspace: &mut Workspace,
    ) -> bool {
        let product = &mut workspace.product;
        let level = &self.chain.levels()[k];
        let point = level.point as usize;
        let image = product.images()[level.orbit[member] as usize] as usize;
        if from.1[point] != to.1[image] || from.0[point] != to.0[image] {
            return false;
        }
        if workspace.cancel.poll() {
            return false;
        }
        product.push(level.element(member));
        let g = product.images();
        let agree = |x: usize| from.0[x] == to.0[g[x] as usize] && from.1[x] == to.1[g[x] as usize];
        if self.chain.segment(k).all(agree) && self.complete(k + 1, from, to, workspace) {
            return true;
        }
        workspace.product.pop();
        false
    }

    /// How many elements the colours leave possible as stabilisers, judged on the path of the identity.
    pub fn candidates(&self, colours: &[u64]) -> u64 {
        self.chain.levels().iter().fold(1u64, |product, level| {
            let own = colours[level.point as usize];
            product.saturating_mul(level.orbit.iter().filter(|&&c| colours[c as usize] == own).count() as u64)
        })
    }

    /// Level by level from the last: which images can the base point take while the earlier base points stay? The
    /// generators found form a strong generating set, so the orbit lengths multiply to the order.
    pub fn stabiliser(
        &self,
        values: &[u64],
        colours: &[u64],
        workspace: &mut Workspace,
        stabiliser: &mut Stabiliser,
    ) {
        workspace.growing.stabiliser = std::mem::take(stabiliser);
        workspace.growing.start();
        for (k, level) in self.chain.levels().iter().enumerate().rev() {
            let own = colours[level.point as usize];
            if !level.orbit[1..].iter().any(|&c| colours[c as usize] == own) {
                continue;
            }
            workspace.growing.open_level();
            for member in 1..level.orbit.len() {
                let image = level.orbit[member];
                if colours[image as usize] != own || workspace.growing.is_decided(level.point, image) {
                    continue;
                }
                if self.move_by(k, member, (values, colours), workspace) {
                } else {
                    workspace.growing.rule_out(image);
                }
            }
            workspace.growing.close_level(level);
        }
        *stabiliser = std::mem::take(&mut workspace.growing.stabiliser);
    }

    /// Looks for a stabiliser that keeps the base points before level k and sends that of level k to its `member`; keeps it.
    fn move_by(&self, k: usize, member: usize, painted: Painted, workspace: &mut Workspace) -> bool {
        let element = self.chain.levels()[k].element(member);
        let values = painted.0;
        if element.iter().all(|(x, y)| values[x as usize] == values[y as usize]) {
            workspace.growing.keep_moves(element.iter());
            return true;
        }
        workspace.product.shrink(0);
        if !self.complete_by(k, member, painted, painted, workspace) {
            return false;
        }
        workspace.growing.keep(workspace.product.images());
        true
    }
}
