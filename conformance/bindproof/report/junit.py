"""The report as JUnit XML: a suite for each adapter and suite of ours, a test case for each verdict.

Enters: the lines of a log, in order. Leaves: XML. Must not know who reads it. Test cases go to a file as they come, so
that memory does not grow with the log.

A divergence or outcome that an expectation names is a skipped case with its reason, as pytest writes an xfail. The last
suite has one case, which fails where the run does: no file is green whose run was red.
Source: the schema of Jenkins' xUnit plugin, junit-10.xsd.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from typing import TextIO
from xml.etree import ElementTree

from bindproof.core.visible import visible
from bindproof.report import Report
from bindproof.report.contrast import contrast
from bindproof.report.digest import Digest
from bindproof.report.printing import MOST_FAILURES, one_line, replay_command
from bindproof.report.whole import in_utf8
from bindproof.results import AdapterLine, Broken, Line, StaleLine, VerdictLine

_NO_XML = re.compile("[\ufffe\uffff]")
"""What is seen, or at least no control, and yet may not stand in XML 1.0."""

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


class _Cases:
    """The test cases of one suite, in a file that nobody else sees."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.text: TextIO = tempfile.TemporaryFile("w+", encoding="utf-8", newline="")  # noqa: SIM115

    def __del__(self) -> None:
        """Close the file, also of a report that never came to its end."""
        self.text.close()

    def add(self, classname: str, name: str, result: ElementTree.Element | None) -> None:
        case = _element("testcase", classname=classname, name=name)
        self.counts["tests"] += 1
        if result is not None:
            self.counts[result.tag] += 1
            case.append(result)
        self.text.write(ElementTree.tostring(case, encoding="unicode") + "\n")


