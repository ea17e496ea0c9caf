"""The gallery: a picture of every world, on a page that is complete."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from gridarium.cli import main
from gridarium.worlds import catalogue

DOCS = Path(__file__).parent.parent.parent / "docs"


def gallery(*arguments: object):
    return CliRunner().invoke(main, ["gallery", *map(str, arguments)])


@pytest.mark.exhaustive
def test_the_page_in_the_documentation_is_what_the_command_writes(tmp_path: Path) -> None:
    places = ("--page", tmp_path / "gallery.md", "--sheets", tmp_path / "worlds")
    done = gallery(tmp_path / "pictures" / "gallery", *places)
    assert done.exit_code == 0, done.output
    again = "write it again with: gridarium gallery docs/pictures/gallery --page docs/gallery.md --sheets docs/worlds"
    assert (DOCS / "gallery.md").read_text() == (tmp_path / "gallery.md").read_text(), again
    kept, made = (
        {file.name: file.read_text() for file in (folder / "pictures" / "gallery").iterdir()}
        for folder in (DOCS, tmp_path)
    )
    assert kept == made, again
    assert set(kept) == {f"{name}.svg" for name in catalogue.names()}
    assert sum(map(len, kept.values())) < 1_500_000


def test_a_page_of_html_shows_the_chosen_worlds(tmp_path: Path) -> None:
    done = gallery(tmp_path, "--word", "keydoor", "--theme", "dark")
    assert done.exit_code == 0 and "3 worlds" in done.output
    page = (tmp_path / "index.html").read_text()
    names = re.findall(r'src="([^"]+)"', page)
    assert "<a href" not in page
    assert names == [f"{name}.svg" for name in catalogue.names() if "KeyDoor" in name]
    for name in names:
        assert int(ElementTree.parse(tmp_path / name).getroot().get("width")) <= 240


def test_pictures_may_be_pixels(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    assert gallery(tmp_path, "--word", "Empty-4x4", "--format", "png", "--side", 100).exit_code == 0
    with image.open(tmp_path / "Empty-4x4.png") as picture:
        assert picture.size == (100, 100)


def test_games_are_shown_in_the_middle(tmp_path: Path) -> None:
    assert gallery(tmp_path, "--word", "TicTacToe-2p").exit_code == 0
    drawn = (tmp_path / "TicTacToe-2p.svg").read_text()
    assert "CROSS" in drawn and "NOUGHT" in drawn


def test_names_lead_to_the_sheets_of_their_families(tmp_path: Path) -> None:
    assert gallery(tmp_path, "--word", "Teleport-5x5", "--sheets", tmp_path / "sheets").exit_code == 0
    assert '<b><a href="sheets/Teleport.md">Teleport-5x5</a></b>' in (tmp_path / "index.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--word", "nonsense"), "no world has 'nonsense' in its name"),
        (("--page", "page.txt"), "a page ends in .html or .md"),
    ],
)
def test_mistakes_are_explained(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = gallery(tmp_path, *arguments)
    assert done.exit_code == 1 and message in done.output


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = gallery(tmp_path / "file" / "out", "--word", "Empty-4x4")
    assert done.exit_code == 1 and "cannot write" in done.output and "Traceback" not in done.output


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_has_the_colors_of_its_theme(tmp_path: Path, theme: str) -> None:
    assert gallery(tmp_path, "--word", "Empty-4x4", "--theme", theme).exit_code == 0
    page = (tmp_path / "index.html").read_text()
    assert ("background:#ffffff" in page) == (theme == "light")
    assert 'name="generator" content="gridarium gallery"' in page


def test_solid_wall_is_left_out(tmp_path: Path) -> None:
    assert gallery(tmp_path, "--word", "MultiRoom-N2").exit_code == 0
    left, upper, width, height = map(
        int, ElementTree.parse(tmp_path / "MultiRoom-N2.svg").getroot().get("viewBox").split()
    )
    assert (left, upper) == (0, 0) and width * height < 200


@pytest.mark.parametrize("name", ["index.html", "page.md"])
def test_a_page_that_is_no_gallery_is_kept(tmp_path: Path, name: str) -> None:
    page = tmp_path / name
    page.write_bytes(b"my own page \xff")
    arguments = (tmp_path, "--word", "Empty-4x4", "--page", page)
    done = gallery(*arguments)
    assert done.exit_code == 1 and f"{page} is there already" in done.output and "--overwrite" in done.output
    assert page.read_bytes() == b"my own page \xff" and list(tmp_path.iterdir()) == [page]
    assert gallery(*arguments, "--overwrite").exit_code == 0
    assert gallery(*arguments).exit_code == 0, "its own pages are written again"


def test_worlds_are_drawn_with_other_parameters(tmp_path: Path) -> None:
    names = ("plain", "wide")
    for name, options in zip(names, ((), ("--set", "shape=5x8")), strict=True):
        done = gallery(tmp_path / name, "--word", "Empty-4x4", *options)
        assert done.exit_code == 0, done.output
    plain, wide = ((tmp_path / name / "Empty-4x4.svg").read_text() for name in names)
    assert plain != wide
    done = gallery(tmp_path / "none", "--word", "Empty-4x4", "--set", "sharpe=5x8")
    assert done.exit_code == 1 and "did you mean 'shape'?" in done.output
