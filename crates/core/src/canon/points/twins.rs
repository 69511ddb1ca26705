//! Points that a state does not distinguish: exchanging two of them, and nothing else, leaves it as it is.
//!
//! Being twins is an equivalence, so a class of n costs n - 1 tests. Where all points of equal colour are twins, every leaf
//! of the search tree has the same image and the stabiliser is known without any search: elements that a state does not
//! mention cost almost nothing (A22), however large their sort is.

use super::super::Stabiliser;
use super::{Colours, GroupAction};
use crate::group::{Blocks, Group};
use crate::perm::Perm;

/// Which exchanges the group has.
pub struct Twins {
    /// By point: the class of points that it can be exchanged with, by number; points of different classes never.
    class: Vec<u32>,
}

pub struct Workspace {
    /// Points by class and colour.
    order: Vec<u32>,
    /// Runs of twins in `order`.
    runs: Vec<std::ops::Range<usize>>,
    /// The identity, but for the exchange that is being tested.
    images: Vec<u32>,
}

impl Twins {
    /// Exchangeability is transitive: (a c) = (a b)(b c)(a b).
    pub fn new(group: &Group) -> Twins {
        let points = group.chain().points();
        let mut class: Vec<u32> = (0..points.len() as u32).collect();
        group.blocks().iter().for_each(|blocks| single_points(blocks, 0, &mut class));
        let mut leaders: Vec<u32> = Vec::new();
        for at in group.rest_points() {
            let exchanges = |leader: &&u32| {
                let mut images: Vec<u32> = (0..group.degree() as u32).collect();
                images.swap(points[**leader as usize] as usize, points[at] as usize);
                Perm::from_images(&images).is_some_and(|exchange| group.contains(&exchange))
            };
            match leaders.iter().find(exchanges) {
                Some(&leader) => class[at] = leader,
                None => leaders.push(at as u32),
            }
        }
        Twins { class }
    }

    pub fn workspace(&self) -> Workspace {
        let points = self.class.len() as u32;
        Workspace { order: (0..points).collect(), runs: Vec::new(), images: (0..points).collect() }
    }

    /// Are all points of equal colour twins? If so, `workspace` holds their classes.
    pub fn cover_ties<A: GroupAction>(
        &self,
        action: &A,
        values: &[u64],
        colours: &Colours,
        workspace: &mut Workspace,
        memory: &mut A::Memory,
    ) -> bool {
        let Workspace { order, runs, images } = workspace;
        let colours = &colours.current;
        let key = |&point: &u32| (colours[point as usize], self.class[point as usize]);
        order.sort_unstable_by_key(key);
        runs.clear();
        let mut start = 0;
        for at in 1..=order.len() {
            if at < order.len() && colours[order[at] as usize] == colours[order[at - 1] as usize] {
                let (a, b) = (order[at - 1], order[at]);
                if self.class[a as usize] != self.class[b as usize] {
                    return false;
                }
                images.swap(a as usize, b as usize);
                let twins = action.fixes(images, &[a, b], values, memory);
                images.swap(a as usize, b as usize);
                if !twins {
                    return false;
                }
                continue;
            }
            if at - start > 1 {
                runs.push(start..at);
            }
            start = at;
        }
        true
    }

    /// The stabiliser that the classes just found generate.
    pub fn stabiliser(&self, workspace: &Workspace, stabiliser: &mut Stabiliser) {
        stabiliser.clear();
        for run in &workspace.runs {
            let members = &workspace.order[run.clone()];
            (2..=members.len() as u32).for_each(|factor| stabiliser.multiply(factor));
            for pair in members.windows(2) {
                stabiliser.keep_moves([(pair[0], pair[1]), (pair[1], pair[0])].into_iter());
            }
        }
    }
}

/// Blocks of one point each can be exchanged point by point, others not: all points of a block move together, or what is
/// inside moves them.
fn single_points(blocks: &Blocks, offset: usize, class: &mut [u32]) {
    let start = offset + blocks.start;
    if blocks.width == 1 {
        class[start..start + blocks.count].fill(start as u32);
    }
    for inner in &blocks.inner {
        (0..blocks.count).for_each(|at| single_points(inner, start + at * blocks.width, class));
    }
}
