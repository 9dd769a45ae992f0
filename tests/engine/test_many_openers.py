"""One store and many users of it: threads, processes, forks, restarts, and no right to write."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from asking import found, learn_texts
from biorag import Memory, NewMemory, Settings

SAVED = 2_100  # enough memories for the index to be worth saving
WRITE = """
import sys
from biorag import Memory
with Memory.open(sys.argv[1]) as memory:
    {body}
"""


def elsewhere(path: Path, body: str) -> None:
    """Runs a statement on `memory` in another process, and waits for it."""
    script = WRITE.format(body=body)
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)


def together(count: int, act: Callable[[int], object]) -> list[object]:
    """Runs `act` in many threads that all start at the same moment."""
    barrier = threading.Barrier(count)

    def run(nth: int) -> object:
        barrier.wait()
        return act(nth)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


class TestThreads:
    def test_sixteen_threads_may_recall_as_the_first_action(self, path: Path) -> None:
        """All of them find the index not yet built, and the native module not yet imported."""
        with Memory.open(path) as memory:
            learn_texts(memory, (f"note {nth} about topic {nth % 9}" for nth in range(300)))
        with Memory.open(path) as memory:
            answers = together(16, lambda nth: memory.recall("note about topic 7").hits)
        assert len(answers[0]) == 10  # type: ignore[arg-type]
        assert all(answer == answers[0] for answer in answers)

    def test_eight_threads_may_learn_and_each_finds_its_own_at_once(self, kept: Memory) -> None:
        def learn_and_ask(nth: int) -> list[str]:
            missed = []
            for item in range(25):
                kept.learn(f"item {nth} {item}", f"word{nth}x{item} in common")
                if len(kept.recall(f"word{nth}x{item}")) != 1:
                    missed.append(f"word{nth}x{item}")
            return missed

        assert together(8, learn_and_ask) == [[]] * 8
        state = kept.state()
        assert state.memories == state.index_documents == 200
        assert kept.recall("common").total == 200
        assert all(check.ok for check in kept.check())

    def test_threads_that_learn_one_name_make_one_memory(self, kept: Memory) -> None:
        statuses = together(8, lambda nth: kept.learn("the tap", "drips").status)
        assert sorted(map(str, statuses)) == ["created"] + ["unchanged"] * 7
        assert kept.count() == 1

    def test_recalls_go_on_while_others_write_and_forget(self, kept: Memory) -> None:
        learn_texts(kept, (f"steady note {nth}" for nth in range(50)))

        def act(nth: int) -> bool:
            for item in range(30):
                if nth < 2:
                    kept.learn(f"passing {nth} {item}", f"passing note {item}")
                    kept.forget(f"passing {nth} {item}")
                elif len({hit.id for hit in kept.recall("steady note", limit=50)}) != 50:
                    return False
            return True

        assert together(6, act) == [True] * 6
        assert kept.count() == kept.state().index_documents == 50


class TestStoresInOneProcess:
    def test_two_memories_never_meet(self, tmp_path: Path) -> None:
        """h7-158."""
        with Memory.open(tmp_path / "a.db") as one, Memory.open(tmp_path / "b.db") as other:
            one.learn("guest", "prefers oolong")
            other.learn("guest", "prefers cocoa")
            assert found(one, "guest") == ["prefers oolong"]
            assert found(other, "guest") == ["prefers cocoa"]
            assert one.recall("cocoa").abstained
            assert other.recall("oolong").abstained

    def test_two_memories_without_a_file_never_meet(self) -> None:
        with Memory.open(":memory:") as one, Memory.open(":memory:") as other:
            one.learn("guest", "prefers oolong")
            assert other.count() == 0
            assert other.recall("oolong").abstained

    def test_two_openings_of_one_file_see_each_other_at_once(self, path: Path) -> None:
        with Memory.open(path) as one, Memory.open(path) as other:
            assert other.recall("oolong").abstained
            one.learn("guest", "prefers oolong")
            assert found(other, "oolong") == ["prefers oolong"]
            other.update("guest", content="prefers cocoa")
            assert one.recall("oolong").abstained
            one.forget("guest")
            assert other.recall("cocoa").abstained


class TestProcesses:
    def test_the_next_recall_sees_what_another_process_wrote(self, kept: Memory) -> None:
        learn_texts(kept, ["a note on tides", "a note on ferries"])
        assert len(kept.recall("note")) == 2
        elsewhere(kept.path, 'memory.learn("new", "a note on lanterns")')
        assert found(kept, "lanterns") == ["a note on lanterns"]
        elsewhere(kept.path, 'memory.update("zq0", content="a note on dikes")')
        elsewhere(kept.path, 'memory.forget("zq1")')
        assert kept.recall("tides").abstained
        assert kept.recall("ferries").abstained
        assert set(found(kept, "note")) == {"a note on dikes", "a note on lanterns"}

    def test_one_process_is_found_in_the_other_word_for_word_alike(self, kept: Memory) -> None:
        learn_texts(kept, (f"note {nth}" for nth in range(60)))
        kept.recall("note")
        elsewhere(
            kept.path, "[memory.learn(f'x{n}', f'note {n} of the harbour') for n in range(30)]"
        )
        followed = kept.recall("note 7 of the harbour", limit=100, explain=True).hits
        with Memory.open(kept.path) as fresh:
            assert fresh.recall("note 7 of the harbour", limit=100, explain=True).hits == followed

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
    # Other tests of the run may have left idle threads behind, which Python warns of.
    @pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
    def test_a_forked_child_reads_and_writes_and_its_parent_goes_on(self, kept: Memory) -> None:
        learn_texts(kept, ["a note on tides"])
        kept.recall("tides")
        child = os.fork()
        if child == 0:
            status = 1
            try:
                seen = found(kept, "tides") == ["a note on tides"]
                kept.learn("child", "a note on lanterns")
                status = 0 if seen and kept.count() == 2 else 2
            finally:
                os._exit(status)
        _, ended = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(ended) == 0
        assert found(kept, "lanterns") == ["a note on lanterns"]
        kept.learn("parent", "a note on ferries")
        assert kept.recall("note").total == 3


class TestTheSavedIndex:
    @pytest.fixture
    def saved(self, path: Path) -> Path:
        """The file of the index of a large store that was asked and closed."""
        with Memory.open(path) as memory:
            learn_texts(memory, (f"note {nth} about topic {nth % 9}" for nth in range(SAVED)))
            memory.recall("note")
        file = path.with_name(f"{path.name}-index")
        assert file.exists()
        return file

    def test_a_reopened_memory_answers_from_it(
        self, path: Path, saved: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        content = saved.read_bytes()
        with caplog.at_level("WARNING", logger="biorag"), Memory.open(path) as memory:
            assert found(memory, "note 1234", limit=1) == ["note 1234 about topic 1"]
            assert memory.state().index_documents == SAVED
        assert caplog.records == []
        assert saved.read_bytes() == content

    def test_what_was_written_after_it_was_saved_is_found(self, path: Path, saved: Path) -> None:
        with Memory.open(path, settings=Settings(index_cache=False)) as memory:
            memory.learn("new", "a note on lanterns")
            memory.forget("zq5")
        with Memory.open(path) as memory:
            assert found(memory, "lanterns") == ["a note on lanterns"]
            assert memory.state().index_documents == SAVED
            assert all(hit.name != "zq5" for hit in memory.recall("note 5"))

    @pytest.mark.parametrize("damage", ["cut", "zeroed", "empty", "foreign", "flipped"])
    def test_a_damaged_one_is_built_again(self, path: Path, saved: Path, damage: str) -> None:
        content = saved.read_bytes()
        middle = len(content) // 2
        saved.write_bytes(
            {
                "cut": content[:middle],
                "zeroed": content[:middle] + bytes(len(content) - middle),
                "empty": b"",
                "foreign": b"SQLite format 3\0" + content,
                "flipped": content[:middle]
                + bytes([content[middle] ^ 255])
                + content[middle + 1 :],
            }[damage]
        )
        with Memory.open(path) as memory:
            assert found(memory, "note 1234", limit=1) == ["note 1234 about topic 1"]
            assert memory.state().index_documents == SAVED
        assert saved.read_bytes() == content

    def test_that_of_another_store_is_not_used(self, tmp_path: Path, saved: Path) -> None:
        other = tmp_path / "other.db"
        with Memory.open(other) as memory:
            memory.learn_many(
                NewMemory(name=f"m{nth}", content=f"remark {nth}") for nth in range(SAVED)
            )
        other.with_name("other.db-index").write_bytes(saved.read_bytes())
        with Memory.open(other) as memory:
            assert memory.recall("topic").abstained
            assert found(memory, "remark 77", limit=1) == ["remark 77"]

    def test_a_small_store_saves_none(self, tmp_path: Path, path: Path) -> None:
        with Memory.open(path) as memory:
            memory.learn("a", "b")
            memory.recall("b")
        assert not path.with_name(f"{path.name}-index").exists()

    def test_none_is_saved_when_the_setting_says_so(self, path: Path) -> None:
        with Memory.open(path, settings=Settings(index_cache=False)) as memory:
            learn_texts(memory, (f"note {nth}" for nth in range(SAVED)))
            memory.recall("note")
        assert not path.with_name(f"{path.name}-index").exists()


ASK_WITHOUT_RIGHTS = """
import codecs, os, sys
from pathlib import Path
import biorag.retrieval.recall
from biorag import Memory
from biorag.errors import ReadOnlyStoreError
from biorag.lexicon.wordnet import load_lexicon

