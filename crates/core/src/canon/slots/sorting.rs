//! Groups of blocks acting on values: the smallest image of a state is found by sorting, and so is everything else.
//!
//! Values of a block stand side by side. First the groups inside blocks sort each block, then the blocks are sorted; the first
//! element that differs decides, so equal blocks cost what is read of them. A step changes few blocks of a representative, which
//! is sorted: then few blocks move.

use std::ops::Range;

use super::super::Stabiliser;
use super::add_range;
use crate::group::Blocks;

/// Blocks are moved past others one by one, until this many times all values were moved.
const PATIENCE: usize = 4;
/// After a step all blocks are looked at unless there are more than so many for each one that changed.
const FEW: usize = 4;

#[derive(Default)]
pub struct Workspace {
    /// Numbers of the blocks that a step changed, ascending.
    moving: Vec<u32>,
    order: Vec<u32>,
    buffer: Vec<u64>,
    places: Vec<u32>,
    /// A sorted copy of the values at hand; by position, where the value was before.
    sorted: Vec<u64>,
    origin: Vec<u32>,
    other: Vec<u64>,
    other_origin: Vec<u32>,
}

/// Makes the values the smallest of their orbit. `begin`: what precedes the positions of this group; the slots that change
/// are appended to `changed`.
pub fn sort(
    blocks: &Blocks,
    begin: usize,
    values: &mut [u64],
    changed: &mut Vec<Range<usize>>,
    workspace: &mut Workspace,
) {
    let start = begin + blocks.start;
    for inner in &blocks.inner {
        for at in 0..blocks.count {
            sort(inner, start + at * blocks.width, values, changed, workspace);
        }
    }
    let own = sort_blocks(blocks.width, &mut values[start..start + blocks.points()], workspace);
    add_range(changed, start, own);
}

/// The same, where the values differ from smallest ones in the slots `step` alone, which ascend: only blocks with such slots are
/// looked at.
pub fn sort_step(
    blocks: &Blocks,
    begin: usize,
    values: &mut [u64],
    step: &[u32],
    changed: &mut Vec<Range<usize>>,
    workspace: &mut Workspace,
) {
    let start = begin + blocks.start;
    let width = blocks.width;
    let before = |end: usize| move |&slot: &u32| (slot as usize) < end;
    let step = &step[step.partition_point(before(start))..];
    let step = &step[..step.partition_point(before(start + blocks.points()))];
    if step.is_empty() {
        return;
    }
    let block_of = |slot: u32| (slot as usize - start) / width;
    if !blocks.inner.is_empty() {
        for inside in step.chunk_by(|&a, &b| block_of(a) == block_of(b)) {
            let first = start + block_of(inside[0]) * width;
            blocks.inner.iter().for_each(|inner| sort_step(inner, first, values, inside, changed, workspace));
        }
    }
    let values = &mut values[start..start + blocks.points()];
    if blocks.count <= FEW {
        return add_range(changed, start, sort_blocks(width, values, workspace));
    }
    workspace.moving.clear();
    for &slot in step {
        let at = block_of(slot) as u32;
        if workspace.moving.last() != Some(&at) {
            workspace.moving.push(at);
        }
    }
    let own = if FEW * workspace.moving.len() > blocks.count {
        sort_blocks(width, values, workspace)
    } else {
        merge_moving(width, values, workspace)
    };
    add_range(changed, start, own);
}

/// Sorts all blocks; where something changed.
fn sort_blocks(width: usize, values: &mut [u64], workspace: &mut Workspace) -> Range<usize> {
    let count = values.len() / width;
    let mut changed = 0..0;
    if count == 2 {
        let (first, second) = values.split_at_mut(width);
        if first > second {
            first.swap_with_slice(second);
            changed = 0..2 * width;
        }
        return changed;
    }
    let mut patience = PATIENCE * values.len();
    for at in 1..count {
        let own = at * width;
        if values[own - width..own] <= values[own..own + width] {
            continue;
        }
        let (before, block) = values[..own + width].split_at(own);
        let to = partition_point(before.len() / width, |at| &before[at * width..][..width] <= block) * width;
        widen(&mut changed, to..own + width);
        let Some(left) = patience.checked_sub(own - to) else {
            sort_at_once(width, values, workspace);
            return 0..values.len();
        };
        patience = left;
        values[to..own + width].rotate_right(width);
    }
    changed
}

