//! A search that is cut off, saved, loaded for a model that was prepared anew, and finished counts what an uninterrupted one does.

mod toy;

use std::io::Cursor;
use std::sync::Arc;

use burnside_core::canon::values::Encoding;
use burnside_core::canon::{Cancel, Canonicaliser, Guide, Method, Selector};
use burnside_core::group::Group;
use burnside_core::kinds::machine::CompiledMachine;
use burnside_core::kinds::machine::prepared::PreparedMachine;
use burnside_core::kinds::{ElementGroup, Kind, Subject};
use burnside_core::model::{Model, PackedModel};
use burnside_core::perm::Perm;
use burnside_core::quotient::{Detail, Quotient, Unfinished};
use burnside_core::saved::LoadError;
use burnside_core::schema::Overflow;
use burnside_core::search::checkpoint::{self, Checkpoint};
use burnside_core::search::{Frontier, Order, PriceRule, SelfCheck, Settings};
use burnside_core::visited::{Inserted, Link, Origin, Sharded, StateForm, StateId};
use proptest::prelude::*;
use toy::{Cells, PreparedCells, VALUES};

const SEARCH: Method = Method::Search { guide: Guide::Partition, selector: Selector::LeastUnique };
const METHODS: [Method; 4] = [Method::None, SEARCH, Method::Compare, Method::Flood];
const FINGERPRINT: u64 = 77;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Counts {
    states: u64,
    transitions: u64,
    deadlocks: u64,
    /// The states in the order in which they were explored, in bytes.
    explored: Vec<Vec<u8>>,
    depth: u32,
}

/// A search by one thread, written out.
struct Search<'k, K: Kind> {
    kind: &'k K,
    at: Checkpoint<K::Model>,
}

impl<'k, K: Kind> Search<'k, K> {
    fn begun(kind: &'k K, order: Order, counts: &mut Counts) -> Self {
        let model = kind.model().clone();
        let visited = Sharded::new(model.schema(), kind.canonicaliser().compares(), 1);
        let mut search = Search { kind, at: Checkpoint { model, visited, frontier: Frontier::new(order) } };
        for start in kind.model().starts(&mut kind.model().workspace()) {
            loop {
                let Checkpoint { model, visited, frontier } = &mut search.at;
                let cancel = Cancel::default();
                let mut quotient = Quotient::new(model, kind.canonicaliser(), true, &cancel);
                let stored = match quotient.start(&start) {
                    Ok(true) => quotient.insert(visited, Link::Initial),
                    Ok(false) => break,
                    Err(unfinished) => Err(unfinished),
                };
                match stored {
                    Ok(Inserted::Fresh(id)) => {
                        counts.states += 1;
                        frontier.put(&[id]);
                    }
                    Ok(_) => {}
                    Err(Unfinished::Narrow(overflow)) => {
                        search.widen(overflow);
                        continue;
                    }
                    Err(other) => panic!("{other:?}"),
                }
                break;
            }
        }
        search
    }

    /// Explores so many states at most.
    fn run(&mut self, most: usize, counts: &mut Counts) {
        let mut explored = 0;
        let mut batch = Vec::new();
        while explored < most {
            self.at.frontier.take(1, &mut batch);
            let Some(&id) = batch.first() else {
                if self.at.frontier.next_level() {
                    continue;
                }
                break;
            };
            match self.expand(id, counts) {
                Ok(()) => explored += 1,
                Err(Unfinished::Narrow(overflow)) => {
                    self.at.frontier.put_back(&[id]);
                    self.widen(overflow);
                }
                Err(other) => panic!("{other:?}"),
            }
        }
        counts.depth = self.at.frontier.depth();
    }

    fn expand(&mut self, id: StateId, counts: &mut Counts) -> Result<(), Unfinished> {
        let Checkpoint { model, visited, frontier } = &mut self.at;
        let cancel = Cancel::default();
        let mut quotient = Quotient::new(model, self.kind.canonicaliser(), true, &cancel);
        let (mut fresh, mut transitions) = (Vec::new(), 0);
        let expanded = quotient.edges(visited, id, Detail::Targets, |edge| {
            transitions += edge.times;
            fresh.extend(edge.is_fresh.then_some(edge.target));
        });
        // What was stored before a value did not fit is stored.
        counts.states += fresh.len() as u64;
        frontier.put(&fresh);
        expanded?;
        counts.transitions += transitions;
        counts.deadlocks += u64::from(!quotient.expansion().leads_on);
        let mut bytes = Vec::new();
        self.kind.encode(quotient.values(), &mut bytes);
        counts.explored.push(bytes);
        Ok(())
    }

