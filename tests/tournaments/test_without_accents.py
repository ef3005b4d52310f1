"""Names are sorted as people read them."""

from tournaments.without_accents import without_accents


def test_accents_and_capitals_make_no_difference_in_the_order_of_names() -> None:
    names = ["Zoe", "Ángel", "bea", "Iñaki", "Inma"]
    assert sorted(names, key=without_accents) == ["Ángel", "bea", "Iñaki", "Inma", "Zoe"]
