"""A scrape of the operator, as Prometheus reads it."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.request import urlopen

from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

SECONDS = 30.0


@dataclass(frozen=True)
class Scrape:
    """What was exported at a moment.

    Attributes:
        text: as it was sent.
        families: by metric, counters without `_total`.
    """

    text: str
    families: dict[str, Metric]

    @classmethod
    def of(cls, text: str) -> "Scrape":
        """Read what was sent."""
        return cls(text, {each.name: each for each in text_string_to_metric_families(text)})

    @classmethod
    def at(cls, url: str) -> "Scrape":
        """Ask for it."""
        with urlopen(url, timeout=SECONDS) as answer:  # noqa: S310 - a URL on loopback that the test was given
            return cls.of(answer.read().decode())

    def samples(self, name: str, **labels: str) -> list[Sample]:
        """The samples of a name that have these labels."""
        return [each for each in self.all() if each.name == name and labels.items() <= each.labels.items()]

    def value(self, name: str, **labels: str) -> float:
        """The value of the one series of a name that has these labels."""
        found = self.samples(name, **labels)
        assert len(found) == 1, f"{len(found)} series {name} with {labels}"
        return found[0].value

    def all(self) -> Iterator[Sample]:
        """Every sample."""
        return (sample for family in self.families.values() for sample in family.samples)

    def of_the_policy(self, namespace: str) -> set[str]:
        """The names of series that have to do with a namespace."""
        return {each.name for each in self.all() if each.labels.get("namespace") == namespace}
