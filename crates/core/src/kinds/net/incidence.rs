//! The transitions around places, and what a permutation of places does to their arcs: at the cost of what moves.

use super::Arcs;
use crate::perm::Perm;

pub struct Incidence<'a> {
    consumes: &'a [Arcs],
    produces: &'a [Arcs],
    /// By place.
    around: Vec<Vec<Incident>>,
}

/// An arc, as its place sees it.
#[derive(Clone, Copy)]
struct Incident {
    transition: u32,
    is_produced: bool,
    weight: u64,
}

impl<'a> Incidence<'a> {
    /// Arcs ascend by place, and name each place once.
    pub fn new(places: usize, consumes: &'a [Arcs], produces: &'a [Arcs]) -> Incidence<'a> {
        let mut around = vec![Vec::new(); places];
        for (arcs, is_produced) in [(consumes, false), (produces, true)] {
            for (transition, arcs) in (0..).zip(arcs) {
                for &(place, weight) in arcs {
                    around[place as usize].push(Incident { transition, is_produced, weight });
                }
            }
        }
        Incidence { consumes, produces, around }
    }

    /// The transitions around moved places, ascending, and whether the permutation maps the arcs of each to themselves.
    ///
    /// Arcs at places that stay map to themselves. If each arc at a moved place p goes to an arc at its image, of the same
    /// direction and weight, then these arcs, which are finitely many, are mapped into themselves one by one, so onto
    /// themselves. So a transition with ten thousand arcs of which two move is settled by looking at two.
    pub fn touched(&self, places: &Perm) -> Vec<(u32, bool)> {
        let mut found: Vec<(u32, bool)> = Vec::new();
        for &(place, image) in places.moves() {
            for &Incident { transition, is_produced, weight } in &self.around[place as usize] {
                let arcs = if is_produced { self.produces } else { self.consumes };
                let is_kept = arcs[transition as usize].binary_search(&(image, weight)).is_ok();
                found.push((transition, is_kept));
            }
        }
        // Of one transition, false comes first.
        found.sort_unstable();
        found.dedup_by_key(|entry| entry.0);
        found
    }

    /// The arcs of a transition, renamed.
    pub fn renamed(&self, transition: u32, places: &Perm) -> (Arcs, Arcs) {
        let renamed = |arcs: &Arcs| {
            let mut arcs: Arcs = arcs.iter().map(|&(place, weight)| (places.image(place), weight)).collect();
            arcs.sort_unstable();
            arcs
        };
        (renamed(&self.consumes[transition as usize]), renamed(&self.produces[transition as usize]))
    }
}
