//! Permutations of 0..n, by the points that they move. Composition is right to left: `a.after(b)` maps x to a(b(x)).
//!
//! A permutation g acts on a vector of values by moving them: (g M)(g(x)) = M(x), so (g^-1 M)(x) = M(g(x)).
//!
//! Most symmetries of a model exchange a few components and leave everything else alone: models of a hundred thousand points
//! have ten thousand generators, of which each moves a dozen. So what a permutation takes, and costs, is what it moves.

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Perm {
    degree: usize,
    /// (point, image) for each moved point, ascending.
    moves: Box<[(u32, u32)]>,
}

impl Perm {
    pub fn identity(n: usize) -> Self {
        Perm { degree: n, moves: Box::default() }
    }

    /// None unless `images` is a bijection of 0..n.
    pub fn from_images(images: &[u32]) -> Option<Self> {
        let mut seen = vec![false; images.len()];
        for &image in images {
            match seen.get_mut(image as usize) {
                Some(is_seen) if !*is_seen => *is_seen = true,
                _ => return None,
            }
        }
        Some(Perm::from_bijection(images))
    }

    /// For images that are a bijection by construction (products, inverses).
    pub(crate) fn from_bijection(images: &[u32]) -> Self {
        let moved = (0..).zip(images.iter().copied()).filter(|(x, image)| x != image);
        Perm { degree: images.len(), moves: moved.collect() }
    }

    /// From pairs of a point and its image, in any order; None unless they are a bijection of 0..n. Points that are not
    /// mentioned stay.
    pub fn from_moves(n: usize, mut moves: Vec<(u32, u32)>) -> Option<Self> {
        moves.retain(|(x, image)| x != image);
        moves.sort_unstable();
        let mut images: Vec<u32> = moves.iter().map(|&(_, image)| image).collect();
        images.sort_unstable();
        let is_bijection = moves.iter().map(|&(x, _)| x).eq(images)
            && moves.windows(2).all(|pair| pair[0].0 != pair[1].0)
            && moves.last().is_none_or(|&(x, _)| (x as usize) < n);
        is_bijection.then(|| Perm { degree: n, moves: moves.into() })
    }

    /// For ascending moves of a bijection.
    pub(crate) fn from_sorted_moves(n: usize, moves: Vec<(u32, u32)>) -> Self {
        debug_assert!(Perm::from_moves(n, moves.clone()).is_some_and(|g| *g.moves == moves[..]));
        Perm { degree: n, moves: moves.into() }
    }

    #[inline]
    pub fn image(&self, x: u32) -> u32 {
        image(&self.moves, x)
    }

    /// (point, image) for each moved point, ascending.
    #[inline]
    pub fn moves(&self) -> &[(u32, u32)] {
        &self.moves
    }

    /// The images of all points.
    pub fn images(&self) -> Vec<u32> {
        let mut images = Vec::new();
        self.write_images(&mut images);
        images
    }

    /// The same, into a buffer.
    pub fn write_images(&self, images: &mut Vec<u32>) {
        images.clear();
        images.extend(0..self.degree as u32);
        self.moves.iter().for_each(|&(x, image)| images[x as usize] = image);
    }

    pub fn degree(&self) -> usize {
        self.degree
    }

    pub fn is_identity(&self) -> bool {
        self.moves.is_empty()
    }

    /// self after other: x -> self(other(x)).
    pub fn after(&self, other: &Perm) -> Perm {
        Perm { degree: self.degree, moves: product(&self.moves, &other.moves).into() }
    }

    pub fn inverse(&self) -> Perm {
        Perm { degree: self.degree, moves: inverse(&self.moves).into() }
    }

    /// g M: the value of x moves to g(x).
    pub fn act<T: Clone>(&self, values: &[T]) -> Vec<T> {
        let mut moved = values.to_vec();
        for &(x, image) in &self.moves {
            moved[image as usize] = values[x as usize].clone();
        }
        moved
    }

    /// The same permutation after renaming the points: point `x` becomes `new_name[x]`.
    pub fn renamed(&self, new_name: &[u32]) -> Perm {
        let rename = |&(x, image): &(u32, u32)| (new_name[x as usize], new_name[image as usize]);
        let mut moves: Vec<(u32, u32)> = self.moves.iter().map(rename).collect();
        moves.sort_unstable();
        Perm { degree: self.degree, moves: moves.into() }
    }
}

/// The image of a point under ascending moves.
#[inline]
pub(crate) fn image(moves: &[(u32, u32)], x: u32) -> u32 {
    // Where everything between the first and the last point moves, the place of a point is known.
    if let (Some(&(first, _)), Some(&(last, _))) = (moves.first(), moves.last())
        && (last - first) as usize + 1 == moves.len()
    {
        return if (first..=last).contains(&x) { moves[(x - first) as usize].1 } else { x };
    }
    moves.binary_search_by_key(&x, |&(moved, _)| moved).map_or(x, |at| moves[at].1)
}

/// a after b, all ascending.
pub(crate) fn product(a: &[(u32, u32)], b: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut moves = Vec::with_capacity(a.len() + b.len());
    let mut rest = a;
    for &(x, y) in b {
        // What b does not move is moved by a alone.
        let before = rest.partition_point(|&(point, _)| point < x);
        moves.extend_from_slice(&rest[..before]);
        rest = &rest[before..];
        if rest.first().is_some_and(|&(point, _)| point == x) {
            rest = &rest[1..];
        }
        let z = image(a, y);
        if x != z {
            moves.push((x, z));
        }
    }
    moves.extend_from_slice(rest);
    moves
}

pub(crate) fn inverse(moves: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut back: Vec<(u32, u32)> = moves.iter().map(|&(x, y)| (y, x)).collect();
    back.sort_unstable();
    back
}

/// The orbits of 0..n under the group generated by `generators`: for each point the smallest point of its orbit.
pub fn orbit_minima<'g>(n: usize, generators: impl IntoIterator<Item = &'g Perm>) -> Vec<u32> {
    let mut minimum: Vec<u32> = (0..n as u32).collect();
    fn find(minimum: &mut [u32], mut x: u32) -> u32 {
        while minimum[x as usize] != x {
            minimum[x as usize] = minimum[minimum[x as usize] as usize];
            x = minimum[x as usize];
        }
        x
    }
    for generator in generators {
        for &(x, image) in generator.moves() {
            let (a, b) = (find(&mut minimum, x), find(&mut minimum, image));
            let (low, high) = (a.min(b), a.max(b));
            minimum[high as usize] = low;
        }
    }
    for x in 0..n as u32 {
        minimum[x as usize] = find(&mut minimum, x);
    }
    minimum
}
