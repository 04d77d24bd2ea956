"""The reviewer's page of a change between editions, as one file of HTML that needs no network and no script.

Enters: Reviews. Leaves: HTML on a stream. Must not know how anything was compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from bindproof.evolve.review import MOST_VECTORS, Review
from bindproof.report.page.document import environment, part, policy
from bindproof.report.whole import in_utf8


def write_page(reviews: Sequence[Review], stream: TextIO, *, with_runs: bool) -> None:
    """Write the page. with_runs: whether real runs were given, and what they show is told.

    Raises as the stream does.
    """
    style = part("page.css") + part("review.css")
    template = environment().get_template("review.html")
    page = template.render(
        reviews=reviews, with_runs=with_runs, most_vectors=MOST_VECTORS, style=style, policy=policy(style)
    )
    page_stream = in_utf8(stream)
    page_stream.write(page + "\n")
    page_stream.flush()
