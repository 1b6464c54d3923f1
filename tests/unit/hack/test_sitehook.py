"""Links of the repository as links of the site."""

import posixpath
from pathlib import Path

import pytest
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import sitehook


@pytest.fixture
def config(tmp_path: Path) -> MkDocsConfig:
    """Of a site without an address of the repository."""
    docs, site = tmp_path / "docs", tmp_path / "site"
    docs.mkdir()
    made = MkDocsConfig()
    made.load_dict({"site_name": "test", "docs_dir": str(docs), "site_dir": str(site), "theme": "mkdocs"})
    assert made.validate() == ([], [])
    return made


def relinked(text: str, place: str, config: MkDocsConfig) -> str:
    """A page's text on the site."""
    names = ("index.md", "decisions/README.md", "concepts/problem.md", "evaluation.md", place)
    folders = (config.docs_dir, config.site_dir)
    files = Files([File(name, *folders, use_directory_urls=False) for name in dict.fromkeys(names)])
    file = files.get_file_from_path(place)
    assert file
    return sitehook.on_page_markdown(text, Page("", file, config), config, files)


@pytest.mark.parametrize(
    ("place", "link", "wanted"),
    [
        ("index.md", "[a](concepts/problem.md#x)", "[a](concepts/problem.md#x)"),
        ("concepts/problem.md", "[a](../../ARCHITECTURE.md)", "[a](../project/architecture.md)"),
        ("concepts/problem.md", "[a](../../README.md)", "[a](../index.md)"),
        ("project/architecture.md", "[a](docs/decisions/)", "[a](../decisions/README.md)"),
        ("reference/chart.md", "[a](../../docs/evaluation.md)", "[a](../evaluation.md)"),
        ("index.md", "[`a`](../hack/generate.py)", "`a`"),
        ("index.md", "[a](../hack/generate.py)", "`a`"),
        ("index.md", "[a](../hack/nothing.py)", "[a](../hack/nothing.py)"),
        ("index.md", "[a](https://example.com/x)", "[a](https://example.com/x)"),
        ("index.md", "[a](#anchor)", "[a](#anchor)"),
        ("index.md", "![a](concepts/load.svg)", "![a](concepts/load.svg)"),
        ("index.md", "```sh\n[a](../README.md)\n```", "```sh\n[a](../README.md)\n```"),
    ],
)
def test_a_link_leads_to_the_page_of_its_file(place: str, link: str, wanted: str, config: MkDocsConfig):
    assert relinked(link, place, config) == wanted


def test_source_code_is_linked_where_the_repository_has_an_address(config: MkDocsConfig):
    config.repo_url = "https://git.example.com/backup/operator/"
    wanted = "[a](https://git.example.com/backup/operator/blob/main/hack/generate.py)"
    assert relinked("[a](../hack/generate.py)", "index.md", config) == wanted


def test_decisions_are_listed_with_their_headings_the_newest_first(config: MkDocsConfig):
    config.nav = [{"Home": "index.md"}, {"Project": [{"Decisions": "decisions/"}]}]
    nav = sitehook.on_config(config).nav
    assert nav
    home, project = nav
    first, *records = project["Project"][0]["Decisions"]
    assert (home, first) == ({"Home": "index.md"}, "decisions/README.md")
    names = [posixpath.basename(path) for each in records for path in each.values()]
    assert names == sorted(names, key=lambda name: (-int(name[:10].replace("-", "")), name))
    assert "The plan is simulated on cron's grid" in {title for each in records for title in each}
