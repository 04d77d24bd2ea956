"""What a scope comes to own after a call in which an intercept, inside another one, used the scope, or did not."""

import asyncio

import nemo_relay as relay


async def main(use):
    ran = []

    async def outer(context, proceed):
        return await forwarded(proceed, context.args)

    async def inner(context, proceed):
        answer = await forwarded(proceed, context.args)
        use()
        return answer

    async def forwarded(proceed, args):
        answered = await proceed(args)
        return relay.ToolExecutionInterceptOutcome(result=answered.result)

    async def tool(args):
        return relay.ToolExecutionResult({"ok": True})

    def request(name, args):
        ran.append("request intercept")
        return args

    def end(event, fields):
        if event.name == "t":
            ran.append("end sanitizer")
        return fields

    relay.intercepts.register_tool_execution("outer", 1, outer)
    relay.intercepts.register_tool_execution("inner", 2, inner)
    with relay.scope.scope("s", relay.ScopeType.Agent) as scope:
        await relay.tools.execute("t", {}, tool)
        relay.scope_local.register_tool_request(scope, "own", 1, False, request)
        relay.scope_local.register_scope_sanitize_end(scope, "own", 1, end)
        await relay.tools.execute("t", {}, tool)
        await asyncio.to_thread(relay.subscribers.flush)
    relay.intercepts.deregister_tool_execution("outer")
    relay.intercepts.deregister_tool_execution("inner")
    return ran


USES = {
    "nothing": lambda: None,
    "the scope for a mark": lambda: relay.scope.event("m"),
    "the handle of the scope": lambda: relay.scope.get_handle(),
}
for used, use in USES.items():
    print(f"an inner intercept used {used}: of what the scope owns there ran then {asyncio.run(main(use))}")
