//! A Schreier-Sims chain while it grows: levels, strong generators, sifting. What it costs is what elements move.
//!
//! Points are numbered in the order in which base points are preferred.

use hashbrown::HashMap;
use num_bigint::BigUint;

use super::chain::{Chain, Level};
use crate::perm::{image, inverse, product};

/// Moves of elements kept in all of the levels' transversals, eight bytes each: beyond these, elements are found along paths.
const MAX_KEPT: usize = 1 << 23;
/// Moves of all elements of a finished chain, eight bytes each. A rotation of 25,000 components has more.
const MAX_LISTED: usize = 1 << 26;

/// (point, image) for each moved point, ascending.
pub(super) type Moves = Vec<(u32, u32)>;

pub(super) struct Levels {
    strong: Vec<Strong>,
    /// By point: the strong generators that move it, ascending.
    movers: Vec<Vec<u32>>,
    open: Vec<OpenLevel>,
    kept: usize,
    residue: Residue,
}

struct Strong {
    moves: Moves,
    /// It fixes the base points of so many levels.
    depth: usize,
}

struct OpenLevel {
    /// The base point first.
    orbit: Vec<u32>,
    /// By point: position in `orbit`.
    index: HashMap<u32, u32>,
    /// By position in `orbit`: (strong generator, earlier position).
    from: Vec<(u32, u32)>,
    /// By position in `orbit`, for the first ones: an element that maps the base point there. Paths of generators are as long
    /// as orbits where each generator exchanges two neighbours.
    to: Vec<Moves>,
}

/// An element that is divided by others.
struct Residue {
    images: Vec<u32>,
    preimages: Vec<u32>,
    /// All that may be moved, some points several times.
    touched: Vec<u32>,
    buffer: Vec<u32>,
}

impl Levels {
    pub fn new(points: usize) -> Levels {
        let all: Vec<u32> = (0..points as u32).collect();
        Levels {
            strong: Vec::new(),
            movers: vec![Vec::new(); points],
            open: Vec::new(),
            kept: 0,
            residue: Residue { images: all.clone(), preimages: all, touched: Vec::new(), buffer: Vec::new() },
        }
    }

    pub fn order(&self) -> BigUint {
        self.open.iter().map(|level| BigUint::from(level.orbit.len())).product()
    }

    /// Strong generators of the subgroup that fixes the base points of so many levels.
    pub fn behind(self, levels: usize) -> impl Iterator<Item = Moves> {
        self.strong.into_iter().filter(move |strong| strong.depth >= levels).map(|strong| strong.moves)
    }

    pub fn open_at(&mut self, point: u32) {
        self.open.push(OpenLevel {
            orbit: vec![point],
            index: HashMap::from([(point, 0)]),
            from: vec![(0, 0)],
            to: vec![Vec::new()],
        });
    }

    /// True where the chain grew.
    pub fn enter(&mut self, g: &[(u32, u32)]) -> bool {
        let Some((depth, moves)) = self.sift(g) else { return false };
        if depth == self.open.len() {
            self.open_at(moves[0].0);
        }
        let number = self.strong.len() as u32;
        moves.iter().for_each(|&(x, _)| self.movers[x as usize].push(number));
        self.strong.push(Strong { moves, depth });
        for at in 0..=depth {
            self.close_orbit(at, number);
        }
        true
    }

    /// Divides g by transversal elements; what is left, and the first level that could not divide it.
    fn sift(&mut self, g: &[(u32, u32)]) -> Option<(usize, Moves)> {
        self.residue.start(g);
        let Levels { strong, open, residue, .. } = self;
        for (at, level) in open.iter().enumerate() {
            let image = residue.images[level.orbit[0] as usize];
            if image == level.orbit[0] {
                continue;
            }
            let Some(&position) = level.index.get(&image) else { return Some((at, residue.moves())) };
            let mut position = position as usize;
            while position != 0 {
                if let Some(element) = level.to.get(position) {
                    residue.divide(element);
                    break;
                }
                let (generator, earlier) = level.from[position];
                residue.divide(&strong[generator as usize].moves);
                position = earlier as usize;
            }
        }
        let left = residue.moves();
        (!left.is_empty()).then_some((open.len(), left))
    }

    /// Extends the orbit after generator `new` was added: old points by the new generator, new points by all.
    fn close_orbit(&mut self, at: usize, new: u32) {
        let Levels { strong, movers, open, kept, .. } = self;
        let level = &mut open[at];
        let mut reached: Vec<(u32, u32)> = Vec::new();
        for &(x, y) in &strong[new as usize].moves {
            if let Some(&position) = level.index.get(&x)
                && !level.index.contains_key(&y)
            {
                reached.push((position, y));
            }
        }
        reached.sort_unstable();
        let mut next = level.orbit.len();
        for (earlier, point) in reached {
            level.add(point, new, earlier);
        }
        while next < level.orbit.len() {
            let x = level.orbit[next];
            for &number in &movers[x as usize] {
                let Strong { moves, depth } = &strong[number as usize];
                let y = image(moves, x);
                if *depth >= at && !level.index.contains_key(&y) {
                    level.add(y, number, next as u32);
                }
            }
            next += 1;
        }
        while level.to.len() < level.orbit.len() && *kept <= MAX_KEPT {
            let (generator, earlier) = level.from[level.to.len()];
            let element = product(&strong[generator as usize].moves, &level.to[earlier as usize]);
            *kept += element.len();
            level.to.push(element);
        }
    }

