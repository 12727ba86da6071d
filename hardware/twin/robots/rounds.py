"""The prevalent wind as players count it: a round ends when the deal is back where it began."""

from __future__ import annotations

from rules.seats import ALL_SEATS, Seat


class Rounds:
    """Counts rounds by who deals; whoever sat down in the middle of a game takes the wind on the screen.

    >>> rounds = Rounds()
    >>> [rounds.hand(n, Seat(dealer), Seat.E).value for n, dealer in enumerate("ESWNE", 1)]
    ['E', 'E', 'E', 'E', 'S']
    """

    def __init__(self) -> None:
        self._first: Seat | None = None
        self._dealer: Seat | None = None
        self._hand = 0
        self._wind = Seat.E

    def hand(self, number: int, dealer: Seat, shown: Seat) -> Seat:
        """Return the wind of hand `number`, dealt by `dealer`; `shown` is what the screen says."""
        if number == self._hand:
            return self._wind
        if number == 1:
            self._first, self._wind = dealer, Seat.E
        elif number != self._hand + 1:
            self._first, self._wind = ALL_SEATS[0], shown
        elif dealer is self._first and self._dealer is not dealer:
            self._wind = Seat.at(self._wind.index + 1)
        self._hand, self._dealer = number, dealer
        return self._wind
