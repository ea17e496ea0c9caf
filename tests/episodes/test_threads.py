"""Several threads read an episode, one of which has to write its arrays first."""

import multiprocessing
import os
import sys
import threading

import numpy as np
import pytest

from gridarium.episodes import SingleAgentEpisode
from gridarium.episodes.buffer.storage import WRITE_LOCK

FRAME = np.zeros((200, 200))  # so large that numpy lets other threads run while it copies


@pytest.fixture(autouse=True)
def hasty():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def together(*functions):
    told = []

    def run(function):
        try:
            told.append(function())
        except Exception as error:
            told.append(error)

    threads = [threading.Thread(target=run, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


def test_threads_that_read_see_the_same():
    for _ in range(40):
        episode = SingleAgentEpisode(
            observations=[FRAME] * 4, actions=[0] * 3, rewards=[0.0] * 3, len_lookback_buffer=0
        )
        episode.to_numpy()
        for _ in range(5):
            episode.add_env_step(FRAME, 0, 0.0)

        def look(episode=episode):
            return len(episode.get_observations()), len(episode.get_infos())

        assert together(look, look, look) == [(9, 9)] * 3
        assert len(episode.get_observations()) == 9


def test_no_step_is_lost_while_others_read():
    frame = np.zeros((16, 40)).T
    episode = SingleAgentEpisode(observations=[frame] * 2, actions=[0], rewards=[0.0], len_lookback_buffer=0)
    episode.to_numpy()

    def add():
        for i in range(2000):
            episode.add_env_step(frame, i, float(i))
        return "done"

    def look():
        seen = 0
        for _ in range(300):
            now = len(episode.get_observations())
            assert seen <= now <= 2002
            seen = now
        return "done"

    assert together(add, look, look) == ["done"] * 3
    assert len(episode) == 2001 == len(episode.get_observations()) - 1
    assert episode.get_actions(slice(1, None)).tolist() == list(range(2000))


def count_after_fork(episode, answers):
    episode.add_env_step(FRAME, 0, 0.0)
    answers.put(len(episode.to_numpy().get_observations()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_writes_although_a_thread_was_writing():
    episode = SingleAgentEpisode(observations=[FRAME], len_lookback_buffer=0)
    held, done = threading.Event(), threading.Event()

    def write_for_long():
        with WRITE_LOCK:
            held.set()
            done.wait(0.3)

    other = threading.Thread(target=write_for_long)
    other.start()
    held.wait()
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    child = context.Process(target=count_after_fork, args=(episode, answers))
    child.start()
    assert answers.get() == 2
    child.join()
    other.join()
