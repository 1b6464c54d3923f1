"""The documentation's drawings stand alone, and tell what they show where they can't be seen."""

from xml.etree.ElementTree import fromstring

import pytest

from docpictures import pictures
from docpictures.workload import DRIVE_MBPS, MAX_AGENTS, Workload
from flexlbf.scheduling.units import to_megabytes
from flexlbf.scheduling.usage import peak

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", sorted(pictures()))
def test_a_drawing_has_a_size_a_style_and_words(name: str):
    root = fromstring(pictures()[name])  # noqa: S314 - what we draw ourselves
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert (width, height) == (float(root.attrib["width"]), float(root.attrib["height"]))
    words = {
        each.attrib["id"]: each.text
        for tag in ("title", "desc")
        for each in root.iter(f"{SVG}{tag}")
        if each.attrib
    }
    labels = {root.attrib["aria-labelledby"], root.attrib.get("aria-describedby", "description")}
    named = {part for label in labels for part in label.split()}
    assert all(words[each] for each in named)
    assert "prefers-color-scheme: dark" in str(root.find(f"{SVG}style").text)  # type: ignore[union-attr]
    assert "href" not in pictures()[name]


def test_what_the_drawings_say_is_so():
    """The night overloads the drive at planned starts, and never live."""
    workload = Workload()
    assert workload.flexlbf.makespan < 0.6 * workload.arbitrary.makespan
    assert to_megabytes(peak(workload.planned_night).rate) > DRIVE_MBPS
    live = peak(workload.adaptive_night)
    assert to_megabytes(live.rate) <= DRIVE_MBPS
    assert live.agents <= MAX_AGENTS
