"""One thread at a time writes what an episode holds in lists into its arrays: whoever reads arrays may have to."""

from __future__ import annotations

import os
import threading

WRITING = threading.RLock()
"""Held while lists become arrays. It is shared by all episodes, since blocks are written seldom and soon."""

if hasattr(os, "register_at_fork"):  # a child must not find it held by a thread that it does not have
    os.register_at_fork(
        before=WRITING.acquire, after_in_parent=WRITING.release, after_in_child=WRITING.release
    )
