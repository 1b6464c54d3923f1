"""How long the usual workload takes: simulated, against the same rule written with SimPy, and tuned."""

from bench.command import interpreter_s, tune_s
from bench.simpy_model import makespan as simpy_makespan
from bench.sizes import Sizes
from bench.timing import medians
from flexlbf.samples import workload
from flexlbf.scheduling import FlexLBF, equal_drives, simulate
from flexlbf.scheduling.workload import Workload
from flexlbf.tuning import Fastest, tune


def speed(sizes: Sizes) -> dict[str, float]:
    """Every figure by its name."""
    return {**_in_this_process(sizes), **_as_a_command(sizes)}


def _in_this_process(sizes: Sizes) -> dict[str, float]:
    """Both simulators get the workload in order, since ordering it is no part of a simulation."""
    jobs, drives = Workload.of(workload(sizes.objects)), equal_drives(sizes.drives, 80, 10)
    times = medians(
        {
            "simulate": lambda: simulate(jobs, drives, FlexLBF()),
            "simpy": lambda: simpy_makespan(jobs, drives),
            "tune": lambda: tune(jobs, drives, Fastest()),
        },
        sizes.runs,
    )
    difference = abs(simulate(jobs, drives, FlexLBF()).makespan - simpy_makespan(jobs, drives))
    return {
        "simulate_ms": times["simulate"] * 1e3,
        "simpy_ms": times["simpy"] * 1e3,
        "simpy_over_simulate": times["simpy"] / times["simulate"],
        "simpy_makespan_difference_ns": difference,
        "tune_ms": times["tune"] * 1e3,
        "tune_over_simpy": times["tune"] / times["simpy"],
    }


def _as_a_command(sizes: Sizes) -> dict[str, float]:
    usual = tune_s(sizes.objects, sizes.drives, sizes.large_runs)
    return {
        "tune_command_s": usual,
        "tune_command_over_python": usual / interpreter_s(sizes.large_runs),
        "tune_large_command_s": tune_s(sizes.tuned_objects, sizes.large_drives, 1),
    }