# What is imported late must be read now: the other user may not enter the interpreter's folder.
load_lexicon()
codecs.lookup("unicode_escape")
if os.geteuid() == 0:  # root may write whatever the modes say
    os.setuid(65534)
with Memory.open(Path(sys.argv[1])) as memory:
    assert len(memory.recall("note")) == 2
    assert memory.get("zq0").content == "a note on tides"
    assert not all(check.ok for check in memory.check())
    for write in (lambda: memory.learn("new", "text"), lambda: memory.forget("zq0")):
        try:
            write()
        except ReadOnlyStoreError:
            print("refused")
    assert memory.count() == 2
"""


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="file modes mean something else here")
@pytest.mark.parametrize("folder_mode", [0o555, 0o755])
def test_a_read_only_store_recalls_and_says_why_it_does_not_learn(folder_mode: int) -> None:
    """h7-108, h7-109."""
    # Not in pytest's own folder, which no other user may enter.
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "memory.db"
        with Memory.open(path) as memory:
            learn_texts(memory, ["a note on tides", "a note on ferries"])
        path.chmod(0o444)
        folder.chmod(folder_mode)
        finished = subprocess.run(
            [sys.executable, "-c", ASK_WITHOUT_RIGHTS, str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        folder.chmod(0o755)
    assert finished.stderr == ""
    assert finished.stdout == "refused\n" * 2
