"""Says of everything what a terminal would obey, reverse or hide; some scenarios it acts out, others it refuses so."""

from __future__ import annotations

import json
from typing import Any

from fake_adapter import FakeAdapter, write_all

UNSEEN = "\x1b]52;c;eA==\x07\x1b[2J\x9b31m\u202egnitset\u2066\u200b\ufeff\u2028\r\x08"


class TellsWhatIsNotSeen(FakeAdapter):
    def introduction(self) -> dict[str, Any]:
        write_all(2, f"starts {UNSEEN}\n".encode())
        said = super().introduction()
        said["target"] = {"name": f"n{UNSEEN}", "version": f"1.0{UNSEEN}", "language": UNSEEN, "runtime": UNSEEN}
        said["suites"]["another" + UNSEEN] = {"dialect": UNSEEN}
        return said

    def act(self, request: int, scenario: Any) -> None:
        if request % 3 == 0:
            self.fail(request, -32000, f"cannot {UNSEEN}")
            return
        if request % 3 == 1:
            self.write(json.dumps({"jsonrpc": "2.0", "id": request, UNSEEN: UNSEEN}, ensure_ascii=False))
            return
        done = [{"fact": "done", "step": step["as"], "value": None} for step in scenario["steps"]]
        for one in done:
            if one["step"] not in {"s", "i", "sub"}:
                one |= {"value": {UNSEEN: UNSEEN}}
        self.reply(request, {"observation": {"log": [*done, {"fact": "settled"}]}})


if __name__ == "__main__":
    TellsWhatIsNotSeen().serve()
