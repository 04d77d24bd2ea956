//! The JSON forms of requests and results, which are the suite's, and the crate's types, both ways.
//!
//! Enters: one. Leaves: the other. Must not know layers or steps.

use bindproof_adapter::{Json, object};
use llm_stack::chat::{ContentBlock, ToolCall, ToolResult};
use llm_stack::intercept::{Interceptable, LlmCall, ToolExec, ToolRequest, ToolResponse};
use llm_stack::provider::ToolDefinition;
use llm_stack::{ChatMessage, ChatParams, ChatResponse, JsonSchema, LlmError};
use serde_json::json;

/// What the scenario's own layers ask of the two domains.
pub trait Domain: Interceptable<Input: Sync> {
    /// A request as JSON.
    fn request_json(request: &Self::Input) -> Json;
    /// A result as JSON.
    fn result_json(result: &Self::Output) -> Json;
    /// A request from its whole JSON form.
    fn request(form: &Json) -> Self::Input;
    /// A request with some of its members replaced.
    fn replaced(request: &Self::Input, members: &Json) -> Self::Input;
    /// A result from its JSON form.
    fn result(form: &Json) -> Self::Output;
    /// The id of a call, where requests have one.
    fn call_id(request: &Self::Input) -> Option<&str>;
}

impl Domain for LlmCall {
    fn request_json(request: &ChatParams) -> Json {
        let tools = request.tools.iter().flatten();
        object([
            ("messages", request.messages.iter().map(message_text).collect()),
            ("tools", tools.map(|tool| Json::from(tool.name.as_str())).collect()),
        ])
    }

    fn result_json(result: &Result<ChatResponse, LlmError>) -> Json {
        match result {
            Ok(response) => object([("text", response.text().into())]),
            Err(error) => object([("error", error_json(error))]),
        }
    }

    fn request(form: &Json) -> ChatParams {
        let tools: Vec<_> = texts(&form["tools"]).map(|name| definition(name, json!({}))).collect();
        ChatParams {
            messages: texts(&form["messages"]).map(ChatMessage::user).collect(),
            tools: (!tools.is_empty()).then_some(tools),
            ..ChatParams::default()
        }
    }

    fn replaced(_: &ChatParams, members: &Json) -> ChatParams {
        Self::request(members)
    }

    fn result(form: &Json) -> Result<ChatResponse, LlmError> {
        match form.get("error") {
            Some(error) => Err(error_of(error)),
            None => {
                let text = form["text"].as_str().unwrap_or_default().to_owned();
                Ok(ChatResponse { content: vec![ContentBlock::Text(text)], ..ChatResponse::empty() })
            }
        }
    }

    fn call_id(_: &ChatParams) -> Option<&str> {
        None
    }
}

impl Domain for ToolExec<()> {
    fn request_json(request: &ToolRequest) -> Json {
        object([
            ("name", request.name.as_str().into()),
            ("call_id", request.call_id.as_str().into()),
            ("arguments", request.arguments.clone()),
        ])
    }

    fn result_json(result: &ToolResponse) -> Json {
        object([("content", result.content.as_str().into()), ("is_error", result.is_error.into())])
    }

    fn request(form: &Json) -> ToolRequest {
        let call = tool_call(form);
        ToolRequest { name: call.name, call_id: call.id, arguments: call.arguments }
    }

    fn replaced(request: &ToolRequest, members: &Json) -> ToolRequest {
        ToolRequest { arguments: members["arguments"].clone(), ..request.clone() }
    }

    fn result(form: &Json) -> ToolResponse {
        let content = form["content"].as_str().unwrap_or_default().to_owned();
        ToolResponse { content, is_error: form["is_error"] == true }
    }

    fn call_id(request: &ToolRequest) -> Option<&str> {
        Some(&request.call_id)
    }
}

/// A tool's definition with a schema and no retry.
pub fn definition(name: &str, schema: Json) -> ToolDefinition {
    ToolDefinition {
        name: name.to_owned(),
        description: String::new(),
        parameters: JsonSchema::new(schema),
        retry: None,
    }
}

/// A call on a registry from the JSON form of a tool's request.
pub fn tool_call(form: &Json) -> ToolCall {
    let text = |key: &str| form[key].as_str().unwrap_or_default().to_owned();
    ToolCall { id: text("call_id"), name: text("name"), arguments: form["arguments"].clone() }
}

/// The result of a call on a registry as JSON.
pub fn tool_result_json(result: &ToolResult) -> Json {
    object([
        ("tool_call_id", result.tool_call_id.as_str().into()),
        ("content", result.content.as_str().into()),
        ("is_error", result.is_error.into()),
    ])
}

fn texts(list: &Json) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Json::as_str)
}

fn message_text(message: &ChatMessage) -> Json {
    let texts = message.content.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<String>().into()
}

fn error_of(form: &Json) -> LlmError {
    let message = form["message"].as_str().unwrap_or_default().to_owned();
    let retryable = form["retryable"] == true;
    match form["kind"].as_str().unwrap_or_default() {
        "http" => LlmError::Http { status: None, message, retryable },
        "provider" => LlmError::Provider { code: String::new(), message, retryable },
        "timeout" => LlmError::Timeout { elapsed_ms: whole(form, "elapsed_ms") },
        "max_depth_exceeded" => {
            LlmError::MaxDepthExceeded { current: whole(form, "current"), limit: whole(form, "limit") }
        }
        "auth" => LlmError::Auth(message),
        "response_format" => LlmError::ResponseFormat { message, raw: String::new() },
        "schema_validation" => LlmError::SchemaValidation { message, schema: Json::Null, actual: Json::Null },
        "tool_execution" => LlmError::ToolExecution { tool_name: String::new(), source: message.into() },
        "retry_exhausted" => {
            let last = LlmError::Http { status: None, message, retryable: true };
            LlmError::RetryExhausted { attempts: 1, last_error: Box::new(last) }
        }
        _ => LlmError::InvalidRequest(message),
    }
}

fn whole<T: TryFrom<u64> + Default>(form: &Json, key: &str) -> T {
    form[key].as_u64().and_then(|number| number.try_into().ok()).unwrap_or_default()
}

fn error_json(error: &LlmError) -> Json {
    let said = |kind: &str, message: &str| json!({"kind": kind, "message": message});
    let flagged = |kind: &str, message: &str, flag: bool| json!({"kind": kind, "message": message, "retryable": flag});
    match error {
        LlmError::Http { message, retryable, .. } => flagged("http", message, *retryable),
        LlmError::Provider { message, retryable, .. } => flagged("provider", message, *retryable),
        LlmError::Timeout { elapsed_ms } => json!({"kind": "timeout", "elapsed_ms": elapsed_ms}),
        LlmError::MaxDepthExceeded { current, limit } => {
            json!({"kind": "max_depth_exceeded", "current": current, "limit": limit})
        }
        LlmError::Auth(message) => said("auth", message),
        LlmError::InvalidRequest(message) => said("invalid_request", message),
        LlmError::ResponseFormat { message, .. } => said("response_format", message),
        LlmError::SchemaValidation { message, .. } => said("schema_validation", message),
        LlmError::ToolExecution { source, .. } => said("tool_execution", &source.to_string()),
        LlmError::RetryExhausted { last_error, .. } => match last_error.as_ref() {
            LlmError::Http { message, .. } => said("retry_exhausted", message),
            other => said("retry_exhausted", &other.to_string()),
        },
        other => said("other", &other.to_string()),
    }
}
