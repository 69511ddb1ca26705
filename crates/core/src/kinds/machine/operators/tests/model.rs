//! Values as an ordered tree, to and from handles.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::kinds::machine::values::{Value, Values, View};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Model {
    Number(i64),
    Truth(bool),
    Point(u32),
    Text(u32),
    Pair(Box<Model>, Box<Model>),
    Record(Vec<Model>),
    Set(BTreeSet<Model>),
}

use Model::*;

pub fn pair(left: &Model, right: &Model) -> Model {
    Pair(Box::new(left.clone()), Box::new(right.clone()))
}

impl Model {
    pub fn number(&self) -> i64 {
        let Number(number) = self else { panic!("{self:?} is no number") };
        *number
    }

    pub fn set(&self) -> &BTreeSet<Model> {
        let Set(set) = self else { panic!("{self:?} is no set") };
        set
    }

    pub fn parts(&self) -> (&Model, &Model) {
        let Pair(left, right) = self else { panic!("{self:?} is no pair") };
        (left, right)
    }

    pub fn pairs(&self) -> impl Iterator<Item = (&Model, &Model)> {
        self.set().iter().map(Model::parts)
    }

    pub fn intern(&self, values: &Values) -> Value {
        match self {
            Number(number) => values.number(*number),
            Truth(truth) => Values::truth(*truth),
            Point(point) => Values::point(*point),
            Text(text) => Values::text(*text),
            Pair(left, right) => values.pair(left.intern(values), right.intern(values)),
            Record(fields) => {
                values.record(&fields.iter().map(|each| each.intern(values)).collect::<Vec<_>>())
            }
            Set(set) => values.set(&mut set.iter().map(|each| each.intern(values)).collect()),
        }
    }

    pub fn read(values: &Values, value: Value) -> Model {
        let all = |slice: &[Value]| slice.iter().map(|&each| Model::read(values, each)).collect::<Vec<_>>();
        match values.view(value) {
            View::Number(number) => Number(number),
            View::Truth(truth) => Truth(truth),
            View::Point(point) => Point(point),
            View::Text(text) => Text(text),
            View::Pair(left, right) => pair(&Model::read(values, left), &Model::read(values, right)),
            View::Record(fields) => Record(all(fields)),
            View::Set(elements) => Set(all(elements).into_iter().collect()),
            View::Unset => panic!("no value"),
        }
    }

    pub fn renamed(&self, images: &[u32]) -> Model {
        match self {
            Point(point) => Point(images[*point as usize]),
            Pair(left, right) => pair(&left.renamed(images), &right.renamed(images)),
            Record(fields) => Record(fields.iter().map(|each| each.renamed(images)).collect()),
            Set(set) => Set(set.iter().map(|each| each.renamed(images)).collect()),
            _ => self.clone(),
        }
    }

    pub fn has_points(&self) -> bool {
        match self {
            Point(_) => true,
            Pair(left, right) => left.has_points() || right.has_points(),
            Record(fields) => fields.iter().any(Model::has_points),
            Set(set) => set.iter().any(Model::has_points),
            _ => false,
        }
    }
}

/// The last point: large enough that a pair with it is not in the handle.
pub const FAR: u32 = 5000;

/// Atoms and small things that pairs in handles hold, and those that they do not.
pub fn atom() -> impl Strategy<Value = Model> + Clone {
    prop_oneof![
        8 => (0..4u32).prop_map(Point),
        6 => (-1..4i64).prop_map(Number),
        1 => any::<i64>().prop_map(Number),
        1 => Just(Number(70_000)),
        1 => Just(Point(FAR)),
        1 => any::<bool>().prop_map(Truth),
        1 => (0..3u32).prop_map(Text),
        1 => Just(Set(BTreeSet::from([Point(0)]))),
        1 => Just(pair(&Point(0), &Point(1))),
    ]
}

pub fn set_of(element: impl Strategy<Value = Model>, most: usize) -> impl Strategy<Value = Model> {
    prop::collection::btree_set(element, 0..=most).prop_map(Set)
}

pub fn relation(most: usize) -> impl Strategy<Value = Model> {
    set_of((atom(), atom()).prop_map(|(left, right)| pair(&left, &right)), most)
}

pub fn sequence_of(items: &[Model]) -> Model {
    Set(items.iter().zip(1..).map(|(item, position)| pair(&Number(position), item)).collect())
}

pub fn sequence(item: impl Strategy<Value = Model>) -> impl Strategy<Value = Model> {
    prop::collection::vec(item, 0..6).prop_map(|items| sequence_of(&items))
}

pub fn nested() -> impl Strategy<Value = Model> {
    atom().prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(left, right)| pair(&left, &right)),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Record),
            prop::collection::btree_set(inner, 0..6).prop_map(Set),
        ]
    })
}

/// A permutation of the points that atoms have.
pub fn renaming() -> impl Strategy<Value = Vec<u32>> {
    Just(vec![0, 1, 2, 3, FAR]).prop_shuffle().prop_map(|images| {
        let mut all: Vec<u32> = (0..=FAR).collect();
        for (point, image) in [0, 1, 2, 3, FAR].into_iter().zip(images) {
            all[point as usize] = image;
        }
        all
    })
}
