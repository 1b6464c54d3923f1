"""What a query asks for is found, so that what there is not is found out."""

from support.prometheus import grouped_by, selectors

QUERY = """
sum by (namespace, policy) (rate(flexlbf_one_total{state=~"a|b", policy="it's, odd"}[5m]))
  / on (namespace) group_left (pool) max without(instance) (flexlbf_two) > bool 0
"""


def test_series_are_found_with_what_is_wanted_of_their_labels():
    assert selectors(QUERY) == [
        ("flexlbf_one_total", {"state": "a|b", "policy": "it's, odd"}),
        ("flexlbf_two", {}),
    ]


def test_labels_are_found_by_which_series_are_grouped_and_matched():
    assert grouped_by(QUERY) == {"namespace", "policy", "pool", "instance"}
