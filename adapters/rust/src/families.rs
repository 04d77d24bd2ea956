//! Where each family is registered, globally and on a scope.

use std::sync::Arc;

use bindproof_adapter::{Callback, Callee, Refusal, Register, Sink, Source, Stop, Undo};
use nemo_relay::api::event::Event;
use nemo_relay::api::registry::*;
use nemo_relay::api::runtime::EventSubscriberFn;
use nemo_relay::api::scope::ScopeHandle;
use nemo_relay::api::subscriber::{
    deregister_subscriber, register_subscriber, scope_deregister_subscriber, scope_register_subscriber,
};

use crate::callbacks::{
    event_fields, event_metadata, llm_conditional, llm_execution, llm_request, llm_sanitize_request,
    llm_sanitize_response, llm_stream, tool, tool_conditional, tool_execution,
};
use crate::json::refused;

/// Registers globally, or on the scope that is to own it; gives what deregisters it.
macro_rules! registered {
    ($step:ident, $scope:ident, $put:ident $put_on:ident $take:ident $take_on:ident, $($argument:expr),+) => {{
        let (name, scope) = ($step.name.clone(), $scope.map(|scope| scope.uuid));
        match &scope {
            None => $put(&name, $($argument),+),
            Some(scope) => $put_on(scope, &name, $($argument),+),
        }
        .map_err(refused)?;
        let take = move || match &scope {
            None => $take(&name),
            Some(scope) => $take_on(scope, &name),
        };
        Ok(Arc::new(move || take().map_err(refused)))
    }};
}

/// Of each family with a callback: its functions, and what is handed over beside the name. After `register_` the first
/// function bears the name that the crate's own listing has.
macro_rules! families {
    (|$step:ident, $callback:ident| $(
        $family:literal: $put:ident $put_on:ident $take:ident $take_on:ident => ($($argument:expr),+);
    )+) => {
        fn register_callback(
            $step: &Register,
            scope: Option<&ScopeHandle>,
            $callback: Callback,
        ) -> Result<Undo, Refusal> {
            match $step.family.as_str() {
                $($family => registered!($step, scope, $put $put_on $take $take_on, $($argument),+),)+
                other => Err(Stop::unsupported(other, "this family is not built yet").into()),
            }
        }

        /// What the crate's own listing calls a family.
        pub fn kind(family: &str) -> &str {
            match family {
                $($family => stringify!($put).trim_start_matches("register_"),)+
                "llm.stream" => "llm_stream_execution_intercept",
                other => other,
            }
        }

        /// The suite's name of a kind in the crate's own listing.
        pub fn family(kind: &str) -> &str {
            $(if stringify!($put).strip_prefix("register_") == Some(kind) {
                return $family;
            })+
            if kind == "llm_stream_execution_intercept" { "llm.stream" } else { kind }
        }
    };
}

families! { |step, callback|
    "llm.request":
        register_llm_request_intercept scope_register_llm_request_intercept
        deregister_llm_request_intercept scope_deregister_llm_request_intercept
        => (step.priority, step.break_chain, llm_request(callback));
    "llm.conditional":
        register_llm_conditional_execution_guardrail scope_register_llm_conditional_execution_guardrail
        deregister_llm_conditional_execution_guardrail scope_deregister_llm_conditional_execution_guardrail
        => (step.priority, llm_conditional(callback));
    "llm.execution":
        register_llm_execution_intercept scope_register_llm_execution_intercept
        deregister_llm_execution_intercept scope_deregister_llm_execution_intercept
        => (step.priority, llm_execution(callback));
    "llm.sanitize_request":
        register_llm_sanitize_request_guardrail scope_register_llm_sanitize_request_guardrail
        deregister_llm_sanitize_request_guardrail scope_deregister_llm_sanitize_request_guardrail
        => (step.priority, llm_sanitize_request(callback));
    "llm.sanitize_response":
        register_llm_sanitize_response_guardrail scope_register_llm_sanitize_response_guardrail
        deregister_llm_sanitize_response_guardrail scope_deregister_llm_sanitize_response_guardrail
        => (step.priority, llm_sanitize_response(callback));
    "tool.request":
        register_tool_request_intercept scope_register_tool_request_intercept
        deregister_tool_request_intercept scope_deregister_tool_request_intercept
        => (step.priority, step.break_chain, tool(callback, "args"));
    "tool.conditional":
        register_tool_conditional_execution_guardrail scope_register_tool_conditional_execution_guardrail
        deregister_tool_conditional_execution_guardrail scope_deregister_tool_conditional_execution_guardrail
        => (step.priority, tool_conditional(callback));
    "tool.execution":
        register_tool_execution_intercept scope_register_tool_execution_intercept
        deregister_tool_execution_intercept scope_deregister_tool_execution_intercept
        => (step.priority, tool_execution(callback));
    "tool.sanitize_request":
        register_tool_sanitize_request_guardrail scope_register_tool_sanitize_request_guardrail
        deregister_tool_sanitize_request_guardrail scope_deregister_tool_sanitize_request_guardrail
        => (step.priority, tool(callback, "args"));
    "tool.sanitize_response":
        register_tool_sanitize_response_guardrail scope_register_tool_sanitize_response_guardrail
        deregister_tool_sanitize_response_guardrail scope_deregister_tool_sanitize_response_guardrail
        => (step.priority, tool(callback, "result"));
    "mark.sanitize":
        register_mark_sanitize_guardrail scope_register_mark_sanitize_guardrail
        deregister_mark_sanitize_guardrail scope_deregister_mark_sanitize_guardrail
        => (step.priority, event_fields(callback));
    "start.sanitize":
        register_scope_sanitize_start_guardrail scope_register_scope_sanitize_start_guardrail
        deregister_scope_sanitize_start_guardrail scope_deregister_scope_sanitize_start_guardrail
        => (step.priority, event_fields(callback));
    "end.sanitize":
        register_scope_sanitize_end_guardrail scope_register_scope_sanitize_end_guardrail
        deregister_scope_sanitize_end_guardrail scope_deregister_scope_sanitize_end_guardrail
        => (step.priority, event_fields(callback));
    "event.metadata":
        register_event_metadata_injector scope_register_event_metadata_injector
        deregister_event_metadata_injector scope_deregister_event_metadata_injector
        => (step.priority, event_metadata(callback));
}

/// Registers what the step's family says.
pub fn register(step: &Register, scope: Option<&ScopeHandle>, callee: Callee) -> Result<Undo, Refusal> {
    match callee {
        Callee::Sink(sink) => subscribe(step, scope, sink),
        Callee::Source(source) => wrap_streams(step, scope, source),
        Callee::Callback(callback) => register_callback(step, scope, callback),
    }
}

fn wrap_streams(step: &Register, scope: Option<&ScopeHandle>, source: Source) -> Result<Undo, Refusal> {
    registered!(
        step, scope,
        register_llm_stream_execution_intercept scope_register_llm_stream_execution_intercept
        deregister_llm_stream_execution_intercept scope_deregister_llm_stream_execution_intercept,
        step.priority, llm_stream(source)
    )
}

fn subscribe(step: &Register, scope: Option<&ScopeHandle>, sink: Sink) -> Result<Undo, Refusal> {
    let subscriber: EventSubscriberFn = Arc::new(move |event: &Event| sink.put(event.try_to_json_value()));
    registered!(
        step, scope,
        register_subscriber scope_register_subscriber deregister_subscriber scope_deregister_subscriber,
        subscriber
    )
}
