//! Places: the cells of a place, and the value there.

use std::rc::Rc;

use super::super::code::{Cell, Dimension, Op};
use super::super::ir::{Place, Type};
use super::super::layout::{Types, encoding};
use super::emit::{Binding, Compiler, Operand, PlaceRef};

impl Compiler<'_> {
    pub fn place(&mut self, place: &Place) -> PlaceRef {
        match place {
            Place::Variable(name, type_) => match self.lookup(name, type_) {
                Binding::Place(place) => place,
                Binding::Value(value) => self.stored(value, type_),
            },
            Place::Index(array, index) => {
                let array = self.place(array);
                let Type::Array(index_type, element) = &*array.type_.clone() else {
                    unreachable!("the program was type-checked: an array is indexed")
                };
                let index = self.value(index);
                self.element(&array, (index_type, element), index)
            }
            Place::Component(record, name) => {
                let record = self.place(record);
                let Type::Record(fields) = &*record.type_ else {
                    unreachable!("the program was type-checked: a record has fields")
                };
                let (offset, type_) = self.types.field(fields, name);
                PlaceRef { base: record.base + offset as Cell, offset: record.offset, type_: type_.clone() }
            }
            Place::Entry(bag, position) => {
                let bag = self.place(bag);
                let Type::Bag(element, capacity) = &*bag.type_.clone() else {
                    unreachable!("the program was type-checked: a bag has entries")
                };
                let spec = self.bag(element, *capacity);
                let position = self.value(position);
                let (bag, position) = (self.address(&bag), self.in_cell(position));
                let to = self.cell();
                self.emit(Op::Entry { to, bag, position, spec });
                PlaceRef { base: 0, offset: Some(to), type_: element.clone() }
            }
        }
    }

    fn element(
        &mut self,
        array: &PlaceRef,
        (index_type, element): (&Type, &Rc<Type>),
        index: Operand,
    ) -> PlaceRef {
        let stride = self.types.slots(element);
        let (low, high) = self.types.bounds(index_type);
        let mut base = array.base;
        let offset = match index {
            Operand::Constant(value) if (low..=high).contains(&value) => {
                base += ((value - low) as usize * stride) as Cell;
                array.offset
            }
            Operand::Constant(_) => {
                self.fail();
                array.offset
            }
            Operand::Cell(index) => {
                let dimension = Dimension { low, size: high - low + 1, stride: stride as i64 };
                let dimension = self.dimension(dimension);
                let to = self.cell();
                self.emit(Op::Scale { to, index, dimension });
                if let Some(outer) = array.offset {
                    self.emit(Op::Add { to, left: to, right: outer });
                }
                Some(to)
            }
        };
        PlaceRef { base, offset, type_: element.clone() }
    }

    /// A cell that holds a value as a place of this type would.
    fn stored(&mut self, value: Operand, type_: &Rc<Type>) -> PlaceRef {
        let (to, from, range) = (self.cell(), self.in_cell(value), self.range_of(type_));
        self.emit(Op::Encode { to, from, range });
        PlaceRef { base: to, offset: None, type_: type_.clone() }
    }

    /// A cell that holds the address of the place.
    pub fn address(&mut self, place: &PlaceRef) -> Cell {
        match place.offset {
            None => self.constant(i64::from(place.base)),
            Some(offset) if place.base == 0 => offset,
            Some(offset) => {
                let to = self.cell();
                self.emit(Op::Plus { to, from: offset, bias: place.base as i32 });
                to
            }
        }
    }

    /// The code that a scalar place holds, in a cell.
    pub fn raw(&mut self, place: &PlaceRef) -> Cell {
        match place.offset {
            None => place.base,
            Some(offset) => {
                let to = self.cell();
                self.emit(Op::Fetch { to, base: place.base, offset });
                to
            }
        }
    }

    /// The value of a scalar place.
    pub fn load(&mut self, place: &PlaceRef) -> Operand {
        let from = self.raw(place);
        let (low, optional) = encoding(self.types, &place.type_);
        let shift = low - i64::from(optional);
        if !optional && shift == 0 {
            return Operand::Cell(from);
        }
        let to = self.cell();
        let small = i32::try_from(shift);
        let bias = small.unwrap_or(0);
        self.emit(if optional { Op::Load { to, from, bias } } else { Op::Plus { to, from, bias } });
        if small.is_err() {
            let right = self.constant(shift);
            self.emit(Op::Add { to, left: to, right });
        }
        Operand::Cell(to)
    }

    /// A place to compare: where there are bags, a copy in which their entries stand in order.
    pub fn with_sorted_bags(&mut self, place: PlaceRef) -> PlaceRef {
        let mut bags = Vec::new();
        find_bags(self.types, &place.type_, 0, &mut bags);
        if bags.is_empty() {
            return place;
        }
        let count = self.types.slots(&place.type_);
        let base = self.cells(count);
        let (to, from) = (self.constant(i64::from(base)), self.address(&place));
        self.emit(Op::Copy { to, from, count: count as u32 });
        for (offset, width, capacity) in bags {
            let spec = self.bag_spec(width, capacity);
            let bag = self.constant(i64::from(base) + offset as i64);
            self.emit(Op::Sort { bag, spec });
        }
        PlaceRef { base, offset: None, type_: place.type_ }
    }
}

/// (offset, width, capacity) of each bag in a value, inner ones first.
fn find_bags(types: &Types, type_: &Type, offset: usize, bags: &mut Vec<(usize, u32, u32)>) {
    match type_ {
        Type::Array(index, element) => {
            let stride = types.slots(element);
            for position in 0..types.size(index) {
                find_bags(types, element, offset + position * stride, bags);
            }
        }
        Type::Record(fields) => {
            let mut offset = offset;
            for (_, field) in fields {
                find_bags(types, field, offset, bags);
                offset += types.slots(field);
            }
        }
        Type::Bag(element, capacity) => {
            let width = types.slots(element) + 1;
            for entry in 0..*capacity {
                find_bags(types, element, offset + entry * width + 1, bags);
            }
            bags.push((offset, width as u32, *capacity as u32));
        }
        _ => {}
    }
}
