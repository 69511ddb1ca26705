//! The symmetries of a net: proposed by nauty on its labelled graph, certified arc by arc, lifted to all places and
//! transitions.
//!
//! In: a net, markings to keep, expressions to keep. Out: `NetGroup`, in which every generator has passed `certify`.

use std::sync::{Arc, OnceLock};

use num_bigint::BigUint;

use super::Net;
pub use super::certify::{Certifier, Keep, Refusal, Symmetry, certify};
use super::collapse::Collapsed;
use super::expression::Expression;
use super::labelled_graph::structure;
use super::lift::Lift;
use crate::canon::{Cancel, Method};
use crate::group::Group;
use crate::kinds::{Error, check_method, on_points};
use crate::perm::{Perm, orbit_minima};
use crate::random::Random;
use crate::structure::{SlotAutomorphisms, Structure};

/// A group of certified symmetries, and its action on the place classes (the slots of a compiled net).
#[derive(Clone, Debug)]
pub struct NetGroup {
    generators: Vec<(Symmetry, Source)>,
    order: BigUint,
    complete: bool,
    on_classes: Vec<Perm>,
    order_on_classes: BigUint,
    whole: OnceLock<Group>,
    acting: Group,
    structure: Structure,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    NetAutomorphism,
    IdenticalPlaces,
    IdenticalTransitions,
    Given,
    /// What the caller says of where the permutation comes from.
    Named(Arc<str>),
}

/// A permutation of places that a symmetry of another model is on this net.
pub struct PlacePermutation {
    pub images: Vec<u32>,
    pub source: Arc<str>,
}

/// A group of given permutations, and why some of them are not in it.
pub struct Admitted {
    pub group: NetGroup,
    pub refused: Vec<(usize, Refusal)>,
}

impl NetGroup {
    pub fn generators(&self) -> &[(Symmetry, Source)] {
        &self.generators
    }

    pub fn order(&self) -> &BigUint {
        &self.order
    }

    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The action on the classes whose markings can change: what canonicalisers work with. Classes that are frozen hold
    /// what their images hold wherever the group fixes the initial marking, so leaving them alone changes no reachable
    /// marking. Where the group does not fix it, the action on all classes.
    pub fn acting(&self) -> &Group {
        &self.acting
    }

    /// The action on all place classes.
    pub fn whole(&self) -> &Group {
        self.whole.get_or_init(|| {
            let degree = self.acting.degree();
            Group::generated(degree, self.on_classes.clone(), Some(&self.order_on_classes))
        })
    }

    /// By place class: the smallest class of its orbit.
    pub fn class_orbits(&self) -> Vec<u32> {
        orbit_minima(self.acting.degree(), &self.on_classes)
    }

    /// What it is the automorphism group of, over place classes; the net alone where the group is smaller.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// Refuses a method that does not fit the group.
    pub fn check_method(&self, method: Method) -> Result<(), Error> {
        check_method(method, &self.acting, self.complete)
    }

    /// Is the marking the same under every generator?
    pub fn fixes(&self, marking: &[u64]) -> bool {
        let keeps = |&(x, y): &(u32, u32)| marking[x as usize] == marking[y as usize];
        self.generators.iter().all(|(g, _)| g.places().moves().iter().all(keeps))
    }

    /// The first expression (over places) that a generator changes.
    pub fn first_changed(&self, collapsed: &Collapsed, expressions: &[Expression]) -> Option<usize> {
        let keep = Keep::new(collapsed, Vec::new(), Vec::new());
        let identity = Perm::identity(collapsed.class_of_place.len());
        let mut is_mentioned = vec![false; collapsed.class_of_place.len()];
        expressions.iter().position(|e| {
            is_mentioned.fill(false);
            e.each_slot(&mut |place| is_mentioned[place as usize] = true);
            let own = keep.on_representatives(e, &identity);
            let moves_one = |g: &Perm| g.moves().iter().any(|&(place, _)| is_mentioned[place as usize]);
            let moving = self.generators.iter().map(|(g, _)| g.places()).filter(|g| moves_one(g));
            moving.into_iter().any(|g| keep.on_representatives(e, g) != own)
        })
    }

    /// Does some element move the places like this, up to places that are identical?
    pub fn contains_on_places(&self, collapsed: &Collapsed, places: &Perm) -> bool {
        if places.degree() != collapsed.class_of_place.len() {
            return false;
        }
        let class_image = |place: u32| collapsed.class_of_place[places.image(place) as usize];
        let images: Vec<u32> = collapsed.place_classes.iter().map(|class| class_image(class[0])).collect();
        let keeps =
            |(class, &image): (&Vec<u32>, &u32)| class.iter().all(|&place| class_image(place) == image);
        collapsed.place_classes.iter().zip(&images).all(keeps)
            && Perm::from_images(&images).is_some_and(|g| self.whole().contains(&g))
    }

    /// Images of the places under an element drawn evenly from the action on classes; identical places keep their order.
    pub fn random_places(&self, collapsed: &Collapsed, random: &mut Random) -> Vec<u32> {
        let element = self.whole().chain().random_element(random);
        collapsed.place_images(&on_points(self.whole(), &element))
    }

