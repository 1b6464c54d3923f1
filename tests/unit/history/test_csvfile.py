"""Workloads as CSV, right and wrong."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.history import CsvError, Measurement, read_workload
from flexlbf.scheduling import Host, Job
from support.strategies import examples

ESTIMATES = "object,duration_s,throughput_mbps\n"
HISTORY = "object,start,end,bytes\n"
BOTH = (
    "write a header line with either object,duration_s,throughput_mbps or object,start,end,bytes, with or "
    "without host"
)
TWO = [Job.of("fs07:/data", 5400, 12.5), Job.of("fs08:/data", 60, 0)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(ESTIMATES + "fs07:/data,5400,12.5\nfs08:/data,60,0\n", id="as written"),
        pytest.param(ESTIMATES + "fs07:/data,5400,12.5\nfs08:/data,60,0", id="no newline at the end"),
        pytest.param("\ufeff" + ESTIMATES + "fs07:/data,5400,12.5\nfs08:/data,60,0\n", id="byte order mark"),
        pytest.param(
            "object,duration_s,throughput_mbps\r\nfs07:/data,5400,12.5\r\nfs08:/data,60,0\r\n", id="CRLF"
        ),
        pytest.param(
            "object,duration_s,throughput_mbps\rfs07:/data,5400,12.5\rfs08:/data,60,0\r", id="CR alone"
        ),
        pytest.param(
            "\n" + ESTIMATES + "\nfs07:/data,5400,12.5\n\n , ,\nfs08:/data,60,0\n\n", id="blank lines"
        ),
        pytest.param(
            "throughput_mbps,object,duration_s\n12.5,fs07:/data,5400\n0,fs08:/data,60\n", id="another order"
        ),
        pytest.param(
            " object , duration_s,throughput_mbps \n fs07:/data , 5400 ,12.5\nfs08:/data,6e1, 0.0\n",
            id="spaces around cells",
        ),
        pytest.param(
            '"object","duration_s","throughput_mbps"\n"fs07:/data","5400","12.5"\n"fs08:/data","60","0"\n',
            id="everything quoted",
        ),
    ],
)
def test_estimates_are_read_however_they_are_laid_out(text: str) -> None:
    """In the order of their lines."""
    assert read_workload(text, "jobs.csv").jobs() == TWO


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        pytest.param('"data, of fs07"', "data, of fs07", id="a comma in quotes"),
        pytest.param('"the ""old"" one"', 'the "old" one', id="quotes in quotes"),
        pytest.param("Büro:/größe", "Büro:/größe", id="letters of any script"),
        pytest.param("12", "12", id="digits"),
        pytest.param('"two\r\nlines"', "two\r\nlines", id="a line break, as it is"),
        pytest.param("C:\\Users", "C:\\Users", id="a backslash"),
    ],
)
def test_an_object_may_have_any_name(cell: str, name: str) -> None:
    """Quoted as spreadsheets do."""
    assert read_workload(f"{ESTIMATES}{cell},1,1\n", "jobs.csv").jobs() == [Job.of(name, 1, 1)]


def test_history_rows_are_measurements_of_their_objects() -> None:
    """Several an object, in any order, in any zone, the columns in any order."""
    text = (
        "bytes,end,start,object\n"
        "2000000000,2026-01-09T23:40:00+01:00,2026-01-09T23:00:00+01:00,b\n"
        "1000000000,2026-01-02T22:16:40Z,2026-01-02T22:00:00Z,a\n"
        "4000000000,2026-01-09T22:33:20.5Z,2026-01-09T22:00:00.5Z,a\n"
    )
    workload = read_workload(text, "history.csv")
    assert workload.estimates == {}
    assert workload.measurements["a"][0] == Measurement(
        datetime(2026, 1, 2, 22, tzinfo=UTC), 1000 * 10**9, 10**9
    )
    assert [(job.name, job.duration_s, round(job.throughput_mbps, 6)) for job in workload.jobs()] == [
        ("b", 2400, 0.833333),
        ("a", 2000, 1.5),
    ]
    assert workload.jobs(window=1)[1].throughput_mbps == 2


def test_a_backup_within_one_second_takes_a_second() -> None:
    """Catalogs record whole seconds."""
    text = HISTORY + "a,2026-01-02T22:00:00Z,2026-01-02T22:00:00Z,5000000\n"
    assert read_workload(text, "history.csv").jobs() == [Job.of("a", 1, 5)]


def test_objects_may_have_hosts() -> None:
    """In a column that may stand anywhere; an empty cell is no host, and without a limit there is none."""
    workload = read_workload("object,host,duration_s,throughput_mbps\na,fs1,1,1\nb,,1,1\n", "jobs.csv")
    assert workload.hosts == {"a": "fs1"}
    assert workload.jobs() == [Job.of("a", 1, 1), Job.of("b", 1, 1)]
    limited = workload.jobs(per_host=2)
    assert [job.host for job in limited] == [Host("fs1", 2), None]


def test_an_object_is_on_the_host_of_its_latest_backup() -> None:
    """It may have moved; rows come in any order, and not every catalog names the host in each."""
    text = (
        "object,start,end,bytes,host\n"
        "a,2026-01-09T22:00:00Z,2026-01-09T22:10:00Z,1000,new\n"
        "a,2026-01-02T22:00:00Z,2026-01-02T22:10:00Z,1000,old\n"
        "a,2026-01-16T22:00:00Z,2026-01-16T22:10:00Z,1000,\n"
        "b,2026-01-16T22:00:00Z,2026-01-16T22:10:00Z,1000,\n"
    )
    workload = read_workload(text, "history.csv")
    assert workload.hosts == {"a": "new"}
    assert [(job.name, job.host) for job in workload.jobs(per_host=1)] == [("a", Host("new", 1)), ("b", None)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", f"1: the columns are missing: {BOTH}", id="empty file"),
        pytest.param("\n \n", f"1: the columns are missing: {BOTH}", id="blank file"),
        pytest.param(
            ESTIMATES, "1: there is no object: write one line for each below the header", id="no rows"
        ),
        pytest.param(
            HISTORY + "\n", "1: there is no object: write one line for each below the header", id="no history"
        ),
        pytest.param("a,1,1\n", f"1: the columns are a, 1, 1: {BOTH}", id="no header"),
        pytest.param(
            "\nobject,duration,rate\n",
            f"2: the columns are object, duration, rate: {BOTH}",
            id="other columns",
        ),
        pytest.param(
            "object,duration_s\n", f"1: the columns are object, duration_s: {BOTH}", id="one is missing"
        ),
        pytest.param(
            "object,duration_s,throughput_mbps,x\n",
            f"1: the columns are object, duration_s, throughput_mbps, x: {BOTH}",
            id="one too many",
        ),
        pytest.param(
            "object,object,duration_s\n",
            f"1: the columns are object, object, duration_s: {BOTH}",
            id="one twice",
        ),
        pytest.param(
            "Object,duration_s,throughput_mbps\n",
            f"1: the columns are Object, duration_s, throughput_mbps: {BOTH}",
            id="upper case",
        ),
        pytest.param('"a\nb",c\n', f"2: the columns are a\\nb, c: {BOTH}", id="header over two lines"),
        pytest.param(
            ESTIMATES + "a,1\n", "2: 2 cells: write 3, object,duration_s,throughput_mbps", id="a cell short"
        ),
        pytest.param(
            "bytes,object,start,end\n1,a,2,3,4\n",
            "2: 5 cells: write 4, bytes,object,start,end",
            id="a cell too many, in the file's own order",
        ),
        pytest.param(
            ESTIMATES + "data, of fs07,1,1\n",
            "2: 4 cells: write 3, object,duration_s,throughput_mbps",
            id="a comma without quotes",
        ),
        pytest.param(
            ESTIMATES + " ,1,1\n", "2: the object has no name: write one in the column object", id="no name"
        ),
        pytest.param(
            ESTIMATES + "a,1,1\n\nb,1,1\na,2,2\n",
            "5: object 'a' is there twice: keep one of its lines",
            id="an object twice, blank lines counted",
        ),
        pytest.param(
            ESTIMATES + '"a\nb",1,1\nc,x,1\n',
            "4: duration_s is 'x': write seconds of more than 0, such as 5400",
            id="a name over two lines counts as two",
        ),
        pytest.param(
            ESTIMATES + "a,1h,1\n",
            "2: duration_s is '1h': write seconds of more than 0, such as 5400",
            id="unit",
        ),
        pytest.param(
            ESTIMATES + "a,,1\n",
            "2: duration_s is '': write seconds of more than 0, such as 5400",
            id="empty",
        ),
        pytest.param(
            ESTIMATES + "a,-1,1\n",
            "2: duration_s is '-1': write seconds of more than 0, such as 5400",
            id="negative duration",
        ),
        pytest.param(
            ESTIMATES + "a,0,1\n", "2: object 'a': a duration must be more than 0 s", id="no duration"
        ),
        pytest.param(
            ESTIMATES + "a,nan,1\n",
            "2: duration_s is 'nan': write seconds of more than 0, such as 5400",
            id="not a number",
        ),
        pytest.param(
            ESTIMATES + "a,1e300,1\n",
            "2: duration_s is '1e300': write seconds of more than 0, such as 5400",
            id="longer than anything",
        ),
        pytest.param(
            ESTIMATES + "a,1_000,1\n",
            "2: duration_s is '1_000': write seconds of more than 0, such as 5400",
            id="digits grouped as in a program",
        ),
        pytest.param(
            ESTIMATES + 'a,"1,5",1\n',
            "2: duration_s is '1,5': write seconds of more than 0, such as 5400",
            id="a comma for a point",
        ),
        pytest.param(
            ESTIMATES + "a,1,inf\n",
            "2: throughput_mbps is 'inf': write MB/s of 0 or more, such as 12.5",
            id="infinite throughput",
        ),
        pytest.param(
            ESTIMATES + "a,1,-0.1\n",
            "2: throughput_mbps is '-0.1': write MB/s of 0 or more, such as 12.5",
            id="negative throughput",
        ),
        pytest.param(
            ESTIMATES + 'a,1,1\n"b,2,3\n',
            "3: this is no CSV (unexpected end of data): quote cells with commas",
            id="a quote never closed",
        ),
        pytest.param(
            ESTIMATES + '"b"x,2,3\n',
            "2: this is no CSV (',' expected after '\"'): quote cells with commas",
            id="text after a quote",
        ),
        pytest.param(
            HISTORY + "a,yesterday,2026-01-02T22:00:00Z,1\n",
            "2: start is 'yesterday': write date, time and zone as in 2026-01-31T22:00:00Z",
            id="no timestamp",
        ),
        pytest.param(
            HISTORY + "a,2026-01-02T22:00:00Z,2026-01-02T23:00:00,1\n",
            "2: end is '2026-01-02T23:00:00': write date, time and zone as in 2026-01-31T22:00:00Z",
            id="no zone",
        ),
        pytest.param(
            HISTORY + "a,2026-01-02,2026-01-02T23:00:00Z,1\n",
            "2: start is '2026-01-02': write date, time and zone as in 2026-01-31T22:00:00Z",
            id="a date alone",
        ),
        pytest.param(
            HISTORY + "a,2026-02-30T22:00:00Z,2026-01-02T23:00:00Z,1\n",
            "2: start is '2026-02-30T22:00:00Z': write date, time and zone as in 2026-01-31T22:00:00Z",
            id="no such day",
        ),
        pytest.param(
            HISTORY + "a,2026-01-02T22:00:01Z,2026-01-02T22:00:00Z,1\n",
            "2: end 2026-01-02T22:00:00+00:00 is before start 2026-01-02T22:00:01+00:00: swap them",
            id="end before start",
        ),
        *(
            pytest.param(
                HISTORY + f"a,2026-01-02T22:00:00Z,2026-01-02T23:00:00Z,{cell}\n",
                f"2: bytes is {cell!r}: write a whole number, such as 1500000000",
                id=told,
            )
            for told, cell in {
                "bytes with a fraction": "1.5",
                "negative bytes": "-1",
                "bytes with a suffix": "31G",
                "no bytes": "",
                "digits of another script": "١٢",
                "more bytes than there are": "9" * 5000,
            }.items()
        ),
    ],
)
def test_bad_input_is_told_in_one_line_with_its_place_and_the_mend(text: str, message: str) -> None:
    """`source:line: message`, all of it."""
    with pytest.raises(CsvError) as caught:
        read_workload(text, "jobs.csv")
    assert str(caught.value) == f"jobs.csv:{message}"


@examples(150)
@given(st.text("object,duration_sthroughput_mbps\r\n\"'0123456789.-eTZ:\ufeff\x00 ", max_size=80))
def test_no_text_at_all_ends_in_another_error(text: str) -> None:
    """Of either form, whatever follows the header."""
    for header in ("", ESTIMATES, HISTORY):
        said = complaint(header + text)
        assert said == "" or (said.startswith("jobs.csv:") and "\n" not in said)


def complaint(text: str) -> str:
    """What is wrong with a CSV, or nothing if it has objects."""
    try:
        workload = read_workload(text, "jobs.csv")
    except CsvError as error:
        return str(error)
    assert workload.jobs()
    return ""
