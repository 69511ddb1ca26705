//! Slices that are written once and never move: read without a lock while others are appended.
//!
//! Each slice has an index (0, 1, 2, ..), a hash and some marks. Storage is a directory of chunks, so nothing is ever copied;
//! the memory of a chunk is touched only as it fills.
//!
//! Why there is unsafe code, here and, but for the call of nauty, only here: readers get plain slices out of memory that a writer is still filling
//! further on. A writer holds the lock and writes only behind `End`, where there are no readers. It then publishes the
//! header with release ordering; a reader takes the place of a slice from a header alone, with acquire ordering, and a
//! header that is not published yet is zero and gives no slice, whatever index is asked for.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::slice_from_raw_parts_mut;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Indices are below 2^29, places of items below 2^32. Miri looks at every entry of a directory whenever it is borrowed, so it
/// checks the same code on small ones.
const INDEX_BITS: u32 = if cfg!(miri) { 10 } else { 29 };
const PLACE_BITS: u32 = if cfg!(miri) { 14 } else { 32 };
const CHUNK_BITS: u32 = if cfg!(miri) { 6 } else { 16 };
const CHUNK: usize = 1 << CHUNK_BITS;
const HEADER_CHUNKS: usize = 1 << (INDEX_BITS - CHUNK_BITS);
const ITEM_CHUNKS: usize = 1 << (PLACE_BITS - CHUNK_BITS);

const LEN_BITS: u32 = 26;
const MARK_BITS: u32 = 5;
/// Items of one slice at most.
const LONGEST: usize = (1 << LEN_BITS) - 1;

/// Where a slice is, and its hash. All zero: there is none yet.
struct Header {
    /// From below: 32 bits where it starts, its length, its marks, and one bit that is set.
    place: AtomicU64,
    hash: AtomicU64,
}

pub struct Arena<T> {
    headers: Directory<Header>,
    items: Directory<T>,
    end: Mutex<End>,
    /// The same as `end`, for the statistics.
    len: AtomicU64,
    used: AtomicU64,
}

/// Where the next header and the next item go. There are no readers behind it.
#[derive(Default)]
struct End {
    headers: usize,
    items: usize,
}

/// Where chunks begin. A slice that needs several gets them in one piece.
struct Directory<T> {
    chunks: Box<[AtomicPtr<T>]>,
    /// What was allocated: the beginning and how many chunks.
    owned: Mutex<Vec<(*mut T, usize)>>,
}

// SAFETY: the raw pointers are owned. An item is written once, by the holder of `end`, before it can be read.
unsafe impl<T: Copy + Send> Send for Arena<T> {}
unsafe impl<T: Copy + Send + Sync> Sync for Arena<T> {}

impl<T> Directory<T> {
    fn new(chunks: usize) -> Self {
        let start = zeroed::<AtomicPtr<T>>(chunks);
        // SAFETY: made for so many of them, with the layout of this slice; zeros are pointers to nothing.
        let chunks = unsafe { Box::from_raw(slice_from_raw_parts_mut(start, chunks)) };
        Directory { chunks, owned: Mutex::default() }
    }

    /// The address of a place, if its chunk is there. It is inside the chunk.
    #[inline(always)]
    fn address(&self, place: usize) -> Option<*mut T> {
        let start = self.chunks.get(place >> CHUNK_BITS)?.load(Ordering::Acquire);
        // A chunk has room for every place with these upper bits.
        (!start.is_null()).then(|| start.wrapping_add(place & (CHUNK - 1)))
    }

    /// Makes `count` chunks from this one on, in one piece, all zero.
    fn allocate(&self, first: usize, count: usize) {
        let start = zeroed::<T>(count * CHUNK);
        self.owned.lock().unwrap_or_else(PoisonError::into_inner).push((start, count));
        for (number, chunk) in self.chunks[first..first + count].iter().enumerate() {
            chunk.store(start.wrapping_add(number * CHUNK), Ordering::Release);
        }
    }
}

