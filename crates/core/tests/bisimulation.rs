//! Bisimilar states of large machines: the partition refinement can be stopped.

use burnside_core::fsm::bisimulation::classes;
use burnside_core::fsm::{StateMachine, Stopped, Watch};

const STATES: u32 = 50_000;

/// A chain: no two states have the same traces.
fn chain() -> StateMachine {
    let edges: Vec<u32> = (1..STATES).flat_map(|state| [state - 1, 0, state]).collect();
    StateMachine::new(vec![0], vec![0; STATES as usize], vec![0], vec![0], &edges).expect("the numbers fit")
}

#[test]
fn the_watch_is_asked_while_blocks_are_split_and_stops_that() {
    let machine = chain();
    let mut asked = 0;
    let found = classes(
        &machine,
        &mut Watch::new(&mut |_| {
            asked += 1;
            true
        }),
    );
    assert_eq!(found.ok(), Some((0..STATES).collect()));
    for calls in 1..=asked {
        let mut left = calls;
        let stopped = classes(
            &machine,
            &mut Watch::new(&mut |_| {
                left -= 1;
                left > 0
            }),
        );
        assert!(matches!(stopped, Err(Stopped::Interrupted)), "call {calls} of {asked}");
    }
    assert!(asked > 10, "{asked}");
}
