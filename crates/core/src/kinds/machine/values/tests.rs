use super::*;

#[test]
fn equal_values_have_equal_handles() {
    let values = Values::new();
    let [a, b, c] = [0, 1, 2].map(Values::point);
    assert_eq!(values.set(&mut vec![b, a, b]), values.sorted_set(&[a, b]));
    assert_ne!(values.record(&[a, b]), values.sorted_set(&[a, b]));
    let nested = values.pair(values.pair(a, b), c);
    assert_eq!(values.view(nested), View::Pair(values.pair(a, b), c));
    assert_eq!(values.elements(Value::EMPTY), &[]);
    assert_eq!(values.set(&mut Vec::new()), Value::EMPTY);
}

#[test]
fn unpack_undoes_pack() {
    let values = Values::new();
    let point = Values::point(3);
    let several = [
        values.number(-1),
        values.number(i64::MIN),
        values.number(1 << 28),
        point,
        Values::text(0),
        Value::TRUE,
        Value::UNSET,
        Value::EMPTY,
        values.pair(point, point),
        values.pair(values.pair(point, point), point),
    ];
    use Packing::*;
    for packing in [Number, Point, TruthOrText, SetOrRecord, Pair] {
        for value in several {
            assert_eq!(packing.unpack(packing.pack(value)), value, "{packing:?}");
        }
    }
    assert_eq!((TruthOrText.pack(Value::TRUE), Point.pack(point), SetOrRecord.pack(Value::EMPTY)), (2, 4, 1));
}

mod laws {
    use proptest::prelude::*;

    use super::*;
    use crate::kinds::machine::operators::tests::model::{Model, nested, renaming};

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn handles_hashes_and_marks_say_what_a_value_is(a in nested(), b in nested(), images in renaming()) {
            let values = Values::new();
            let other = Values::new();
            // In the other store everything has another number.
            (0..9000).for_each(|n| _ = other.record(&[Values::text(n)]));
            let (x, y) = (a.intern(&values), b.intern(&values));
            prop_assert_eq!(Model::read(&values, x), a.clone());
            prop_assert_eq!(x == y, a == b);
            let (there_y, there_x) = (b.intern(&other), a.intern(&other));
            prop_assert_eq!((values.hash(x), values.hash(y)), (other.hash(there_x), other.hash(there_y)));
            prop_assert_eq!(values.hash(x) == values.hash(y), a == b);
            prop_assert_eq!(values.has_points(x), a.has_points());
            let stack = &mut vec![x];
            prop_assert_eq!(values.renamed(x, &images, stack), a.renamed(&images).intern(&values));
            prop_assert_eq!(&stack[..], &[x]);
        }

        #[test]
        fn threads_that_intern_together_get_equal_handles(all in prop::collection::vec(nested(), 1..60)) {
            let values = Values::new();
            let barrier = std::sync::Barrier::new(2);
            let intern = || {
                barrier.wait();
                all.iter().map(|each| each.intern(&values)).collect::<Vec<_>>()
            };
            let (first, second) = std::thread::scope(|scope| {
                let other = scope.spawn(intern);
                (intern(), other.join().unwrap())
            });
            prop_assert_eq!(&first, &second);
            for (model, value) in all.iter().zip(first) {
                prop_assert_eq!(&Model::read(&values, value), model);
            }
        }
    }
}

#[test]
fn two_threads_may_fill_the_store_at_the_same_time() {
    let values = Values::new();
    let fill = |from: u32| {
        let each = |n: u32| values.sorted_set(&[Values::point(n % 300), Values::point(300 + n / 300)]);
        (0..60_000).map(|n| each((n * 7 + from) % 60_000)).max()
    };
    std::thread::scope(|scope| {
        scope.spawn(|| fill(0));
        fill(31_000);
    });
    assert_eq!(values.size(), 1 + 60_000);
    assert!(values.bytes() < 60_000 * 42);
}
