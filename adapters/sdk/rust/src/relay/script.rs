//! What a scripted callback does to its natural reply: the ops, one after the other.
//!
//! Enters: ops, the natural reply, what is known by name, and how to act a step. Leaves: the reply. Must not know the log.

use crate::json::Json;
use crate::relay::pointer::{self, PlaceError};
use crate::relay::scenario::{Edit, Op};
use crate::relay::values::{Lookup, Unresolved, resolve};
use crate::signals::Stop;

/// Carries out an op of the program's: it acts a step.
pub type Act<'a> = &'a dyn Fn(&Op) -> Result<(), Stop>;

/// Why a callback has no reply.
#[derive(Debug, PartialEq)]
pub enum Halt {
    /// The op `raise`, with its text.
    Raised(String),
    /// The scenario ends here.
    Stop(Stop),
}

/// Returns what a callback does in entry `k`: of `each` the list of that entry, or the last one.
pub fn of_entry(ops: &[Op], k: u64) -> Vec<&Op> {
    let k = usize::try_from(k).unwrap_or(usize::MAX);
    let mut found = Vec::with_capacity(ops.len());
    for op in ops {
        match op {
            Op::Each { ops } => found.extend(ops.get(k).or(ops.last()).into_iter().flatten()),
            op => found.push(op),
        }
    }
    found
}

/// Returns `reply` as the ops of `callback` leave it. An op that cannot be carried out is a fault that names it.
pub fn perform(callback: &str, ops: &[&Op], mut reply: Json, known: Lookup<'_>, act: Act<'_>) -> Result<Json, Halt> {
    for (index, op) in ops.iter().enumerate() {
        apply(op, &mut reply, known, act, &place(callback, index))?;
    }
    Ok(reply)
}

/// Says which op of which callback it is.
pub fn place(callback: &str, index: usize) -> String {
    format!("callback '{callback}', op {index}")
}

/// Changes `reply` as one op says; `place` names the op.
pub fn apply(op: &Op, reply: &mut Json, known: Lookup<'_>, act: Act<'_>, place: &str) -> Result<(), Halt> {
    match op {
        Op::Edit(changes) => edit(changes, reply, known, place),
        Op::Raise { text } => Err(Halt::Raised(text.clone())),
        Op::Step(_) | Op::Wait { .. } => act(op).map_err(Halt::Stop),
        Op::Next(_) => Err(Halt::Stop(Stop::Fault(format!("{place}: there is nothing to go on with")))),
        Op::Each { .. } => Err(Halt::Stop(Stop::Fault(format!("{place}: what each entry does is not known here")))),
        Op::Yield { .. } | Op::Hang => Err(Halt::Stop(Stop::Fault(format!("{place}: there is no stream")))),
        Op::Other { kind } if kind == "mutate" => {
            Err(Halt::Stop(Stop::unsupported("mutate", "a callback in Rust owns what it is given")))
        }
        Op::Other { kind } => Err(Halt::Stop(Stop::Fault(format!("{place}: unknown op '{kind}'")))),
    }
}

/// Changes `reply` as an edit says; `op` names the op that it stands in.
pub fn edit(changes: &Edit, reply: &mut Json, known: Lookup<'_>, op: &str) -> Result<(), Halt> {
    let halt = |place: &str, error: Unresolved| match error {
        Unresolved::Place(PlaceError(missing)) => {
            Halt::Stop(Stop::Fault(format!("{op}, pointer '{place}': {missing}")))
        }
        Unresolved::Stop(stop) => Halt::Stop(stop),
    };
    for (place, value) in &changes.set.0 {
        let value = resolve(value, known).map_err(|error| halt(place, error))?;
        pointer::put(reply, place, value).map_err(|error| halt(place, error.into()))?;
    }
    for place in &changes.remove {
        pointer::cut(reply, place).map_err(|error| halt(place, error.into()))?;
    }
    for (place, items) in &changes.append.0 {
        let values: Result<Vec<Json>, Unresolved> = items.iter().map(|item| resolve(item, known)).collect();
        let values = values.map_err(|error| halt(place, error))?;
        pointer::extend(reply, place, values).map_err(|error| halt(place, error.into()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn play(ops: Json, reply: Json) -> Result<Json, Halt> {
        let ops: Vec<Op> = serde_json::from_str(&ops.to_string()).unwrap();
        let known = |name: &str| (name == "given").then(|| json!({"x": 7}));
        let act = |_: &Op| Err(Stop::unsupported("reentrant", "not here"));
        perform("i", &of_entry(&ops, 0), reply, &known, &act)
    }

    #[test]
    fn sets_then_removes_then_appends() {
        let ops = json!([{"op": "edit", "set": {"/a": {"$get": "given/x"}, "/c": []}, "remove": ["/b"], "append": {"/c": [1]}}]);
        assert_eq!(play(ops, json!({"b": 1})), Ok(json!({"a": 7, "c": [1]})));
    }

    #[test]
    fn each_entry_does_its_own_and_later_ones_the_last() {
        let ops = json!([{"op": "each", "ops": [[], [{"op": "raise", "text": "boom-1!"}]]}, {"op": "edit"}]);
        let ops: Vec<Op> = serde_json::from_str(&ops.to_string()).unwrap();
        let counts: Vec<usize> = [0, 1, 2].into_iter().map(|k| of_entry(&ops, k).len()).collect();
        assert_eq!(counts, [1, 2, 2]);
        assert!(matches!(of_entry(&ops, 9)[..], [Op::Raise { .. }, Op::Edit(_)]));
    }

    #[test]
    fn raises_its_text() {
        let ops = json!([{"op": "raise", "text": "boom-1!"}, {"op": "edit", "remove": ["/nothing"]}]);
        assert_eq!(play(ops, json!({})), Err(Halt::Raised("boom-1!".into())));
    }

    #[test]
    fn names_the_op_that_cannot_be_done() {
        for (op, said) in [
            (json!({"op": "edit", "remove": ["/x"]}), "callback 'i', op 1, pointer '/x': there is no member 'x'"),
            (json!({"op": "edit", "append": {"": [1]}}), "callback 'i', op 1, pointer '': there is no list there"),
            (json!({"op": "dance"}), "callback 'i', op 1: unknown op 'dance'"),
        ] {
            let halted = play(json!([{"op": "edit"}, op]), json!({}));
            assert_eq!(halted, Err(Halt::Stop(Stop::Fault(said.into()))));
        }
    }

    #[test]
    fn a_step_that_cannot_be_acted_stops() {
        let ops = json!([{"op": "step", "step": {"step": "flush", "as": "f"}}]);
        assert!(matches!(play(ops, json!({})), Err(Halt::Stop(Stop::Unsupported { .. }))));
    }
}
