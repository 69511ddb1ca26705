//! Certification: the definition of a symmetry of a net, checked on the net itself.
//!
//! In: a permutation of places and transitions, whoever proposes it, and what it must keep. Out: a `Symmetry`, or the reason why it
//! is none.

use super::collapse::Collapsed;
use super::expression::Expression;
use super::incidence::Incidence;
use super::{Arcs, Net};
use crate::perm::Perm;

/// A permutation of places and transitions that maps the net to itself. Only `certify` makes one.
#[derive(Clone, Debug)]
pub struct Symmetry {
    places: Perm,
    transitions: Perm,
}

impl Symmetry {
    pub fn places(&self) -> &Perm {
        &self.places
    }

    pub fn transitions(&self) -> &Perm {
        &self.transitions
    }
}

/// Why a permutation is no symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    NotAPermutation,
    /// The arcs of this transition do not become those of its image.
    Arcs {
        transition: usize,
        image: usize,
    },
    /// The place holds another number of tokens than its image in the marking of that number.
    Marking {
        marking: usize,
        place: usize,
        image: usize,
    },
    /// The expression of that number becomes another one.
    Expression {
        expression: usize,
    },
}

/// Certifies one permutation, by the images of all places and transitions.
pub fn certify(net: &Net, keep: &Keep, places: &[u32], transitions: &[u32]) -> Result<Symmetry, Refusal> {
    let places = Perm::from_images(places).ok_or(Refusal::NotAPermutation)?;
    let transitions = Perm::from_images(transitions).ok_or(Refusal::NotAPermutation)?;
    Certifier::new(net, keep).certify(places, transitions)
}

/// The definition of a symmetry, checked on the net itself (Junttila 2003, Def. 3.2): arcs, weights, what is to be kept.
///
/// What a permutation leaves alone maps to itself: a transition that stays, with places around it that all stay; a place
/// that stays; an expression of which every place stays. So only the rest is looked at, and a generator costs what it moves.
pub struct Certifier<'a> {
    net: &'a Net,
    keep: &'a Keep,
    incidence: Incidence<'a>,
    /// By place: the expressions that mention it.
    mentioned: Vec<Vec<u32>>,
    /// The expressions in normal form, by representatives.
    expressions: Vec<Expression>,
}

impl<'a> Certifier<'a> {
    pub fn new(net: &'a Net, keep: &'a Keep) -> Certifier<'a> {
        let incidence = Incidence::new(net.places(), &net.consumes, &net.produces);
        let mut mentioned = vec![Vec::new(); net.places()];
        for (number, expression) in (0..).zip(&keep.expressions) {
            expression.each_slot(&mut |place| mentioned[place as usize].push(number));
        }
        let identity = Perm::identity(net.places());
        let own = |expression| keep.on_representatives(expression, &identity);
        let expressions = keep.expressions.iter().map(own).collect();
        Certifier { net, keep, incidence, mentioned, expressions }
    }

    pub fn certify(&self, places: Perm, transitions: Perm) -> Result<Symmetry, Refusal> {
        let Certifier { net, keep, .. } = self;
        if places.degree() != net.places() || transitions.degree() != net.transitions() {
            return Err(Refusal::NotAPermutation);
        }
        let image = |t: u32| transitions.image(t);
        let refused = |t: u32| Refusal::Arcs { transition: t as usize, image: image(t) as usize };
        // What stays is settled by its arcs at moved places, all that moves is compared.
        let mut settled = self.incidence.touched(&places);
        settled.retain(|&(t, _)| image(t) == t);
        settled.extend(transitions.moves().iter().map(|&(t, _)| (t, false)));
        settled.sort_unstable();
        for (t, is_kept) in settled {
            let is_image = |(consumes, produces): (Arcs, Arcs)| {
                let there = image(t) as usize;
                image(t) != t && consumes == net.consumes[there] && produces == net.produces[there]
            };
            if !is_kept && !is_image(self.incidence.renamed(t, &places)) {
                return Err(refused(t));
            }
        }
        for (number, marking) in keep.markings.iter().enumerate() {
            for &(place, image) in places.moves() {
                let (place, image) = (place as usize, image as usize);
                if marking[place] != marking[image] {
                    return Err(Refusal::Marking { marking: number, place, image });
                }
            }
        }
        let moved = places.moves().iter().map(|&(place, _)| place as usize);
        let mut mentioned: Vec<u32> = moved.flat_map(|place| &self.mentioned[place]).copied().collect();
        mentioned.sort_unstable();
        mentioned.dedup();
        for number in mentioned {
            let expression = number as usize;
            if keep.on_representatives(&keep.expressions[expression], &places) != self.expressions[expression]
            {
                return Err(Refusal::Expression { expression });
            }
        }
        Ok(Symmetry { places, transitions })
    }
}

/// What the symmetries must leave as it is, in terms of places.
#[derive(Clone, Debug, Default)]
pub struct Keep {
    markings: Vec<Vec<u64>>,
    expressions: Vec<Expression>,
    /// By place: the first place identical to it.
    representative: Vec<u32>,
}

impl Keep {
    pub fn markings(&self) -> &[Vec<u64>] {
        &self.markings
    }

    pub fn expressions(&self) -> &[Expression] {
        &self.expressions
    }

    pub fn new(collapsed: &Collapsed, markings: Vec<Vec<u64>>, expressions: Vec<Expression>) -> Keep {
        let first = |&class: &u32| collapsed.place_classes[class as usize][0];
        Keep { markings, expressions, representative: collapsed.class_of_place.iter().map(first).collect() }
    }

    /// The expression after renaming, in normal form. Identical places always hold the same number of tokens, so each
    /// is called by its representative: swapping them changes no truth, and so no text.
    pub fn on_representatives(&self, expression: &Expression, symmetry: &Perm) -> Expression {
        expression.renamed(&|place| self.representative[symmetry.image(place) as usize])
    }
}
