//! The symmetries of a net: proposed by nauty on its labelled graph, certified arc by arc, lifted to all places and
//! transitions.
//!
//! In: a net, markings to keep, expressions to keep. Out: `NetGroup`, in which every generator has passed `certify`.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use num_bigint::BigUint;

use super::collapse::Collapsed;
use super::expression::{Expression, Linear};
use super::{Arcs, Net};
use crate::canon::{Cancel, Method};
use crate::group::Group;
use crate::kinds::{Error, check_method, on_points};
use crate::perm::{Perm, orbit_minima};
use crate::random::Random;
use crate::structure::{SlotAutomorphisms, Structure};

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
    /// By place: the transitions around it.
    around: Vec<Vec<u32>>,
    /// By place: the expressions that mention it.
    mentioned: Vec<Vec<u32>>,
    /// The expressions in normal form, by representatives.
    expressions: Vec<Expression>,
}

impl<'a> Certifier<'a> {
    pub fn new(net: &'a Net, keep: &'a Keep) -> Certifier<'a> {
        let mut around = vec![Vec::new(); net.places()];
        for t in 0..net.transitions() {
            for &(place, _) in net.consumes[t].iter().chain(&net.produces[t]) {
                around[place as usize].push(t as u32);
            }
        }
        let mut mentioned = vec![Vec::new(); net.places()];
        for (number, expression) in (0..).zip(&keep.expressions) {
            expression.each_slot(&mut |place| mentioned[place as usize].push(number));
        }
        let identity = Perm::identity(net.places());
        let own = |expression| keep.on_representatives(expression, &identity);
        let expressions = keep.expressions.iter().map(own).collect();
        Certifier { net, keep, around, mentioned, expressions }
    }

    pub fn certify(&self, places: Perm, transitions: Perm) -> Result<Symmetry, Refusal> {
        let Certifier { net, keep, .. } = self;
        if places.degree() != net.places() || transitions.degree() != net.transitions() {
            return Err(Refusal::NotAPermutation);
        }
        let moved_places = || places.moves().iter().map(|&(place, _)| place as usize);
        let mut touched: Vec<u32> = moved_places().flat_map(|place| &self.around[place]).copied().collect();
        touched.extend(transitions.moves().iter().map(|&(t, _)| t));
        for t in ascending(touched) {
            let image = transitions.image(t) as usize;
            for arcs in [&net.consumes, &net.produces] {
                let arcs_of_t = &arcs[t as usize];
                let mut moved: Vec<(u32, u64)> =
                    arcs_of_t.iter().map(|&(p, w)| (places.image(p), w)).collect();
                moved.sort_unstable();
                if moved != arcs[image] {
                    return Err(Refusal::Arcs { transition: t as usize, image });
                }
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
        for number in ascending(moved_places().flat_map(|place| &self.mentioned[place]).copied().collect()) {
            let expression = number as usize;
            if keep.on_representatives(&keep.expressions[expression], &places) != self.expressions[expression]
            {
                return Err(Refusal::Expression { expression });
            }
        }
        Ok(Symmetry { places, transitions })
    }
}

fn ascending(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
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
    pub fn new(collapsed: &Collapsed, markings: Vec<Vec<u64>>, expressions: Vec<Expression>) -> Keep {
        let first = |&class: &u32| collapsed.place_classes[class as usize][0];
        Keep { markings, expressions, representative: collapsed.class_of_place.iter().map(first).collect() }
    }

    /// The expression after renaming, in normal form. Identical places always hold the same number of tokens, so each
    /// is called by its representative: swapping them changes no truth, and so no text.
    fn on_representatives(&self, expression: &Expression, symmetry: &Perm) -> Expression {
        expression.renamed(&|place| self.representative[symmetry.image(place) as usize])
    }
}

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
        self.generators.iter().all(|(g, _)| g.places.moves().iter().all(keeps))
    }

    /// The first expression (over places) that a generator changes.
    pub fn first_changed(&self, collapsed: &Collapsed, expressions: &[Expression]) -> Option<usize> {
        let keep = Keep::new(collapsed, Vec::new(), Vec::new());
        let identity = Perm::identity(collapsed.class_of_place.len());
        expressions.iter().position(|e| {
            let own = keep.on_representatives(e, &identity);
            self.generators.iter().any(|(g, _)| keep.on_representatives(e, &g.places) != own)
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
            let (places, transitions) = lift.lift(collapsed, g)?;
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
        if cancel.is_cancelled() {
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
                |class: &Vec<u32>| collapsed.class_of_place[symmetry.places.image(class[0]) as usize];
            let images: Vec<u32> = collapsed.place_classes.iter().map(class_image).collect();
            on_classes.push(Perm::from_images(&images).ok_or((number, Refusal::NotAPermutation))?);
            generators.push((symmetry, Source::Given));
        }
        on_classes.retain(|g| !g.is_identity());
        let on_nodes: Vec<Perm> = generators.iter().map(|(g, _)| joined(&g.places, &g.transitions)).collect();
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
        if keep.markings.contains(&net.initial) {
            let changing = collapsed.changing();
            moving =
                moving.iter().filter_map(|g| restricted(g, &changing)).filter(|g| !g.is_identity()).collect();
        }
        let acting = Group::generated(degree, moving, None);
        let order_on_classes = if acting.generators() == on_classes {
            acting.order().clone()
        } else {
            Group::generated(degree, on_classes.clone(), None).order().clone()
        };
        // What moves no place moves no transition: identical ones keep their order.
        let order = if degree == net.places() {
            order_on_classes.clone()
        } else {
            let on_places = generators.iter().map(|(g, _)| g.places.clone()).filter(|g| !g.is_identity());
            Group::generated(net.places(), on_places.collect(), None).order().clone()
        };
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
    let (_, transitions) = lift.lift(collapsed, &on_classes)?;
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
    if !keep.markings.contains(&net.initial) || !generators.iter().any(moves_frozen) {
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

/// From a permutation of place classes to one of places and transitions: classes keep their inner order.
struct Lift {
    transition_of_arcs: BTreeMap<(Arcs, Arcs), u32>,
    /// By class of places: the classes of transitions around it.
    around: Vec<Vec<u32>>,
}

impl Lift {
    fn new(collapsed: &Collapsed) -> Lift {
        let arcs = collapsed.consumes.iter().cloned().zip(collapsed.produces.iter().cloned());
        let mut around = vec![Vec::new(); collapsed.place_classes.len()];
        for (number, (consumes, produces)) in (0..).zip(arcs.clone()) {
            consumes.iter().chain(&produces).for_each(|&(p, _)| around[p as usize].push(number));
        }
        let transition_of_arcs = arcs.enumerate().map(|(class, arcs)| (arcs, class as u32)).collect();
        Lift { transition_of_arcs, around }
    }

    fn lift(&self, collapsed: &Collapsed, g: &Perm) -> Result<(Perm, Perm), Refusal> {
        let moved = |arcs: &[(u32, u64)]| {
            let mut arcs: Vec<(u32, u64)> = arcs.iter().map(|&(p, w)| (g.image(p), w)).collect();
            arcs.sort_unstable();
            arcs
        };
        let image = |class: u32| {
            let key =
                (moved(&collapsed.consumes[class as usize]), moved(&collapsed.produces[class as usize]));
            let image = self.transition_of_arcs.get(&key).copied();
            image.ok_or(Refusal::Arcs { transition: class as usize, image: class as usize })
        };
        // What lies around no place that moves stays where it is.
        let around = g.moves().iter().flat_map(|&(place, _)| &self.around[place as usize]).copied();
        let moves = ascending(around.collect()).into_iter().map(|class| Ok((class, image(class)?)));
        let moves = moves.collect::<Result<Vec<_>, Refusal>>()?;
        let lifted = || {
            let transitions = Perm::from_moves(collapsed.transition_classes.len(), moves)?;
            Some((collapsed.on_places(g)?, collapsed.on_transitions(&transitions)?))
        };
        lifted().ok_or(Refusal::NotAPermutation)
    }
}

/// Lists of places, and of transitions, of which any two may be swapped.
fn interchangeable(collapsed: &Collapsed) -> impl Iterator<Item = (&Vec<u32>, Source)> {
    let places = collapsed.place_classes.iter().map(|class| (class, Source::IdenticalPlaces));
    let transitions = collapsed.transition_classes.iter().map(|class| (class, Source::IdenticalTransitions));
    places.chain(transitions).filter(|(members, _)| members.len() > 1)
}

const CONSUMES: u64 = 0;
const PRODUCES: u64 = 1;
const OPERAND: u64 = 0;

/// The net's labelled graph over place classes, transition classes, and the trees of the expressions to keep.
fn structure(collapsed: &Collapsed, keep: &Keep) -> Structure {
    let mut colours = Colours::default();
    let slot_colours = collapsed.place_classes.iter().map(|class| {
        let kept = keep.markings.iter().map(|marking| marking[class[0] as usize]).collect();
        colours.of(Paint::Places(class.len(), kept))
    });
    let mut structure = Structure::new(slot_colours.collect());
    for (class, members) in collapsed.transition_classes.iter().enumerate() {
        let node = structure.add_node(colours.of(Paint::Transitions(members.len())));
        for &(slot, weight) in &collapsed.consumes[class] {
            structure.connect(node, slot, colours.of(Paint::Arc(CONSUMES, weight)));
        }
        for &(slot, weight) in &collapsed.produces[class] {
            structure.connect(node, slot, colours.of(Paint::Arc(PRODUCES, weight)));
        }
    }
    for (number, expression) in keep.expressions.iter().enumerate() {
        let on_classes = expression.renamed(&|place| collapsed.class_of_place[place as usize]);
        add_expression(&mut structure, &mut colours, &on_classes, number, 0);
    }
    structure
}

/// What a colour or an edge label stands for; equal paint, equal number.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Paint {
    Places(usize, Vec<u64>),
    Transitions(usize),
    Arc(u64, u64),
    /// (expression, depth, operator, constant): depth keeps nested operators apart.
    Operator(usize, usize, u8, i128),
    Coefficient(i128),
}

#[derive(Default)]
struct Colours(BTreeMap<Paint, u64>);

impl Colours {
    fn of(&mut self, paint: Paint) -> u64 {
        let next = self.0.len() as u64;
        *self.0.entry(paint).or_insert(next)
    }
}

fn add_expression(
    structure: &mut Structure,
    colours: &mut Colours,
    e: &Expression,
    number: usize,
    depth: usize,
) -> Option<u32> {
    match e {
        Expression::Constant(_) => None,
        Expression::And(parts) | Expression::Or(parts) => {
            let code = u8::from(matches!(e, Expression::And(_)));
            let node = structure.add_node(colours.of(Paint::Operator(number, depth, code, 0)));
            for part in parts {
                if let Some(child) = add_expression(structure, colours, part, number, depth + 1) {
                    structure.connect(node, child, OPERAND);
                }
            }
            Some(node)
        }
        Expression::AtMostZero(sum) => Some(add_sum(structure, colours, sum, (number, depth, 2))),
        Expression::Zero(sum) => Some(add_equation(structure, colours, sum, (number, depth, 3))),
        Expression::NotZero(sum) => Some(add_equation(structure, colours, sum, (number, depth, 4))),
    }
}

/// An equation has two sides that may be exchanged.
fn add_equation(
    structure: &mut Structure,
    colours: &mut Colours,
    sum: &Linear,
    at: (usize, usize, u8),
) -> u32 {
    let (number, depth, code) = at;
    let node = structure.add_node(colours.of(Paint::Operator(number, depth, code, 0)));
    for sign in [1, -1] {
        let terms =
            sum.terms.iter().filter(|term| term.1 * sign > 0).map(|&(slot, c)| (slot, c * sign)).collect();
        let side = Linear { terms, constant: (sum.constant * sign).max(0) };
        let child = add_sum(structure, colours, &side, (number, depth + 1, 5));
        structure.connect(node, child, OPERAND);
    }
    node
}

fn add_sum(structure: &mut Structure, colours: &mut Colours, sum: &Linear, at: (usize, usize, u8)) -> u32 {
    let (number, depth, code) = at;
    let node = structure.add_node(colours.of(Paint::Operator(number, depth, code, sum.constant)));
    for &(slot, coefficient) in &sum.terms {
        structure.connect(node, slot, colours.of(Paint::Coefficient(coefficient)));
    }
    node
}