/// Memory for so many, all zero; the system makes it so where it is touched first.
fn zeroed<T>(count: usize) -> *mut T {
    let layout = layout::<T>(count);
    assert!(layout.size() > 0);
    // SAFETY: the size is not zero.
    let start = unsafe { alloc_zeroed(layout) }.cast::<T>();
    if start.is_null() {
        handle_alloc_error(layout);
    }
    start
}

fn layout<T>(count: usize) -> Layout {
    Layout::array::<T>(count).expect("far smaller than the address space")
}

impl<T> Drop for Directory<T> {
    fn drop(&mut self) {
        let owned = self.owned.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (start, count) in owned.drain(..) {
            // SAFETY: allocated with this layout in `allocate`; items are plain data.
            unsafe { dealloc(start.cast(), layout::<T>(count * CHUNK)) };
        }
    }
}

impl<T: Copy> Arena<T> {
    pub fn new() -> Self {
        Arena {
            headers: Directory::new(HEADER_CHUNKS),
            items: Directory::new(ITEM_CHUNKS),
            end: Mutex::default(),
            len: AtomicU64::new(0),
            used: AtomicU64::new(0),
        }
    }

    #[inline(always)]
    fn header(&self, index: u32) -> Option<&Header> {
        // SAFETY: chunks of headers are made of zeros, which are headers, and live as long as the arena.
        self.headers.address(index as usize).map(|header| unsafe { &*header })
    }

    /// The slice and its marks.
    #[inline(always)]
    pub fn get(&self, index: u32) -> Option<(&[T], u8)> {
        let place = self.header(index)?.place.load(Ordering::Acquire);
        if place == 0 {
            return None;
        }
        let length = (place >> 32) as usize & LONGEST;
        let start = self.items.address(place as u32 as usize)?;
        // SAFETY: a published header names items of one allocation, written before it was published and never again.
        let slice = unsafe { std::slice::from_raw_parts(start, length) };
        Some((slice, marks(place)))
    }

    #[inline(always)]
    pub fn marks(&self, index: u32) -> u8 {
        self.header(index).map_or(0, |header| marks(header.place.load(Ordering::Acquire)))
    }

    #[inline(always)]
    pub fn hash(&self, index: u32) -> u64 {
        self.header(index).map_or(0, |header| header.hash.load(Ordering::Relaxed))
    }

    /// Appends, and gives the index; none where the arena is full or the slice too long. `marks` has five bits.
    pub fn push(&self, items: &[T], marks: u8, hash: u64) -> Option<u32> {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        let start = self.reserve(end.items, items.len())?;
        let index = end.headers;
        if index >= HEADER_CHUNKS * CHUNK {
            return None;
        }
        if self.headers.address(index).is_none() {
            self.headers.allocate(index >> CHUNK_BITS, 1);
        }
        let to = self.items.address(start)?;
        // SAFETY: `reserve` made room for them in one piece; no header names it yet, and the lock keeps other writers away.
        unsafe { std::ptr::copy_nonoverlapping(items.as_ptr(), to, items.len()) };
        let header = self.header(index as u32)?;
        let above = 1 << (LEN_BITS + MARK_BITS) | u64::from(marks) << LEN_BITS | items.len() as u64;
        header.hash.store(hash, Ordering::Relaxed);
        header.place.store(above << 32 | start as u64, Ordering::Release);
        *end = End { headers: index + 1, items: start + items.len() };
        self.len.store(end.headers as u64, Ordering::Relaxed);
        self.used.store(end.items as u64, Ordering::Relaxed);
        Some(index as u32)
    }

    /// The first place from `from` on where so many items are in one piece, which there is then.
    fn reserve(&self, from: usize, count: usize) -> Option<usize> {
        let fits_here = (from & (CHUNK - 1)) + count <= CHUNK && self.items.address(from).is_some();
        if fits_here {
            return Some(from);
        }
        let start = from.next_multiple_of(CHUNK);
        let chunks = count.div_ceil(CHUNK).max(1);
        if count > LONGEST || start / CHUNK + chunks > ITEM_CHUNKS {
            return None;
        }
        self.items.allocate(start >> CHUNK_BITS, chunks);
        Some(start)
    }

    pub fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed) as usize
    }

    pub fn bytes(&self) -> usize {
        self.len() * size_of::<Header>() + self.used.load(Ordering::Relaxed) as usize * size_of::<T>()
    }
}

