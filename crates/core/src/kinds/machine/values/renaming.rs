//! Values with their points renamed by a permutation.

use super::handle::{INTERNED, KIND, POINT, Value};
use super::{RECORD, SET, Values, View};

impl Values {
    /// The image under the permutation that sends point i to `images[i]`; points beyond stay. `stack` is scratch: what it
    /// holds already stays there.
    pub fn renamed(&self, value: Value, images: &[u32], stack: &mut Vec<Value>) -> Value {
        if let Some((left, right)) = value.in_handle() {
            let left = self.renamed_part(left, images, stack);
            let right = self.renamed_part(right, images, stack);
            return self.pair(left, right);
        }
        self.renamed_part(value, images, stack)
    }

    /// The same for what is most often a point, or nothing with points.
    #[inline(always)]
    fn renamed_part(&self, value: Value, images: &[u32], stack: &mut Vec<Value>) -> Value {
        match value.0 & KIND {
            POINT => images.get((value.0 >> 3) as usize).map_or(value, |&image| Value(image << 3 | POINT)),
            INTERNED if self.has_points(value) => self.renamed_interned(value, images, stack),
            // A pair whose left side is the number 0 may be small enough to be a side itself.
            kind if kind & 1 == 1 => self.renamed(value, images, stack),
            _ => value,
        }
    }

    fn renamed_interned(&self, value: Value, images: &[u32], stack: &mut Vec<Value>) -> Value {
        match self.view(value) {
            View::Pair(left, right) => {
                let left = self.renamed(left, images, stack);
                let right = self.renamed(right, images, stack);
                self.pair(left, right)
            }
            View::Record(parts) => self.renamed_slice(RECORD, parts, images, stack),
            View::Set(_) if self.bits(value).is_some() => self.renamed_bits(value, images),
            View::Set(parts) => self.renamed_slice(SET, parts, images, stack),
            _ => value,
        }
    }

    fn renamed_slice(&self, kind: u8, parts: &[Value], images: &[u32], stack: &mut Vec<Value>) -> Value {
        let base = stack.len();
        for &part in parts {
            let image = self.renamed(part, images, stack);
            stack.push(image);
        }
        if kind == SET {
            // A permutation makes no doubles.
            stack[base..].sort_unstable();
        }
        let result = self.intern(kind, &stack[base..]);
        stack.truncate(base);
        result
    }

    /// The same for a set with bits. Permutations keep sorts, so the image has them too, in the same universe.
    fn renamed_bits(&self, set: Value, images: &[u32]) -> Value {
        let (universe, bits) = self.image_in_bits(set, images);
        self.dense_set(universe, bits)
    }

    /// The bits of the image of a set with bits, and its universe unless it is empty.
    pub fn image_in_bits(&self, set: Value, images: &[u32]) -> (u32, u64) {
        let (mut bits, mut universe) = (0, 0);
        let image = |point: u32| Values::point(images.get(point as usize).copied().unwrap_or(point));
        for &element in self.elements(set) {
            let image = match element.points_of_pair() {
                Some((left, right)) => Value::small_pair(image(left), image(right)),
                None => image(element.0 >> 3),
            };
            let spot = self.dense.spot(image).expect("the image of a point of its sort");
            bits |= 1 << spot.bit;
            universe = spot.universe;
        }
        (universe, bits)
    }
}
