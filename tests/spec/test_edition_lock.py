"""A locked edition changes by an erratum, and by subjects that it had nothing of."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.core.errors import UsageError
from bindproof.spec import load
from bindproof.spec.check import accept, check
from bindproof.spec.edition_lock import lock, lock_problems
from bindproof.spec.problem import SpecError

CHECKS = dict.fromkeys(("FST-001", "FST-002"))


def edit(small: Path, file: str, old: str, new: str) -> None:
    path = small / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.fixture
def locked(small: Path) -> Path:
    """The small suite, its edition 9 locked."""
    lock(load(small.parents[1], "small"), ["9"])
    edit(small, "suite.toml", 'name = "9"\nstate = "open"', 'name = "9"\nstate = "locked"')
    assert check(small.parents[1], "small", CHECKS) == []
    return small


def problems(folder: Path) -> list[tuple[str, str]]:
    """File and text of what breaks a lock."""
    found = lock_problems(load(folder.parents[1], "small"))
    return [(problem.file.removeprefix("spec/small/"), problem.text) for problem in found]


def test_a_changed_statement_breaks_the_lock_of_its_editions(locked: Path) -> None:
    edit(locked, "01-first.md", "A thing is red.", "A thing is blue.")
    ((file, text),) = problems(locked)
    assert file == "01-first.md"
    assert text.startswith("edition 9 is locked, and FST-002 has changed: bring it back, or add to suite.toml")


def test_a_changed_schema_breaks_it_and_its_words_do_not(locked: Path) -> None:
    edit(locked, "schemas/9/thing.json", "A thing.", "Some thing.")
    edit(locked, "schemas/10/thing.json", '"string"', '"number"')
    assert problems(locked) == []
    edit(locked, "schemas/9/thing.json", '"string"', '"number"')
    assert [(file, "thing.json has changed" in text) for file, text in problems(locked)] == [
        ("schemas/9/thing.json", True)
    ]


def test_an_erratum_that_names_it_settles_it(locked: Path) -> None:
    edit(locked, "01-first.md", "A thing is red.", "A thing is blue.")
    digest = problems(locked)[0][1].partition('digest = "')[2][:12]
    erratum = f"""
[[erratum]]
date = "2026-11-22"
editions = ["9"]
touches = "FST-002"
digest = "{digest}"
reason = "It was never red."
"""
    path = locked / "suite.toml"
    path.write_text(path.read_text(encoding="utf-8") + erratum, encoding="utf-8")
    assert problems(locked) == []
    edit(locked, "01-first.md", "A thing is blue.", "A thing is green.")
    assert len(problems(locked)) == 1


def restated(locked: Path, *, editions: str = '["9"]', **digests: str) -> None:
    """Add an erratum by which these requirements have other words."""
    table = "".join(f'{what.replace("_", "-")} = "{digest}"\n' for what, digest in digests.items())
    erratum = f"""