    fn widen(&mut self, overflow: Overflow) {
        let Checkpoint { model, visited, frontier } = &mut self.at;
        let wider = model.widened(&[overflow.slot], overflow.bits);
        let old = std::mem::replace(visited, Sharded::new(wider.schema(), false, 1));
        let (relaid, renumbering) = old.relaid(model.schema(), wider.schema());
        frontier.renumber(&renumbering);
        (*visited, *model) = (relaid, wider);
    }

    fn saved(&self, form: StateForm<'_>) -> Vec<u8> {
        let Checkpoint { model, visited, frontier } = &self.at;
        let mut file = Vec::new();
        let origin = Origin { form, fingerprint: FINGERPRINT };
        checkpoint::save(model, visited, frontier, origin, &mut file).expect("in memory");
        file
    }

    fn loaded(kind: &'k K, form: StateForm<'_>, threads: usize, file: &[u8]) -> Result<Self, LoadError> {
        let origin = Origin { form, fingerprint: FINGERPRINT };
        let from = &mut Cursor::new(file);
        let at = checkpoint::load(kind.model(), kind.canonicaliser(), origin, threads, from)?;
        Ok(Search { kind, at })
    }
}

fn settings() -> Settings {
    Settings {
        order: Order::Breadth,
        threads: 1,
        keep_going: true,
        fatal: None,
        deadlock: None,
        prune: true,
        price: PriceRule::Off,
        self_check: SelfCheck::Off,
        properties: 2,
        max_states: None,
        max_seconds: None,
        max_memory: None,
    }
}

