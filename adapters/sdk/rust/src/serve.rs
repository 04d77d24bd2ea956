//! The adapter's side of protocol 1: JSON-RPC 2.0, a message a line, one scenario at a time, in order.
//!
//! Enters: lines of the harness. Leaves: exactly one reply a request. Must not know suites, scenarios or bindings.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::channel::Channel;
use crate::direct;
use crate::json::{Json, object};
use crate::signals::Stop;
use crate::target::Target;

const PROTOCOL_VERSION: u64 = 1;
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const ADAPTER_FAULT: i32 = -32000;

/// Answers the harness until it says `shutdown` or closes the pipe.
///
/// name, version: the adapter's own. connect: called at `initialize`, so that a target that cannot be had is an answer.
pub fn serve<T: Target>(name: &str, version: &str, connect: impl Fn() -> Result<T, Stop>) -> ExitCode {
    let ended = if std::env::args_os().nth(1).is_some_and(|word| word == direct::WORD) {
        direct::direct(connect)
    } else {
        converse(&mut Session { name, version, connect, target: None, over: false })
            .map_err(|error| format!("the pipes to the harness: {error}"))
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn converse<T: Target, C: Fn() -> Result<T, Stop>>(session: &mut Session<'_, T, C>) -> std::io::Result<()> {
    let mut channel = Channel::take()?;
    while !session.over {
        let Some(line) = channel.read()? else { break };
        channel.write(session.answer(&line))?;
    }
    Ok(())
}

/// One conversation: bytes in, bytes out.
struct Session<'a, T, C> {
    name: &'a str,
    version: &'a str,
    connect: C,
    target: Option<T>,
    over: bool,
}

#[derive(Deserialize)]
struct Message<'a> {
    id: i64,
    method: String,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RunParams<'a> {
    suite: String,
    #[serde(borrow)]
    scenario: &'a RawValue,
}

#[derive(Deserialize)]
struct Initialize {
    protocol_versions: Vec<u64>,
}

/// A reply that is an error: code and text.
type Refusal = (i32, String);

impl<T: Target, C: Fn() -> Result<T, Stop>> Session<'_, T, C> {
    /// Returns the reply to one line.
    fn answer(&mut self, line: &[u8]) -> Vec<u8> {
        let message: Message<'_> = match serde_json::from_slice(line) {
            Ok(message) => message,
            Err(error) if error.is_data() => {
                return refused(&Json::Null, &(INVALID_REQUEST, format!("not a JSON-RPC request: {error}")));
            }
            Err(error) => return refused(&Json::Null, &(PARSE_ERROR, format!("not JSON: {error}"))),
        };
        let answered = catch_unwind(AssertUnwindSafe(|| self.result(&message)));
        match answered.unwrap_or_else(|_| Err((ADAPTER_FAULT, "the adapter panicked; its stderr says where".into()))) {
            Ok(result) => encode(&object([("jsonrpc", "2.0".into()), ("id", message.id.into()), ("result", result)])),
            Err(refusal) => refused(&json!(message.id), &refusal),
        }
    }

    fn result(&mut self, message: &Message<'_>) -> Result<Json, Refusal> {
        match message.method.as_str() {
            "initialize" => self.initialize(&params(message)?),
            "run" => self.run(&params(message)?),
            "shutdown" => {
                self.over = true;
                Ok(json!({}))
            }
            other => Err((METHOD_NOT_FOUND, format!("unknown method '{other}'"))),
        }
    }

    fn initialize(&mut self, offered: &Initialize) -> Result<Json, Refusal> {
        if !offered.protocol_versions.contains(&PROTOCOL_VERSION) {
            let said =
                format!("this adapter speaks protocol {PROTOCOL_VERSION}, the harness {:?}", offered.protocol_versions);
            return Err((ADAPTER_FAULT, said));
        }
        let target = (self.connect)().map_err(|stop| (ADAPTER_FAULT, stop.to_string()))?;
        let mut result = target.describe();
        result["protocol_version"] = json!(PROTOCOL_VERSION);
        result["adapter"] = json!({"name": self.name, "version": self.version});
        self.target = Some(target);
        Ok(result)
    }

    fn run(&self, run: &RunParams<'_>) -> Result<Json, Refusal> {
        let Some(target) = &self.target else {
            return Err((INVALID_REQUEST, "`run` before a successful `initialize`".into()));
        };
        match target.run(&run.suite, run.scenario) {
            Ok(observation) => Ok(object([("observation", observation)])),
            Err(Stop::Unsupported { capability, reason }) => {
                Ok(json!({"unsupported": {"capability": capability, "reason": reason}}))
            }
            Err(Stop::Inexpressible { path, reason }) => Ok(json!({"inexpressible": {"path": path, "reason": reason}})),
            Err(Stop::Fault(text)) => Err((ADAPTER_FAULT, text)),
        }
    }
}

