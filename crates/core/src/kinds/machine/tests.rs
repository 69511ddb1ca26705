//! Whole machines, small enough to be counted by hand, written as the rows in which they cross over.

use super::*;
use crate::canon::values::{Encoding, PointGroup, ValuesCanonicaliser};
use crate::canon::{Cancel, Canonicaliser, Method};
use crate::group::Group;
use crate::kinds::table::NOTHING;
use crate::perm::Perm;
use crate::search::{Order, PriceRule, SelfCheck, Settings, explore};

/// Rows of a machine, each added after the rows it refers to.
struct Table {
    texts: Vec<String>,
    rows: Vec<(String, Vec<i64>)>,
    boolean: i64,
    integer: i64,
    sort: i64,
    element: i64,
    free_types: Vec<i64>,
    assume_numbers: bool,
}

impl Table {
    /// With one sort of this size.
    fn new(size: i64) -> Table {
        let (texts, rows) = (Vec::new(), Vec::new());
        let mut table = Table {
            texts,
            rows,
            boolean: 0,
            integer: 0,
            sort: 0,
            element: 0,
            free_types: Vec::new(),
            assume_numbers: false,
        };
        table.boolean = table.row("Boolean", &[]);
        table.integer = table.row("Integer", &[NOTHING, NOTHING]);
        let elements = table.row("list", &vec![0; size as usize]);
        table.sort = table.row("Sort", &[0, elements, 0, 0, NOTHING]);
        table.element = table.row("Element", &[table.sort]);
        table
    }

    fn row(&mut self, class: &str, fields: &[i64]) -> i64 {
        self.rows.push((class.to_string(), fields.to_vec()));
        self.rows.len() as i64 - 1
    }

    fn list(&mut self, items: &[i64]) -> i64 {
        self.row("list", items)
    }

    fn text(&mut self, text: &str) -> i64 {
        self.texts.push(text.to_string());
        match self.texts.iter().position(|known| known == text) {
            Some(at) if at + 1 < self.texts.len() => {
                self.texts.pop();
                at as i64
            }
            _ => self.texts.len() as i64 - 1,
        }
    }

    fn set_of(&mut self, element: i64) -> i64 {
        match self.rows.iter().position(|row| *row == ("Set".to_string(), vec![element])) {
            Some(known) => known as i64,
            None => self.row("Set", &[element]),
        }
    }

    fn pair_of(&mut self, left: i64, right: i64) -> i64 {
        match self.rows.iter().position(|row| *row == ("Pair".to_string(), vec![left, right])) {
            Some(known) => known as i64,
            None => self.row("Pair", &[left, right]),
        }
    }

    fn name(&mut self, name: &str, type_: i64) -> i64 {
        let name = self.text(name);
        self.row("Name", &[name, type_, 0, NOTHING])
    }

    fn number(&mut self, number: i64) -> i64 {
        self.row("Literal", &[number, self.integer, NOTHING])
    }

    fn op(&mut self, operator: &str, arguments: &[i64], type_: i64) -> i64 {
        let operator = self.text(operator);
        let arguments = self.list(arguments);
        self.row("Apply", &[operator, arguments, type_, NOTHING])
    }

    fn is(&mut self, operator: &str, arguments: &[i64]) -> i64 {
        self.op(operator, arguments, self.boolean)
    }

    fn assign(&mut self, name: i64, value: i64) -> i64 {
        let (names, values) = (self.list(&[name]), self.list(&[value]));
        self.row("Assign", &[names, values, NOTHING])
    }

    fn operation(&mut self, parameters: &[i64], guard: i64, body: i64) -> i64 {
        let (name, parameters, results) = (self.text("operation"), self.list(parameters), self.list(&[]));
        self.row("Operation", &[name, parameters, results, body, guard, NOTHING])
    }

    fn claim(&mut self, predicate: i64) -> i64 {
        let kind = self.text("invariant");
        self.row("Claim", &[kind, kind, predicate, NOTHING])
    }

    #[allow(clippy::too_many_arguments)] // the clauses of a machine
    fn machine(
        mut self,
        constants: &[i64],
        properties: &[i64],
        variables: &[i64],
        initialisation: i64,
        operations: &[i64],
        claims: &[i64],
    ) -> Result<CompiledMachine, Refusal> {
        let sorts = self.list(&[self.sort]);
        let lists = [constants, properties, variables, operations, claims].map(|items| self.list(items));
        let free_types = self.free_types.clone();
        let (numbers, free_types) = (self.list(&[-1, 3]), self.list(&free_types));
        let cut_rule = self.text("implementable");
        let [constants, properties, variables, operations, claims] = lists;
        let fields = [
            0,
            sorts,
            constants,
            properties,
            variables,
            initialisation,
            operations,
            claims,
            numbers,
            free_types,
            cut_rule,
        ];
        self.row("Machine", &fields);
        CompiledMachine::new(&self.texts, &self.rows, self.assume_numbers)
    }

