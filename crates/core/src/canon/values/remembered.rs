//! What a thread remembers of values: sketches, and images under permutations met before. Both forget what does not pay.

use super::Nested;
use super::sketch::{Passes, Point, Sketches};
use crate::kinds::machine::values::Value;

/// Bytes of sketches at most.
const MOST: usize = 64 << 20;
/// So many bytes stay where they are quickly found: as many as are kept where few are asked for twice.
const LEAST: usize = 1 << 18;
/// Entries of the table at most, and at first.
const LARGEST: usize = 1 << 22;
const SMALLEST: usize = 1 << 10;
/// The number of no sketch.
pub const NOTHING: u32 = u32::MAX;
/// Values without points are not looked up.
const FREE: (Value, u32) = (Value::UNSET, NOTHING);

/// Sketches by value.
pub struct Remembered {
    pub sketches: Sketches,
    /// Values and the numbers of their sketches. Values are spread over the places by their handles, whose upper bits count
    /// what is interned; the last one that came to a place is there.
    table: Vec<(Value, u32)>,
    /// Sketches weigh no more than this before some are forgotten.
    room: usize,
    /// Since then.
    asked: u64,
    made: u64,
    pub passes: Passes,
}

impl Default for Remembered {
    fn default() -> Self {
        Remembered {
            sketches: Sketches::default(),
            table: vec![FREE; SMALLEST],
            room: LEAST,
            asked: 0,
            made: 0,
            passes: Passes::default(),
        }
    }
}

/// Lengths of tables are powers of two.
#[inline(always)]
fn place(value: Value, table: usize) -> usize {
    let handle = value.handle();
    (handle >> 3 ^ handle >> 17) as usize & (table - 1)
}

impl Remembered {
    /// To be called before sketches are asked for that are used together. True where those known before are forgotten.
    #[inline(always)]
    pub fn make_room(&mut self) -> bool {
        self.sketches.bytes() > self.room && self.is_full()
    }

    /// What is asked for again and again gets more room; what is not is forgotten while it is in the cache.
    #[cold]
    fn is_full(&mut self) -> bool {
        let pays = self.made * 2 < self.asked;
        let forgets = !pays || self.room >= MOST;
        if forgets {
            self.sketches.clear();
            self.table.fill(FREE);
        }
        self.room = if pays { (4 * self.room).min(MOST) } else { LEAST };
        (self.asked, self.made) = (0, 0);
        forgets
    }

    /// The number of the sketch of a value.
    #[inline(always)]
    pub fn sketch(&mut self, nested: &Nested, value: Value) -> u32 {
        self.asked += 1;
        let (known, number) = self.table[place(value, self.table.len())];
        if known == value { number } else { self.make(nested, value) }
    }

    /// The moving points of a value by its sketch, if there is one.
    #[inline(always)]
    pub fn points(&self, sketch: u32) -> &[Point] {
        if sketch == NOTHING { &[] } else { self.sketches.points(sketch) }
    }

    #[inline(never)]
    fn make(&mut self, nested: &Nested, value: Value) -> u32 {
        self.made += 1;
        let number = self.sketches.add(nested, value, &mut self.passes);
        if 2 * self.sketches.len() > self.table.len() && self.table.len() < LARGEST {
            let length = 2 * self.table.len();
            self.table.clear();
            self.table.resize(length, FREE);
            for (number, value) in self.sketches.all() {
                self.table[place(value, length)] = (value, number);
            }
        } else {
            let place = place(value, self.table.len());
            self.table[place] = (value, number);
        }
        number
    }
}

/// Entries of the table of images at first, and at most.
const FEWEST_IMAGES: usize = 1 << 10;
const MOST_IMAGES: usize = 1 << 14;
/// A table that answers too few of this many look-ups gets larger, or is turned off.
const TRIAL: u32 = 1 << 12;
/// Its product with a number has the number's bits in the upper ones.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The images of values by where their points go: few values of most states are new, and few of their images.
pub struct KnownImages {
    /// (where the points go, the value, its image).
    table: Vec<(u64, Value, Value)>,
    asked: u32,
    answered: u32,
    is_off: bool,
}

impl Default for KnownImages {
    fn default() -> Self {
        KnownImages { table: no_images(FEWEST_IMAGES), asked: 0, answered: 0, is_off: false }
    }
}

fn no_images(count: usize) -> Vec<(u64, Value, Value)> {
    vec![(0, Value::UNSET, Value::UNSET); count]
}

/// Where points go, if that fits into a number: eight of the first 256 points, or sixteen of the first 16.
#[inline(always)]
fn targets(points: &[Point], images: &[u32]) -> Option<u64> {
    let bits = if images.len() <= 16 { 4 } else { 8 };
    let fits = images.len() <= 256 && points.len() * bits <= 64;
    let image = |sum: u64, point: &Point| sum << bits | u64::from(images[point.at as usize]);
    fits.then(|| points.iter().fold(0, image))
}

impl KnownImages {
    /// `points`: the moving ones of the value; `images`: where all moving points go.
    #[inline(always)]
    pub fn get_or(
        &mut self,
        value: Value,
        points: &[Point],
        images: &[u32],
        find: impl FnOnce() -> Value,
    ) -> Value {
        if self.is_off {
            return find();
        }
        let Some(targets) = targets(points, images) else { return find() };
        let key = (targets ^ u64::from(value.handle()) << 32).wrapping_mul(SPREAD);
        let place = (key >> (64 - self.table.len().trailing_zeros())) as usize;
        let entry = &mut self.table[place];
        self.asked += 1;
        if entry.0 == targets && entry.1 == value {
            self.answered += 1;
            return entry.2;
        }
        let image = find();
        *entry = (targets, value, image);
        if self.asked >= TRIAL {
            self.judge();
        }
        image
    }

    #[cold]
    fn judge(&mut self) {
        if 8 * self.answered < 7 * self.asked {
            if self.table.len() < MOST_IMAGES {
                self.table = no_images(4 * self.table.len());
            } else {
                self.is_off = 2 * self.answered < self.asked;
            }
        }
        (self.asked, self.answered) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_that_of_the_value_and_of_where_its_points_go() {
        let mut known = KnownImages::default();
        let points = [Point::new(0, 0), Point::new(2, 0)];
        let [value, other] = [Value::from_handle(8 | 2), Value::from_handle(16 | 2)];
        let mut ask = |value, images: &[u32], image| known.get_or(value, &points, images, || image);
        assert_eq!(ask(value, &[1, 0, 2], Value::TRUE), Value::TRUE);
        // Point 1 is not in the value.
        assert_eq!(ask(value, &[1, 2, 2], Value::FALSE), Value::TRUE);
        assert_eq!(ask(other, &[1, 0, 2], Value::FALSE), Value::FALSE);
        assert_eq!(ask(value, &[2, 0, 1], Value::FALSE), Value::FALSE);
    }

    #[test]
    fn what_does_not_fit_is_not_remembered() {
        let points: Vec<Point> = (0..9).map(|at| Point::new(at, 0)).collect();
        let images: Vec<u32> = (0..17).collect();
        assert_eq!(targets(&points, &images), None);
        assert!(targets(&points[..8], &images).is_some());
        assert!(targets(&points, &images[..16]).is_some());
        assert_eq!(targets(&points[..1], &(0..257).collect::<Vec<u32>>()), None);
    }
}
