//! A native plugin whose two request intercepts answer each call as a scenario states it.
//!
//! `table` writes what it answers into the host's table of functions itself, byte by byte; `typed` answers through the
//! crate's own types. Each lets calls pass that are the other's. Which answer is due stands in `answers.json` of the
//! folder that the configuration names, and what happened is written down there: in `asked` the name of each call, in
//! `freed` one line when the host lets go of the state that `table` gave it.

mod story;
mod table;
mod typed;

use std::sync::Arc;

use nemo_relay_plugin::{
    Json, NativePlugin, NemoRelayNativeHostApiV1, NemoRelayNativePluginV1, NemoRelayStatus, PluginContext, Result,
    export_plugin,
};
use serde_json::Map;
use story::Story;

/// The plugin's kind, which is the manifest's id too.
const KIND: &str = "bindproof.native";

struct Plugin;

impl NativePlugin for Plugin {
    fn plugin_kind(&self) -> &str {
        KIND
    }

    fn register(&mut self, config: &Map<String, Json>, context: &mut PluginContext<'_>) -> Result<()> {
        let folder = config.get("folder").and_then(Json::as_str).ok_or("the configuration has no folder")?;
        let story = Arc::new(Story::read(folder)?);
        table::register(Arc::clone(&story), context)?;
        typed::register(Arc::clone(&story), context)?;
        match story.registration() {
            "error" => Err("registration of a plugin that fails".into()),
            "panic" => panic!("registration of a plugin that panics"),
            _ => Ok(()),
        }
    }
}

nemo_relay_plugin::nemo_relay_plugin!(nemo_relay_register_plugin, || Plugin);

/// The plugin's entry as a host of another line would meet it: the crate is shown a table of a version that is not its
/// own, and says what it says.
///
/// # Safety
/// As the other entry: `host` is a table of the host's, `out` room for one descriptor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn another_line(
    host: *const NemoRelayNativeHostApiV1,
    out: *mut NemoRelayNativePluginV1,
) -> NemoRelayStatus {
    let mut table = unsafe { *host };
    table.abi_version = u32::MAX; // of no release: 0.11 takes 7 and 8, and would read on behind this copy
    unsafe { export_plugin(&raw const table, out, Plugin) }
}
