//! The intercept that answers with bytes: what crosses is the host's strings, and who frees what is on us.

use std::ffi::c_void;
use std::slice;
use std::sync::Arc;

use nemo_relay_plugin::{NemoRelayNativeHostApiV1, NemoRelayNativeString, NemoRelayStatus, PluginContext, Result};
use serde_json::{from_slice, json};

use crate::story::{Story, octets};

/// What is answered here.
const RESULTS: [&str; 3] = ["outcome", "nothing", "status"];

struct State {
    story: Arc<Story>,
    host: NemoRelayNativeHostApiV1,
}

/// Registers the intercept; an error says what the host answered.
pub fn register(story: Arc<Story>, context: &mut PluginContext<'_>) -> Result<()> {
    let state = Box::into_raw(Box::new(State { story, host: *context.host_api() })).cast();
    match unsafe { context.register_llm_request_intercept_raw("table", 1, false, answer, state, Some(free)) } {
        NemoRelayStatus::Ok => Ok(()),
        status => Err(format!("the intercept is not registered: {status:?}")),
    }
}

unsafe extern "C" fn answer(
    state: *mut c_void,
    name: *const NemoRelayNativeString,
    request: *const NemoRelayNativeString,
    annotated: *const NemoRelayNativeString,
    out: *mut *mut NemoRelayNativeString,
) -> NemoRelayStatus {
    let State { story, host } = unsafe { &*state.cast::<State>() };
    let name = String::from_utf8_lossy(unsafe { read(host, name) }).into_owned();
    let Some(step) = story.step(&name, &RESULTS) else {
        let (request, annotated) = unsafe { (read(host, request), read(host, annotated)) };
        return write(host, &passed(request, annotated), out);
    };
    story.note("asked", &name);
    match step["result"].as_str() {
        Some("outcome") => write(host, &octets(&step["outcome"]), out),
        Some("status") => {
            if !step["outcome"].is_null() {
                write(host, &octets(&step["outcome"]), out); // the host is to free it, and not to use it
            }
            set_error(host, step["message"].as_str().unwrap_or_default());
            NemoRelayStatus::Internal
        }
        _ => NemoRelayStatus::Ok,
    }
}

/// The outcome that changes nothing of what was given.
fn passed(request: &[u8], annotated: &[u8]) -> Vec<u8> {
    let given = |text| from_slice(text).unwrap_or(json!(null));
    json!({"request": given(request), "annotated_request": given(annotated)}).to_string().into_bytes()
}

unsafe fn read<'a>(host: &NemoRelayNativeHostApiV1, text: *const NemoRelayNativeString) -> &'a [u8] {
    if text.is_null() {
        return b"null";
    }
    unsafe { slice::from_raw_parts((host.string_data)(text), (host.string_len)(text)) }
}

fn write(host: &NemoRelayNativeHostApiV1, bytes: &[u8], out: *mut *mut NemoRelayNativeString) -> NemoRelayStatus {
    unsafe { (host.string_new)(bytes.as_ptr(), bytes.len(), out) }
}

fn set_error(host: &NemoRelayNativeHostApiV1, message: &str) {
    let mut text = std::ptr::null_mut();
    if write(host, message.as_bytes(), &raw mut text) == NemoRelayStatus::Ok {
        unsafe {
            (host.last_error_set)(text);
            (host.string_free)(text);
        }
    }
}

unsafe extern "C" fn free(state: *mut c_void) {
    let state = unsafe { Box::from_raw(state.cast::<State>()) };
    state.story.note("freed", "state");
}
