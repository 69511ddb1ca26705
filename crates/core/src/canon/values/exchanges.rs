//! Which points can be exchanged without changing a value: tried only for points of the same colour.

use super::Nested;
use super::sketch::Point;
use crate::kinds::machine::values::Value;

/// In sets of at most so many elements it does not pay to list, by point, the elements that contain it.
const SMALL: usize = 32;

/// Buffers.
#[derive(Default)]
pub struct Exchanges {
    /// Positions of points, by colour.
    by_colour: Vec<u32>,
    classes: Vec<u32>,
    /// Where the value is a large set: (position, an element with that point), ascending.
    touching: Vec<(u32, Value)>,
    images: Vec<u32>,
    stack: Vec<Value>,
}

impl Exchanges {
    /// By position: the first point with which it can be exchanged. Being exchangeable is an equivalence, and
    /// exchangeable points have the same colour.
    pub fn classes(&mut self, nested: &Nested, value: Value, points: &[Point]) -> &[u32] {
        let mut classes = std::mem::take(&mut self.classes);
        classes.clear();
        classes.extend(0..points.len() as u32);
        let mut by_colour = std::mem::take(&mut self.by_colour);
        by_colour.clone_from(&classes);
        by_colour.sort_unstable_by_key(|&at| (points[at as usize].colour, at));
        let is_alike = |&a: &u32, &b: &u32| points[a as usize].colour == points[b as usize].colour;
        if !by_colour.is_sorted_by(|a, b| !is_alike(a, b)) {
            self.look_at(nested, value, points);
            for alike in by_colour.chunk_by(is_alike).filter(|alike| alike.len() > 1) {
                for (known, &at) in alike.iter().enumerate() {
                    let is_leader = |&&leader: &&u32| classes[leader as usize] == leader;
                    let fits = |&leader: &u32| self.fits((leader, at), nested, value, points);
                    if let Some(leader) = alike[..known].iter().filter(is_leader).copied().find(fits) {
                        classes[at as usize] = leader;
                    }
                }
            }
        }
        self.by_colour = by_colour;
        self.classes = classes;
        &self.classes
    }

    fn look_at(&mut self, nested: &Nested, value: Value, points: &[Point]) {
        let Exchanges { touching, images, .. } = self;
        images.clear();
        images.extend(0..nested.local.len() as u32);
        touching.clear();
        let elements = nested.values.elements(value);
        for &element in elements.iter().filter(|_| elements.len() > SMALL) {
            nested.each_point(element, &mut |point| {
                touching.extend(
                    points.binary_search_by_key(&point, |each| each.at).map(|at| (at as u32, element)),
                )
            });
        }
        touching.sort_unstable();
        touching.dedup();
    }

    fn fits(&mut self, (a, b): (u32, u32), nested: &Nested, value: Value, points: &[Point]) -> bool {
        let Exchanges { touching, images, stack, .. } = self;
        let [x, y] = [a, b].map(|at| nested.points[points[at as usize].at as usize] as usize);
        images.swap(x, y);
        let elements = nested.values.elements(value);
        let fits = if !nested.values.is_set(value) {
            nested.fixes_value(value, images, stack)
        } else if elements.len() <= SMALL {
            nested.stay_inside(elements.iter(), value, images, stack)
        } else {
            let touched = [a, b].into_iter().flat_map(|at| {
                let from = touching.partition_point(|&(other, _)| other < at);
                touching[from..]
                    .iter()
                    .take_while(move |&&(other, _)| other == at)
                    .map(|(_, element)| element)
            });
            nested.stay_inside(touched, value, images, stack)
        };
        images.swap(x, y);
        fits
    }
}
