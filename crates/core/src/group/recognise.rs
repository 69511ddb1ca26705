//! Finds groups of blocks among generators, and proves that they are all permutations of their blocks.
//!
//! In: generators. Out: the direct factors that are `Blocks`, and the generators that are left. Generators that share no
//! moved point belong to different direct factors. Inside a factor, those that move few points may act inside blocks
//! (*inner* generators), the others (*outer* ones) exchange blocks. With f_i the way from the first block to block i, read off
//! the outer generators, and H the group that the inner ones generate on the first block, it is checked that
//!
//! 1. each generator g maps each block i to some block j, and f_j^-1 g f_i is in H: the group lies in H wr S_n;
//! 2. f_i is a restriction of an element of the group: with H on the first block, f_i H f_i^-1 on block i is in the group, so
//!    all of H^n is;
//! 3. transpositions of blocks are among the generators, and with their conjugates they connect all blocks: a connected graph of
//!    transpositions generates S_n, so the group maps onto S_n.
//!
//! By 2 and 3 the group is no smaller than H wr S_n, by 1 no larger. Whatever this does not recognise is left to the general
//! construction, so nothing depends on how blocks are guessed.

use std::collections::{BTreeMap, HashSet, VecDeque};

use super::blocks::Blocks;
use crate::canon::{join, root};
use crate::perm::{Perm, image};

/// (point, image) for each moved point, ascending.
type Sparse = Vec<(u32, u32)>;

/// So many ways to tell inner generators from outer ones are tried.
const SPLITS: usize = 6;
/// Groups inside groups, at most so deep.
const DEPTH: usize = 6;

pub struct Factor {
    /// It begins at 0.
    pub blocks: Blocks,
    /// Its points, block by block.
    pub points: Vec<u32>,
}

pub struct Recognised {
    pub factors: Vec<Factor>,
    /// Numbers of the generators that are in none of them.
    pub rest: Vec<usize>,
}

/// `tells`: points that are the first of their blocks, as far as that can be.
pub fn recognise(degree: usize, generators: &[Perm], tells: &[bool]) -> Recognised {
    let moves: Vec<Sparse> = generators.iter().map(|g| g.moves().to_vec()).collect();
    let mut found = Recognised { factors: Vec::new(), rest: Vec::new() };
    let mut local = vec![0; degree];
    for numbers in components(degree, &moves) {
        let of_part: Vec<&Sparse> = numbers.iter().map(|&number| &moves[number]).collect();
        match factor(&of_part, tells, &mut local, 0) {
            Some(factor) => found.factors.push(factor),
            None => found.rest.extend(numbers),
        }
    }
    found.factors.sort_by_key(|factor| factor.points[0]);
    found.rest.sort_unstable();
    found
}

/// Lists of generators that share moved points, directly or by others. Identities are in none.
fn components(degree: usize, moves: &[Sparse]) -> Vec<Vec<usize>> {
    let mut parent: Vec<u32> = (0..degree as u32).collect();
    for g in moves {
        g.iter().for_each(|&(x, _)| join(&mut parent, g[0].0, x));
    }
    let mut parts: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (number, g) in moves.iter().enumerate().filter(|(_, g)| !g.is_empty()) {
        parts.entry(root(&mut parent, g[0].0)).or_default().push(number);
    }
    parts.into_values().collect()
}

/// One component; `local` is a buffer, one place for each point.
fn factor(generators: &[&Sparse], tells: &[bool], local: &mut [u32], depth: usize) -> Option<Factor> {
    let mut points: Vec<u32> = generators.iter().flat_map(|g| g.iter().map(|&(x, _)| x)).collect();
    points.sort_unstable();
    points.dedup();
    for (at, &point) in points.iter().enumerate() {
        local[point as usize] = at as u32;
    }
    let tells: Vec<bool> = points.iter().map(|&point| tells[point as usize]).collect();
    let to_local = |&(x, y): &(u32, u32)| (local[x as usize], local[y as usize]);
    let mut generators: Vec<Sparse> = generators.iter().map(|g| g.iter().map(to_local).collect()).collect();
    generators.sort_by_key(Vec::len);
    let mut sizes: Vec<usize> = generators.iter().map(Vec::len).collect();
    sizes.dedup();
    // The smallest outer generators: at first, all are.
    let mut found = sizes.iter().take(SPLITS).find_map(|&size| {
        let (inner, outer) = generators.split_at(generators.partition_point(|g| g.len() < size));
        Split { points: points.len(), tells: &tells, inner: spread(inner, outer), outer, depth }.factor()
    })?;
    for point in &mut found.points {
        *point = points[*point as usize];
    }
    found.blocks.is_listable().then_some(found)
}

