"""What reports cost: time, memory and size for logs of growing length, and how long a browser takes to open the page.

Enters: lengths of logs. Leaves: a table on stdout. A ratio beside another row says more than a figure: the machine has
other things to do.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.logs import lines
from bindproof.results import encode

FORMATS = ("html", "junit", "markdown", "sarif", "summary")
LENGTHS = (20_000, 100_000)
TARGETS, REQUIREMENTS = 6, 300
ROUNDS = 5

SCRIPT = (
    "import resource, sys; from bindproof.cli import main; main(sys.argv[1:]); "
    "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
)


def made(log: Path, name: str, folder: Path) -> tuple[float, int, Path]:
    """Return how many seconds a report takes, how many KiB it needs at most, and its file."""
    out = folder / f"report.{name}"
    began = time.perf_counter()
    words = ["report", str(log), "--report", "badge", f"--{name}", str(out)]
    run = subprocess.run([sys.executable, "-c", SCRIPT, *words], capture_output=True, text=True, check=True)
    return time.perf_counter() - began, int(run.stderr.split()[-1]), out


def opened(page: Path) -> float | None:
    """Return the median of the seconds until the page has loaded and was painted; None where there is no Chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return None
    from playwright.sync_api import sync_playwright

    painted = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    times = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for _ in range(ROUNDS):
            tab = browser.new_page()
            began = time.perf_counter()
            tab.goto(page.as_uri())
            tab.evaluate(painted)
            times.append(time.perf_counter() - began)
            tab.close()
        browser.close()
    return median(times)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=__doc__.split("\n")[0])
    parser.add_argument("--verdicts", type=int, nargs="*", default=LENGTHS, metavar="N")
    parser.add_argument("--diverging", type=int, default=50, metavar="N", help="so many of them diverge (default 50)")
    args = parser.parse_args()
    print(f"{TARGETS} targets, {REQUIREMENTS} requirements, {args.diverging} divergences")
    print(f"{'verdicts':>9}  {'report':<9}{'seconds':>8}{'MiB of memory':>15}{'KiB of file':>13}{'to open':>9}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for verdicts in args.verdicts:
            log = folder / f"{verdicts}.jsonl"
            with log.open("wb") as file:
                file.writelines(map(encode, lines(TARGETS, REQUIREMENTS, verdicts, diverging=args.diverging)))
            for form in FORMATS:
                seconds, memory, out = made(log, form, folder)
                took = opened(out) if form == "html" else None
                shown = "" if took is None else f"{took:.2f} s"
                size = out.stat().st_size // 1024
                print(f"{verdicts:>9}  {form:<9}{seconds:>8.2f}{memory // 1024:>15}{size:>13}{shown:>9}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