fn params<'a, T: Deserialize<'a>>(message: &Message<'a>) -> Result<T, Refusal> {
    let text = message.params.map_or("{}", RawValue::get);
    serde_json::from_str(text).map_err(|error| (INVALID_PARAMS, format!("params of `{}`: {error}", message.method)))
}

fn refused(id: &Json, (code, text): &Refusal) -> Vec<u8> {
    encode(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}}))
}

fn encode(reply: &Json) -> Vec<u8> {
    reply.to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Echo;

    impl Target for Echo {
        fn describe(&self) -> Json {
            json!({"target": {}, "suites": {}})
        }

        fn run(&self, suite: &str, scenario: &RawValue) -> Result<Json, Stop> {
            match suite {
                "fault" => Err(Stop::Fault("op 1".into())),
                "unsupported" => Err(Stop::unsupported("c", "r")),
                "inexpressible" => Err(Stop::inexpressible("p", "r")),
                "panic" => panic!("boom"),
                _ => Ok(serde_json::from_str(scenario.get()).unwrap()),
            }
        }
    }

    fn ask(session: &mut Session<'_, Echo, fn() -> Result<Echo, Stop>>, line: &str) -> Json {
        serde_json::from_slice(&session.answer(line.as_bytes())).unwrap()
    }

    fn session() -> Session<'static, Echo, fn() -> Result<Echo, Stop>> {
        Session { name: "echo", version: "1", connect: || Ok(Echo), target: None, over: false }
    }

    fn ready() -> Session<'static, Echo, fn() -> Result<Echo, Stop>> {
        let mut session = session();
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol_versions":[1]}}"#;
        assert_eq!(ask(&mut session, line)["result"]["adapter"], json!({"name": "echo", "version": "1"}));
        session
    }

    #[test]
    fn every_end_of_a_scenario_has_its_reply() {
        let mut session = ready();
        for (suite, reply) in [
            ("echo", json!({"result": {"observation": {"x": 1}}})),
            ("unsupported", json!({"result": {"unsupported": {"capability": "c", "reason": "r"}}})),
            ("inexpressible", json!({"result": {"inexpressible": {"path": "p", "reason": "r"}}})),
            ("fault", json!({"error": {"code": -32000, "message": "op 1"}})),
            ("panic", json!({"error": {"code": -32000, "message": "the adapter panicked; its stderr says where"}})),
        ] {
            let line =
                json!({"jsonrpc": "2.0", "id": 7, "method": "run", "params": {"suite": suite, "scenario": {"x": 1}}});
            let mut expected = json!({"jsonrpc": "2.0", "id": 7});
            expected.as_object_mut().unwrap().extend(reply.as_object().unwrap().clone());
            assert_eq!(ask(&mut session, &line.to_string()), expected);
        }
    }

    #[test]
    fn wrong_requests_are_refused() {
        let mut session = session();
        for (line, code) in [
            ("{", PARSE_ERROR),
            ("{\"id\": \"x\", \"method\": \"run\"}", INVALID_REQUEST),
            (r#"{"id": 1, "method": "dance"}"#, METHOD_NOT_FOUND),
            (r#"{"id": 1, "method": "run", "params": {"suite": 1}}"#, INVALID_PARAMS),
            (r#"{"id": 1, "method": "run", "params": {"suite": "s", "scenario": {}}}"#, INVALID_REQUEST),
            (r#"{"id": 1, "method": "initialize", "params": {"protocol_versions": [2]}}"#, ADAPTER_FAULT),
        ] {
            assert_eq!(ask(&mut session, line)["error"]["code"], json!(code), "{line}");
        }
    }

    #[test]
    fn a_broken_text_inside_a_scenario_still_has_an_id() {
        let line = r#"{"id":3,"method":"run","params":{"suite":"echo","scenario":{"x":"\ud800"}}}"#;
        let mut session = ready();
        assert_eq!(ask(&mut session, line)["id"], json!(3));
    }

    #[test]
    fn shutdown_ends_it() {
        let mut session = ready();
        assert_eq!(ask(&mut session, r#"{"id":2,"method":"shutdown"}"#)["result"], json!({}));
        assert!(session.over);
    }
}