    /// Only the identity.
    pub fn trivial(collapsed: &Collapsed) -> NetGroup {
        NetGroup {
            generators: Vec::new(),
            order: BigUint::from(1u32),
            complete: false,
            on_classes: Vec::new(),
            order_on_classes: BigUint::from(1u32),
            whole: OnceLock::new(),
            acting: Group::trivial(collapsed.place_classes.len()),
            structure: structure(collapsed, &Keep::default()),
        }
    }

    /// All automorphisms that keep what is to be kept; `collapsed` under the same markings. Where the token of this thread is set
    /// on the way, those that were found until then, or none.
    pub fn automorphisms(net: &Net, collapsed: &Collapsed, keep: &Keep) -> Result<NetGroup, Refusal> {
        let structure = structure(collapsed, keep);
        let cancel = Cancel::current();
        // What is found has to be certified.
        let search = cancel.left().map_or_else(|| cancel.child(), |left| cancel.child_for(left / 2));
        let SlotAutomorphisms { generators: proposed, order, complete } = {
            let _entered = search.enter();
            structure.automorphisms()
        };
        let (lift, certifier) = (Lift::new(collapsed), Certifier::new(net, keep));
        let mut generators = Vec::new();
        for g in &proposed {
            if cancel.is_cancelled() {
                return Ok(NetGroup::trivial(collapsed));
            }
            let (places, transitions) = lift.lift(g)?;
            generators.push((certifier.certify(places, transitions)?, Source::NetAutomorphism));
        }
        let mut whole_order = order.clone();
        for (members, source) in interchangeable(collapsed) {
            whole_order *= factorial(members.len());
            for pair in members.windows(2) {
                if cancel.is_cancelled() {
                    return Ok(NetGroup::trivial(collapsed));
                }
                let (places, transitions) = swap(net, pair[0], pair[1], &source);
                generators.push((certifier.certify(places, transitions)?, source.clone()));
            }
        }
        let acting = acting_group(net, collapsed, keep, &structure, (&proposed, &order));
        if !acting.is_whole() {
            return Ok(NetGroup::trivial(collapsed));
        }
        Ok(NetGroup {
            generators,
            order: whole_order,
            complete,
            on_classes: proposed,
            order_on_classes: order,
            whole: OnceLock::new(),
            acting,
            structure,
        })
    }

    /// The group that given permutations generate; the number of the first one that is no symmetry.
    pub fn generated(
        net: &Net,
        collapsed: &Collapsed,
        given: &[(Vec<u32>, Vec<u32>)],
    ) -> Result<NetGroup, (usize, Refusal)> {
        let mut generators = Vec::new();
        let mut on_classes = Vec::new();
        for (number, (places, transitions)) in given.iter().enumerate() {
            let symmetry =
                certify(net, &Keep::default(), places, transitions).map_err(|why| (number, why))?;
            let class_image =
                |class: &Vec<u32>| collapsed.class_of_place[symmetry.places().image(class[0]) as usize];
            let images: Vec<u32> = collapsed.place_classes.iter().map(class_image).collect();
            on_classes.push(Perm::from_images(&images).ok_or((number, Refusal::NotAPermutation))?);
            generators.push((symmetry, Source::Given));
        }
        on_classes.retain(|g| !g.is_identity());
        let on_nodes: Vec<Perm> =
            generators.iter().map(|(g, _)| joined(g.places(), g.transitions())).collect();
        let whole = Group::generated(net.places() + net.transitions(), on_nodes, None);
        let acting = Group::generated(collapsed.place_classes.len(), on_classes.clone(), None);
        Ok(NetGroup {
            generators,
            order: whole.order().clone(),
            complete: false,
            on_classes,
            order_on_classes: acting.order().clone(),
            whole: OnceLock::new(),
            acting,
            structure: structure(collapsed, &Keep::default()),
        })
    }

