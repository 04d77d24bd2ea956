//! The crate's API calls, as the SDK asks for them.

use std::panic::resume_unwind;
use std::sync::Arc;

use bindproof_adapter::relay::{
    Beside, Binding, Build, Call, Callback, Callee, Capture, Decide, Decode, Encode, End, Failure, Flight, Gate,
    Helper, Listed, Mark, Parts, Plugins, Reader, Refusal, Register, RequestCodec, Start, Undo, family_of, kind_of,
};
use bindproof_adapter::{Json, Stop, described};
use nemo_relay::api::llm::{
    LlmAttributes, LlmCallExecuteParams, LlmRequest, llm_call_execute, llm_conditional_execution,
    llm_request_intercepts,
};
use nemo_relay::api::registry::{
    RuntimeRegistrationIdentity, RuntimeRegistrationOwnerKind, list_runtime_registrations,
};
use nemo_relay::api::runtime::{
    LlmExecutionNextFn, TASK_SCOPE_STACK, ToolExecutionNextFn, create_scope_stack, current_scope_stack,
};
use nemo_relay::api::scope::get_handle;
use nemo_relay::api::subscriber::flush_subscribers;
use nemo_relay::api::tool::{
    ToolAttributes, ToolCallExecuteParams, tool_call_execute, tool_conditional_execution, tool_request_intercepts,
};
use nemo_relay::error::FlowError;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::codec::{request_codec, response_codec};
use crate::json::{as_json, raised, refused, result_json, typed};
use crate::manual::{Handle, bits, scope_of};
use crate::{coding, families, manual, objects, plugins, stacks, stream};

/// The crate, and the runtime on which its futures are run to their end: by the thread that asks, and calls in flight each as
/// a task.
pub struct Relay {
    runtime: Arc<Runtime>,
}

impl Relay {
    /// Starts the runtime.
    pub fn new() -> Result<Self, Stop> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).enable_all().build();
        runtime
            .map(|runtime| Self { runtime: Arc::new(runtime) })
            .map_err(|error| Stop::Fault(format!("no runtime: {error}")))
    }

    fn wait<T>(&self, future: impl Future<Output = Result<T, FlowError>>) -> Result<T, Refusal> {
        self.runtime.block_on(future).map_err(refused)
    }

    /// Waits for a managed call. One in flight is a task on the scope stack of this thread, which can be aborted.
    fn answer<T: Send + 'static>(
        &self,
        flight: Option<&Flight>,
        future: impl Future<Output = Result<T, FlowError>> + Send + 'static,
    ) -> Result<T, Refusal> {
        let Some(flight) = flight else { return self.wait(future) };
        let task = flight.begin(|| {
            let task = self.runtime.spawn(TASK_SCOPE_STACK.scope(current_scope_stack(), future));
            let handle = task.abort_handle();
            (task, move || handle.abort())
        });
        match self.runtime.block_on(task) {
            Ok(answer) => answer.map_err(refused),
            Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
            Err(error) => Err(Failure { kind: "JoinError".into(), message: error.to_string(), code: None }.into()),
        }
    }
}

/// An entry of the crate's listing, in the suite's words.
fn entry(one: RuntimeRegistrationIdentity) -> Listed {
    let owner = Some(one.owner).filter(|owner| owner.kind == RuntimeRegistrationOwnerKind::Plugin);
    let (plugin, number) = owner.map(|owner| (owner.plugin_kind, owner.component_ordinal)).unwrap_or_default();
    Listed {
        family: family_of(one.kind.as_str()).into(),
        name: one.local_name,
        effective: one.effective_name,
        plugin: plugin.as_deref().map(plugins::name_of),
        number,
    }
}

impl Binding for Relay {
    type Handle = Handle;

    fn describe(&self) -> Json {
        described("relay", "rust", "nemo-relay (crate)", env!("TARGET_VERSION"), env!("COMPILER"))
    }

    fn fresh_scope(&self) -> Beside {
        stacks::bound(create_scope_stack())
    }

    fn capture(&self, step: &Capture, root: Option<&Handle>) -> Result<Json, Refusal> {
        stacks::capture(step, root)
    }

    fn received(&self, captured: &Json) -> Result<Beside, Refusal> {
        stacks::received(captured)
    }

    fn registered(&self, family: Option<&str>) -> Result<Vec<Listed>, Refusal> {
        let kinds = family.map(|family| typed("kinds", json!([kind_of(family)]))).transpose()?;
        let listed = list_runtime_registrations(kinds.as_ref()).map_err(refused)?;
        Ok(listed.into_iter().map(entry).collect())
    }

    fn flush(&self) -> Result<(), Refusal> {
        flush_subscribers().map_err(refused)
    }

