"""Jostling told a second time, slowly and in other words, to check the referee against.

It keeps a map from field to piece instead of a list from piece to field, walks with plain loops and knows no tables.
"""

from games.jostle import Layout


def moved(layout: Layout, pieces: tuple[int, ...], mover: int, points: int) -> tuple[int, ...]:
    """Where the nine pieces stand after the move."""
    on_field = {place: piece for piece, place in enumerate(pieces) if place >= 0 and piece != mover}
    waiting: list[tuple[int, int]] = []
    specials_left = 1

    def stop_at(piece: int, place: int) -> None:
        nonlocal specials_left
        if place in on_field:
            waiting.append((on_field.pop(place), place))
        destination = effect(layout, place)
        if destination is not None and specials_left:
            specials_left -= 1
            if destination in on_field:
                waiting.append((on_field.pop(destination), destination))
            place = destination
        on_field[place] = piece

    stop_at(mover, pieces[mover] + points)
    while waiting:
        (piece, place), waiting = waiting[0], waiting[1:]
        for candidate in reversed(range(place)):
            blocked = candidate in on_field or (not specials_left and effect(layout, candidate) is not None)
            if not blocked:
                stop_at(piece, candidate)
                break
    places = {piece: place for place, piece in on_field.items()}
    return tuple(places.get(piece, -1) for piece in range(len(pieces)))


def effect(layout: Layout, place: int) -> int | None:
    """Where a special field leads; None if it is not special."""
    for low, high in layout.switches:
        if place == low:
            return high
        if place == high:
            return low
    return place - 3 if place in layout.minus_three else None