    fn skip(&mut self) -> i64 {
        let none = self.list(&[]);
        self.row("Parallel", &[none, NOTHING])
    }

    fn truth(&mut self) -> i64 {
        self.row("Literal", &[1, self.boolean, NOTHING])
    }
}

/// States, transitions without the first ones, properties violated.
fn explored(machine: CompiledMachine) -> (u64, u64, Vec<usize>) {
    let settings = Settings {
        order: Order::Breadth,
        threads: 1,
        keep_going: true,
        fatal: None,
        deadlock: None,
        prune: false,
        price: PriceRule::Off,
        self_check: SelfCheck::Full,
        properties: machine.properties(),
        max_states: None,
        max_seconds: None,
        max_memory: None,
    };
    let group = Group::trivial(machine.sorts().iter().sum::<u32>() as usize);
    let symmetry = PointGroup { group: &group, kept: &[], whole: true };
    let (values, packings) = (machine.shared_values(), machine.packings());
    let encoding = Encoding::default();
    let plain = ValuesCanonicaliser::new(Method::None, values, &packings, &symmetry, encoding, false);
    let found = explore(machine, &plain, &settings, &mut |_| true);
    let violated = found.violations.iter().map(|violation| violation.property).collect();
    (found.states, found.tally.transitions, violated)
}

/// How many set-ups the properties of the constants allow.
fn setups(table: Table, constants: &[i64], properties: &[i64]) -> usize {
    let mut table = table;
    let skip = table.skip();
    let machine = table.machine(constants, properties, &[], skip, &[], &[]).expect("bounded");
    let starts = machine.starts(&mut machine.workspace());
    assert!(machine.limit().is_none());
    starts.len()
}

#[test]
fn a_counter_counts_and_its_invariant_is_judged() {
    let mut t = Table::new(2);
    let x = t.name("x", t.integer);
    let (zero, one, three, four) = (t.number(0), t.number(1), t.number(3), t.number(4));
    let start = t.assign(x, zero);
    let more = t.op("add", &[x, one], t.integer);
    let body = t.assign(x, more);
    let guard = t.is("less", &[x, four]);
    let up = t.operation(&[], guard, body);
    let small = t.is("less", &[x, three]);
    let claim = t.claim(small);
    let machine = t.machine(&[], &[], &[x], start, &[up], &[claim]).expect("a machine");
    assert_eq!(explored(machine), (5, 4, vec![FIRST_CLAIM]));
}

#[test]
fn an_undefined_guard_disables_and_an_undefined_body_is_an_error() {
    let mut t = Table::new(2);
    let integer = t.integer;
    let pair = t.pair_of(integer, integer);
    let relation = t.set_of(pair);
    let f = t.name("f", relation);
    let x = t.name("x", integer);
    let one = t.number(1);
    let empty = t.op("set", &[], relation);
    let (start_f, start_x) = (t.assign(f, empty), t.assign(x, one));
    let both = t.list(&[start_f, start_x]);
    let start = t.row("Parallel", &[both, NOTHING]);
    let applied = t.op("apply", &[f, x], integer);
    let guard = t.is("equal", &[applied, one]);
    let skip = t.skip();
    let disabled = t.operation(&[], guard, skip);
    let body = t.assign(x, applied);
    let truth = t.truth();
    let failing = t.operation(&[], truth, body);
    let machine = t.machine(&[], &[], &[f, x], start, &[disabled, failing], &[]).expect("a machine");
    assert_eq!(explored(machine.clone()), (1, 0, vec![ERROR]));
    let starts = machine.starts(&mut machine.workspace());
    let mut failures = Vec::new();
    let mut w = machine.workspace();
    machine.enabled(&starts[0].values, &mut w, &mut Vec::new(), &mut |label, _| failures.push(label));
    assert_eq!(failures.len(), 1);
}

#[test]
fn functions_are_built_under_their_constraints() {
    // f : S >->> 1..12 & f(x) = 1 for the first point: 11! bijections are left if nothing else is said, so more is.
    let mut t = Table::new(12);
    let (element, integer) = (t.element, t.integer);
    let pair = t.pair_of(element, integer);
    let relation = t.set_of(pair);
    let f = t.name("f", relation);
    let elements = t.set_of(element);
    let all = t.op("all", &[], elements);
    let (one, twelve) = (t.number(1), t.number(12));
    let integers = t.set_of(integer);
    let interval = t.op("interval", &[one, twelve], integers);
    let space = t.op("total-bijections", &[all, interval], relation);
    let mut properties = vec![t.is("member", &[f, space])];
    for point in 0..10 {
        let literal = t.row("Literal", &[point, element, NOTHING]);
        let applied = t.op("apply", &[f, literal], integer);
        let wanted = t.number(12 - point);
        properties.push(t.is("equal", &[applied, wanted]));
    }
    assert_eq!(setups(t, &[f], &properties), 2);
}