#[inline(always)]
fn marks(place: u64) -> u8 {
    (place >> (32 + LEN_BITS)) as u8 & ((1 << MARK_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Miri, which checks the unsafe code by these tests, takes a millisecond for what takes a microsecond.
    const COUNT: u32 = if cfg!(miri) { 150 } else { 20_000 };

    #[test]
    fn slices_are_read_as_they_were_written_while_more_are_appended() {
        let arena = Arena::<u32>::new();
        let written = |index: u32| (0..index % 70).map(|k| index ^ k).collect::<Vec<_>>();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                (0..COUNT).for_each(|i| assert_eq!(arena.push(&written(i), 3, u64::from(i)), Some(i)))
            });
            let mut next = 0;
            while next < COUNT {
                match arena.get(next) {
                    Some((slice, marks)) => {
                        assert_eq!(
                            (slice, marks, arena.hash(next)),
                            (&written(next)[..], 3, u64::from(next))
                        );
                        next += 1;
                    }
                    None => std::thread::yield_now(),
                }
            }
        });
        assert!(arena.get(COUNT).is_none() && arena.get(u32::MAX).is_none());
    }

    /// Some slices are a third of a chunk long, so that writers make new chunks while others read.
    #[test]
    fn several_threads_may_append_and_read() {
        const WRITERS: u32 = 3;
        let arena = Arena::<u32>::new();
        let length =
            |number: u32| if number % (COUNT / 4) == 1 { CHUNK / 3 } else { number as usize % 5 + 1 };
        let check = |index: u32| {
            let (slice, marks) = arena.get(index)?;
            let number = slice[0];
            assert_eq!(slice.len(), length(number));
            assert_eq!([slice[(slice.len() - 1) / 2], slice[slice.len() - 1]], [number; 2]);
            assert_eq!((marks, arena.marks(index)), (number as u8 % 32, number as u8 % 32));
            assert_eq!(arena.hash(index), u64::from(number));
            Some(number)
        };
        let write = |writer: u32| {
            for number in (0..COUNT).map(|at| at * WRITERS + writer) {
                let mut slice = vec![0; length(number)];
                let last = slice.len() - 1;
                for at in [0, last / 2, last] {
                    slice[at] = number;
                }
                let index = arena.push(&slice, number as u8 % 32, u64::from(number)).expect("there is room");
                // What this thread wrote, and what another one did before.
                assert_eq!(check(index), Some(number));
                check(index / 2).expect("it was published before");
            }
        };
        let numbers = std::thread::scope(|scope| {
            (0..WRITERS).for_each(|writer| _ = scope.spawn(move || write(writer)));
            let mut numbers = Vec::new();
            while numbers.len() < (WRITERS * COUNT) as usize {
                match check(numbers.len() as u32) {
                    Some(number) => numbers.push(number),
                    None => std::thread::yield_now(),
                }
            }
            numbers
        });
        let mut sorted = numbers;
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..WRITERS * COUNT), "each slice once");
        assert_eq!(arena.len(), (WRITERS * COUNT) as usize);
    }

    #[test]
    fn a_slice_longer_than_a_chunk_is_in_one_piece() {
        let arena = Arena::<u32>::new();
        let long: Vec<u32> = (0..3 * CHUNK as u32 + 5).collect();
        assert_eq!(arena.push(&[1], 0, 0), Some(0));
        assert_eq!(arena.push(&long, 0, 0), Some(1));
        assert_eq!(arena.push(&[2], 0, 0), Some(2));
        assert_eq!(arena.push(&long[..CHUNK], 0, 0), Some(3));
        assert_eq!(arena.push(&[], 0, 0), Some(4));
        assert_eq!(arena.get(0).unwrap().0, &[1]);
        assert_eq!(arena.get(1).unwrap().0, &long[..]);
        assert_eq!(arena.get(2).unwrap().0, &[2]);
        assert_eq!(arena.get(3).unwrap().0, &long[..CHUNK]);
        assert_eq!(arena.get(4).unwrap().0, &[]);
        assert_eq!(arena.reserve(0, LONGEST + 1), None);
    }
}