class JUnit:
    """See `bindproof.report.Report`."""

    for_programs = True

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._digest = in_utf8(stream), Digest()
        self._suites: dict[tuple[str, str], _Cases] = {}

    def add(self, line: Line) -> None:
        """Take the next line."""
        self._digest.add(line)
        if isinstance(line, VerdictLine):
            classname, _, name = line.plan.rpartition("/")
            self._cases(line.adapter, line.suite).add(classname.replace("/", "."), name, self._result(line))
        elif isinstance(line, StaleLine):
            what = f"{line.requirement} on {line.adapter} is expected in {line.source} and did not occur: remove it"
            text = f"not seen in {', '.join(line.vectors)}"
            self._cases(line.adapter, "expectations").add("expectations", line.expectation, _failure(what, text))

    def end(self) -> None:
        """Write all suites."""
        for adapter in self._digest.adapters.values():
            if adapter.state != "ready":
                self._cases(adapter.name, "adapter").add("adapter", adapter.name, _unready(adapter))
        summary = self._digest.summary
        code, why = self._digest.ending
        whole = _failure(f"exit code {code}: {why}", (summary.bug if summary else None) or "") if code else None
        self._cases("bindproof", "exit code").add("bindproof", "the run is as expected", whole)
        total: Counter[str] = Counter()
        for cases in self._suites.values():
            total.update(cases.counts)
        self._stream.write(f"{HEAD}{_opened('testsuites', 'bindproof', total)}\n")
        for (of, name), cases in self._suites.items():
            self._write(of, name, cases)
        self._stream.write("</testsuites>\n")
        self._stream.flush()

    def _cases(self, adapter: str, suite: str) -> _Cases:
        if (adapter, suite) not in self._suites:
            self._suites[adapter, suite] = _Cases()
        return self._suites[adapter, suite]

    def _write(self, adapter: str, name: str, cases: _Cases) -> None:
        line = self._digest.adapters.get(adapter)
        run = self._digest.run
        self._stream.write(f"{_opened('testsuite', f'{adapter} {name}', cases.counts, run.started if run else '')}\n")
        if line is not None and line.target:
            properties = _element("properties")
            for key in ("target", "version", "language", "runtime"):
                properties.append(_element("property", name=key, value=getattr(line, key)))
            self._stream.write(ElementTree.tostring(properties, encoding="unicode") + "\n")
        cases.text.seek(0)
        shutil.copyfileobj(cases.text, self._stream)
        self._stream.write("</testsuite>\n")

    def _result(self, line: VerdictLine) -> ElementTree.Element | None:
        """Return what a case holds: nothing where it conforms."""
        if line.outcome == "conforms":
            return None
        outcome = line.outcome.replace("_", " ")
        if line.outcome == "diverges":
            return self._diverges(line)
        if line.expected_by is not None and not line.demanded:
            return _skipped(f"known {outcome}: {self._digest.reason_of(line.expected_by)}")
        if line.outcome in ("unsupported", "inexpressible") and not line.demanded:
            return _skipped(f"{outcome}: {line.reason}")
        text = "\n".join(filter(None, [line.evidence, line.stderr, replay_command(self._digest, line)]))
        make = _failure if line.demanded else _error
        return make(f"{outcome}: {line.reason}", text)

    def _diverges(self, line: VerdictLine) -> ElementTree.Element:
        reasons = [self._digest.reason_of(one.expected_by or line.expected_by) for one in line.broken]
        names = ", ".join(one.requirement for one in line.broken)
        if not line.unexpected:
            return _skipped(f"known divergence of {names}: {'; '.join(dict.fromkeys(reasons))}")
        unexpected = [one for one in line.broken if one.expected_by is None]
        first = next((failure.text for one in unexpected for failure in one.failures), line.reason)
        text = [part for one in unexpected for part in self._told(one)]
        steps = line.scenario.get("steps") if isinstance(line.scenario, dict) else None
        scenario = [one_line(step) for step in steps] if isinstance(steps, list) else [one_line(line.scenario)]
        words = ", ".join(one.requirement for one in unexpected)
        parts = [*text, "scenario", *scenario, replay_command(self._digest, line)]
        return _failure(f"{words}: {first}", "\n".join(parts), kind=words)

    def _told(self, broken: Broken) -> list[str]:
        facts = self._digest.facts(broken.requirement)
        lines = [f"{facts.id} {facts.title}", facts.statement]
        for failure in broken.failures[:MOST_FAILURES]:
            where = f", record {failure.record}" if failure.record is not None else ""
            lines.append(f"lane {failure.lane}{where}: {failure.text}")
            for at, expected, observed in contrast(failure):
                lines += [f"  at {at}"] if at else []
                lines += [f"  expected {expected}", f"  observed {observed}"]
        return lines


def report(stream: TextIO) -> Report:
    """Return the report (see `bindproof.report.REPORTS`)."""
    return JUnit(stream)


def _unready(adapter: AdapterLine) -> ElementTree.Element:
    said = f"adapter {adapter.name} {adapter.state}: {adapter.reason}"
    red = adapter.state == "failed" or adapter.required
    return _error(said, adapter.remedy or adapter.stderr) if red else _skipped(said)


def _text(value: str) -> str:
    """Return a text as XML may have it."""
    return _NO_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", visible(value))


def _element(tag: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
    element = ElementTree.Element(tag, {name: _text(value) for name, value in attributes.items()})
    element.text = None if text is None else _text(text)
    return element


def _opened(tag: str, name: str, counts: Counter[str], started: str | None = None) -> str:
    """Return the opening tag of what has test cases."""
    numbers = {key: str(counts[of]) for key, of in _COUNTS.items() if started is not None or key != "skipped"}
    element = _element(tag, name=name, **numbers, **({"timestamp": started[:19]} if started else {}))
    return ElementTree.tostring(element, encoding="unicode", short_empty_elements=False).removesuffix(f"</{tag}>")


_COUNTS = {"tests": "tests", "failures": "failure", "errors": "error", "skipped": "skipped"}


def _failure(message: str, text: str, kind: str = "divergence") -> ElementTree.Element:
    return _element("failure", text, message=message, type=kind)


def _error(message: str, text: str) -> ElementTree.Element:
    return _element("error", text, message=message, type="fault")


def _skipped(message: str) -> ElementTree.Element:
    return _element("skipped", message=message, type="bindproof.known")