#[test]
fn subsets_are_narrowed_by_what_is_said_of_elements_and_size() {
    let mut t = Table::new(40);
    let element = t.element;
    let elements = t.set_of(element);
    let s = t.name("s", elements);
    let all = t.op("all", &[], elements);
    let first = t.row("Literal", &[0, element, NOTHING]);
    let integer = t.integer;
    let card = t.op("card", &[s], integer);
    let two = t.number(2);
    let properties = [t.is("subset", &[s, all]), t.is("member", &[first, s]), t.is("equal", &[card, two])];
    assert_eq!(setups(t, &[s], &properties), 39);
}

#[test]
fn sums_are_solved_and_inequalities_bound() {
    // x + y = 10 & x : NATURAL & x <= 4 & y > 2: y is what is left for each x.
    let mut t = Table::new(1);
    let integer = t.integer;
    let (x, y) = (t.name("x", integer), t.name("y", integer));
    let sum = t.op("add", &[x, y], integer);
    let (zero, two, four, ten) = (t.number(0), t.number(2), t.number(4), t.number(10));
    let integers = t.set_of(integer);
    let naturals = t.op("up-from", &[zero], integers);
    let properties = [
        t.is("equal", &[sum, ten]),
        t.is("member", &[x, naturals]),
        t.is("less-equal", &[x, four]),
        t.is("less", &[two, y]),
    ];
    assert_eq!(setups(t, &[x, y], &properties), 5);
}

#[test]
fn a_disjunction_bounds_by_its_parts() {
    let mut t = Table::new(1);
    let integer = t.integer;
    let x = t.name("x", integer);
    let values = [3, 70_000, 3].map(|number| t.number(number)).map(|number| (x, number));
    let parts: Vec<i64> = values.iter().map(|&(x, number)| t.is("equal", &[x, number])).collect();
    let either = t.is("or", &parts);
    assert_eq!(setups(t, &[x], &[either]), 2);
}

#[test]
fn what_nothing_bounds_is_named() {
    let mut t = Table::new(1);
    let integer = t.integer;
    let x = t.name("x", integer);
    let zero = t.number(0);
    let positive = t.is("less", &[zero, x]);
    let skip = t.skip();
    match t.machine(&[x], &[positive], &[], skip, &[], &[]) {
        Err(Refusal::Unbounded { name, .. }) => assert_eq!(name, "x"),
        other => panic!("{:?}", other.map(|_| ())),
    }
}

#[test]
fn infinite_functions_are_applied() {
    // %x.(x : NATURAL | x + 1)(41) = y
    let mut t = Table::new(1);
    let integer = t.integer;
    let (x, y) = (t.name("x", integer), t.name("y", integer));
    let (zero, one, number) = (t.number(0), t.number(1), t.number(41));
    let integers = t.set_of(integer);
    let naturals = t.op("up-from", &[zero], integers);
    let condition = t.is("member", &[x, naturals]);
    let next = t.op("add", &[x, one], integer);
    let pair_type = t.pair_of(integer, integer);
    let pair = t.op("pair", &[x, next], pair_type);
    let names = t.list(&[x]);
    let lambda = t.row("Comprehension", &[names, condition, pair, NOTHING]);
    let applied = t.op("apply", &[lambda, number], integer);
    let same = t.is("equal", &[applied, y]);
    let mut table = t;
    let skip = table.skip();
    let machine = table.machine(&[y], &[same], &[], skip, &[], &[]).expect("bounded");
    let starts = machine.starts(&mut machine.workspace());
    assert_eq!(starts.len(), 1);
    assert_eq!(machine.values().as_number(machine.state_values(&starts[0].values)[0]), Some(42));
}

#[test]
fn too_many_candidates_are_an_error_and_no_hang() {
    let mut t = Table::new(1);
    let integer = t.integer;
    let names = ["x", "y"].map(|name| t.name(name, integer));
    let (zero, many) = (t.number(0), t.number(100_000));
    let integers = t.set_of(integer);
    let interval = t.op("interval", &[zero, many], integers);
    let mut properties: Vec<i64> = names.iter().map(|&name| t.is("member", &[name, interval])).collect();
    let product = t.op("multiply", &names, integer);
    let minus = t.number(-1);
    properties.push(t.is("equal", &[product, minus]));
    let skip = t.skip();
    let machine = t.machine(&names, &properties, &[], skip, &[], &[]).expect("bounded").trying(10_000);
    machine.starts(&mut machine.workspace());
    assert_eq!(machine.limit().map(|failure| failure.why), Some(Why::TooManyCandidates));
}