    /// Schreier's lemma: enters the Schreier generators until one does not sift; false where all did, or where `goes_on` says
    /// no.
    pub fn repair(&mut self, mut goes_on: impl FnMut() -> bool) -> bool {
        for at in (0..self.open.len()).rev() {
            for member in 0..self.open[at].orbit.len() {
                if !goes_on() {
                    return false;
                }
                let to = self.element_to(at, member);
                for number in 0..self.strong.len() {
                    if self.strong[number].depth < at || self.leads_on(at, member, number) {
                        continue;
                    }
                    if self.enter(&product(&self.strong[number].moves, &to)) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Is the generator how another member of the orbit was found from this one? Then its Schreier generator is the identity.
    fn leads_on(&self, at: usize, member: usize, generator: usize) -> bool {
        let level = &self.open[at];
        let y = image(&self.strong[generator].moves, level.orbit[member]);
        let position = level.index[&y] as usize;
        position != 0 && level.from[position] == (generator as u32, member as u32)
    }

    fn element_to(&self, at: usize, member: usize) -> Moves {
        let level = &self.open[at];
        let mut path = Vec::new();
        let mut position = member;
        while position >= level.to.len() {
            path.push(level.from[position].0 as usize);
            position = level.from[position].1 as usize;
        }
        let start = level.to[position].clone();
        path.iter().rev().fold(start, |g, &number| product(&self.strong[number].moves, &g))
    }

    /// The chain, once nothing is missing; None where it would be too large. `slots`: by number of a point.
    pub fn finish(self, slots: &[u32], mut goes_on: impl FnMut() -> bool) -> Option<Chain> {
        // The last level that moves a point decides where the point stands in the base.
        let mut last_moved_by: Vec<Option<usize>> = vec![None; slots.len()];
        for strong in &self.strong {
            for &(x, _) in &strong.moves {
                let last = &mut last_moved_by[x as usize];
                *last = (*last).max(Some(strong.depth));
            }
        }
        let is_moved = |&x: &u32| last_moved_by[x as usize].is_some();
        let mut points: Vec<u32> = (0..slots.len() as u32).filter(is_moved).collect();
        points.sort_by_key(|&x| {
            let last = last_moved_by[x as usize];
            (last, last.is_some_and(|at| self.open[at].orbit[0] != x), x)
        });
        let mut position = vec![0; slots.len()];
        for (at, &x) in (0..).zip(&points) {
            position[x as usize] = at;
        }
        let renamed = |strong: &Strong| {
            let rename = |&(x, y): &(u32, u32)| (position[x as usize], position[y as usize]);
            let mut moves: Moves = strong.moves.iter().map(rename).collect();
            moves.sort_unstable();
            moves
        };
        let strong: Vec<Moves> = self.strong.iter().map(renamed).collect();
        let mut left = MAX_LISTED;
        let mut levels = Vec::with_capacity(self.open.len());
        for level in self.open {
            let orbit: Vec<u32> = level.orbit.iter().map(|&x| position[x as usize]).collect();
            let mut spend = |moves: usize| {
                left = left.saturating_sub(moves);
                left > 0 && goes_on()
            };
            let elements = transversal(&orbit, &strong, &level.from, &mut spend)?;
            levels.push(Level::listed(orbit, elements));
        }
        Some(Chain::new(points.iter().map(|&x| slots[x as usize]).collect(), levels))
    }
}

impl OpenLevel {
    fn add(&mut self, point: u32, generator: u32, earlier: u32) {
        if !self.index.contains_key(&point) {
            self.index.insert(point, self.orbit.len() as u32);
            self.orbit.push(point);
            self.from.push((generator, earlier));
        }
    }
}

impl Residue {
    fn start(&mut self, g: &[(u32, u32)]) {
        for x in self.touched.drain(..) {
            self.images[x as usize] = x;
            self.preimages[x as usize] = x;
        }
        for &(x, y) in g {
            self.images[x as usize] = y;
            self.preimages[y as usize] = x;
            self.touched.push(x);
        }
    }

    /// g becomes u^-1 g: g^-1 becomes g^-1 u.
    fn divide(&mut self, u: &[(u32, u32)]) {
        let Residue { images, preimages, touched, buffer } = self;
        buffer.clear();
        buffer.extend(u.iter().map(|&(_, y)| preimages[y as usize]));
        for (&(x, _), &before) in u.iter().zip(&*buffer) {
            preimages[x as usize] = before;
            images[before as usize] = x;
            touched.push(x);
            touched.push(before);
        }
    }

    /// Of what is left.
    fn moves(&mut self) -> Moves {
        self.touched.sort_unstable();
        self.touched.dedup();
        let moves = self.touched.iter().map(|&x| (x, self.images[x as usize]));
        moves.filter(|(x, y)| x != y).collect()
    }
}

/// One element for each member of the orbit, along the spanning tree. Of s r (r leads to the earlier member b, s from
/// there to c) and its conjugate r^-1 s r, which also leads to c where r leaves c alone, the one that moves less: so
/// exchanges of two components stay exchanges instead of growing into long cycles. None where `goes_on`, which is given the
/// moves of each, says no.
fn transversal(
    orbit: &[u32],
    strong: &[Moves],
    from: &[(u32, u32)],
    goes_on: &mut impl FnMut(usize) -> bool,
) -> Option<Vec<Moves>> {
    let mut elements: Vec<Moves> = vec![Vec::new()];
    for (member, &(generator, earlier)) in from.iter().enumerate().skip(1) {
        let (s, r) = (&strong[generator as usize], &elements[earlier as usize]);
        let whole = product(s, r);
        let target = orbit[member];
        let element = if image(r, target) == target {
            let conjugate = product(&inverse(r), &whole);
            if image(&conjugate, orbit[0]) == target && conjugate.len() < whole.len() {
                conjugate
            } else {
                whole
            }
        } else {
            whole
        };
        if !goes_on(element.len()) {
            return None;
        }
        elements.push(element);
    }
    Some(elements)
}
