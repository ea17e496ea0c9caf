from gridarium.rules.design import (
    draw_area,
    draw_cartesian_product,
    draw_line_horizontal,
    draw_line_vertical,
    draw_room,
    draw_room_grid,
    draw_wall_boundary,
)
from gridarium.world.geometry import Area
from gridarium.world.objects import Key, Lava, Wall
from gridarium.world.state import State
from tests.maps import WORDS, YELLOW, same_picture


def drawn(function, *args, **named):
    state = State.blank((4, 6), WORDS)
    state.agent.active = False
    assert function(state.grid, *args, **named) is None
    return state


def test_a_boundary_runs_around_the_grid():
    assert same_picture(drawn(draw_wall_boundary), "######\n#....#\n#....#\n######")


def test_a_room_is_the_border_of_an_area():
    assert same_picture(drawn(draw_room, Area((0, 2), (1, 4)), Wall), ".####.\n.#..#.\n.####.\n......")


def test_a_room_grid_is_a_lattice():
    assert same_picture(drawn(draw_room_grid, (0, 3), (0, 2, 4), Wall), "#####.\n#.#.#.\n#.#.#.\n#####.")


def test_an_area_is_filled_or_outlined():
    area = Area((1, 3), (3, 5))
    assert same_picture(drawn(draw_area, area, Lava, fill=True), "......\n...~~~\n...~~~\n...~~~")
    assert same_picture(drawn(draw_area, area, Lava, fill=False), "......\n...~~~\n...~.~\n...~~~")


def test_lines_run_along_rows_and_columns():
    assert same_picture(drawn(draw_line_horizontal, 1, range(2, 5), Wall), "......\n..###.\n......\n......")
    assert same_picture(drawn(draw_line_vertical, (0, 3), 5, Wall), ".....#\n......\n......\n.....#")


def test_a_product_covers_all_pairs():
    def yellow_key():
        return Key(YELLOW)

    state = drawn(draw_cartesian_product, (0, 2), (1, 4), yellow_key)
    assert same_picture(state, ".K..K.\n......\n.K..K.\n......")