#[test]
fn sequences_read_what_was_written_and_parallels_do_not() {
    // x, y := 1, 2; then (x := y || y := x), then x := x + y in sequence.
    let mut t = Table::new(1);
    let integer = t.integer;
    let (x, y) = (t.name("x", integer), t.name("y", integer));
    let (one, two) = (t.number(1), t.number(2));
    let both = t.list(&[x, y]);
    let values = t.list(&[one, two]);
    let start = t.row("Assign", &[both, values, NOTHING]);
    let (left, right) = (t.assign(x, y), t.assign(y, x));
    let parts = t.list(&[left, right]);
    let swap = t.row("Parallel", &[parts, NOTHING]);
    let sum = t.op("add", &[x, y], integer);
    let add = t.assign(x, sum);
    let parts = t.list(&[start, swap, add]);
    let all = t.row("Sequence", &[parts]);
    let machine = t.machine(&[], &[], &[x, y], all, &[], &[]).expect("a machine");
    let starts = machine.starts(&mut machine.workspace());
    let values = machine.state_values(&starts[0].values);
    let numbers: Vec<_> = values.iter().map(|&value| machine.values().as_number(value)).collect();
    assert_eq!(numbers, [Some(3), Some(1)]);
}

/// `OWNER ::= none | own<<S>>` and `TREE ::= leaf | node<<TREE>>`, and a machine whose variable starts as any value of a set of such.
fn free_values(size: i64, is_recursive: bool, is_set: bool) -> (CompiledMachine, usize) {
    let mut t = Table::new(size);
    let [name, first, second] = ["FREE", "first", "second"].map(|text| t.text(text));
    let argument = if is_recursive { t.row("Recursion", &[name]) } else { t.element };
    let first = t.row("Constructor", &[first, NOTHING, NOTHING]);
    let second = t.row("Constructor", &[second, argument, NOTHING]);
    let constructors = t.list(&[first, second]);
    let free = t.row("FreeType", &[name, constructors, 3]);
    let mut type_ = free;
    if is_set {
        type_ = t.set_of(free);
    }
    let (x, chosen) = (t.name("x", type_), t.name("chosen", type_));
    let whole = t.set_of(type_);
    let all = t.op("all", &[], whole);
    let (within, assign) = (t.is("member", &[chosen, all]), t.assign(x, chosen));
    let names = t.list(&[chosen]);
    let start = t.row("Choose", &[names, within, assign, NOTHING]);
    t.free_types.push(free);
    t.assume_numbers = true;
    let machine = t.machine(&[], &[], &[x], start, &[], &[]).expect("a machine");
    let starts = machine.starts(&mut machine.workspace()).len();
    (machine, starts)
}

#[test]
fn values_of_free_types_are_listed_and_cut() {
    for (is_recursive, is_set, expected, cuts) in
        [(false, false, 4, 0), (false, true, 16, 0), (true, false, 3, 1), (true, true, 8, 1)]
    {
        let (machine, starts) = free_values(3, is_recursive, is_set);
        assert_eq!((starts, machine.cut_domains().count()), (expected, cuts), "{is_recursive} {is_set}");
    }
}

#[test]
fn sets_of_values_of_free_types_have_as_many_orbits_as_can_be_counted() {
    // A set of {none, own(x) ..} is which of them there are: 2 * (n + 1) orbits.
    let (machine, starts) = free_values(4, false, true);
    assert_eq!(starts, 32);
    let perms = [[1, 2, 3, 0], [1, 0, 2, 3]].map(|images| Perm::from_images(&images).expect("a permutation"));
    let group = Group::generated(4, perms.to_vec(), None);
    let symmetry = PointGroup { group: &group, kept: &[], whole: true };
    for method in [Method::Nauty, Method::Minimise] {
        let (values, packings) = (machine.shared_values(), machine.packings());
        let encoding = Encoding::default();
        let forms = ValuesCanonicaliser::new(method, values, &packings, &symmetry, encoding, false);
        let mut scratch = forms.scratch(&Cancel::default());
        let mut found = std::collections::HashSet::new();
        for start in machine.starts(&mut machine.workspace()) {
            let mut state = start.values.clone();
            forms.canonical_form(&mut state, &mut scratch);
            found.insert(state);
        }
        assert_eq!(found.len(), 10, "{method:?}");
    }
}
