"""The flush that does not wait for a loop, called inside one."""

import asyncio

import nemo_relay as relay


async def main():
    try:
        print(f"it gives {relay.subscribers.flush()}")
    except Exception as error:
        print(f"it raises {type(error).__name__}: {error}")


asyncio.run(main())
