//! Automorphisms of large sparse graphs, most of which move little.
//!
//! nauty pays for all vertices at every node of its tree, and a system of a thousand components has a tree of a thousand levels.
//! Here a level costs what a step down splits, and an automorphism what it moves (the idea of saucy; Darga, Sakallah, Markov
//! 2008). Vertices are individualised one after the other, x1, x2, ..., until all are told apart; that is the only path that is
//! followed. Then, from the last level to the first, each candidate y for the image of x(i) under automorphisms that fix
//! x1, ..., x(i-1) is
//!
//! * in the orbit of x(i) under the automorphisms found so far (those of later levels fix x(i), too): nothing is to do;
//! * or refuted, where refinement with y individualised instead of x(i) finds something else: automorphisms respect what it finds;
//! * or matched: vertices that stand in the same cell in both partitions stay where they are, each other one goes to a vertex
//!   that stands where it stood and has the same neighbours. That is a guess; the result is compared edge by edge.
//!
//! Candidates are the cell of x(i), which holds the orbit under all automorphisms that fix the vertices before. So where none is
//! left open, the orbit that was found is the whole orbit, and the order is the product of the orbits' lengths: the
//! automorphism that fixes all of x1, x2, ... is the identity, as they tell all vertices apart. Where a guess fails the answer
//! is None, and nauty is asked.

use num_bigint::BigUint;

use super::partition::Partition;
use crate::canon::{Cancel, join, root};
use crate::nauty::{Automorphisms, Graph};
use crate::random::mix;

/// Edges that are looked at for each edge of the graph, at most, beside those that automorphisms move.
const MAX_WORK: usize = 400;

/// None where it is better to ask nauty.
pub fn automorphisms(graph: &Graph, colours: &[u64]) -> Option<Automorphisms> {
    let mut search = Search {
        graph,
        budget: Budget {
            left: MAX_WORK.saturating_mul(graph.edges.len() + colours.len()),
            cancel: Cancel::current(),
        },
        local: vec![u32::MAX; colours.len()],
        orbits: (0..colours.len() as u32).collect(),
        generators: Vec::new(),
        finished: (0, BigUint::from(1u8)),
    };
    let complete = search.run(colours).is_some();
    if !complete && !search.budget.cancel.is_cancelled() {
        return None;
    }
    // Those of a level that is not finished generate a group of unknown order.
    let (count, order) = search.finished;
    search.generators.truncate(count);
    Some(Automorphisms { generators: search.generators, order, complete })
}

struct Level {
    /// Before its vertex was individualised.
    mark: usize,
    vertex: u32,
    cell: u32,
    /// What refinement found afterwards.
    trace: u64,
}

struct Budget {
    left: usize,
    cancel: Cancel,
}

impl Budget {
    fn spend(&mut self, edges: usize) -> bool {
        self.left = self.left.saturating_sub(edges + 1);
        self.left > 0 && !self.cancel.poll()
    }
}

struct Search<'g> {
    graph: &'g Graph,
    budget: Budget,
    /// By vertex that may move: its number among these.
    local: Vec<u32>,
    /// Union-find: orbits of what was found.
    orbits: Vec<u32>,
    generators: Vec<Vec<(u32, u32)>>,
    /// Generators of the levels that are finished, and the order of what they generate.
    finished: (usize, BigUint),
}

enum Answer {
    Found(Vec<(u32, u32)>),
    Refuted,
    Open,
}

impl<'g> Search<'g> {
    fn run(&mut self, colours: &[u64]) -> Option<()> {
        let mut first = Partition::new(self.graph, colours);
        first.refine(&mut |edges| self.budget.spend(edges))?;
        let mut path: Vec<Level> = Vec::new();
        while !first.is_discrete() {
            // The rest of the last level's cell, as long as there is one: components of one kind, one after the other.
            let rest = path.last().map(|level| level.cell).filter(|&cell| first.members(cell).len() > 1);
            let cell = rest.or_else(|| first.smallest())?;
            let vertex = *first.members(cell).iter().min()?;
            let mark = first.mark();
            first.individualise(vertex);
            let trace = first.refine(&mut |edges| self.budget.spend(edges))?;
            path.push(Level { mark, vertex, cell, trace });
        }
        let mut second = first.clone();
        for level in path.iter().rev() {
            second.undo(level.mark);
            let length = self.orbit_of(level, &first, &mut second)?;
            self.finished = (self.generators.len(), &self.finished.1 * length);
            first.undo(level.mark);
        }
        Some(())
    }

    /// The length of the orbit of the level's vertex. `first`: with it individualised; `second`: without.
    fn orbit_of(&mut self, level: &Level, first: &Partition, second: &mut Partition) -> Option<usize> {
        let mut candidates = second.members(level.cell).to_vec();
        candidates.sort_unstable();
        let mut refuted: Vec<u32> = Vec::new();
        for &y in &candidates {
            let (of_x, of_y) = (root(&mut self.orbits, level.vertex), root(&mut self.orbits, y));
            if of_x == of_y || refuted.iter().any(|&other| root(&mut self.orbits, other) == of_y) {
                continue;
            }
            let mark = second.mark();
            let answer = self.matched(level, y, first, second)?;
            second.undo(mark);
            match answer {
                Answer::Open => return None,
                Answer::Refuted => refuted.push(y),
                Answer::Found(moves) => {
                    moves.iter().for_each(|&(v, w)| join(&mut self.orbits, v, w));
                    self.generators.push(moves);
                }
            }
        }
        let own = root(&mut self.orbits, level.vertex);
        Some(candidates.iter().filter(|&&y| root(&mut self.orbits, y) == own).count())
    }

