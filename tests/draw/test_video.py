"""Animated files, written while their frames come."""

import gc
import sys
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gridarium.draw import VideoWriter

Image = pytest.importorskip("PIL.Image")
RED, BLUE = (200, 30, 40), (20, 60, 220)


def walk(count=6, height=10, width=14):
    """A red square that moves over blue, a column a frame."""
    frames = np.full((count, height, width, 3), BLUE, np.uint8)
    for i, frame in enumerate(frames):
        frame[2:5, i : i + 3] = RED
    return list(frames)


def write(path, frames, **options):
    with VideoWriter(path, **options) as video:
        for frame in frames:
            video.add(frame)


def read(path):
    """Frames and their times in milliseconds."""
    frames, times = [], []
    with Image.open(path) as picture:
        for i in range(picture.n_frames):
            picture.seek(i)
            frames.append(np.array(picture.convert("RGB")))
            times.append(picture.info["duration"])
    return frames, times


@pytest.mark.parametrize("name", ["walk.gif", "walk.webp"])
def test_the_file_holds_the_frames_to_the_bit(tmp_path, name):
    write(tmp_path / name, walk(), fps=10)
    frames, times = read(tmp_path / name)
    assert np.array_equal(frames, walk())
    assert times == [100] * 6
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["some.gif", "some.webp"])
@given(
    frames=arrays(
        np.uint8,
        st.tuples(st.integers(1, 5), st.integers(1, 6), st.integers(1, 6), st.just(3)),
        elements=st.integers(0, 255),
    )
)
def test_any_frames_come_back(tmp_path_factory, name, frames):
    path = tmp_path_factory.mktemp("some") / name
    write(path, frames, fps=10)
    back, times = read(path)
    shown = [np.array_equal(a, b) for a, b in zip(frames[1:], frames)]
    assert len(back) == len(frames) - sum(shown)  # a frame like the one before makes that one longer
    assert sum(times) == 100 * len(frames)
    assert np.array_equal(back[0], frames[0]) and np.array_equal(back[-1], frames[-1])


def test_an_mp4_holds_a_frame_for_each(tmp_path):
    av = pytest.importorskip("av")
    write(tmp_path / "walk.mp4", walk(5, 31, 47), fps=4, hold=0.5)
    with av.open(str(tmp_path / "walk.mp4")) as film:
        stream = film.streams.video[0]
        frames = [frame.to_ndarray(format="rgb24") for frame in film.decode(stream)]
        assert (stream.codec_context.name, stream.average_rate) == ("h264", 4)
    assert len(frames) == 5 + 2  # the last one is held
    assert frames[0].shape == (32, 48, 3)  # the format has even sizes only
    middle = frames[4][3, 5].astype(int)
    assert middle[0] > middle[2]  # red where the square is


def test_the_last_frame_can_be_held(tmp_path):
    write(tmp_path / "walk.webp", walk(3), fps=8, hold=1.5)
    assert read(tmp_path / "walk.webp")[1] == [125, 125, 1625]


def test_times_do_not_drift_by_rounding(tmp_path):
    write(tmp_path / "walk.gif", walk(8), fps=30)
    times = read(tmp_path / "walk.gif")[1]
    assert sum(times) == pytest.approx(8 / 30 * 1000, abs=10)
    assert len(set(times)) > 1


def test_plain_colors_stay_exact_where_there_are_too_many(tmp_path):
    many = np.random.default_rng(0).integers(0, 256, (40, 40, 3), np.uint8)
    many[:20] = RED
    write(tmp_path / "many.gif", [many])
    (back,), _ = read(tmp_path / "many.gif")
    assert len(np.unique(many.reshape(-1, 3), axis=0)) > 256
    assert (back[:20] == RED).all()
    assert np.abs(back.astype(int) - many).mean() < 20


@pytest.mark.parametrize("ending", ["gif", "webp"])
@pytest.mark.usefixtures("old_garbage_left_alone")
def test_memory_does_not_grow_with_the_film(tmp_path, ending):
    def peak(count):
        tracemalloc.start()
        with VideoWriter(tmp_path / f"long.{ending}", fps=10) as video:
            for i in range(count):
                frame = np.zeros((40, 40, 3), np.uint8)
                frame[i % 40, i // 40 % 40] = RED
                video.add(frame)
                if i % 10 == 0:
                    gc.collect()  # Pillow leaves rings of garbage behind
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    gc.collect()
    gc.freeze()  # what other tests have loaded is not looked through each time
    try:
        peak(5)
        assert peak(150) < peak(30) + 50_000
    finally:
        gc.unfreeze()


def test_it_has_its_name_only_when_it_is_complete(tmp_path):
    path = tmp_path / "walk.gif"
    path.write_bytes(b"an older one")
    video = VideoWriter(path)
    for frame in walk():
        video.add(frame)
    assert path.read_bytes() == b"an older one"
    video.close()
    assert len(read(path)[0]) == 6
    video.close()
    assert video.frames == 6


def test_what_goes_wrong_leaves_nothing_behind(tmp_path):
    with pytest.raises(ZeroDivisionError), VideoWriter(tmp_path / "walk.gif") as video:
        video.add(walk()[0])
        _ = 1 / 0
    with pytest.raises(ValueError, match="there are no frames"), VideoWriter(tmp_path / "none.gif"):
        pass
    forgotten = VideoWriter(tmp_path / "forgotten.webp")
    forgotten.add(walk()[0])
    del forgotten
    assert list(tmp_path.iterdir()) == []


def test_frames_are_checked(tmp_path):
    with VideoWriter(tmp_path / "walk.gif") as video:
        video.add(walk()[0])
        with pytest.raises(ValueError, match=r"frame 1 is 5 x 7, the ones before it are 14 x 10"):
            video.add(np.zeros((7, 5, 3), np.uint8))
        with pytest.raises(ValueError, match=r"uint8\[height, width, 3\], not float64\[10, 14, 3\]"):
            video.add(walk()[0] / 255)
        with pytest.raises(ValueError, match="not uint8"):
            video.add(np.zeros((0, 5, 3), np.uint8))
    with pytest.raises(ValueError, match="closed"):
        video.add(walk()[0])


def test_what_is_added_may_change_afterwards(tmp_path):
    frame = walk()[0]
    with VideoWriter(tmp_path / "walk.webp") as video:
        video.add(frame)
        frame[:] = 0
        video.add(frame)
    assert np.array_equal(read(tmp_path / "walk.webp")[0][0], walk()[0])


def test_names_rates_and_folders_are_checked_at_once(tmp_path):
    with pytest.raises(ValueError, match=r"ends in \.gif, \.webp, \.mp4, not '\.avi'"):
        VideoWriter(tmp_path / "walk.avi")
    with pytest.raises(ValueError, match=r"\.gif has at most 50 frames a second"):
        VideoWriter(tmp_path / "walk.gif", fps=60)
    with pytest.raises(ValueError, match="more than 0"):
        VideoWriter(tmp_path / "walk.gif", fps=0)
    with pytest.raises(FileNotFoundError, match=r"No such file or directory: .*nowhere/walk\.gif'"):
        VideoWriter(tmp_path / "nowhere" / "walk.gif")


@pytest.mark.parametrize(
    ("missing", "name", "extra"),
    [("av", "a.mp4", "video"), ("PIL", "a.gif", "pictures"), ("PIL", "a.webp", "pictures")],
)
def test_a_missing_library_is_named_by_its_extra(tmp_path, monkeypatch, missing, name, extra):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=rf"install gridarium\[{extra}\]"):
        VideoWriter(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