/// The inner generators, and conjugates of them: where an outer generator takes them to points that none of them moves, what
/// acts inside one block acts inside that one, too.
fn spread(inner: &[Sparse], outer: &[Sparse]) -> Vec<Sparse> {
    let mut all = inner.to_vec();
    let mut moved: HashSet<u32> = all.iter().flatten().map(|&(x, _)| x).collect();
    let mut parts: Vec<Vec<Sparse>> = Vec::new();
    if !all.is_empty() && !outer.is_empty() {
        let degree = all.iter().chain(outer).flatten().map(|&(x, _)| x as usize + 1).max().unwrap_or(0);
        parts = components(degree, &all)
            .into_iter()
            .map(|numbers| numbers.iter().map(|&number| all[number].clone()).collect())
            .collect();
    }
    while let Some(part) = parts.pop() {
        for g in outer {
            let is_there = part.iter().flatten().any(|&(x, _)| moved.contains(&image(g, x)));
            if is_there {
                continue;
            }
            let conjugate = |h: &Sparse| {
                let mut moves: Sparse = h.iter().map(|&(x, y)| (image(g, x), image(g, y))).collect();
                moves.sort_unstable();
                moves
            };
            let conjugates: Vec<Sparse> = part.iter().map(conjugate).collect();
            moved.extend(conjugates.iter().flatten().map(|&(x, _)| x));
            all.extend(conjugates.iter().cloned());
            parts.push(conjugates);
        }
    }
    all
}

/// A guess: which generators act inside blocks.
struct Split<'a> {
    points: usize,
    tells: &'a [bool],
    inner: Vec<Sparse>,
    outer: &'a [Sparse],
    depth: usize,
}

/// What outer generators permute: points, and sets of points that inner generators connect.
struct Objects {
    /// By point.
    of_point: Vec<u32>,
    /// By object: its points, ascending.
    points: Vec<Vec<u32>>,
    /// By object: the inner generators that move it; none where it is a point.
    inner: Vec<Vec<usize>>,
}

/// An orbit of objects, in the order of the blocks that they belong to.
struct Row {
    objects: Vec<u32>,
    /// By outer generator that moves it: (number, object, image).
    moves: Vec<(u32, u32, u32)>,
}

/// How the outer generators permute the blocks.
struct Action {
    /// By outer generator: (block, image), ascending.
    moves: Vec<Sparse>,
    /// (block, outer generator, the block that it goes to): each block but the first is reached from one before.
    tree: Vec<(u32, u32, u32)>,
}

