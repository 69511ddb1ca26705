//! The visited set in a file, by law: what was stored is found again, and what is no such file is an error.

use std::collections::HashMap;

use burnside_core::saved::numbers::{read_number, write_number};
use burnside_core::saved::{BlockWriter, LoadError, Section};
use burnside_core::schema::Schema;
use burnside_core::visited::{
    Codec, Inserted, Invariant, Link, Origin, Renumbering, SavedStates, Sharded, StateForm, StateId, Visited,
};
use proptest::prelude::*;

const FINGERPRINT: u64 = 0x1234_5678_9abc_def0;
/// A value in one process is this much more in another one.
const SHIFT: u64 = 9;

/// Writes values as the process names them, reads them as another one does.
struct Numbering {
    more: u64,
}

impl Codec for Numbering {
    fn encode_state(&self, values: &[u64], bytes: &mut Vec<u8>) {
        values.iter().for_each(|&value| write_number(value - self.more, bytes));
    }

    fn decode_state(&self, mut bytes: &[u8]) -> Option<Vec<u64>> {
        let mut values = Vec::new();
        while !bytes.is_empty() {
            values.push(read_number(&mut bytes)?.checked_add(self.more)?);
        }
        Some(values)
    }
}

/// Equal for values that differ by the order of the slots.
fn invariant(values: &[u64]) -> u64 {
    values.iter().fold(1, |hash, &value| hash.wrapping_add((value + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// From one before it or, if true, as its shadow; None for an initial state.
type Reached = Option<(prop::sample::Index, bool)>;

#[derive(Clone, Debug)]
struct Case {
    widths: Vec<u8>,
    /// The values of each state, and how it was reached.
    states: Vec<(Vec<u64>, Reached)>,
    keep_hashes: bool,
    is_packed: bool,
    threads: (usize, usize),
}

fn cases() -> impl Strategy<Value = Case> {
    let widths = prop::collection::vec(1u8..=33, 0..=5);
    (widths, any::<bool>(), any::<bool>(), (1usize..=2, 1usize..=2)).prop_flat_map(
        |(widths, keep_hashes, is_packed, threads)| {
            let values: Vec<_> = widths.iter().map(|&bits| 0..=u64::MAX >> (64 - bits)).collect();
            let link = prop::option::weighted(0.9, (any::<prop::sample::Index>(), any::<bool>()));
            prop::collection::vec((values, link), 0..80).prop_map(move |states| Case {
                widths: widths.clone(),
                states,
                keep_hashes,
                is_packed,
                threads,
            })
        },
    )
}

fn packed(schema: &Schema, values: &[u64]) -> Vec<u64> {
    let mut words = vec![0; schema.words()];
    schema.pack(values, &mut words).expect("it fits");
    words
}

impl Case {
    fn schema(&self) -> Schema {
        Schema::new(&self.widths)
    }

    /// The set, and each state's number and link.
    fn stored(&self) -> (Sharded, HashMap<Vec<u64>, (StateId, Link)>) {
        let schema = self.schema();
        let set = Sharded::new(&schema, self.keep_hashes, self.threads.0);
        let (mut known, mut ids) = (HashMap::new(), Vec::new());
        for (values, reached) in &self.states {
            let link = match reached {
                Some((from, is_shadow)) if !ids.is_empty() => {
                    let id = *from.get(&ids);
                    if *is_shadow { Link::Shadow(id) } else { Link::From(id) }
                }
                _ => Link::Initial,
            };
            let words = packed(&schema, values);
            let inserted = if self.keep_hashes {
                set.insert_class(invariant(values), &words, link, &mut |stored| stored == words)
            } else {
                set.insert(&words, link)
            };
            if let Inserted::Fresh(id) = inserted {
                known.insert(values.clone(), (id, link));
                ids.push(id);
            }
        }
        (set, known)
    }

    fn form<'c>(&self, codec: &'c Numbering) -> StateForm<'c> {
        if self.is_packed { StateForm::Packed } else { StateForm::Encoded(codec) }
    }

    fn saved(&self, set: &Sharded) -> Vec<u8> {
        let mut file = Vec::new();
        let origin = Origin { form: self.form(&Numbering { more: 0 }), fingerprint: FINGERPRINT };
        set.save(&self.schema(), origin, &mut file).expect("in memory");
        file
    }

    fn loaded(&self, file: &[u8], schema: &Schema) -> Result<(Sharded, Renumbering), LoadError> {
        let codec = Numbering { more: SHIFT };
        let origin = Origin { form: self.form(&codec), fingerprint: FINGERPRINT };
        let mut hash = invariant;
        let invariant: Option<Invariant<'_>> = if self.keep_hashes { Some(&mut hash) } else { None };
        Sharded::load(SavedStates::open(file, origin)?, schema, self.threads.1, invariant)
    }

    /// The values that a state has where it is loaded.
    fn there(&self, values: &[u64]) -> Vec<u64> {
        values.iter().map(|&value| if self.is_packed { value } else { value + SHIFT }).collect()
    }
}

fn renumbered(renumbering: &Renumbering, link: Link) -> Link {
    match link {
        Link::Initial => Link::Initial,
        Link::From(id) => Link::From(renumbering.renumber(id)),
        Link::Shadow(id) => Link::Shadow(renumbering.renumber(id)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_state_is_found_with_its_link(case in cases(), wider in 0u8..=1) {
        let (set, known) = case.stored();
        let file = case.saved(&set);
        let saved = SavedStates::open(file.as_slice(), Origin { form: case.form(&Numbering { more: 0 }), fingerprint: FINGERPRINT });
        let widths = saved.expect("it was saved").widths();
        prop_assert_eq!(&widths, &case.widths);
        // A value of another process may need a bit more: then the widths that are needed come back.
        let mut schema = Schema::new(&widths.iter().map(|bits| bits + wider).collect::<Vec<_>>());
        let mut loaded = case.loaded(&file, &schema);
        if let Err(LoadError::Narrow(needed)) = &loaded {
            prop_assert!(!case.is_packed && needed.iter().zip(&schema.widths()).any(|(needed, had)| needed > had));
            schema = Schema::new(needed);
            loaded = case.loaded(&file, &schema);
        }
        let (found, renumbering) = loaded.expect("it was saved");
        let mut words = vec![0; schema.words()];
        for (values, &(id, link)) in &known {
            let id = renumbering.get(id).expect("it was stored");
            let there = case.there(values);
            let link = renumbered(&renumbering, link);
            prop_assert_eq!(found.read(id, &mut words), link);
            prop_assert_eq!(&words, &packed(&schema, &there));
            let explored = if let Link::Shadow(explored) = link { explored } else { id };
            let inserted = if case.keep_hashes {
                found.insert_class(invariant(&there), &words, Link::Initial, &mut |stored| stored == words)
            } else {
                found.insert(&words, Link::Initial)
            };
            prop_assert_eq!(inserted, Inserted::Known(explored));
        }
        prop_assert_eq!(renumbering.get(StateId(u64::MAX)), None);
        if case.threads == (1, 1) {
            prop_assert!(known.values().all(|&(id, _)| renumbering.renumber(id) == id), "numbers are kept");
            prop_assert_eq!(renumbering.get(StateId(known.len() as u64)), None);
        }
    }

    #[test]
    fn damaged_files_are_errors(case in cases(), at: prop::sample::Index, flipped in 1u8..=255) {
        let (set, _) = case.stored();
        let mut file = case.saved(&set);
        let schema = case.schema();
        let at = at.index(file.len());
        prop_assert!(matches!(case.loaded(&file[..at], &schema), Err(LoadError::Truncated)));
        file[at] ^= flipped;
        let loaded = case.loaded(&file, &schema);
        prop_assert!(loaded.is_err() && !matches!(loaded, Err(LoadError::Narrow(_))));
    }

    /// Whatever the blocks hold, a file whose checksums are right is loaded or refused.
    #[test]
    fn forged_files_are_read_without_panic(case in cases(), numbers in prop::collection::vec((any::<u64>(), 0u32..64), 0..60), intact in 0usize..12) {
        let mut file = Vec::new();
        let mut to = BlockWriter::new(Section::States, &mut file).expect("in memory");
        let mut head = vec![u64::from(case.is_packed), u64::from(case.keep_hashes), case.widths.len() as u64];
        head.extend(case.widths.iter().map(|&bits| u64::from(bits)));
        head.extend([0, 3, 3]);
        to.word(FINGERPRINT).expect("in memory");
        head.iter().take(intact).for_each(|&number| to.number(number).expect("in memory"));
        numbers.iter().for_each(|&(number, shift)| to.number(number >> shift).expect("in memory"));
        to.finish().expect("in memory");
        if let Ok((set, renumbering)) = case.loaded(&file, &case.schema()) {
            let mut words = vec![0; case.schema().words()];
            if let Some(id) = renumbering.get(StateId(0)) {
                set.read(id, &mut words);
            }
        }
    }
}

fn forged(numbers: &[u64]) -> Result<(Sharded, Renumbering), LoadError> {
    let mut file = Vec::new();
    let mut to = BlockWriter::new(Section::States, &mut file).expect("in memory");
    to.word(FINGERPRINT).expect("in memory");
    numbers.iter().for_each(|&number| to.number(number).expect("in memory"));
    to.finish().expect("in memory");
    let codec = Numbering { more: 0 };
    let origin = Origin { form: StateForm::Encoded(&codec), fingerprint: FINGERPRINT };
    Sharded::load(SavedStates::open(file.as_slice(), origin)?, &Schema::new(&[8]), 1, None)
}

/// By what a head claims, nothing is allocated: each of these would fail at once if it were.
#[test]
fn sizes_that_a_file_claims_are_not_believed() {
    const HUGE: u64 = 1 << 60;
    let damaged = |numbers: &[u64]| matches!(forged(numbers), Err(LoadError::Damaged(_)));
    // Form, hashes, slots and their widths, shards, states; then states of the shard, link, length, bytes.
    assert!(forged(&[0, 0, 1, 8, 0, 1, 1, 0, 1, 7]).is_ok());
    assert!(damaged(&[0, 0, HUGE, 8]));
    assert!(damaged(&[0, 0, 1, 65, 0, 1, 1, 0, 1, 7]));
    assert!(damaged(&[0, 0, 1, 8, 40, 1, 1, 0, 1, 7]));
    assert!(damaged(&[0, 0, 1, 8, 0, HUGE, HUGE, 0, 1, 7]));
    assert!(damaged(&[0, 0, 1, 8, 0, 1, 1, 0, HUGE, 7]));
    assert!(damaged(&[0, 0, 1, 8, 0, 2, 1, 0, 1, 7]), "fewer states than the head says");
    assert!(damaged(&[0, 0, 1, 8, 0, 1, 1, 0, 1, 7, 7]), "more bytes than states");
    assert!(damaged(&[0, 0, 1, 8, 0, 2, 2, 0, 1, 7, 0, 1, 7]), "a state twice");
    assert!(damaged(&[0, 0, 1, 8, 0, 1, 1, 21, 1, 7]), "a link to a state that is not there");
    assert!(damaged(&[0, 0, 1, 8, 0, 1, 1, 0, 2, 7, 7]), "two values for one slot");
}

#[test]
fn a_file_of_another_model_or_method_is_refused() {
    let schema = Schema::new(&[3, 4]);
    let set = Sharded::new(&schema, false, 1);
    set.insert(&packed(&schema, &[1, 2]), Link::Initial);
    let packed = |fingerprint| Origin { form: StateForm::Packed, fingerprint };
    let mut file = Vec::new();
    set.save(&schema, packed(FINGERPRINT), &mut file).expect("in memory");
    let load = |origin, schema: &Schema, invariant: Option<Invariant<'_>>| {
        Sharded::load(SavedStates::open(file.as_slice(), origin)?, schema, 1, invariant).map(|_| ())
    };
    assert!(load(packed(FINGERPRINT), &schema, None).is_ok());
    let is_other = |loaded| matches!(loaded, Err(LoadError::OtherModel(_)));
    assert!(is_other(load(packed(FINGERPRINT + 1), &schema, None)));
    assert!(is_other(load(packed(FINGERPRINT), &Schema::new(&[3]), None)));
    assert!(is_other(load(packed(FINGERPRINT), &schema, Some(&mut |_| 0))));
    let codec = Numbering { more: 0 };
    assert!(is_other(load(
        Origin { form: StateForm::Encoded(&codec), ..packed(FINGERPRINT) },
        &schema,
        None
    )));
    let narrow = load(packed(FINGERPRINT), &Schema::new(&[3, 1]), None);
    assert!(matches!(narrow, Err(LoadError::Narrow(widths)) if widths == [3, 2]));
}
