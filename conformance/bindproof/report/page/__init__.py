"""The page of a report: one file of HTML that needs no network and no other file.

Enters: what is told of a log, and the verdicts that show it. Leaves: HTML. Must not know how a verdict was reached.
`page.html`, `page.css` and `page.js` are the template and what goes into it as it is; nothing builds them.
"""
