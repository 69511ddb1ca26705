//! The one module that calls C: nauty's sparse canonical labelling and automorphisms (McKay, Piperno).
//!
//! Contract: `call` takes a graph in compressed form and a colouring; it never keeps a pointer, and the
//! buffers it lends to nauty live in `Workspace` for the whole call. nauty is compiled with thread-local storage, so
//! different threads may call it at the same time. Its callbacks carry no user data, so automorphisms are collected
//! in a thread-local list; the exact group order is the product of the orbit indices that nauty reports level by level
//! (its own `grpsize` is a float).
//!
//! nauty has one flag for giving up, and all its calls in the process see it. A call sets it itself, from a callback at each
//! node of the tree, where the token under which its thread works is set, or where it holds too much; another call that was
//! given up by that is repeated.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::os::raw::c_int;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::time::Duration;

use nauty_Traces_sys as sys;
use num_bigint::BigUint;

use crate::canon::Cancel;

unsafe extern "C" {
    /// An `int` that nauty reads at every node of its tree.
    static nauty_kill_request: AtomicI32;
}

static KILLS: AtomicUsize = AtomicUsize::new(0);

/// While one exists, all calls of nauty end at their next node.
struct Kill(());

impl Kill {
    fn all() -> Kill {
        KILLS.fetch_add(1, Ordering::SeqCst);
        // SAFETY: an int that C reads and only this module writes.
        unsafe { nauty_kill_request.store(1, Ordering::SeqCst) };
        Kill(())
    }
}

impl Drop for Kill {
    fn drop(&mut self) {
        if KILLS.fetch_sub(1, Ordering::SeqCst) == 1 {
            // SAFETY: as above.
            unsafe { nauty_kill_request.store(0, Ordering::SeqCst) };
        }
    }
}

/// The neighbours of v are `edges[starts[v]..starts[v + 1]]`; in a directed graph, those that arcs lead to.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub starts: Vec<usize>,
    pub edges: Vec<u32>,
}