/// Sorts all blocks, where those that are not among `workspace.moving` ascend; where something changed.
fn merge_moving(width: usize, values: &mut [u64], workspace: &mut Workspace) -> Range<usize> {
    let Workspace { moving, order, buffer, places, .. } = workspace;
    let count = values.len() / width;
    let block = |at: usize| &values[at * width..][..width];
    let stays = |&at: &u32| {
        let at = at as usize;
        (at == 0 || block(at - 1) <= block(at)) && (at + 1 == count || block(at) <= block(at + 1))
    };
    if moving.iter().all(stays) {
        return 0..0;
    }
    order.clear();
    order.extend_from_slice(moving);
    order.sort_by(|&a, &b| block(a as usize).cmp(block(b as usize)));
    // Of all blocks that stay, the one of that number.
    let staying = |number: usize| {
        moving.iter().fold(number, |at, &moves| if moves as usize <= at { at + 1 } else { at })
    };
    places.clear();
    for (before, &at) in order.iter().enumerate() {
        let smaller = |number: usize| block(staying(number)) < block(at as usize);
        places.push((before + partition_point(count - moving.len(), smaller)) as u32);
    }
    let (Some(&first), Some(&last), Some(&to_first), Some(&to_last)) =
        (moving.first(), moving.last(), places.first(), places.last())
    else {
        return 0..0;
    };
    let (low, high) = (first.min(to_first) as usize, last.max(to_last) as usize + 1);
    buffer.clear();
    buffer.extend_from_slice(&values[low * width..high * width]);
    let mut staying = (low..high).filter(|&at| !moving.contains(&(at as u32)));
    let mut moved = places.iter().zip(&*order).peekable();
    for at in low..high {
        let from = match moved.next_if(|&(&place, _)| place as usize == at) {
            Some((_, &from)) => Some(from as usize),
            None => staying.next(),
        };
        if let Some(from) = from {
            values[at * width..][..width].copy_from_slice(&buffer[(from - low) * width..][..width]);
        }
    }
    low * width..high * width
}

fn widen(changed: &mut Range<usize>, by: Range<usize>) {
    *changed =
        if changed.start >= changed.end { by } else { changed.start.min(by.start)..changed.end.max(by.end) };
}

