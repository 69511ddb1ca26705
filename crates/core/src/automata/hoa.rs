//! Automata as text in the Hanoi Omega-Automata format, version 1 (Babiak et al. 2015).
//!
//! In: an automaton, a name for it and for its atoms. Out: the text: transition-based generalised Büchi acceptance, explicit
//! labels, and the properties that hold.

use std::fmt::Write;

use super::automaton::Automaton;
use super::cube::Cube;

/// The atoms that labels speak of must all have a name.
pub fn hoa(automaton: &Automaton, name: &str, atoms: &[&str]) -> String {
    let mut text = String::new();
    let mut line = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    line("HOA: v1");
    line(&format!("name: {}", quoted(name)));
    line("tool: \"burnside\"");
    line(&format!("States: {}", automaton.state_count()));
    line(&format!("Start: {}", Automaton::INITIAL));
    let names: String = atoms.iter().fold(String::new(), |names, atom| names + " " + &quoted(atom));
    line(&format!("AP: {}{names}", atoms.len()));
    let marks = automaton.mark_count();
    line(&format!("acc-name: generalized-Buchi {marks}"));
    let sets: Vec<String> = (0..marks).map(|mark| format!("Inf({mark})")).collect();
    let condition = if sets.is_empty() { "t".to_string() } else { sets.join(" & ") };
    line(&format!("Acceptance: {marks} {condition}"));
    line(&format!("properties: {}", properties(automaton).join(" ")));
    line("--BODY--");
    for state in 0..automaton.state_count() as u32 {
        line(&format!("State: {state}"));
        for edge in automaton.edges(state) {
            let marks: Vec<String> =
                (0..marks).filter(|mark| edge.marks >> mark & 1 == 1).map(|mark| mark.to_string()).collect();
            let marks = if marks.is_empty() { String::new() } else { format!(" {{{}}}", marks.join(" ")) };
            line(&format!("[{}] {}{marks}", label(edge.label), edge.target));
        }
    }
    line("--END--");
    text
}

fn properties(automaton: &Automaton) -> Vec<&'static str> {
    let mut properties = vec!["trans-labels", "explicit-labels", "trans-acc"];
    for (holds, property) in [
        (automaton.is_complete(), "complete"),
        (automaton.is_deterministic(), "deterministic"),
        (automaton.is_weak(), "weak"),
        (automaton.is_terminal(), "terminal"),
    ] {
        if holds {
            properties.push(property);
        }
    }
    properties
}

fn label(cube: Cube) -> String {
    if cube == Cube::ALL {
        return "t".into();
    }
    let mut text = String::new();
    for atom in (0..u128::BITS).filter(|atom| cube.atoms() >> atom & 1 == 1) {
        let joined = if text.is_empty() { "" } else { "&" };
        let sign = if cube.negative >> atom & 1 == 1 { "!" } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(text, "{joined}{sign}{atom}");
    }
    text
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted.push('"');
    quoted
}
