//! Cubes: conjunctions of literals over atoms, as the labels of edges are.
//!
//! In: atoms as bits. Out: what cubes contain, share and cover together.

use super::work::Work;

/// Atoms are bits of a `u128`.
pub const MAX_ATOMS: usize = 128;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Cube {
    /// Atoms that must be true.
    pub positive: u128,
    /// Atoms that must be false.
    pub negative: u128,
}

impl Cube {
    /// What every valuation matches.
    pub const ALL: Cube = Cube { positive: 0, negative: 0 };

    pub fn literal(atom: u32, positive: bool) -> Cube {
        let bit = 1 << atom;
        if positive { Cube { positive: bit, negative: 0 } } else { Cube { positive: 0, negative: bit } }
    }

    /// Does a valuation, the set of true atoms, satisfy it?
    #[inline]
    pub fn matches(self, valuation: u128) -> bool {
        valuation & self.positive == self.positive && valuation & self.negative == 0
    }

    pub fn atoms(self) -> u128 {
        self.positive | self.negative
    }

    /// None where no valuation satisfies both.
    #[must_use]
    pub fn and(self, other: Cube) -> Option<Cube> {
        let both =
            Cube { positive: self.positive | other.positive, negative: self.negative | other.negative };
        (both.positive & both.negative == 0).then_some(both)
    }

    /// Does every valuation of the other satisfy this one?
    pub fn contains(self, other: Cube) -> bool {
        self.positive & !other.positive == 0 && self.negative & !other.negative == 0
    }

    #[must_use]
    pub fn without(self, atoms: u128) -> Cube {
        Cube { positive: self.positive & !atoms, negative: self.negative & !atoms }
    }

    /// The part of this cube that is outside the other, where that is a cube again and smaller than this one.
    pub fn minus(self, other: Cube) -> Option<Cube> {
        let beyond =
            Cube { positive: other.positive & !self.positive, negative: other.negative & !self.negative };
        let single = beyond.atoms().is_power_of_two();
        let rest = Cube { positive: beyond.negative, negative: beyond.positive };
        // Disjoint cubes take nothing away, and adding the opposite literals is then no smaller or impossible.
        if single && self.and(other).is_some() { self.and(rest) } else { None }
    }
}

/// Does every valuation of `cube` satisfy one of `cover`? By Shannon's expansion along atoms of the cover; false also where that
/// takes more work than is left.
pub fn covers(cover: &[Cube], cube: Cube, work: &mut Work) -> bool {
    if !work.spend(1 + cover.len()) {
        return false;
    }
    if cover.iter().any(|each| each.contains(cube)) {
        return true;
    }
    let near: Vec<Cube> = cover.iter().copied().filter(|each| each.and(cube).is_some()).collect();
    // A cube that no single one contains needs at least two of them.
    if near.len() < 2 {
        return false;
    }
    let undecided = near[0].atoms() & !cube.atoms();
    let atom = undecided.trailing_zeros();
    [true, false].into_iter().all(|value| {
        let half = Cube::literal(atom, value);
        cube.and(half).is_none_or(|half| covers(&near, half, work))
    })
}

/// Few cubes with the same valuations: literals that are not needed are dropped, then cubes that are not, as far as work is left.
pub fn irredundant(cubes: &mut Vec<Cube>, work: &mut Work) {
    cubes.sort_unstable();
    cubes.dedup();
    for at in 0..cubes.len() {
        let mut atoms = cubes[at].atoms();
        while atoms != 0 {
            let atom = atoms & atoms.wrapping_neg();
            atoms ^= atom;
            let wider = cubes[at].without(atom);
            if covers(cubes, wider, work) {
                cubes[at] = wider;
            }
        }
    }
    let mut at = 0;
    while at < cubes.len() {
        let cube = cubes.swap_remove(at);
        if !covers(cubes, cube, work) {
            cubes.push(cube);
            let last = cubes.len() - 1;
            cubes.swap(at, last);
            at += 1;
        }
    }
    cubes.sort_unstable();
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MUCH: u64 = 1 << 40;
    const ATOMS: u32 = 4;

    fn cubes() -> impl Strategy<Value = Vec<Cube>> {
        let cube = (0u128..1 << ATOMS, 0u128..1 << ATOMS)
            .prop_map(|(positive, negative)| Cube { positive, negative: negative & !positive });
        prop::collection::vec(cube, 0..6)
    }

    fn valuations(cubes: &[Cube]) -> Vec<u128> {
        (0..1 << ATOMS).filter(|&valuation| cubes.iter().any(|each| each.matches(valuation))).collect()
    }

    proptest! {
        #[test]
        fn covering_is_by_valuations(cover in cubes(), cube in cubes()) {
            for each in cube {
                let all = valuations(&[each]).iter().all(|valuation| valuations(&cover).contains(valuation));
                prop_assert_eq!(covers(&cover, each, &mut Work::new(MUCH)), all);
            }
        }

        #[test]
        fn irredundant_covers_have_the_same_valuations(cover in cubes()) {
            let mut fewer = cover.clone();
            irredundant(&mut fewer, &mut Work::new(MUCH));
            prop_assert_eq!(valuations(&fewer), valuations(&cover));
            for at in 0..fewer.len() {
                let mut others = fewer.clone();
                others.remove(at);
                prop_assert_ne!(valuations(&others), valuations(&cover));
            }
        }

        #[test]
        fn differences_are_by_valuations(one in cubes(), other in cubes()) {
            for &cube in &one {
                for &taken in &other {
                    if let Some(rest) = cube.minus(taken) {
                        let left = valuations(&[cube]).into_iter().filter(|&each| !taken.matches(each));
                        prop_assert_eq!(valuations(&[rest]), left.collect::<Vec<_>>());
                        prop_assert!(cube.contains(rest) && cube != rest);
                    }
                }
            }
        }
    }
}
