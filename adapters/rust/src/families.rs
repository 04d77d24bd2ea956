//! Where each family is registered: globally, on a scope, and in a plugin.

use std::panic::resume_unwind;
use std::sync::Arc;

use bindproof_adapter::Stop;
use bindproof_adapter::relay::{Callee, Decide, Gate, Refusal, Register, Undo, family_of, kind_of};
use nemo_relay::api::registry::*;
use nemo_relay::api::runtime::ConditionalMiddlewareGuardrailFn;
use nemo_relay::api::scope::ScopeHandle;
use nemo_relay::api::subscriber::{
    deregister_subscriber, register_subscriber, scope_deregister_subscriber, scope_register_subscriber,
};
use nemo_relay::plugin::PluginRegistrationContext;
use serde_json::json;

use crate::callbacks::{
    event_fields, event_metadata, llm_conditional, llm_execution, llm_request, llm_sanitize_request,
    llm_sanitize_response, llm_stream, subscriber, tool_conditional, tool_execution, tool_request, tool_sanitize,
};
use crate::json::{refused, typed, uninstalled};

/// Of each family: what plays it, its functions, globally and on a scope, and what is handed over beside the name. A
/// plugin's context has methods of the same names as the global functions, and undoes them itself.
macro_rules! families {
    (|$step:ident| $(
        $family:literal, $callee:ident($played:ident):
        $put:ident $put_on:ident $take:ident $take_on:ident => ($($argument:expr),+);
    )+) => {
        /// Registers what the step's family says, globally or on the scope that is to own it; gives what deregisters it.
        pub fn register($step: &Register, scope: Option<&ScopeHandle>, callee: Callee) -> Result<Undo, Refusal> {
            let (name, scope) = ($step.name.clone(), scope.map(|scope| scope.uuid));
            match ($step.family.as_str(), callee) {
                $(($family, Callee::$callee($played)) => {
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
                })+
                (other, _) => Err(not_built(other)),
            }
        }

        /// Registers what the step's family says through the context of a plugin.
        pub fn register_in(
            context: &mut PluginRegistrationContext,
            $step: &Register,
            callee: Callee,
        ) -> Result<(), Refusal> {
            match ($step.family.as_str(), callee) {
                $(($family, Callee::$callee($played)) => context.$put(&$step.name, $($argument),+),)+
                (other, _) => return Err(not_built(other)),
            }
            .map_err(uninstalled)
        }
    };
}

/// Registers a gate. It fails by a panic, which the crate catches: the type has no other way, and no panic is printed here.
pub fn gate(step: &Gate, decide: Decide) -> Result<Undo, Refusal> {
    let kinds: Vec<&str> = step.families.iter().map(|family| kind_of(family)).collect();
    let guardrail: ConditionalMiddlewareGuardrailFn = Arc::new(move |kinds, name| {
        let families: Vec<&str> = kinds.iter().map(|kind| family_of(kind.as_str())).collect();
        decide(&families, name).unwrap_or_else(|text| resume_unwind(Box::new(text)))
    });
    register_conditional_middleware_guardrail(&step.name, typed("families", json!(kinds))?, &step.target, guardrail)
        .map_err(refused)?;
    let name = step.name.clone();
    Ok(Arc::new(move || deregister_conditional_middleware_guardrail(&name).map_err(refused)))
}

fn not_built(family: &str) -> Refusal {
    Stop::unsupported(family, "this family is not built yet").into()
}

families! { |step|
    "subscriber", Sink(sink):
        register_subscriber scope_register_subscriber
        deregister_subscriber scope_deregister_subscriber
        => (subscriber(sink));
    "llm.request", Callback(callback):
        register_llm_request_intercept scope_register_llm_request_intercept
        deregister_llm_request_intercept scope_deregister_llm_request_intercept
        => (step.priority, step.break_chain, llm_request(callback));
    "llm.conditional", Callback(callback):
        register_llm_conditional_execution_guardrail scope_register_llm_conditional_execution_guardrail
        deregister_llm_conditional_execution_guardrail scope_deregister_llm_conditional_execution_guardrail
        => (step.priority, llm_conditional(callback));
    "llm.execution", Callback(callback):
        register_llm_execution_intercept scope_register_llm_execution_intercept
        deregister_llm_execution_intercept scope_deregister_llm_execution_intercept
        => (step.priority, llm_execution(callback));
    "llm.stream", Source(source):
        register_llm_stream_execution_intercept scope_register_llm_stream_execution_intercept
        deregister_llm_stream_execution_intercept scope_deregister_llm_stream_execution_intercept
        => (step.priority, llm_stream(source));
    "llm.sanitize_request", Callback(callback):
        register_llm_sanitize_request_guardrail scope_register_llm_sanitize_request_guardrail
        deregister_llm_sanitize_request_guardrail scope_deregister_llm_sanitize_request_guardrail
        => (step.priority, llm_sanitize_request(callback));
    "llm.sanitize_response", Callback(callback):
        register_llm_sanitize_response_guardrail scope_register_llm_sanitize_response_guardrail
        deregister_llm_sanitize_response_guardrail scope_deregister_llm_sanitize_response_guardrail
        => (step.priority, llm_sanitize_response(callback));
    "tool.request", Callback(callback):
        register_tool_request_intercept scope_register_tool_request_intercept
        deregister_tool_request_intercept scope_deregister_tool_request_intercept
        => (step.priority, step.break_chain, tool_request(callback));
    "tool.conditional", Callback(callback):
        register_tool_conditional_execution_guardrail scope_register_tool_conditional_execution_guardrail
        deregister_tool_conditional_execution_guardrail scope_deregister_tool_conditional_execution_guardrail
        => (step.priority, tool_conditional(callback));
    "tool.execution", Callback(callback):
        register_tool_execution_intercept scope_register_tool_execution_intercept
        deregister_tool_execution_intercept scope_deregister_tool_execution_intercept
        => (step.priority, tool_execution(callback));
    "tool.sanitize_request", Callback(callback):
        register_tool_sanitize_request_guardrail scope_register_tool_sanitize_request_guardrail
        deregister_tool_sanitize_request_guardrail scope_deregister_tool_sanitize_request_guardrail
        => (step.priority, tool_sanitize(callback, "args"));
    "tool.sanitize_response", Callback(callback):
        register_tool_sanitize_response_guardrail scope_register_tool_sanitize_response_guardrail
        deregister_tool_sanitize_response_guardrail scope_deregister_tool_sanitize_response_guardrail
        => (step.priority, tool_sanitize(callback, "result"));
    "mark.sanitize", Callback(callback):
        register_mark_sanitize_guardrail scope_register_mark_sanitize_guardrail
        deregister_mark_sanitize_guardrail scope_deregister_mark_sanitize_guardrail
        => (step.priority, event_fields(callback));
    "start.sanitize", Callback(callback):
        register_scope_sanitize_start_guardrail scope_register_scope_sanitize_start_guardrail
        deregister_scope_sanitize_start_guardrail scope_deregister_scope_sanitize_start_guardrail
        => (step.priority, event_fields(callback));
    "end.sanitize", Callback(callback):
        register_scope_sanitize_end_guardrail scope_register_scope_sanitize_end_guardrail
        deregister_scope_sanitize_end_guardrail scope_deregister_scope_sanitize_end_guardrail
        => (step.priority, event_fields(callback));
    "event.metadata", Callback(callback):
        register_event_metadata_injector scope_register_event_metadata_injector
        deregister_event_metadata_injector scope_deregister_event_metadata_injector
        => (step.priority, event_metadata(callback));
}