    /// The group that given permutations of places generate, as far as each is certified: transitions go where their arcs do.
    /// `and_all`: with all automorphisms besides, unless this token is set before they are found.
    pub fn admitting(
        net: &Net,
        collapsed: &Collapsed,
        keep: &Keep,
        given: Vec<PlacePermutation>,
        and_all: Option<&Cancel>,
    ) -> Result<Admitted, Refusal> {
        let (lift, certifier) = (Lift::new(collapsed), Certifier::new(net, keep));
        let (mut generators, mut on_classes, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for (number, permutation) in given.into_iter().enumerate() {
            match admitted(collapsed, &certifier, &lift, &permutation.images) {
                Ok((symmetry, on_class)) => {
                    generators.push((symmetry, Source::Named(permutation.source)));
                    on_classes.push(on_class);
                }
                Err(refusal) => refused.push((number, refusal)),
            }
        }
        if let Some(cancel) = and_all {
            let mut group = {
                let _entered = cancel.enter();
                NetGroup::automorphisms(net, collapsed, keep)?
            };
            if group.complete {
                generators.append(&mut group.generators);
                group.generators = generators;
                return Ok(Admitted { group, refused });
            }
        }
        on_classes.retain(|g| !g.is_identity());
        let degree = collapsed.place_classes.len();
        let mut moving = on_classes.clone();
        if keep.markings().contains(&net.initial) {
            let changing = collapsed.changing();
            moving =
                moving.iter().filter_map(|g| restricted(g, &changing)).filter(|g| !g.is_identity()).collect();
        }
        let acting = Group::generated(degree, moving, None);
        let on_all = if acting.generators() == on_classes {
            acting.clone()
        } else {
            Group::generated(degree, on_classes.clone(), None)
        };
        // What moves no place moves no transition: identical ones keep their order.
        let on_places = generators.iter().map(|(g, _)| g.places().clone()).filter(|g| !g.is_identity());
        let on_places = if degree == net.places() {
            on_all.clone()
        } else {
            Group::generated(net.places(), on_places.collect(), None)
        };
        if ![&acting, &on_all, &on_places].into_iter().all(Group::is_whole) {
            return Ok(Admitted { group: NetGroup::trivial(collapsed), refused });
        }
        let (order, order_on_classes) = (on_places.order().clone(), on_all.order().clone());
        let group = NetGroup {
            generators,
            order,
            complete: false,
            order_on_classes,
            on_classes,
            whole: OnceLock::new(),
            acting,
            structure: structure(collapsed, keep),
        };
        Ok(Admitted { group, refused })
    }
}

/// A permutation of places as a symmetry, and what it does to classes of places.
fn admitted(
    collapsed: &Collapsed,
    certifier: &Certifier,
    lift: &Lift,
    images: &[u32],
) -> Result<(Symmetry, Perm), Refusal> {
    let is_whole = |g: &Perm| g.degree() == collapsed.class_of_place.len();
    let places = Perm::from_images(images).filter(is_whole).ok_or(Refusal::NotAPermutation)?;
    let class_image = |class: &Vec<u32>| collapsed.class_of_place[places.image(class[0]) as usize];
    let on_classes: Vec<u32> = collapsed.place_classes.iter().map(class_image).collect();
    let on_classes = Perm::from_images(&on_classes).ok_or(Refusal::NotAPermutation)?;
    let (_, transitions) = lift.lift(&on_classes)?;
    Ok((certifier.certify(places, transitions)?, on_classes))
}

/// What a permutation of classes does to those that can change; None where it maps such a class to another one.
fn restricted(g: &Perm, changing: &[bool]) -> Option<Perm> {
    Perm::from_moves(g.degree(), g.moves().iter().copied().filter(|&(c, _)| changing[c as usize]).collect())
}

/// The group restricted to the classes that can change (see `NetGroup::acting`).
fn acting_group(
    net: &Net,
    collapsed: &Collapsed,
    keep: &Keep,
    structure: &Structure,
    (generators, order): (&[Perm], &BigUint),
) -> Group {
    let degree = collapsed.place_classes.len();
    let changing = collapsed.changing();
    let moves_frozen = |g: &Perm| g.moves().iter().any(|&(c, _)| !changing[c as usize]);
    if !keep.markings().contains(&net.initial) || !generators.iter().any(moves_frozen) {
        return Group::generated(degree, generators.to_vec(), Some(order));
    }
    let restrict = |g: &Perm| restricted(g, &changing);
    let restricted: Vec<Perm> = generators.iter().filter_map(restrict).filter(|g| !g.is_identity()).collect();
    // The order of an image is the order divided by that of the kernel.
    let kernel = structure.fixing_order((0..degree as u32).filter(|&c| changing[c as usize]));
    Group::generated(degree, restricted, kernel.map(|kernel| order / kernel).as_ref())
}

/// Places and transitions in one permutation.
fn joined(places: &Perm, transitions: &Perm) -> Perm {
    let shift = places.degree() as u32;
    let of_transitions = transitions.moves().iter().map(|&(t, image)| (t + shift, image + shift));
    let moves = places.moves().iter().copied().chain(of_transitions).collect();
    Perm::from_sorted_moves(places.degree() + transitions.degree(), moves)
}

fn factorial(n: usize) -> BigUint {
    (1..=n).map(BigUint::from).product()
}

fn swap(net: &Net, a: u32, b: u32, source: &Source) -> (Perm, Perm) {
    let exchange = |degree| Perm::from_sorted_moves(degree, vec![(a, b), (b, a)]);
    if *source == Source::IdenticalPlaces {
        (exchange(net.places()), Perm::identity(net.transitions()))
    } else {
        (Perm::identity(net.places()), exchange(net.transitions()))
    }
}

/// Lists of places, and of transitions, of which any two may be swapped.
fn interchangeable(collapsed: &Collapsed) -> impl Iterator<Item = (&Vec<u32>, Source)> {
    let places = collapsed.place_classes.iter().map(|class| (class, Source::IdenticalPlaces));
    let transitions = collapsed.transition_classes.iter().map(|class| (class, Source::IdenticalTransitions));
    places.chain(transitions).filter(|(members, _)| members.len() > 1)
}
