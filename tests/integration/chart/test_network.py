"""What the chart's NetworkPolicy lets through, read as Kubernetes defines it.

Whether a cluster's network heeds it is the cluster's affair; the local ones' network does not.
"""

import ipaddress
from dataclasses import dataclass

import pytest

from support.charttools import Helm, Raw, kustomize

pytestmark = pytest.mark.integration

API_SERVER = "10.0.0.1"
ELSEWHERE = "192.0.2.7"


@dataclass(frozen=True)
class Network:
    """The policies of an installation, and the pods that they may be about."""

    policies: tuple[Raw, ...]
    operator: Raw
    others: tuple[Raw, ...]

    @classmethod
    def of(cls, objects: list[Raw]) -> "Network":
        """As it was rendered."""
        deployment = next(each for each in objects if each["kind"] == "Deployment")
        return cls(
            tuple(each for each in objects if each["kind"] == "NetworkPolicy"),
            deployment["spec"]["template"]["metadata"]["labels"],
            tuple(each["metadata"].get("labels", {}) for each in objects if each["kind"] == "Pod"),
        )

    def about(self, labels: Raw) -> list[Raw]:
        """The policies that select a pod."""
        return [
            each
            for each in self.policies
            if each["spec"]["podSelector"]["matchLabels"].items() <= labels.items()
        ]

    def lets_out(self, port: int, protocol: str = "TCP", to: str = API_SERVER) -> bool:
        """Whether the operator may open a connection."""
        return any(
            _covers(rule, port, protocol, to)
            for policy in self.about(self.operator)
            for rule in policy["spec"].get("egress", ())
        )


def _covers(rule: Raw, port: int, protocol: str, to: str) -> bool:
    ports, peers = rule.get("ports"), rule.get("to")
    fits = ports is None or any((each["protocol"], each["port"]) == (protocol, port) for each in ports)
    blocks = None if peers is None else [ipaddress.ip_network(each["ipBlock"]["cidr"]) for each in peers]
    return fits and (blocks is None or any(ipaddress.ip_address(to) in each for each in blocks))


def test_it_lets_the_operator_ask_for_names_and_for_the_api_server(any_helm: Helm) -> None:
    """At the port of its service and at the one behind it: networks differ in which one they look at."""
    for network in (Network.of(any_helm.render()), Network.of(kustomize("default"))):
        assert all(network.lets_out(port) for port in (443, 6443))
        assert all(network.lets_out(53, protocol, ELSEWHERE) for protocol in ("TCP", "UDP"))
        assert not network.lets_out(80)
        assert not network.lets_out(443, "UDP")


def test_it_keeps_to_the_ports_and_addresses_that_are_given(any_helm: Helm) -> None:
    network = Network.of(
        any_helm.render("networkPolicy.apiServerPorts={8443}", "networkPolicy.apiServerCIDRs={10.0.0.1/32}")
    )
    assert network.lets_out(8443)
    assert not network.lets_out(8443, to=ELSEWHERE)
    assert not network.lets_out(443)
    assert network.lets_out(53, "UDP", ELSEWHERE)


def test_it_is_about_the_operators_pods_and_no_other(any_helm: Helm) -> None:
    """Both directions are closed but for what is named; the test's pod and backups are none of its affair."""
    network = Network.of(any_helm.render())
    (policy,) = network.about(network.operator)
    assert set(policy["spec"]["policyTypes"]) == {"Ingress", "Egress"}
    assert network.others
    assert not any(network.about(labels) for labels in network.others)
    assert not network.about(
        {"app.kubernetes.io/managed-by": "flexlbf-operator", "flexlbf.io/role": "object"}
    )


def test_without_it_nothing_is_said_of_the_network(any_helm: Helm) -> None:
    assert Network.of(any_helm.render("networkPolicy.enabled=false")).policies == ()