/// How many numbers below `count`, from 0 on, fulfil this.
fn partition_point(count: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

fn sort_at_once(width: usize, values: &mut [u64], workspace: &mut Workspace) {
    let Workspace { order, buffer, .. } = workspace;
    order_blocks(width, values, order);
    buffer.clear();
    order.iter().for_each(|&at| buffer.extend_from_slice(&values[at as usize * width..][..width]));
    values.copy_from_slice(buffer);
}

fn order_blocks(width: usize, values: &[u64], order: &mut Vec<u32>) {
    let block = |at: u32| &values[at as usize * width..][..width];
    order.clear();
    order.extend(0..(values.len() / width) as u32);
    order.sort_by(|&a, &b| block(a).cmp(block(b)));
}

/// The same, and by position the one where its value was before.
fn sort_with_origins(
    blocks: &Blocks,
    begin: usize,
    values: &mut [u64],
    origins: &mut [u32],
    workspace: &mut Workspace,
) {
    let start = begin + blocks.start;
    let width = blocks.width;
    for inner in &blocks.inner {
        for at in 0..blocks.count {
            sort_with_origins(inner, start + at * width, values, origins, workspace);
        }
    }
    let values = &mut values[start..start + blocks.points()];
    let origins = &mut origins[start..start + blocks.points()];
    let Workspace { order, buffer, places, .. } = workspace;
    order_blocks(width, values, order);
    if order.is_sorted() {
        return;
    }
    buffer.clear();
    places.clear();
    for &at in &*order {
        let block = at as usize * width..(at as usize + 1) * width;
        buffer.extend_from_slice(&values[block.clone()]);
        places.extend_from_slice(&origins[block]);
    }
    values.copy_from_slice(buffer);
    origins.copy_from_slice(places);
}

impl Workspace {
    fn take(&mut self, all: &[Blocks], values: &[u64]) {
        let mut sorted = std::mem::take(&mut self.sorted);
        let mut origin = std::mem::take(&mut self.origin);
        sorted.clear();
        sorted.extend_from_slice(values);
        origin.clear();
        origin.extend(0..values.len() as u32);
        for blocks in all {
            sort_with_origins(blocks, 0, &mut sorted, &mut origin, self);
        }
        (self.sorted, self.origin) = (sorted, origin);
    }

    /// Adds the stabiliser of the values: exchanges of neighbours among equal blocks, once they are sorted. Are they sorted?
    pub fn add_stabiliser(&mut self, all: &[Blocks], values: &[u64], stabiliser: &mut Stabiliser) -> bool {
        // Representatives are.
        if all.iter().all(|blocks| is_sorted(blocks, 0, values)) {
            all.iter().for_each(|blocks| add_exchanges(blocks, 0, values, None, stabiliser));
            return true;
        }
        self.take(all, values);
        let origin = Some(self.origin.as_slice());
        all.iter().for_each(|blocks| add_exchanges(blocks, 0, &self.sorted, origin, stabiliser));
        false
    }

    /// Are the two equivalent? If so, `images` becomes an element that maps the one to the other, in the positions of blocks.
    pub fn relate(&mut self, all: &[Blocks], from: &[u64], to: &[u64], images: &mut [u32]) -> bool {
        self.take(all, to);
        std::mem::swap(&mut self.sorted, &mut self.other);
        std::mem::swap(&mut self.origin, &mut self.other_origin);
        self.take(all, from);
        let ranges = || all.iter().map(|blocks| blocks.start..blocks.start + blocks.points());
        if ranges().any(|range| self.sorted[range.clone()] != self.other[range]) {
            return false;
        }
        for at in ranges().flatten() {
            images[self.origin[at] as usize] = self.other_origin[at];
        }
        true
    }
}

/// Is the state the smallest of its orbit, as far as this group goes?
fn is_sorted(blocks: &Blocks, begin: usize, values: &[u64]) -> bool {
    let start = begin + blocks.start;
    let width = blocks.width;
    let own = &values[start..start + blocks.points()];
    own.chunks_exact(width).is_sorted()
        && blocks
            .inner
            .iter()
            .all(|inner| (0..blocks.count).all(|at| is_sorted(inner, start + at * width, values)))
}

/// `origin`: where the value at a position of the sorted state was before, if not there.
fn add_exchanges(
    blocks: &Blocks,
    begin: usize,
    sorted: &[u64],
    origin: Option<&[u32]>,
    stabiliser: &mut Stabiliser,
) {
    let start = begin + blocks.start;
    let width = blocks.width;
    let mut run = 1;
    for at in 1..blocks.count {
        let (a, b) = (start + (at - 1) * width, start + at * width);
        if sorted[a..b] != sorted[b..b + width] {
            run = 1;
            continue;
        }
        run += 1;
        stabiliser.multiply(run);
        if let Some(origin) = origin {
            let pairs = origin[a..b].iter().zip(&origin[b..b + width]);
            stabiliser.keep_unordered(pairs.flat_map(|(&x, &y)| [(x, y), (y, x)]));
        } else {
            let pairs = (a as u32..b as u32).zip(b as u32..);
            stabiliser.keep_moves(pairs.clone().chain(pairs.map(|(x, y)| (y, x))));
        }
    }
    for inner in &blocks.inner {
        (0..blocks.count).for_each(|at| add_exchanges(inner, start + at * width, sorted, origin, stabiliser));
    }
}
