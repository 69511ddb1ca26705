//! Colours of slots that respect the group: equitable refinement by hashing (Junttila 2003, 4.4.2; A16's hash-like
//! invariants).
//!
//! Every slot starts with (orbit, value) and repeatedly absorbs the colours around it. Whatever the hash does, equal
//! positions of equivalent states get equal colours, because only invariants are hashed: a collision costs precision,
//! never soundness. With a good hash the fixpoint is the coarsest equitable partition.
//!
//! What tells nothing is left out when the refiner is built: slots that never move (every neighbour sees the same) and
//! nodes with one remaining neighbour (they only echo it); a node with two neighbours becomes a direct edge. None of
//! these changes the fixpoint on the slots.

use crate::structure::Structure;

pub struct Refiner {
    moved: usize,
    /// By slot: the hash of its orbit.
    orbit: Vec<u64>,
    /// Direct edges into slot s: `direct[direct_start[s]..direct_start[s + 1]]`.
    direct: Vec<Edge>,
    direct_start: Vec<u32>,
    /// Edges into node n, from slots and other nodes; and into slot s, from nodes. Vertices: slots, then nodes.
    into_node: Vec<Edge>,
    into_node_start: Vec<u32>,
    from_node: Vec<Edge>,
    from_node_start: Vec<u32>,
    node_colour: Vec<u64>,
}

#[derive(Clone, Copy)]
struct Edge {
    source: u32,
    key: u64,
}

/// Colours of the slots and nodes of one state.
pub struct Colours {
    current: Vec<u64>,
    next: Vec<u64>,
    nodes: Vec<u64>,
    next_nodes: Vec<u64>,
    sorted: Vec<u64>,
}

impl Colours {
    pub fn current(&self) -> &[u64] {
        &self.current
    }
}

/// Rounds that nearly always separate what can be separated; the rest goes on to the fixpoint.
const QUICK_ROUNDS: usize = 3;

impl Refiner {
    /// `moved`: the slots 0..moved are those the group moves. `orbits`: by slot, the name of its orbit.
    pub fn new(structure: &Structure, moved: usize, orbits: &[u32]) -> Refiner {
        let slots = structure.slots();
        let nodes = structure.vertices() - slots;
        // By node: (vertex, label, does the node point there?), slots first; fixed slots are left out.
        let mut around: Vec<Vec<(usize, u64)>> = vec![Vec::new(); nodes];
        for &(node, vertex, label) in structure.edges() {
            let (node, vertex) = (node as usize - slots, vertex as usize);
            if vertex < moved {
                around[node].push((vertex, 4 * label));
            } else if vertex >= slots {
                around[node].push((vertex, 4 * label + 1));
                around[vertex - slots].push((node + slots, 4 * label + 2));
            }
        }
        let mut direct: Vec<(usize, Edge)> = Vec::new();
        let mut kept: Vec<usize> = Vec::new();
        for (node, edges) in around.iter().enumerate() {
            let colour = fold(structure.colour(slots + node) ^ 0xa5a5_1234_9876_5a5a);
            match edges[..] {
                [] | [_] => {}
                [(p, a), (q, b)] if p < moved && q < moved => {
                    direct.push((
                        p,
                        Edge { source: q as u32, key: fold(colour ^ fold(a).wrapping_add(2 * b + 1)) },
                    ));
                    direct.push((
                        q,
                        Edge { source: p as u32, key: fold(colour ^ fold(b).wrapping_add(2 * a + 1)) },
                    ));
                }
                _ => kept.push(node),
            }
        }
        let mut new_number = vec![u32::MAX; nodes];
        for (number, &node) in kept.iter().enumerate() {
            new_number[node] = number as u32;
        }
        let mut into_node: Vec<(usize, Edge)> = Vec::new();
        let mut from_node: Vec<(usize, Edge)> = Vec::new();
        for (number, &node) in kept.iter().enumerate() {
            for &(vertex, label) in &around[node] {
                let key = fold(label.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1357);
                if vertex < moved {
                    into_node.push((number, Edge { source: vertex as u32, key }));
                    from_node.push((vertex, Edge { source: number as u32, key: fold(key ^ 0x2468) }));
                } else if new_number[vertex - slots] != u32::MAX {
                    into_node.push((number, Edge { source: moved as u32 + new_number[vertex - slots], key }));
                }
            }
        }
        let (direct, direct_start) = by_target(direct, moved);
        let (into_node, into_node_start) = by_target(into_node, kept.len());
        let (from_node, from_node_start) = by_target(from_node, moved);
        Refiner {
            moved,
            orbit: orbits[..moved]
                .iter()
                .map(|&orbit| fold(u64::from(orbit) ^ 0xfeed_beef_0bad_cafe))
                .collect(),
            direct,
            direct_start,
            into_node,
            into_node_start,
            from_node,
            from_node_start,
            node_colour: kept
                .iter()
                .map(|&node| fold(structure.colour(slots + node) ^ 0x0f0f_7777))
                .collect(),
        }
    }

