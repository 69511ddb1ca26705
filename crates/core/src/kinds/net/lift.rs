//! From a permutation of place classes to one of places and transitions: classes keep their inner order.

use std::collections::HashMap;

use super::Arcs;
use super::certify::Refusal;
use super::collapse::Collapsed;
use super::incidence::Incidence;
use crate::perm::Perm;

pub struct Lift<'a> {
    collapsed: &'a Collapsed,
    incidence: Incidence<'a>,
    class_of_arcs: HashMap<(&'a Arcs, &'a Arcs), u32>,
}

impl<'a> Lift<'a> {
    pub fn new(collapsed: &'a Collapsed) -> Lift<'a> {
        let Collapsed { place_classes, consumes, produces, .. } = collapsed;
        let class_of_arcs = consumes.iter().zip(produces).zip(0..).collect();
        Lift { collapsed, incidence: Incidence::new(place_classes.len(), consumes, produces), class_of_arcs }
    }

    pub fn lift(&self, g: &Perm) -> Result<(Perm, Perm), Refusal> {
        let collapsed = self.collapsed;
        let mut moves = Vec::new();
        // What lies around no place that moves stays where it is.
        for (class, is_kept) in self.incidence.touched(g) {
            if !is_kept {
                let (consumes, produces) = self.incidence.renamed(class, g);
                let image = self.class_of_arcs.get(&(&consumes, &produces)).copied();
                let refused = Refusal::Arcs { transition: class as usize, image: class as usize };
                moves.push((class, image.ok_or(refused)?));
            }
        }
        let lifted = || {
            let transitions = Perm::from_moves(collapsed.transition_classes.len(), moves)?;
            Some((collapsed.on_places(g)?, collapsed.on_transitions(&transitions)?))
        };
        lifted().ok_or(Refusal::NotAPermutation)
    }
}