    fn register(&self, step: &Register, scope: Option<&Handle>, callee: Callee) -> Result<Undo, Refusal> {
        families::register(step, scope.map(scope_of).transpose()?, callee)
    }

    fn install(&self, script: Plugins) -> Result<Undo, Refusal> {
        plugins::install(&self.runtime, script)
    }

    fn build(&self, step: &Build) -> Result<Json, Refusal> {
        objects::built(step)
    }

    fn decode(&self, step: &Decode) -> Result<Json, Refusal> {
        coding::decode(step)
    }

    fn encode(&self, step: &Encode) -> Result<Json, Refusal> {
        coding::encode(step)
    }

    fn gate(&self, step: &Gate, decide: Decide) -> Result<Undo, Refusal> {
        families::gate(step, decide)
    }

    fn call_llm(
        &self,
        step: &Call,
        parent: Option<&Handle>,
        provider: Callback,
        codec: Option<RequestCodec>,
        flight: Option<&Flight>,
    ) -> Result<Json, Refusal> {
        let answer: LlmExecutionNextFn = Arc::new(move |request| {
            let provider = provider.clone();
            Box::pin(async move { provider.llm_provider(as_json(&request)?).await.map_err(raised("answer")) })
        });
        let request: LlmRequest = typed("request", step.request.clone())?;
        let mut params = LlmCallExecuteParams::builder().name(&step.name).request(request).func(answer).build();
        params.attributes = LlmAttributes::from_bits_truncate(bits(&step.attributes));
        params.model_name.clone_from(&step.model);
        params.data.clone_from(&step.data);
        params.metadata.clone_from(&step.metadata);
        params.parent = parent.map(scope_of).transpose()?.cloned();
        params.codec = codec.map(request_codec).transpose()?;
        params.response_codec = response_codec(step.response_codec.as_deref())?;
        self.answer(flight, llm_call_execute(params))
    }

    fn open_stream(&self, step: &Call, parent: Option<&Handle>, parts: Parts) -> Result<Box<dyn Reader>, Refusal> {
        stream::open(&self.runtime, step, parent.map(scope_of).transpose()?, parts)
    }

    fn call_tool(
        &self,
        step: &Call,
        parent: Option<&Handle>,
        provider: Callback,
        flight: Option<&Flight>,
    ) -> Result<Json, Refusal> {
        let answer: ToolExecutionNextFn = Arc::new(move |args| {
            let provider = provider.clone();
            Box::pin(async move { provider.tool_provider(args).await.map_err(raised("answer")) })
        });
        let mut params = ToolCallExecuteParams::builder().name(&step.name).args(step.args.clone()).func(answer).build();
        params.attributes = ToolAttributes::from_bits_truncate(bits(&step.attributes));
        params.tool_call_id.clone_from(&step.tool_call_id);
        params.data.clone_from(&step.data);
        params.metadata.clone_from(&step.metadata);
        params.parent = parent.map(scope_of).transpose()?.cloned();
        let result = self.answer(flight, tool_call_execute(params))?;
        result_json(&result).map_err(refused)
    }

    fn helper(&self, step: &Helper) -> Result<Json, Refusal> {
        let request = || typed::<LlmRequest>("request", step.request.clone());
        match step.kind.as_str() {
            "llm.request" => {
                let outcome = self.wait(llm_request_intercepts(&step.name, request()?))?;
                as_json(&outcome).map_err(refused)
            }
            "llm.conditional" => self.wait(llm_conditional_execution(&request()?)).map(|()| Json::Null),
            "tool.request" => self.wait(tool_request_intercepts(&step.name, step.args.clone())),
            _ => self.wait(tool_conditional_execution(&step.name, &step.args)).map(|()| Json::Null),
        }
    }

    fn start(&self, step: &Start, parent: Option<&Handle>) -> Result<Handle, Refusal> {
        manual::start(step, parent.map(scope_of).transpose()?)
    }

    fn end(&self, step: &End, of: &Handle) -> Result<(), Refusal> {
        manual::end(step, of)
    }

    fn current(&self) -> Result<(String, String), Refusal> {
        let scope = get_handle().map_err(refused)?;
        Ok((scope.uuid.to_string(), scope.name))
    }

    fn mark(&self, step: &Mark, parent: Option<&Handle>) -> Result<(), Refusal> {
        manual::mark(step, parent.map(scope_of).transpose()?)
    }

    fn metric(&self, step: &Mark, measurements: &Json, parent: Option<&Handle>) -> Result<(), Refusal> {
        manual::emit(step, measurements, parent.map(scope_of).transpose()?)
    }

    fn told(&self, of: &Handle) -> Result<Json, Refusal> {
        manual::told(of)
    }
}
