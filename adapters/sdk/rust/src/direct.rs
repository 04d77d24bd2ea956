//! The target in a loop, without protocol: what it costs by itself, for benchmarks.
//!
//! Enters: one line on stdin, the `suite` and its `scenarios` as the harness sends them, `warm_up` and `count`. Leaves: one
//! line on stdout, the seconds that `count` scenarios took. Must not know suites.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::signals::Stop;
use crate::target::Target;

/// The word on the command line that asks for the loop.
pub const WORD: &str = "--direct";

#[derive(Deserialize)]
struct Asked<'a> {
    suite: String,
    #[serde(borrow)]
    scenarios: Vec<&'a RawValue>,
    warm_up: usize,
    count: usize,
}

/// Answers one line of stdin on stdout; the error is a reason in words.
pub fn direct<T: Target>(connect: impl Fn() -> Result<T, Stop>) -> Result<(), String> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).map_err(|error| error.to_string())?;
    let asked: Asked<'_> = serde_json::from_str(&line).map_err(|error| error.to_string())?;
    let target = connect().map_err(|stop| stop.to_string())?;
    println!("{}", timed(&target, &asked)?.as_secs_f64());
    Ok(())
}

fn timed<T: Target>(target: &T, asked: &Asked<'_>) -> Result<Duration, String> {
    let mut endless = asked.scenarios.iter().cycle();
    let mut act = |count: usize| {
        endless.by_ref().take(count).try_for_each(|scenario| target.run(&asked.suite, scenario).map(drop))
    };
    act(asked.warm_up).map_err(|stop| stop.to_string())?;
    let began = Instant::now();
    act(asked.count).map_err(|stop| stop.to_string())?;
    Ok(began.elapsed())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::json::Json;

    #[derive(Default)]
    struct Noted(RefCell<Vec<String>>);

    impl Target for Noted {
        fn describe(&self) -> Json {
            Json::Null
        }

        fn run(&self, _suite: &str, scenario: &RawValue) -> Result<Json, Stop> {
            self.0.borrow_mut().push(scenario.get().into());
            if scenario.get() == "3" { Err(Stop::Fault("three".into())) } else { Ok(Json::Null) }
        }
    }

    #[test]
    fn the_scenarios_come_over_and_over() {
        let asked = serde_json::from_str(r#"{"suite": "s", "scenarios": [1, 2], "warm_up": 1, "count": 2}"#).unwrap();
        let target = Noted::default();
        timed(&target, &asked).unwrap();
        assert_eq!(*target.0.borrow(), ["1", "2", "1"]);
    }

    #[test]
    fn one_that_cannot_be_acted_out_ends_it() {
        let asked = serde_json::from_str(r#"{"suite": "s", "scenarios": [1, 3], "warm_up": 0, "count": 9}"#).unwrap();
        assert_eq!(timed(&Noted::default(), &asked).unwrap_err(), "three");
    }
}
