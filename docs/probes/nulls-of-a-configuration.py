"""Which nulls of a plugin's configuration the plugin is given.

In 0.3 to 0.5 members that are null are gone, at any depth, and nulls in lists are there; from 0.6 on all are.
"""

import asyncio

from nemo_relay import plugin

STATED = {"top": None, "map": {"null": None}, "list": [None, {"null": None}]}


class Told:
    def validate(self, config):
        pass

    def register(self, config, context):
        given = {name: config.get(name, "gone") for name in STATED}
        print("given as it was stated" if given == STATED else f"given {given}")


async def main():
    plugin.register("told", Told())
    spec = plugin.ComponentSpec(kind="told", config=STATED)
    active = await plugin.initialize(plugin.PluginConfig(components=[spec]))
    if hasattr(active, "close"):
        await active.close()


asyncio.run(main())