[[erratum]]
date = "2026-11-22"
editions = {editions}
reason = "They say the same in other words."
[erratum.restated]
{table}"""
    path = locked / "suite.toml"
    path.write_text(path.read_text(encoding="utf-8") + erratum, encoding="utf-8")


def test_an_erratum_may_restate_many_and_each_edition_takes_what_it_has(locked: Path) -> None:
    edit(locked, "01-first.md", "A thing is red.", "A thing SHOULD be red.")
    digest = problems(locked)[0][1].partition('digest = "')[2][:12]
    restated(locked, FST_002=digest, SND_001="0123456789ab")
    assert problems(locked) == []
    edit(locked, "01-first.md", "SHOULD be red.", "SHOULD be green.")
    assert len(problems(locked)) == 1


def test_what_is_gone_is_not_restated(locked: Path) -> None:
    edit(locked, "01-first.md", "A thing is red.", "A thing SHOULD be red.")
    digest = problems(locked)[0][1].partition('digest = "')[2][:12]
    gone = (
        '\n[[erratum]]\ndate = "2026-11-21"\neditions = ["9"]\ntouches = "FST-002"\ndigest = "gone"\nreason = "No."\n'
    )
    path = locked / "suite.toml"
    path.write_text(path.read_text(encoding="utf-8") + gone, encoding="utf-8")
    restated(locked, FST_002=digest)
    assert ["FST-002 has changed" in text for _, text in problems(locked)] == [True]


def test_an_erratum_touches_one_or_restates_some(locked: Path) -> None:
    restated(locked)
    with pytest.raises(SpecError, match="either `touches` with a `digest`, or a table `restated`"):
        problems(locked)


def test_a_new_requirement_on_an_old_subject_breaks_it_and_one_on_a_new_subject_does_not(locked: Path) -> None:
    more = "\n## FST-004 A thing is here\nMAY · editions 9– · dialects all · source observed A2\n\nIt is here.\n"
    other = "# Second\n" + more.replace("FST-004", "SND-001")
    (locked / "02-second.md").write_text(other, encoding="utf-8")
    assert problems(locked) == []
    path = locked / "01-first.md"
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    assert ["FST-004 is new" in text for _, text in problems(locked)] == [True]


def test_retiring_later_leaves_it_as_it_was(locked: Path) -> None:
    edit(locked, "01-first.md", 'source book "One" ¶1; observed A1\n', "source observed A1\nRETIRED in 10: why\n")
    accept(locked.parents[1], "small", ["all"])
    assert problems(locked) == []


def test_locked_means_that_there_is_a_lock(small: Path) -> None:
    edit(small, "suite.toml", 'name = "9"\nstate = "open"', 'name = "9"\nstate = "locked"')
    assert ["editions.lock has nothing of it" in text for _, text in problems(small)] == [True]


def test_only_an_edition_that_is_open_is_locked(locked: Path) -> None:
    suite = load(locked.parents[1], "small")
    with pytest.raises(UsageError, match="edition 9 is locked already"):
        lock(suite, ["9"])
    with pytest.raises(UsageError, match="no edition '8'"):
        lock(suite, ["8"])
    lock(suite, ["10"])
    assert (locked / "editions.lock").read_text(encoding="utf-8").count("\n10 ") == 2


def test_what_was_locked_is_not_locked_again_over_its_own_change(locked: Path) -> None:
    edit(locked, "suite.toml", 'name = "9"\nstate = "locked"', 'name = "9"\nstate = "open"')
    before = (locked / "editions.lock").read_text(encoding="utf-8")
    edit(locked, "01-first.md", "A thing is red.", "A thing is blue.")
    with pytest.raises(UsageError, match=r"may not be written over: .*01-first.md:\d+: .*FST-002 has changed"):
        lock(load(locked.parents[1], "small"), ["9"])
    assert (locked / "editions.lock").read_text(encoding="utf-8") == before


def test_a_new_subject_joins_a_lock_and_the_rest_of_it_stays(locked: Path) -> None:
    edit(locked, "suite.toml", 'name = "9"\nstate = "locked"', 'name = "9"\nstate = "open"')
    before = (locked / "editions.lock").read_text(encoding="utf-8").splitlines()
    other = (
        "# Second\n\n## SND-001 A thing is here\nMAY · editions 9– · dialects all · source observed A2\n\nIt is here.\n"
    )
    (locked / "02-second.md").write_text(other, encoding="utf-8")
    lock(load(locked.parents[1], "small"), ["9"])
    after = (locked / "editions.lock").read_text(encoding="utf-8").splitlines()
    assert [line.rpartition(" ")[0] for line in after if line not in before] == ["9 SND-001"]
    assert set(before) <= set(after)


def test_a_line_that_is_none_is_reported(locked: Path) -> None:
    edit(locked, "editions.lock", "9 FST-001 ", "9 FST-001: ")
    assert ("editions.lock", "'9 FST-001: ") in [(file, text[:12]) for file, text in problems(locked)]