impl Graph {
    pub fn from_pairs(vertices: usize, pairs: &[(u32, u32)]) -> Self {
        let mut starts = vec![0; vertices + 1];
        for &(a, b) in pairs {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for v in 0..vertices {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut edges = vec![0; 2 * pairs.len()];
        for &(a, b) in pairs {
            edges[next[a as usize]] = b;
            next[a as usize] += 1;
            edges[next[b as usize]] = a;
            next[b as usize] += 1;
        }
        Graph { starts, edges }
    }

    /// A directed graph; each arc is given once.
    pub fn from_arcs(vertices: usize, arcs: &[(u32, u32)]) -> Self {
        let mut starts = vec![0; vertices + 1];
        for &(from, _) in arcs {
            starts[from as usize + 1] += 1;
        }
        for v in 0..vertices {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut edges = vec![0; arcs.len()];
        for &(from, to) in arcs {
            edges[next[from as usize]] = to;
            next[from as usize] += 1;
        }
        Graph { starts, edges }
    }

    pub fn vertices(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}

/// Buffers for repeated calls on one graph.
pub struct Workspace {
    v: Vec<usize>,
    d: Vec<c_int>,
    e: Vec<c_int>,
    lab: Vec<c_int>,
    ptn: Vec<c_int>,
    orbits: Vec<c_int>,
    canonical: sys::sparsegraph,
    directed: bool,
    /// The colouring, as it was before the call.
    given: (Vec<c_int>, Vec<c_int>),
}

// The raw pointers inside `canonical` are owned by this workspace alone.
unsafe impl Send for Workspace {}

impl Drop for Workspace {
    fn drop(&mut self) {
        sys::SG_FREE(&mut self.canonical);
    }
}

/// The result of one run of nauty.
pub struct Run {
    /// Nodes of nauty's search tree; 1 means that refinement alone separated all vertices.
    pub nodes: u64,
}

/// What a run found of an automorphism group.
pub struct Automorphisms {
    /// By moves: (vertex, image) for each moved vertex, ascending.
    pub generators: Vec<Vec<(u32, u32)>>,
    /// Exact, of what the generators generate.
    pub order: BigUint,
    /// Is it the whole group? Otherwise the run ended early, and it is the part that leaves some vertices where they are.
    pub complete: bool,
}

/// Bytes of what nauty holds, and of automorphisms, at most; then it ends. Vertices and levels of the tree multiply.
const MOST_BYTES: usize = 1 << 30;
/// By vertex and level: nauty's own Schreier-Sims vectors, and sets of vertices.
const SCHREIER_BYTES: usize = 24;

thread_local! {
    static FOUND: RefCell<Collector> = RefCell::default();
}

/// What a call is told by nauty, and whether it is to end.
#[derive(Default)]
struct Collector {
    collects: bool,
    cancel: Cancel,
    /// Set by this call.
    kill: Option<Kill>,
    /// Did this call end before it was done?
    is_cut: bool,
    automorphisms: Vec<Vec<(u32, u32)>>,
    /// After each finished level, the lowest first: how many automorphisms were found, and the order of what they generate.
    finished: Vec<(usize, BigUint)>,
    bytes: usize,
    uses_schreier: bool,
    is_too_large: bool,
}

impl Collector {
    fn open(&mut self, collects: bool, uses_schreier: bool) {
        *self = Collector { collects, uses_schreier, cancel: Cancel::current(), ..Collector::default() };
    }

    /// After a call: was it cut short, and by itself?
    fn close(&mut self, is_cut: bool) -> bool {
        let killed_itself = self.kill.take().is_some();
        self.is_cut = is_cut && killed_itself;
        self.is_cut
    }

    fn end(&mut self) {
        if self.kill.is_none() {
            self.kill = Some(Kill::all());
        }
    }
}

/// nauty reads its flag soon after this.
#[rustfmt::skip]
unsafe extern "C" fn on_node(
    _: *mut sys::graph, _: *mut c_int, _: *mut c_int,
    level: c_int, _: c_int, _: c_int, _: c_int, _: c_int, n: c_int,
) {
    FOUND.with_borrow_mut(|found| {
        let (n, level) = (n as usize, level as usize);
        let per_vertex = if found.uses_schreier { SCHREIER_BYTES * level } else { level / 8 };
        if n.saturating_mul(per_vertex) + found.bytes > MOST_BYTES {
            found.is_too_large = true;
            found.end();
        } else if found.cancel.is_cancelled() {
            found.end();
        }
    });
}

unsafe extern "C" fn on_automorphism(
    _: c_int,
    perm: *mut c_int,
    _: *mut c_int,
    _: c_int,
    _: c_int,
    n: c_int,
) {
    // SAFETY: nauty lends an array of n images for the length of this call.
    let images = unsafe { std::slice::from_raw_parts(perm, n as usize) };
    FOUND.with_borrow_mut(|found| {
        if found.collects {
            let images = (0..).zip(images.iter().map(|&y| y as u32));
            let moves: Vec<(u32, u32)> = images.filter(|(x, y)| x != y).collect();
            found.bytes += std::mem::size_of_val(&*moves);
            found.automorphisms.push(moves);
        }
    });
}

#[rustfmt::skip]
unsafe extern "C" fn on_level(
    _: *mut c_int, _: *mut c_int, _: c_int, _: *mut c_int, _: *mut sys::statsblk,
    _: c_int, index: c_int, _: c_int, _: c_int, _: c_int, _: c_int,
) {
    FOUND.with_borrow_mut(|found| {
        if found.collects {
            let below = found.finished.last().map_or_else(|| BigUint::from(1u32), |(_, order)| order.clone());
            if index > 1 {
                found.finished.push((found.automorphisms.len(), below * index as u32));
            }
        }
    });
}

impl Workspace {
    pub fn new(graph: &Graph) -> Self {
        let n = graph.vertices();
        let degree = |v: usize| (graph.starts[v + 1] - graph.starts[v]) as c_int;
        Workspace {
            v: graph.starts[..n].to_vec(),
            d: (0..n).map(degree).collect(),
            e: graph.edges.iter().map(|&x| x as c_int).collect(),
            lab: vec![0; n],
            ptn: vec![0; n],
            orbits: vec![0; n],
            canonical: sys::sparsegraph::default(),
            directed: false,
            given: Default::default(),
        }
    }

    /// For a directed graph.
    pub fn directed(graph: &Graph) -> Self {
        let mut workspace = Workspace::new(graph);
        workspace.directed = true;
        workspace
    }

    /// Sets the colouring: `order` lists all vertices cell by cell, `ends` says whether a vertex is its cell's last.
    pub fn colour(&mut self, order: impl Iterator<Item = (u32, bool)>) {
        for (position, (vertex, ends)) in order.enumerate() {
            self.lab[position] = vertex as c_int;
            self.ptn[position] = c_int::from(!ends);
        }
    }

    /// Canonical labelling: afterwards `labelling()` lists the vertices in canonical order.
    pub fn label(&mut self) -> Run {
        let mut options = if self.directed {
            sys::optionblk::default_sparse_digraph()
        } else {
            sys::optionblk::default_sparse()
        };
        options.getcanon = 1;
        self.call(&mut options, false)
    }

    /// The same; None where the token of this thread was set before it was done.
    pub fn label_in_time(&mut self) -> Option<Run> {
        let run = self.label();
        FOUND.with_borrow(|found| !found.is_cut).then_some(run)
    }

    pub fn labelling(&self) -> impl Iterator<Item = u32> + '_ {
        self.lab.iter().map(|&v| v as u32)
    }

    /// The colour-preserving automorphism group, or as much of it as was found when the token of this thread was set.
    pub fn automorphisms(&mut self) -> Automorphisms {
        let mut options = sys::optionblk::default_sparse();
        options.userautomproc = Some(on_automorphism);
        options.userlevelproc = Some(on_level);
        options.schreier = sys::TRUE;
        self.keep_colouring();
        self.call(&mut options, true);
        if FOUND.with_borrow(|found| found.is_too_large) {
            // Deep trees: without vectors for each level, which prune what is rarely there to prune.
            options.schreier = sys::FALSE;
            self.restore_colouring();
            self.call(&mut options, true);
        }
        let found = FOUND.take();
        let (mut generators, complete) = (found.automorphisms, !found.is_cut);
        let (count, order) = found.finished.into_iter().next_back().unwrap_or((0, BigUint::from(1u32)));
        // Those of a level that is not finished generate a group of unknown order.
        generators.truncate(count);
        Automorphisms { generators, order, complete }
    }

    fn keep_colouring(&mut self) {
        self.given.0.clone_from(&self.lab);
        self.given.1.clone_from(&self.ptn);
    }

    fn restore_colouring(&mut self) {
        self.lab.clone_from(&self.given.0);
        self.ptn.clone_from(&self.given.1);
    }

    /// What it found is left in `FOUND`.
    fn call(&mut self, options: &mut sys::optionblk, collects: bool) -> Run {
        options.usernodeproc = Some(on_node);
        self.keep_colouring();
        loop {
            FOUND.with_borrow_mut(|found| found.open(collects, options.schreier != sys::FALSE));
            let stats = self.call_once(options);
            let killed_itself = FOUND.with_borrow_mut(|found| found.close(stats.errstatus != 0));
            if stats.errstatus == 0 || killed_itself {
                return Run { nodes: stats.numnodes };
            }
            std::thread::sleep(Duration::from_millis(1));
            self.restore_colouring();
        }
    }

    fn call_once(&mut self, options: &mut sys::optionblk) -> sys::statsblk {
        let n = self.lab.len();
        let mut stats = sys::statsblk { numnodes: 1, ..Default::default() };
        if n == 0 {
            return stats;
        }
        options.defaultptn = sys::FALSE;
        let mut graph = sys::sparsegraph {
            nde: self.e.len(),
            v: self.v.as_mut_ptr(),
            nv: n as c_int,
            d: self.d.as_mut_ptr(),
            e: self.e.as_mut_ptr(),
            vlen: self.v.len(),
            dlen: self.d.len(),
            elen: self.e.len(),
            ..Default::default()
        };
        // SAFETY: every pointer refers to a live buffer of the length nauty expects for n vertices; the output graph is
        // allocated and grown by nauty itself and freed in `drop`.
        unsafe {
            sys::sparsenauty(
                &mut graph,
                self.lab.as_mut_ptr(),
                self.ptn.as_mut_ptr(),
                self.orbits.as_mut_ptr(),
                options,
                &mut stats,
                &mut self.canonical,
            );
        }
        stats
    }
}
