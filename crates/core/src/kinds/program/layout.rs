//! Where the values of a program live: one slot for each scalar, variables in order, arrays element by element.
//!
//! A scalar of type `low..high` is stored as `value - low`, one more where it may be undefined, which is 0.

use std::collections::HashMap;

use super::ir::{Name, Program, Type};
use crate::schema::{Schema, bits_for};
use crate::shape::{Axis, Bag, NO_POINT, Shape, SlotShape};

/// Facts about types that depend on the sizes of sorts alone.
#[derive(Clone)]
pub struct Types {
    sorts: Vec<usize>,
    /// The first point of each sort.
    first_point: Vec<u32>,
}

impl Types {
    pub fn new(sorts: &[usize]) -> Types {
        let mut first_point = vec![0];
        for &size in sorts {
            first_point.push(first_point[first_point.len() - 1] + size as u32);
        }
        Types { sorts: sorts.to_vec(), first_point }
    }

    pub fn points(&self) -> usize {
        self.first_point[self.sorts.len()] as usize
    }

    /// Smallest and largest value of a scalar.
    pub fn bounds(&self, scalar: &Type) -> (i64, i64) {
        match scalar {
            Type::Boolean => (0, 1),
            Type::Integer(bounds) => bounds.unwrap_or((i64::MIN, i64::MAX)),
            Type::Element(sort) => (0, self.sorts[*sort] as i64 - 1),
            Type::Union(sorts) => (0, sorts.iter().map(|&sort| self.sorts[sort] as i64).sum::<i64>() - 1),
            Type::Optional(inner) => self.bounds(inner),
            Type::Array(..) | Type::Record(_) | Type::Bag(..) => (0, 0),
        }
    }

    /// How many values an index has.
    pub fn size(&self, scalar: &Type) -> usize {
        let (low, high) = self.bounds(scalar);
        high.checked_sub(low).map_or(usize::MAX, |most| (most + 1).max(0) as usize)
    }

    pub fn slots(&self, type_: &Type) -> usize {
        match type_ {
            Type::Array(index, element) => self.size(index).saturating_mul(self.slots(element)),
            Type::Record(fields) => fields.iter().map(|(_, field)| self.slots(field)).sum(),
            Type::Bag(element, capacity) => capacity.saturating_mul(self.slots(element) + 1),
            _ => 1,
        }
    }

    /// Which slot of a record a field begins at, and its type.
    pub fn field<'t>(
        &self,
        fields: &'t [(Name, std::rc::Rc<Type>)],
        name: &str,
    ) -> (usize, &'t std::rc::Rc<Type>) {
        let mut offset = 0;
        for (field, type_) in fields {
            if &**field == name {
                return (offset, type_);
            }
            offset += self.slots(type_);
        }
        unreachable!("the program was type-checked: no field {name}")
    }

    /// The position of a sort's first element in a union.
    pub fn offset_in_union(&self, sorts: &[usize], wanted: usize) -> i64 {
        sorts.iter().take_while(|&&sort| sort != wanted).map(|&sort| self.sorts[sort] as i64).sum()
    }

    /// The points that values from the smallest on stand for; empty where they are no elements.
    pub fn points_of(&self, scalar: &Type) -> Vec<u32> {
        let of_sort = |&sort: &usize| self.first_point[sort]..self.first_point[sort + 1];
        match scalar {
            Type::Element(sort) => of_sort(sort).collect(),
            Type::Union(sorts) => sorts.iter().flat_map(of_sort).collect(),
            _ => Vec::new(),
        }
    }
}

/// (low, is it optional?) of a scalar that is stored.
pub fn encoding(types: &Types, scalar: &Type) -> (i64, bool) {
    (types.bounds(scalar).0, matches!(scalar, Type::Optional(_)))
}

pub struct Layout {
    pub schema: Schema,
    pub shape: Shape,
    /// By variable: its first slot.
    pub first_slot: HashMap<Name, u32>,
}

pub fn lay_out(program: &Program, types: &Types) -> Layout {
    let mut builder = Builder {
        types,
        widths: Vec::new(),
        shape: Shape { points: types.points(), ..Shape::default() },
        axes: HashMap::new(),
        maps: HashMap::new(),
        families: 0,
    };
    let mut first_slot = HashMap::new();
    for (name, type_) in &program.variables {
        first_slot.insert(name.clone(), builder.widths.len() as u32);
        let families = builder.families;
        builder.place(type_, &[], families);
        builder.families += types.slots(type_) as u32;
    }
    Layout { schema: Schema::new(&builder.widths), shape: builder.shape, first_slot }
}

struct Builder<'a> {
    types: &'a Types,
    widths: Vec<u8>,
    shape: Shape,
    axes: HashMap<Axis, u32>,
    maps: HashMap<Vec<u32>, u32>,
    /// Numbers of families given out.
    families: u32,
}

impl Builder<'_> {
    /// Appends the slots of a value. Slots of arrays over points share the families that begin at `family`.
    fn place(&mut self, type_: &Type, along: &[(u32, u32)], family: u32) {
        match type_ {
            Type::Array(index, element) => {
                let points = self.types.points_of(index);
                let stride = self.types.slots(element) as u32;
                let axis = (!points.is_empty()).then(|| self.axis(Axis { points, stride }));
                for position in 0..self.types.size(index) as u32 {
                    match axis {
                        Some(axis) => {
                            let along = [along, &[(axis, position)]].concat();
                            self.place(element, &along, family);
                        }
                        None => self.place(element, along, family + position * stride),
                    }
                }
            }
            Type::Record(fields) => {
                let mut family = family;
                for (_, field) in fields {
                    self.place(field, along, family);
                    family += self.types.slots(field) as u32;
                }
            }
            Type::Bag(element, capacity) => {
                let width = self.types.slots(element) as u32 + 1;
                let first = self.widths.len() as u32;
                for _ in 0..*capacity {
                    self.scalar(&Type::Boolean, along, family);
                    self.place(element, along, family + 1);
                }
                self.shape.bags.push(Bag { first, width, capacity: *capacity as u32 });
            }
            scalar => self.scalar(scalar, along, family),
        }
    }

    fn scalar(&mut self, scalar: &Type, along: &[(u32, u32)], family: u32) {
        let (inner, undefined) = match scalar {
            Type::Optional(inner) => (&**inner, 1),
            other => (other, 0),
        };
        let (low, high) = self.types.bounds(inner);
        let largest = high.wrapping_sub(low) as u64 + undefined as u64;
        self.widths.push(bits_for(largest) as u8);
        let points = self.types.points_of(inner);
        let values = (!points.is_empty()).then(|| {
            let mut map = vec![NO_POINT; undefined];
            map.extend(points);
            self.map(map)
        });
        self.shape.slots.push(SlotShape { family, axes: along.to_vec(), values });
    }

    fn axis(&mut self, axis: Axis) -> u32 {
        let next = self.axes.len() as u32;
        if !self.axes.contains_key(&axis) {
            self.shape.axes.push(axis.clone());
        }
        *self.axes.entry(axis).or_insert(next)
    }

    fn map(&mut self, map: Vec<u32>) -> u32 {
        let next = self.maps.len() as u32;
        if !self.maps.contains_key(&map) {
            self.shape.maps.push(map.clone());
        }
        *self.maps.entry(map).or_insert(next)
    }
}
