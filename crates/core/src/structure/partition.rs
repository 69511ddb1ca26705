//! An ordered partition of the vertices of a graph, refined until it is equitable: vertices of one cell have as many neighbours
//! in each other cell. What is split is logged, so that it can be joined again at the cost of what was split.
//!
//! Two partitions that agreed in everything but the names of the vertices, and were refined alike, still do; `refine` returns a
//! hash of all that it found out, which is then the same for both.

use std::collections::VecDeque;

use crate::nauty::Graph;
use crate::random::mix;

#[derive(Clone)]
pub struct Partition<'g> {
    graph: &'g Graph,
    /// Vertices, cell by cell; a cell is known by where it starts.
    order: Vec<u32>,
    /// By vertex: its place in `order`, and its cell.
    place: Vec<u32>,
    cell: Vec<u32>,
    /// By cell.
    len: Vec<u32>,
    cells: usize,
    /// (cell, the part that was split off behind it).
    log: Vec<(u32, u32)>,
    waiting: VecDeque<u32>,
    is_waiting: Vec<bool>,
    /// By vertex: neighbours in the cell at hand. `hits`: the vertices that have some.
    count: Vec<u32>,
    hits: Vec<Hit>,
}

/// A vertex with neighbours in the cell at hand: its cell, and how many.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    cell: u32,
    count: u32,
    vertex: u32,
}

impl<'g> Partition<'g> {
    /// By colours, whose numbers order the cells; not refined yet.
    pub fn new(graph: &'g Graph, colours: &[u64]) -> Partition<'g> {
        let n = colours.len();
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_key(|&v| colours[v as usize]);
        let mut partition = Partition {
            graph,
            place: vec![0; n],
            cell: vec![0; n],
            len: vec![0; n],
            cells: 0,
            log: Vec::new(),
            waiting: VecDeque::new(),
            is_waiting: vec![false; n],
            count: vec![0; n],
            hits: Vec::new(),
            order,
        };
        let mut start = 0;
        for at in 0..n {
            let v = partition.order[at] as usize;
            if at > 0 && colours[v] != colours[partition.order[at - 1] as usize] {
                start = at;
            }
            partition.place[v] = at as u32;
            partition.cell[v] = start as u32;
            partition.len[start] += 1;
            if start == at {
                partition.cells += 1;
                partition.wait(start as u32);
            }
        }
        partition
    }

    pub fn is_discrete(&self) -> bool {
        self.cells == self.order.len()
    }

    pub fn cell(&self, v: u32) -> u32 {
        self.cell[v as usize]
    }

    pub fn members(&self, cell: u32) -> &[u32] {
        &self.order[cell as usize..(cell + self.len[cell as usize]) as usize]
    }

    /// The smallest cell of several vertices, the first of these.
    pub fn smallest(&self) -> Option<u32> {
        let mut smallest: Option<u32> = None;
        let mut start = 0;
        while start < self.order.len() {
            let len = self.len[start];
            if len > 1 && smallest.is_none_or(|other| len < self.len[other as usize]) {
                smallest = Some(start as u32);
                if len == 2 {
                    break;
                }
            }
            start += len as usize;
        }
        smallest
    }

    /// What was split since.
    pub fn log_from(&self, mark: usize) -> &[(u32, u32)] {
        &self.log[mark..]
    }

    /// For `undo`.
    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Joins what was split since the mark.
    pub fn undo(&mut self, mark: usize) {
        while self.log.len() > mark {
            let Some((cell, part)) = self.log.pop() else { return };
            let len = self.len[part as usize];
            for at in part..part + len {
                self.cell[self.order[at as usize] as usize] = cell;
            }
            self.len[part as usize] = 0;
            self.len[cell as usize] += len;
            self.cells -= 1;
        }
    }

    /// Splits a vertex off from its cell.
    pub fn individualise(&mut self, v: u32) {
        let cell = self.cell[v as usize];
        let last = cell + self.len[cell as usize] - 1;
        self.put(v, last);
        self.split(cell, last);
        self.wait(last);
    }

    fn wait(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.is_waiting[cell as usize], true) {
            self.waiting.push_back(cell);
        }
    }

    fn put(&mut self, v: u32, place: u32) {
        let (other, from) = (self.order[place as usize], self.place[v as usize]);
        self.order[from as usize] = other;
        self.place[other as usize] = from;
        self.order[place as usize] = v;
        self.place[v as usize] = place;
    }

    /// The end of a cell, from this place on, becomes a cell of its own.
    fn split(&mut self, cell: u32, part: u32) {
        let end = cell + self.len[cell as usize];
        for at in part..end {
            self.cell[self.order[at as usize] as usize] = part;
        }
        self.len[part as usize] = end - part;
        self.len[cell as usize] = part - cell;
        self.cells += 1;
        self.log.push((cell, part));
    }

    /// Until it is equitable; a hash of what cells and counts were found. None where `goes_on` said no: then only `undo` makes
    /// sense of it again.
    pub fn refine(&mut self, goes_on: &mut impl FnMut(usize) -> bool) -> Option<u64> {
        let mut trace = 0;
        while let Some(by) = self.waiting.pop_front() {
            self.is_waiting[by as usize] = false;
            let mut hits = std::mem::take(&mut self.hits);
            let mut edges = 0;
            for at in by..by + self.len[by as usize] {
                let v = self.order[at as usize] as usize;
                let around = &self.graph.edges[self.graph.starts[v]..self.graph.starts[v + 1]];
                edges += around.len();
                for &vertex in around {
                    if self.count[vertex as usize] == 0 {
                        hits.push(Hit { cell: self.cell[vertex as usize], count: 0, vertex });
                    }
                    self.count[vertex as usize] += 1;
                }
            }
            for hit in &mut hits {
                hit.count = std::mem::take(&mut self.count[hit.vertex as usize]);
            }
            hits.sort_unstable();
            trace = mix(trace ^ u64::from(by)).wrapping_add(1);
            for of_cell in hits.chunk_by(|a, b| a.cell == b.cell) {
                trace = self.split_by_count(of_cell, trace);
            }
            hits.clear();
            self.hits = hits;
            if !goes_on(edges) {
                self.waiting.drain(..).for_each(|cell| self.is_waiting[cell as usize] = false);
                return None;
            }
        }
        Some(trace)
    }

    /// `hits`: the vertices of one cell that have neighbours in the cell at hand, by ascending numbers of these.
    fn split_by_count(&mut self, hits: &[Hit], mut trace: u64) -> u64 {
        let cell = hits[0].cell;
        let len = self.len[cell as usize];
        let was_waiting = self.is_waiting[cell as usize];
        // The parts, from the last one; what has no neighbours there stays in front.
        let mut end = cell + len;
        let mut largest = (len - hits.len() as u32, cell);
        let mut parts: Vec<u32> = Vec::new();
        for part in hits.chunk_by(|a, b| a.count == b.count).rev() {
            let found = u64::from(cell) << 32 ^ part.len() as u64;
            trace = mix(trace ^ mix(found ^ u64::from(part[0].count).rotate_left(40)));
            let start = end - part.len() as u32;
            for (hit, place) in part.iter().zip(start..) {
                self.put(hit.vertex, place);
            }
            end = start;
            largest = largest.max((part.len() as u32, start));
            if start > cell {
                self.split(cell, start);
                parts.push(start);
            }
        }
        if parts.is_empty() {
            return trace;
        }
        parts.push(cell);
        for part in parts {
            if was_waiting || part != largest.1 {
                self.wait(part);
            }
        }
        trace
    }
}
