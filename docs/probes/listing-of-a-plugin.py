"""What the listing says of a plugin's registrations, one of which has a name with a space in it."""

import asyncio
import inspect

from nemo_relay import plugin, runtime_registrations


class Named:
    """Registers an intercept by each of two names."""

    def validate(self, config):
        pass

    def register(self, config, context):
        for name in ("plain", "with a space"):
            context.register_tool_request_intercept(name, 0, False, lambda tool, args: args)


async def main():
    plugin.register("mine", Named())
    config = plugin.PluginConfig(components=[plugin.ComponentSpec(kind="mine")])
    layered = "additional_plugins_toml" in inspect.signature(plugin.initialize).parameters  # from 0.9 on
    active = await plugin.initialize(config, *(["/nonexistent/plugins.toml"] if layered else []))
    for one in runtime_registrations.list_runtime_registrations():
        owner = one.owner
        print(f"{one.local_name!r} of {owner.kind}, {owner.plugin_kind!r}, number {owner.component_ordinal}")
    await (active.close() if hasattr(active, "close") else plugin.clear_async())
    plugin.deregister("mine")


asyncio.run(main())
