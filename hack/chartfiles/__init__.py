"""What of the Helm chart follows from other files: CRDs, roles, admission policies, the values' words."""

from pathlib import Path

from chartfiles.templates import crd_template, rule_template, template_of
from chartfiles.values import Value, read_values, schema, table

CHART = Path("charts/flexlbf-operator")
TEMPLATES = CHART / "templates"
BEGIN = "<!-- Generated from the comments in values.yaml by `make generate`: do not edit below. -->\n"
END = "<!-- End of what is generated. -->\n"

# Manifest -> the value that switches it off, if there is one.
SHARED = {
    "rbac/cluster_role.yaml": None,
    "rbac/role.yaml": None,
    "rbac/backup_viewer_role.yaml": "personas.create",
    "rbac/backup_editor_role.yaml": "personas.create",
    "rbac/tape_admin_role.yaml": "personas.create",
    "admission/emitted_cron_jobs.yaml": "admission.enabled",
    "admission/emitted_jobs.yaml": "admission.enabled",
    "admission/emitted_pods.yaml": "admission.enabled",
    "admission/histories.yaml": "admission.enabled",
    "admission/within_class.yaml": "admission.enabled",
    "admission/within_pool.yaml": "admission.enabled",
}
RULE = "prometheus/prometheus_rule.yaml"
DASHBOARD = "flexlbf.json"
GENERATED = tuple(TEMPLATES / name for name in ("crds", "rbac", "admission", "prometheus"))
BY_HAND = frozenset(
    TEMPLATES / name
    for name in ("rbac/bindings.yaml", "prometheus/servicemonitor.yaml", "prometheus/dashboard.yaml")
)


def chart_files(source: Path, crds: dict[str, str], dashboard: str) -> dict[Path, str]:
    """The chart's generated files, by their path below a checkout.

    Args:
        source: the checkout with `config/` and the chart's values and README.
        crds: the CRDs' texts by their file names.
        dashboard: as Grafana takes it.
    """
    files = {TEMPLATES / "crds" / name: crd_template(text) for name, text in crds.items()}
    for name, switch in SHARED.items():
        text = (source / "config" / name).read_text(encoding="utf-8")
        files[TEMPLATES / name] = template_of(text, f"config/{name}", switch)
    rule = (source / "config" / RULE).read_text(encoding="utf-8")
    files[TEMPLATES / RULE] = rule_template(rule, f"config/{RULE}", "prometheusRule.enabled")
    files[CHART / "dashboards" / DASHBOARD] = dashboard
    values = read_values((source / CHART / "values.yaml").read_text(encoding="utf-8"))
    files[CHART / "values.schema.json"] = schema(values)
    files[CHART / "README.md"] = _with_table(
        (source / CHART / "README.md").read_text(encoding="utf-8"), values
    )
    return files


def _with_table(readme: str, values: list[Value]) -> str:
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{CHART / 'README.md'} lacks the lines between which the table of values goes")
    return f"{before}{begin}\n{table(values)}\n{end}{after}"