/// The counts of a search that is cut after so many states and goes on elsewhere, and those of one that is not.
fn cut_and_whole<K: Kind>(
    kinds: [&K; 2],
    forms: [StateForm<'_>; 2],
    order: Order,
    cut: usize,
    threads: usize,
) -> [Counts; 2] {
    let mut whole = Counts::default();
    let mut search = Search::begun(kinds[0], order, &mut whole);
    search.run(usize::MAX, &mut whole);
    let mut counts = Counts::default();
    let mut search = Search::begun(kinds[0], order, &mut counts);
    search.run(cut, &mut counts);
    let file = search.saved(forms[0]);
    drop(search);
    let mut search = Search::loaded(kinds[1], forms[1], threads, &file).expect("it was saved");
    search.run(usize::MAX, &mut counts);
    [counts, whole]
}

fn cells() -> impl Strategy<Value = Cells> {
    let outcome = prop::option::weighted(0.6, (0..VALUES, 0..VALUES));
    let rule = prop::collection::vec(outcome, (VALUES * VALUES) as usize);
    (3usize..=5, any::<bool>(), rule, 0..VALUES)
        .prop_map(|(count, ring, rule, initial)| Cells::new(count, ring, rule, initial))
}

fn orders() -> impl Strategy<Value = Order> {
    prop_oneof![
        Just(Order::Breadth),
        Just(Order::Depth),
        any::<u64>().prop_map(|seed| Order::Mixed { alpha: 0.5, seed }),
        any::<u64>().prop_map(|seed| Order::Random { seed }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_search_goes_on_where_it_was_cut(
        cells in cells(), order in orders(), cut in 0usize..40, encoded: bool, threads in 1usize..=2
    ) {
        for method in METHODS {
            let [first, second] = [(); 2].map(|()| PreparedCells::new(&cells, method));
            let form = |kind| if encoded { StateForm::Encoded(kind) } else { first.state_form() };
            let [cut, whole] =
                cut_and_whole([&first, &second], [form(&first), form(&second)], order, cut, threads);
            // States are taken in the same order, whatever their numbers, also where it is random.
            prop_assert_eq!(&cut, &whole, "{:?}", method);
            let found = second.explore(&settings(), &mut |_| true).expect("it fits");
            prop_assert_eq!(
                (found.states, found.tally.transitions, found.tally.deadlocks),
                (cut.states, cut.transitions, cut.deadlocks),
                "{:?}", method
            );
            prop_assert!(order != Order::Breadth || found.depth == cut.depth);
        }
    }

    #[test]
    fn a_damaged_checkpoint_is_an_error(cells in cells(), cut in 0usize..20, at: prop::sample::Index, flipped in 1u8..=255) {
        let kind = PreparedCells::new(&cells, SEARCH);
        let mut search = Search::begun(&kind, Order::Breadth, &mut Counts::default());
        search.run(cut, &mut Counts::default());
        let mut file = search.saved(kind.state_form());
        let load = |file: &[u8]| Search::loaded(&kind, kind.state_form(), 1, file).map(|_| ());
        let at = at.index(file.len());
        prop_assert!(matches!(load(&file[..at]), Err(LoadError::Truncated)));
        file[at] ^= flipped;
        prop_assert!(load(&file).is_err());
        file[at] ^= flipped;
        prop_assert!(load(&file).is_ok());
        file.push(0);
        prop_assert!(matches!(load(&file), Err(LoadError::Damaged(_))));
    }
}

/// A machine of nested sets over a sort of three elements: elements are added to s, s is added to h or emptied.
fn machine() -> CompiledMachine {
    const NOTHING: i64 = i64::MIN;
    let texts =
        ["s", "h", "p", "operation", "set", "union", "all", "member", "implementable"].map(String::from);
    let mut rows: Vec<(String, Vec<i64>)> = Vec::new();
    let mut row = |class: &str, fields: &[i64]| {
        rows.push((class.to_string(), fields.to_vec()));
        rows.len() as i64 - 1
    };
    let boolean = row("Boolean", &[]);
    let elements = row("list", &[0; 3]);
    let sort = row("Sort", &[0, elements, 0, 0, NOTHING]);
    let element = row("Element", &[sort]);
    let set = row("Set", &[element]);
    let sets = row("Set", &[set]);
    let [s, h, p] =
        [(0, set), (1, sets), (2, element)].map(|(name, type_)| row("Name", &[name, type_, 0, NOTHING]));
    let none = row("list", &[]);
    let mut apply = |operator: i64, arguments: &[i64], type_: i64| {
        let arguments = row("list", arguments);
        row("Apply", &[operator, arguments, type_, NOTHING])
    };
    let (no_element, no_set) = (apply(4, &[], set), apply(4, &[], sets));
    let (of_p, of_s) = (apply(4, &[p], set), apply(4, &[s], sets));
    let (more, noted) = (apply(5, &[s, of_p], set), apply(5, &[h, of_s], sets));
    let all = apply(6, &[], set);
    let is_element = apply(7, &[p, all], boolean);
    let truth = row("Literal", &[1, boolean, NOTHING]);
    let mut assign = |name: i64, value: i64| {
        let (names, values) = (row("list", &[name]), row("list", &[value]));
        row("Assign", &[names, values, NOTHING])
    };
    let [empty_s, empty_h, grow, note] =
        [(s, no_element), (h, no_set), (s, more), (h, noted)].map(|(a, b)| assign(a, b));
    let both = row("list", &[empty_s, empty_h]);
    let start = row("Parallel", &[both, NOTHING]);
    let of_one = row("list", &[p]);
    let operations = [(of_one, is_element, grow), (none, truth, note), (none, truth, empty_s)]
        .map(|(parameters, guard, body)| row("Operation", &[3, parameters, none, body, guard, NOTHING]));
    let lists = [&[sort][..], &[], &[], &[s, h], &operations, &[]].map(|items| row("list", items));
    let [sorts, constants, properties, variables, operations, claims] = lists;
    let numbers = row("list", &[-1, 3]);
    let fields = [0, sorts, constants, properties, variables, start, operations, claims, numbers, none, 8];
    row("Machine", &fields);
    CompiledMachine::new(&texts, &rows, false).expect("a machine")
}

fn prepared(machine: &CompiledMachine, method: Method) -> PreparedMachine {
    let perms = [[1, 2, 0], [1, 0, 2]].map(|images| Perm::from_images(&images).expect("a permutation"));
    let group = Arc::new(Group::generated(3, perms.to_vec(), None));
    let symmetry = ElementGroup { group, kept: Vec::new(), whole: true, exchanged: Vec::new() };
    PreparedMachine::new(machine, &symmetry, method, Encoding::default(), false).expect("it fits")
}

/// The second machine has interned other values first: packed words and kept hashes of the one mean nothing to the other.
#[test]
fn a_search_of_a_machine_goes_on_where_values_have_other_numbers() {
    for method in METHODS {
        let [first, second] = [(); 2].map(|()| machine());
        // More than 16 bits of numbers: slots have to be wider than in the file.
        for number in 0..70_000 {
            second.values().set(&mut vec![second.values().number(number)]);
        }
        let [first, second] = [first, second].map(|machine| prepared(&machine, method));
        let forms = [first.state_form(), second.state_form()];
        for cut in [0, 1, 17, 60] {
            let [cut, whole] = cut_and_whole([&first, &second], forms, Order::Breadth, cut, 1);
            assert_eq!(cut, whole, "{method:?}");
        }
        let found = second.explore(&settings(), &mut |_| true).expect("it fits");
        let states = if method == Method::None { 8 * 256 } else { 480 };
        assert_eq!(found.states, states, "{method:?}");
    }
}
