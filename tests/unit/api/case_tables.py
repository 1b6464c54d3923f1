"""The examples: one entry a rule, and the bounds that people meet."""

from typing import Any

from unit.api.cases import ABSENT, BASES, Case, durations, group, many, names, paths, quantities, selectors


def policy(**fields: Any) -> dict[str, Any]:
    """The spec of a policy, right but for what is given."""
    return {**BASES["BackupPolicy"], **fields}


_POOL = (
    Case("TapePool", "spec.drives", "a pool needs a group of drives", ([group()],), ([],)),
    Case(
        "TapePool",
        "spec.drives",
        "a pool has at most 512 drives",
        accepts=([group(count=256), group(name="other", count=256)],),
        refuses=([group(count=256), group(name="other", count=256), group(name="one", count=1)],),
    ),
    Case(
        "TapePool",
        "spec.drives[]",
        "name one device for each drive",
        accepts=(group(), group(devices=[]), group(devices=["/dev/nst0", "/dev/nst1"])),
        refuses=(group(devices=["/dev/nst0"]), group(count=1, devices=["/dev/nst0", "/dev/nst1"])),
    ),
    Case(
        "TapePool",
        "spec.drives[]",
        "name drives of this group",
        accepts=(
            group(unavailable=[]),
            group(
                unavailable=[{"drive": "lto-0", "reason": "cleaning"}, {"drive": "lto-1", "reason": "broken"}]
            ),
            group(count=256, unavailable=[{"drive": "lto-255", "reason": "broken"}]),
        ),
        refuses=(
            group(unavailable=[{"drive": "lto-2", "reason": "cleaning"}]),
            group(unavailable=[{"drive": "lto-01", "reason": "cleaning"}]),
            group(unavailable=[{"drive": "other-0", "reason": "cleaning"}]),
            group(unavailable=[{"drive": "0", "reason": "cleaning"}]),
        ),
    ),
    Case(
        "TapePool",
        "spec.drives[].name",
        "write a name of lower-case letters",
        accepts=("lto9", "l", "lto-9", "9" * 40),
        refuses=("LTO", "-lto", "lto-", "lto.9", "", "lto\n"),
    ),
    quantities("TapePool", "spec.drives[].maxThroughput"),
    selectors("TapePool", "spec.allowedNamespaces"),
)
_CLASS = (
    Case(
        "BackupClass",
        "spec",
        "name one of the containers",
        accepts=("backup", ABSENT),
        refuses=("other",),
        at="spec.container",
    ),
    Case(
        "BackupClass",
        "spec.podTemplate.spec.containers",
        "a pod needs a container",
        accepts=([{"name": "a"}, {"name": "b", "image": "c"}],),
        refuses=([],),
    ),
    names("BackupClass", "spec.serviceAccountName"),
    selectors("BackupClass", "spec.allowedNamespaces"),
    durations("BackupClass", "spec.activeDeadline", "12.5s"),
    durations("BackupClass", "spec.startingDeadline", "12.5s"),
    durations("BackupClass", "spec.ttlAfterFinished", "12.5s"),
    Case(
        "BackupClass",
        "spec.startingDeadline",
        "give at least 10s",
        accepts=("10s", "010s", "1m", "100s", "1m1s", "20h"),
        refuses=("9s", "05s", "0h0m9s"),
    ),
    *paths("BackupClass", "spec.source.mountPath"),
    *paths("BackupClass", "spec.source.hostPaths[]"),
)
_SET = (
    Case(
        "BackupSet",
        "spec.objects",
        "the names, sources and hosts of a set may have 45000 characters",
        accepts=(many([997] * 45),),
        refuses=(
            many([997] * 44 + [998]),
            [*many([997] * 44), {"name": "a", "source": {"value": "x" * 900}, "host": "h" * 100}],
            [*many([997] * 44), {"name": "&" * 250}, {"name": "<>" * 126}],
        ),
    ),
    Case(
        "BackupSet",
        "spec.objects[].name",
        "name the object",
        accepts=("fs07:/data", "C:\\Büro 2", "x", "日" * 253, "R&D <2026>"),
        refuses=("", " a", "a ", "a\n", "a\tb", "\u00a0a", "a\u0085b", "a\u2028b", "\u007f"),
    ),
    Case(
        "BackupSet",
        "spec.objects[].source",
        "give exactly one of",
        accepts=({"claimName": "data"}, {"hostPath": "/srv"}, {"value": "fs07:/data"}),
        refuses=({}, {"claimName": "data", "value": "x"}, {"claimName": "a", "hostPath": "/a", "value": "a"}),
    ),
    names("BackupSet", "spec.objects[].source.claimName"),
    *paths("BackupSet", "spec.objects[].source.hostPath"),
    Case(
        "BackupSet",
        "spec.objects[].source.value",
        "write a text without control characters",
        accepts=("fs07:/data", " ", "日"),
        refuses=("", "a\nb", "\x00"),
    ),
    Case(
        "BackupSet",
        "spec.objects[].host",
        "write the name or address of a machine",
        accepts=("fs07", "FS_07.example.org", "192.0.2.7", "2001:db8::7", "h" * 253, ABSENT),
        refuses=("", "-fs07", "fs07.", "fs 07", "fs07/data", "größe"),
    ),
    durations("BackupSet", "spec.objects[].estimate.duration", "1.2345s"),
    quantities("BackupSet", "spec.objects[].estimate.throughput"),
    durations("BackupSet", "spec.objects[].history[].duration", "0.000s"),
    Case(
        "BackupSet",
        "spec.objects[].history[].duration",
        "write a duration above zero",
        accepts=("12.5s", "0.001s"),
        refuses=("12.s", ".5s"),
    ),
    quantities("BackupSet", "spec.objects[].history[].bytes"),
    names("BackupSet", "spec.historyFrom.configMap"),
    Case(
        "BackupSet",
        "spec.historyFrom.key",
        "write a ConfigMap's key",
        accepts=("history.csv", "A-b_c.1"),
        refuses=("", "a/b", "a b"),
    ),
)
_SESSIONS = (("weekly-29497740", "a", "0" * 63), ("", "Weekly", "-a", "a-", "a_b", "a\n"))
_HISTORY = (
    names("BackupHistory", "spec.backupSet"),
    Case(
        "BackupHistory",
        "spec.objects[].name",
        "name the object",
        accepts=("fs07:/data", "日" * 253),
        refuses=("", " a", "a\n"),
    ),
    durations("BackupHistory", "spec.objects[].runs[].duration"),
    quantities("BackupHistory", "spec.objects[].runs[].bytes"),
    Case("BackupHistory", "spec.objects[].runs[].session", "write the name of a session", *_SESSIONS),
    Case("BackupHistory", "spec.objects[].failures.session", "write the name of a session", *_SESSIONS),
)
_POLICY = (
    Case(
        "BackupPolicy",
        "spec",
        "WithinPercent needs percent",
        accepts=(
            policy(objective="WithinPercent", percent=15),
            policy(objective="WithinPercent", percent=0.5),
        ),
        refuses=(policy(objective="WithinPercent"),),
        at="spec",
    ),
    Case(
        "BackupPolicy",
        "spec",
        "percent goes with objective: WithinPercent only",
        accepts=(policy(),),
        refuses=(policy(percent=15), policy(objective="Deadline", window="8h", percent=0)),
        at="spec",
    ),
    Case(
        "BackupPolicy",
        "spec",
        "Deadline needs window",
        accepts=(policy(objective="Deadline", window="8h"), policy(window="8h")),
        refuses=(policy(objective="Deadline"),),
        at="spec",
    ),
    Case(
        "BackupPolicy",
        "spec",
        "SkipRemaining needs window",
        accepts=(policy(onWindowEnd="SkipRemaining", window="8h"), policy(onWindowEnd="Continue")),
        refuses=(policy(onWindowEnd="SkipRemaining"),),
        at="spec",
    ),
    Case(
        "BackupPolicy",
        "spec.schedule",
        "write the schedule without TZ=",
        accepts=("0 22 * * 5",),
        refuses=("TZ=Europe/Berlin 0 22 * * 5", "CRON_TZ=UTC @daily", "TZ=UTC"),
    ),
    Case("BackupPolicy", "spec.schedule", "@every has no time of day", ("@daily",), ("@every 1h", "@every")),
    Case(
        "BackupPolicy",
        "spec.schedule",
        "write five fields",
        accepts=(
            *("@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@yearly", "@annually"),
            *("*/5 0-4,22 1 jan-MAR sun", "59 23 31 12 6", "? * * * ?", "00 09 01 01 0", "0  22 * *   *"),
        ),
        refuses=(
            *(
                "",
                "* * * *",
                "* * * * * *",
                "60 * * * *",
                "* 24 * * *",
                "* * 0 * *",
                "* * * 13 *",
                "* * * * 7",
            ),
            *(
                "daily",
                "@noon",
                "*/0 * * * *",
                "1-2-3 * * * *",
                "* * * foo *",
                " * * * * *",
                "* * * * *\n",
                "1, * * * *",
            ),
        ),
    ),
    Case(
        "BackupPolicy",
        "spec.timeZone",
        "write the name of a time zone",
        accepts=("Europe/Berlin", "Etc/UTC", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+5", ABSENT),
        refuses=("", "Local", "Mars/Olympus", "+02:00", "Europe", "../etc/passwd", "Europe/Berlin "),
    ),
    durations("BackupPolicy", "spec.window"),
    Case(
        "BackupPolicy",
        "spec.backupSets",
        "give either names or a selector",
        accepts=({"names": ["a"]}, {"selector": {}}, {"selector": {"matchLabels": {"tier": "gold"}}}),
        refuses=({}, {"names": ["a"], "selector": {}}),
    ),
    Case("BackupPolicy", "spec.backupSets.names", "name at least one set", (["a", "b"],), ([],)),
    names("BackupPolicy", "spec.backupSets.names[]"),
    Case(
        "BackupPolicy",
        "spec.backupSets.selector.matchExpressions[]",
        "give values with In and NotIn",
        accepts=({"selector": {"matchExpressions": [{"key": "tier", "operator": "Exists"}]}},),
        refuses=({"selector": {"matchExpressions": [{"key": "tier", "operator": "In"}]}},),
        at="spec.backupSets",
    ),
    names("BackupPolicy", "spec.tapePool"),
    names("BackupPolicy", "spec.backupClass"),
    names("BackupPolicy", "spec.podOverrides.priorityClassName"),
    Case(
        "BackupPolicy",
        "spec.podOverrides.priorityClassName",
        "name a PriorityClass that is not one of Kubernetes' own",
        accepts=("backup", "my-system-critical"),
        refuses=("system-node-critical", "system-cluster-critical"),
    ),
    quantities("BackupPolicy", "spec.podOverrides.rateLimit"),
)

RULES: tuple[Case, ...] = _POOL + _CLASS + _SET + _HISTORY + _POLICY
"""Examples for every rule."""

_OBJECT = {"name": "a"}
_RUN = {"start": "2026-01-31T22:00:00Z", "duration": "1h", "session": "a"}
BOUNDS: tuple[Case, ...] = (
    Case("TapePool", "spec.drives", "Required value", (), (ABSENT,)),
    Case("TapePool", "spec.drives", "Duplicate value", (), ([group(), group()],)),
    Case("TapePool", "spec.drives[].count", "should be greater than or equal to 1", (1,), (0, -1)),
    Case("TapePool", "spec.drives[].count", "should be less than or equal to 256", (256,), (257,)),
    Case("TapePool", "spec.drives[].maxAgents", "should be less than or equal to 64", (64, ABSENT), (65,)),
    Case("TapePool", "spec.drives[].name", "Required value", (), (ABSENT,)),
    Case("TapePool", "spec.drives[].maxThroughput", "Required value", (), (ABSENT,)),
    Case(
        "TapePool",
        "spec.drives[].unavailable",
        "Duplicate value",
        ([{"drive": "lto-0", "reason": "cleaning"}],),
        ([{"drive": "lto-0", "reason": "cleaning"}, {"drive": "lto-0", "reason": "broken"}],),
    ),
    Case("TapePool", "spec.drives[].devices", "Duplicate value", (["a", "b"],), (["a", "a"],)),
    Case(
        "TapePool",
        "spec.drives[].maxThroughput",
        "should match",
        ("80M", "99999999999999999999"),
        ("8e7", "8x0M", "1.5Gi", "80 M"),
    ),
    Case("BackupClass", "spec.podTemplate", "Required value", (), (ABSENT,)),
    Case("BackupClass", "spec.retries", "should be less than or equal to 10", (0, 10), (11,)),
    Case("BackupClass", "spec.allowedOverrides[]", "Unsupported value", ("Resources",), ("Image",)),
    Case("BackupSet", "spec.objects[].name", "Required value", (), (ABSENT,)),
    Case("BackupSet", "spec.objects", "Duplicate value", ([], [_OBJECT]), ([_OBJECT, _OBJECT],)),
    Case(
        "BackupSet",
        "spec.objects",
        "must have at most 1000 items",
        accepts=([{"name": str(index)} for index in range(1000)],),
        refuses=([{"name": str(index)} for index in range(1001)],),
    ),
    Case("BackupSet", "spec.objects[].name", "may not be more than 253", ("x" * 253,), ("x" * 254,)),
    Case(
        "BackupSet",
        "spec.objects[].history[].start",
        "must be of type date-time",
        accepts=("2026-01-31T22:00:00Z", "2026-01-31T22:00:00.125+01:00"),
        refuses=("yesterday", "2026-02-31T22:00:00Z", "2026-01-31"),
    ),
    Case("BackupSet", "spec.estimator.window", "should be greater than or equal to 1", (1, 50), (0,)),
    Case("BackupHistory", "spec.backupSet", "Required value", (), (ABSENT,)),
    Case(
        "BackupHistory",
        "spec.objects",
        "must have at most 250 items",
        accepts=([{"name": str(index)} for index in range(250)],),
        refuses=([{"name": str(index)} for index in range(251)],),
    ),
    Case(
        "BackupHistory",
        "spec.objects[].runs",
        "must have at most 6 items",
        accepts=([_RUN] * 6,),
        refuses=([_RUN] * 7,),
    ),
    Case("BackupHistory", "spec.objects[].failures.attempts", "greater than or equal to 1", (1, 1000), (0,)),
    Case("BackupPolicy", "spec.driftPercent", "greater than or equal to 1", (1, 1000, ABSENT), (0, -5)),
    Case("BackupPolicy", "spec.driftPercent", "less than or equal to 1000", (1000,), (1001,)),
    Case("BackupPolicy", "spec.schedule", "Required value", (), (ABSENT,)),
    Case("BackupPolicy", "spec.percent", "should be less than or equal to 1000", (), (1001,)),
    Case("BackupPolicy", "spec.objective", "Unsupported value", ("Fastest", ABSENT), ("Slowest", "fastest")),
    Case("BackupPolicy", "spec.scheduler", "Unsupported value", ("FlexLBF",), ("LIFO",)),
    Case("BackupPolicy", "spec.execution", "Unsupported value", ("Planned", "Adaptive"), ("Never",)),
    Case("BackupPolicy", "spec.mode", "Unsupported value", ("Apply", "Recommend"), ("DryRun",)),
    Case("BackupPolicy", "spec.limits.perHost", "should be less than or equal to 64", (64, ABSENT), (65,)),
    Case("BackupPolicy", "spec.limits.perHost", "should be greater than or equal to 1", (1,), (0,)),
    Case("BackupSet", "spec.objects[].host", "may not be more than 253", ("h" * 253,), ("h" * 254,)),
    Case("BackupPolicy", "spec.limits.drives", "should be greater than or equal to 1", (1, 512), (0,)),
    Case("BackupPolicy", "spec.backupSets.names", "Duplicate value", (["a", "b"],), (["a", "a"],)),
)
"""Examples for bounds that people meet; the API server has its own words for them."""
