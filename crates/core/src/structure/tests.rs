//! Graphs of many alike pieces around what they share, against the orders that are known.

use num_bigint::BigUint;

use super::{SlotAutomorphisms, Structure};
use crate::perm::{Perm, orbit_minima};

fn factorial(n: u32) -> BigUint {
    (1..=n).map(BigUint::from).product()
}

/// Is the permutation of the slots one of the structure? By trying: nodes go where their edges do.
fn keeps(structure: &Structure, g: &Perm) -> bool {
    let described = |image: &dyn Fn(u32) -> u32| {
        let mut nodes: Vec<(u64, Vec<(u32, u64)>)> = (structure.slots()..structure.vertices())
            .map(|node| {
                let own = structure.edges().iter().filter(|edge| edge.0 as usize == node);
                let mut around: Vec<(u32, u64)> = own.map(|&(_, v, label)| (image(v), label)).collect();
                around.sort_unstable();
                (structure.colour(node), around)
            })
            .collect();
        nodes.sort_unstable();
        nodes
    };
    let slots = 0..structure.slots();
    slots.clone().all(|slot| structure.colour(slot) == structure.colour(g.image(slot as u32) as usize))
        && described(&|v| v) == described(&|v| g.image(v))
}

/// Components of `width` slots in a row, of which each end hangs on one slot that all share, or on one of `hubs`.
fn star(components: u32, width: u32, hubs: u32) -> Structure {
    let mut structure = Structure::new(vec![0; (components * width + hubs) as usize]);
    for component in 0..components {
        let first = component * width;
        for x in first..first + width - 1 {
            let node = structure.add_node(1);
            structure.connect(node, x, 0);
            structure.connect(node, x + 1, 1);
        }
        let node = structure.add_node(2);
        structure.connect(node, first, 0);
        structure.connect(node, components * width + component % hubs, 1);
    }
    structure
}

#[test]
fn alike_pieces_around_a_hub_may_be_exchanged() {
    let structure = star(300, 4, 1);
    let SlotAutomorphisms { generators, order, .. } = structure.automorphisms();
    assert_eq!(order, factorial(300));
    assert_eq!(generators.len(), 299);
    let few = star(5, 3, 1);
    assert!(few.automorphisms().generators.iter().all(|g| keeps(&few, g)));
}

#[test]
fn pieces_with_hubs_of_their_own_are_wreath_products() {
    let structure = star(12, 2, 3);
    let SlotAutomorphisms { generators, order, .. } = structure.automorphisms();
    assert_eq!(order, factorial(4).pow(3) * factorial(3));
    assert!(generators.iter().all(|g| keeps(&structure, g)));
    let minima = orbit_minima(structure.slots(), &generators);
    assert_eq!(minima.iter().filter(|&&minimum| minimum == 0).count(), 12);
}

/// A cycle with a hub in its middle: one piece that nauty has to look at.
#[test]
fn rings_stay_rings() {
    let mut structure = Structure::new(vec![0; 8]);
    let hub = structure.add_node(7);
    for x in 0..7 {
        let node = structure.add_node(1);
        structure.connect(node, x, 0);
        structure.connect(node, (x + 1) % 7, 1);
        structure.connect(hub, x, 0);
    }
    let SlotAutomorphisms { generators, order, .. } = structure.automorphisms();
    assert_eq!(order, BigUint::from(7u32));
    assert!(generators.iter().all(|g| keeps(&structure, g)));
}

/// All pairs of two kinds: the whole structure is one hub, and no edge is left.
#[test]
fn complete_structures_fall_apart() {
    let mut structure = Structure::new((0..40).map(|slot| u64::from(slot >= 30)).collect());
    let node = structure.add_node(0);
    (0..40).for_each(|slot| structure.connect(node, slot, 0));
    assert_eq!(structure.automorphisms().order, factorial(30) * factorial(10));
}

/// Different in one edge, deep inside: not of one kind.
#[test]
fn pieces_of_different_kinds_are_told_apart() {
    let mut structure = star(6, 3, 1);
    let node = structure.add_node(3);
    structure.connect(node, 2, 0);
    assert_eq!(structure.automorphisms().order, factorial(5));
}
