"""Routes to the minimum: the patterns a hand in play can still reach, as facts, no probabilities."""

from __future__ import annotations

from rules.routes.answer import answer_routes
from rules.routes.blocks import Pattern
from rules.routes.book import RouteBook, RoutePattern, book_of
from rules.routes.find import Aim, Live, Route, find_routes
from rules.routes.patterns import PATTERNS
from rules.routes.search import Reach, Search

__all__ = [
    "PATTERNS",
    "Aim",
    "Live",
    "Pattern",
    "Reach",
    "Route",
    "RouteBook",
    "RoutePattern",
    "Search",
    "answer_routes",
    "book_of",
    "find_routes",
]