    /// Looks for an automorphism that maps the level's vertex to y. None where the budget is used up.
    fn matched(
        &mut self,
        level: &Level,
        y: u32,
        first: &Partition,
        second: &mut Partition,
    ) -> Option<Answer> {
        second.individualise(y);
        if second.refine(&mut |edges| self.budget.spend(edges))? != level.trace {
            return Some(Answer::Refuted);
        }
        let moved = displaced(level.mark, first, second);
        (0..).zip(&moved).for_each(|(number, &v)| self.local[v as usize] = number);
        let fits = |&(&v, &w): &(&u32, &u32)| first.cell(v) == second.cell(w);
        let answer = match self.images(&moved, first, second) {
            Some(images)
                if moved.iter().zip(&images).all(|pair| fits(&pair))
                    && self.is_automorphism(&moved, &images) =>
            {
                Answer::Found(moved.iter().copied().zip(images).filter(|(v, w)| v != w).collect())
            }
            _ => Answer::Open,
        };
        moved.iter().for_each(|&v| self.local[v as usize] = u32::MAX);
        Some(answer)
    }

    /// By the vertices that may move, a bijection of them that fits their cells and neighbours, as far as hashes show it.
    fn images(&mut self, moved: &[u32], first: &Partition, second: &Partition) -> Option<Vec<u32>> {
        let start = |partition: &Partition| -> Vec<u64> {
            let fixed = |&&w: &&u32| self.local[w as usize] == u32::MAX;
            let hash = |&v: &u32| {
                let around = self.around(v).iter().filter(fixed).map(|&w| mix(u64::from(w) + 1));
                mix(u64::from(partition.cell(v)) ^ around.fold(0, u64::wrapping_add).rotate_left(9))
            };
            moved.iter().map(hash).collect()
        };
        let (mut of_first, mut of_second) = (start(first), start(second));
        let mut distinct = 0;
        loop {
            let (sorted_first, sorted_second) = (sorted(&of_first), sorted(&of_second));
            if !sorted_first.iter().map(|pair| pair.0).eq(sorted_second.iter().map(|pair| pair.0)) {
                return None;
            }
            let found = sorted_first.chunk_by(|a, b| a.0 == b.0).count();
            if found == moved.len() {
                let mut images = vec![0; moved.len()];
                for (&(_, v), &(_, w)) in sorted_first.iter().zip(&sorted_second) {
                    images[v as usize] = moved[w as usize];
                }
                return Some(images);
            }
            if found == distinct {
                // Two that nothing tells from others are matched at will.
                let tie = sorted_first.windows(2).position(|pair| pair[0].0 == pair[1].0)?;
                let mark = mix(0x7469_6500 + distinct as u64);
                of_first[sorted_first[tie].1 as usize] = mark;
                of_second[sorted_second[tie].1 as usize] = mark;
            }
            distinct = found;
            of_first = self.round(moved, &of_first)?;
            of_second = self.round(moved, &of_second)?;
        }
    }

    /// Takes in what is around each vertex.
    fn round(&mut self, moved: &[u32], hashes: &[u64]) -> Option<Vec<u64>> {
        let mut next = Vec::with_capacity(moved.len());
        for (&v, &hash) in moved.iter().zip(hashes) {
            let around = self.around(v);
            let edges = around.len();
            let of = |&w: &u32| hashes.get(self.local[w as usize] as usize).map_or(0, |&hash| mix(hash));
            let sum = around.iter().map(of).fold(0, u64::wrapping_add);
            next.push(mix(hash ^ sum.rotate_left(21)));
            if !self.budget.spend(edges) {
                return None;
            }
        }
        Some(next)
    }

    fn is_automorphism(&self, moved: &[u32], images: &[u32]) -> bool {
        let image = |v: u32| images.get(self.local[v as usize] as usize).copied().unwrap_or(v);
        let mut there: Vec<u32> = Vec::new();
        let mut wanted: Vec<u32> = Vec::new();
        moved.iter().zip(images).all(|(&v, &w)| {
            there.clear();
            there.extend(self.around(v).iter().map(|&x| image(x)));
            there.sort_unstable();
            wanted.clear();
            wanted.extend(self.around(w));
            wanted.sort_unstable();
            there == wanted
        })
    }

    fn around(&self, v: u32) -> &'g [u32] {
        let Graph { starts, edges } = self.graph;
        &edges[starts[v as usize]..starts[v as usize + 1]]
    }
}

/// The vertices that stand in different cells in two partitions that were one, ascending. Of the parts into which a cell was
/// split since, the largest need not be looked at: what it holds in one partition alone is in another part in the other.
fn displaced(mark: usize, first: &Partition, second: &Partition) -> Vec<u32> {
    let log = first.log_from(mark);
    let mut parts: Vec<u32> = log.iter().flat_map(|&(cell, part)| [cell, part]).collect();
    parts.sort_unstable();
    parts.dedup();
    let mut split: Vec<u32> = log.iter().map(|&(_, part)| part).collect();
    split.sort_unstable();
    let mut displaced = Vec::new();
    for of_cell in parts.chunk_by(|_, next| split.binary_search(next).is_ok()) {
        let largest = of_cell.iter().copied().max_by_key(|&part| first.members(part).len());
        for &part in of_cell.iter().filter(|&&part| Some(part) != largest) {
            displaced.extend(first.members(part).iter().filter(|&&v| second.cell(v) != part));
            displaced.extend(second.members(part).iter().filter(|&&v| first.cell(v) != part));
        }
    }
    displaced.sort_unstable();
    displaced.dedup();
    displaced
}

fn sorted(hashes: &[u64]) -> Vec<(u64, u32)> {
    let mut pairs: Vec<(u64, u32)> = hashes.iter().copied().zip(0..).collect();
    pairs.sort_unstable();
    pairs
}