    pub fn colours(&self) -> Colours {
        Colours {
            current: vec![0; self.moved],
            next: vec![0; self.moved],
            nodes: self.node_colour.clone(),
            next_nodes: self.node_colour.clone(),
            sorted: vec![0; self.moved],
        }
    }

    /// A fixed number of rounds: respects the group, may be coarser than the fixpoint.
    #[inline]
    pub fn refine_quickly(&self, values: &[u64], colours: &mut Colours) {
        self.start(values, colours);
        for _ in 0..QUICK_ROUNDS {
            self.round(colours);
        }
    }

    /// To the fixpoint from where `colours` stand; the number of cells.
    pub fn refine_further(&self, colours: &mut Colours) -> usize {
        let mut cells = count_cells(colours);
        while cells < self.moved {
            // Two rounds, since what a node learns in one reaches the slots in the next.
            self.round(colours);
            self.round(colours);
            let now = count_cells(colours);
            if now == cells {
                break;
            }
            cells = now;
        }
        cells
    }

    pub fn refine_fully(&self, values: &[u64], colours: &mut Colours) -> usize {
        self.refine_quickly(values, colours);
        self.refine_further(colours)
    }

    #[inline]
    fn start(&self, values: &[u64], colours: &mut Colours) {
        for ((colour, &orbit), &value) in colours.current.iter_mut().zip(&self.orbit).zip(values) {
            *colour = fold(orbit.wrapping_add(value));
        }
        colours.nodes.copy_from_slice(&self.node_colour);
    }

    #[inline]
    fn round(&self, colours: &mut Colours) {
        let Colours { current, next, nodes, next_nodes, .. } = colours;
        for (n, new) in next_nodes.iter_mut().enumerate() {
            let mut sum = fold(nodes[n] ^ 0x55aa_55aa);
            for edge in
                &self.into_node[self.into_node_start[n] as usize..self.into_node_start[n + 1] as usize]
            {
                let source = edge.source as usize;
                let colour = if source < self.moved { current[source] } else { nodes[source - self.moved] };
                sum = sum.wrapping_add(fold(colour ^ edge.key));
            }
            *new = sum;
        }
        for (s, new) in next.iter_mut().enumerate() {
            let mut sum = fold(current[s] ^ 0x3c3c_c3c3);
            for edge in &self.direct[self.direct_start[s] as usize..self.direct_start[s + 1] as usize] {
                sum = sum.wrapping_add(fold(current[edge.source as usize] ^ edge.key));
            }
            for edge in
                &self.from_node[self.from_node_start[s] as usize..self.from_node_start[s + 1] as usize]
            {
                sum = sum.wrapping_add(fold(next_nodes[edge.source as usize] ^ edge.key));
            }
            *new = sum;
        }
        std::mem::swap(current, next);
        std::mem::swap(nodes, next_nodes);
    }
}

fn count_cells(colours: &mut Colours) -> usize {
    colours.sorted.copy_from_slice(&colours.current);
    colours.sorted.sort_unstable();
    usize::from(!colours.sorted.is_empty())
        + colours.sorted.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// One wide multiplication, both halves folded together.
#[inline(always)]
fn fold(x: u64) -> u64 {
    let product = u128::from(x ^ 0x2d35_8dcc_aa6c_78a5) * 0x8bb8_4b93_962e_acc9;
    (product as u64) ^ ((product >> 64) as u64)
}

fn by_target(mut edges: Vec<(usize, Edge)>, targets: usize) -> (Vec<Edge>, Vec<u32>) {
    edges.sort_by_key(|&(target, edge)| (target, edge.source));
    let mut start = vec![0u32; targets + 1];
    for &(target, _) in &edges {
        start[target + 1] += 1;
    }
    for target in 0..targets {
        start[target + 1] += start[target];
    }
    (edges.into_iter().map(|(_, edge)| edge).collect(), start)
}