impl Split<'_> {
    fn factor(&self) -> Option<Factor> {
        if self.depth > DEPTH {
            return None;
        }
        let objects = self.objects();
        let on_objects = self.outer.iter().map(|g| on_objects(g, &objects)).collect::<Option<Vec<_>>>()?;
        let mut rows = rows(&objects, &on_objects)?;
        // Blocks are numbered along an orbit of points, if there is one.
        rows.sort_by_key(|row| self.place(row, &objects));
        let action = Action::on(&rows[0], &on_objects)?;
        let (first, others) = rows.split_first_mut()?;
        for row in others.iter_mut() {
            row.objects = matched(row, first, &action, &on_objects)?;
        }
        self.assemble(&rows, &objects, &action)
    }

    /// Where a row stands in the blocks: what is inside comes last.
    fn place(&self, row: &Row, objects: &Objects) -> (bool, bool, u32) {
        let first = row.objects[0];
        let tells = objects.points[first as usize].iter().any(|&point| self.tells[point as usize]);
        (!objects.is_point(first), !tells, first)
    }

    fn objects(&self) -> Objects {
        let mut parent: Vec<u32> = (0..self.points as u32).collect();
        for g in &self.inner {
            g.iter().for_each(|&(x, _)| join(&mut parent, g[0].0, x));
        }
        let mut objects = Objects { of_point: vec![0; self.points], points: Vec::new(), inner: Vec::new() };
        for point in 0..self.points as u32 {
            let leader = root(&mut parent, point);
            if leader == point {
                objects.of_point[point as usize] = objects.points.len() as u32;
                objects.points.push(Vec::new());
            }
            objects.of_point[point as usize] = objects.of_point[leader as usize];
            objects.points[objects.of_point[point as usize] as usize].push(point);
        }
        objects.inner = vec![Vec::new(); objects.points.len()];
        for (number, g) in self.inner.iter().enumerate() {
            objects.inner[objects.of_point[g[0].0 as usize] as usize].push(number);
        }
        objects
    }

    /// Puts the blocks together, and checks what is said at the head of this file.
    fn assemble(&self, rows: &[Row], objects: &Objects, action: &Action) -> Option<Factor> {
        let count = rows[0].objects.len();
        let mut blocks: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut inner = Vec::new();
        for row in rows {
            if objects.is_point(row.objects[0]) {
                for (block, &object) in blocks.iter_mut().zip(&row.objects) {
                    block.push(objects.points[object as usize][0]);
                }
                continue;
            }
            let template = row.objects[0] as usize;
            let generators: Vec<&Sparse> =
                objects.inner[template].iter().map(|&number| &self.inner[number]).collect();
            let mut within = factor(&generators, self.tells, &mut vec![0; self.points], self.depth + 1)?;
            let ways = self.ways(&within.points, action, count);
            self.check_inside(&within.blocks, &ways, row, objects, action)?;
            within.blocks.start = blocks[0].len();
            inner.push(within.blocks);
            for (block, way) in blocks.iter_mut().zip(&ways) {
                block.extend(way);
            }
        }
        let width = blocks[0].len();
        Some(Factor { blocks: Blocks { start: 0, count, width, inner }, points: blocks.concat() })
    }

    /// By block: where these points of the first block go.
    fn ways(&self, template: &[u32], action: &Action, count: usize) -> Vec<Vec<u32>> {
        let mut ways: Vec<Vec<u32>> = vec![Vec::new(); count];
        ways[0] = template.to_vec();
        for &(from, generator, to) in &action.tree {
            let g = &self.outer[generator as usize];
            ways[to as usize] = ways[from as usize].iter().map(|&x| image(g, x)).collect();
        }
        ways
    }

    /// Does every generator move the objects of this row in step, up to elements of the group inside?
    fn check_inside(
        &self,
        inside: &Blocks,
        ways: &[Vec<u32>],
        row: &Row,
        objects: &Objects,
        action: &Action,
    ) -> Option<()> {
        // By point of the row: (block, position).
        let mut place = vec![(u32::MAX, 0); self.points];
        for (block, way) in (0..).zip(ways) {
            for (position, &point) in (0..).zip(way) {
                place[point as usize] = (block, position);
            }
        }
        let in_step = |g: &Sparse, block: u32, to: u32| {
            let places: Vec<(u32, u32)> =
                ways[block as usize].iter().map(|&x| place[image(g, x) as usize]).collect();
            let images: Vec<u32> = places.iter().map(|&(_, position)| position).collect();
            places.iter().all(|&(block, _)| block == to) && inside.contains(&images)
        };
        for (block, &object) in row.objects.iter().enumerate() {
            let own = objects.inner[object as usize].iter().map(|&number| &self.inner[number]);
            if !own.into_iter().all(|g| in_step(g, block as u32, block as u32)) {
                return None;
            }
        }
        for (number, g) in self.outer.iter().enumerate() {
            let mut touched: Vec<u32> =
                g.iter().map(|&(x, _)| place[x as usize].0).filter(|&block| block != u32::MAX).collect();
            touched.sort_unstable();
            touched.dedup();
            if !touched.iter().all(|&block| in_step(g, block, image(&action.moves[number], block))) {
                return None;
            }
        }
        Some(())
    }
}

impl Objects {
    /// A point by itself?
    fn is_point(&self, object: u32) -> bool {
        self.inner[object as usize].is_empty()
    }
}

/// (object, image) for each object that is moved, ascending; None where an object is not moved as a whole.
fn on_objects(g: &Sparse, objects: &Objects) -> Option<Sparse> {
    let pair = |&(x, y): &(u32, u32)| (objects.of_point[x as usize], objects.of_point[y as usize]);
    let mut pairs: Sparse = g.iter().map(pair).collect();
    pairs.sort_unstable();
    let mut moves = Vec::with_capacity(pairs.len());
    for run in pairs.chunk_by(|a, b| a.0 == b.0) {
        let (object, image) = run[0];
        if run.iter().any(|pair| pair.1 != image) {
            return None;
        }
        if image != object {
            let size = objects.points[object as usize].len();
            if run.len() != size
                || size != objects.points[image as usize].len()
                || objects.is_point(object) != objects.is_point(image)
            {
                return None;
            }
            moves.push((object, image));
        }
    }
    Some(moves)
}

