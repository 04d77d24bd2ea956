//! Scope stacks: each context binds one to the thread, and one may be made of what was captured.

use std::sync::Arc;

use bindproof_adapter::Json;
use bindproof_adapter::relay::{Beside, Capture, Captured, Refusal};
use nemo_relay::api::runtime::{
    PropagationContext, ScopeStackHandle, capture_propagation_context, capture_propagation_context_with_root,
    capture_rootless_propagation_context, capture_traceparent, create_scope_stack_from_propagation,
    set_thread_scope_stack,
};
use nemo_relay::error::FlowError;

use crate::json::refused;
use crate::manual::Handle;

/// Binds a scope stack to this thread; returns what binds it to another.
pub fn bound(stack: ScopeStackHandle) -> Beside {
    set_thread_scope_stack(stack.clone());
    Arc::new(move || set_thread_scope_stack(stack.clone()))
}

/// Takes down where the program stands, by the function that the step names.
pub fn capture(step: &Capture, root: Option<&Handle>) -> Result<Json, Refusal> {
    let found = match step.what {
        Captured::Usual => capture_propagation_context(),
        Captured::Rootless => capture_rootless_propagation_context(),
        Captured::Rooted => capture_propagation_context_with_root(match root {
            Some(Handle::Scope(scope)) => Some(scope.uuid),
            _ => None,
        }),
        Captured::Traceparent => return capture_traceparent().map(Json::from).map_err(refused),
    };
    written(&found.map_err(refused)?).map_err(refused)
}

fn written(context: &PropagationContext) -> Result<Json, FlowError> {
    serde_json::from_str(&context.to_json()?).map_err(|error| FlowError::Internal(error.to_string()))
}

/// Binds a scope stack that is made of what was captured.
pub fn received(captured: &Json) -> Result<Beside, Refusal> {
    let context = PropagationContext::from_json(&captured.to_string()).map_err(refused)?;
    create_scope_stack_from_propagation(&context).map(bound).map_err(refused)
}