/// The orbits of objects; None where they are not all equally long.
fn rows(objects: &Objects, on_objects: &[Sparse]) -> Option<Vec<Row>> {
    let count = objects.points.len();
    let mut parent: Vec<u32> = (0..count as u32).collect();
    on_objects.iter().flatten().for_each(|&(x, y)| join(&mut parent, x, y));
    let mut row_of_leader = vec![u32::MAX; count];
    let mut rows: Vec<Row> = Vec::new();
    for object in 0..count as u32 {
        let leader = root(&mut parent, object) as usize;
        if row_of_leader[leader] == u32::MAX {
            row_of_leader[leader] = rows.len() as u32;
            rows.push(Row { objects: Vec::new(), moves: Vec::new() });
        }
        rows[row_of_leader[leader] as usize].objects.push(object);
    }
    for (number, moves) in (0..).zip(on_objects) {
        for &(object, image) in moves {
            let row = row_of_leader[root(&mut parent, object) as usize];
            rows[row as usize].moves.push((number, object, image));
        }
    }
    let blocks = rows.first()?.objects.len();
    (blocks > 1 && rows.iter().all(|row| row.objects.len() == blocks)).then_some(rows)
}

impl Action {
    /// None unless transpositions among the generators, with their conjugates, connect all blocks.
    fn on(row: &Row, on_objects: &[Sparse]) -> Option<Action> {
        let count = row.objects.len();
        let block = |object: u32| row.objects.binary_search(&object).ok().map(|at| at as u32);
        let mut moves: Vec<Sparse> = vec![Vec::new(); on_objects.len()];
        for &(number, object, image) in &row.moves {
            moves[number as usize].push((block(object)?, block(image)?));
        }
        let mut leaving: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
        for (number, g) in (0..).zip(&moves) {
            g.iter().for_each(|&(from, to)| leaving[from as usize].push((number, to)));
        }
        let mut joined: Vec<u32> = (0..count as u32).collect();
        let mut transpositions: VecDeque<(u32, u32)> =
            moves.iter().filter(|g| g.len() == 2).map(|g| g[0]).collect();
        let mut left = count - 1;
        while left > 0 {
            // Those that are given come before their conjugates: often they connect all blocks.
            let (a, b) = transpositions.pop_front()?;
            if root(&mut joined, a) != root(&mut joined, b) {
                join(&mut joined, a, b);
                left -= 1;
                let of_both = leaving[a as usize].iter().chain(&leaving[b as usize]);
                let conjugate = |&(number, _): &(u32, u32)| {
                    (image(&moves[number as usize], a), image(&moves[number as usize], b))
                };
                transpositions.extend(of_both.map(conjugate));
            }
        }
        let mut reached = vec![false; count];
        reached[0] = true;
        let (mut waiting, mut tree) = (vec![0], Vec::new());
        while let Some(from) = waiting.pop() {
            for &(generator, to) in &leaving[from as usize] {
                if !std::mem::replace(&mut reached[to as usize], true) {
                    tree.push((from, generator, to));
                    waiting.push(to);
                }
            }
        }
        Some(Action { moves, tree })
    }
}

/// The objects of a row in the order of the blocks: the bijection that every generator respects, if there is one.
fn matched(row: &Row, first: &Row, action: &Action, on_objects: &[Sparse]) -> Option<Vec<u32>> {
    if row.moves.len() != first.moves.len() {
        return None;
    }
    // Which generators move an object: the same that move its block.
    let movers = |row: &Row, object: u32| -> Vec<u32> {
        row.moves.iter().filter(|step| step.1 == object).map(|step| step.0).collect()
    };
    let wanted = movers(first, first.objects[0]);
    let fits = |&candidate: &u32| {
        let mut objects = vec![candidate; row.objects.len()];
        for &(from, generator, to) in &action.tree {
            objects[to as usize] = image(&on_objects[generator as usize], objects[from as usize]);
        }
        let mut block: Vec<(u32, u32)> = objects.iter().copied().zip(0..).collect();
        block.sort_unstable();
        let is_bijection = block.windows(2).all(|pair| pair[0].0 != pair[1].0);
        let agrees = |&(number, object, to): &(u32, u32, u32)| {
            image(&action.moves[number as usize], image(&block, object)) == image(&block, to)
        };
        (is_bijection && row.moves.iter().all(agrees)).then_some(objects)
    };
    let mut counted = vec![0u32; row.objects.len()];
    for step in &row.moves {
        counted[row.objects.binary_search(&step.1).ok()?] += 1;
    }
    let alike = |&(at, candidate): &(usize, &u32)| {
        counted[at] as usize == wanted.len() && movers(row, *candidate) == wanted
    };
    row.objects.iter().enumerate().filter(alike).find_map(|(_, candidate)| fits(candidate))
}
