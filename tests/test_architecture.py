"""How the package is built: layers that point down, one door to the core, light imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from biorag import _native

PACKAGE = Path(__file__).parents[1] / "python" / "biorag"
LAYERS = (
    "storage",
    "lexicon",
    "signals",
    "retrieval",
    "learning",
    "lifecycle",
    "engine",
    "evaluation",
    "service",
)
LONGEST_FILE = 450  # lines; what is longer says more than one thing

SOURCES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return ".".join(("biorag", *path.relative_to(PACKAGE).with_suffix("").parts))


def layer_of(module: str) -> int:
    """Height of a module in the stack. What lies beside the packages is the ground, below all."""
    package = module.split(".")[1] if "." in module else ""
    return LAYERS.index(package) if package in LAYERS else -1


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(path: Path) -> Iterator[str]:
    """Every module or name that a file imports, anywhere in it."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            for alias in node.names:
                yield f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def run(script: str) -> str:
    """What a fresh interpreter prints."""
    finished = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return finished.stdout


every_source = pytest.mark.parametrize("path", SOURCES, ids=name_of)


class TestSources:
    def test_there_are_sources_to_check(self) -> None:
        names = set(map(name_of, SOURCES))
        assert {"biorag.engine.memory", "biorag.retrieval.recall", "biorag.model"} <= names
        assert {layer_of(name) for name in names} >= {-1, LAYERS.index("storage")}

    @every_source
    def test_imports_point_down(self, path: Path) -> None:
        importer = name_of(path)
        if path.name in {"__init__.py", "__main__.py"} and path.parent == PACKAGE:
            return  # the public face of the package re-exports from every layer
        upward = [
            imported
            for imported in imports_of(path)
            if imported.startswith("biorag.") and layer_of(imported) > layer_of(importer)
        ]
        assert not upward, f"{importer} imports from a layer above it: {upward}"

    @every_source
    def test_a_file_is_short_enough_to_say_one_thing(self, path: Path) -> None:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE

    def test_only_the_kernels_talk_to_the_native_module(self) -> None:
        importers = {
            name_of(path)
            for path in SOURCES
            if any(imported.startswith("biorag._native") for imported in imports_of(path))
        }
        assert importers
        assert {name for name in importers if not name.startswith("biorag.kernels.")} == set()

    def test_only_the_container_reads_the_environment(self) -> None:
        readers = {name_of(path) for path in SOURCES if reads_environment(path)}
        assert readers <= {"biorag.service.container"}

    def test_every_package_of_the_stack_is_known(self) -> None:
        packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
        assert packages - {"kernels"} <= set(LAYERS)


class TestImports:
    def test_opening_and_learning_import_nothing_heavy(self) -> None:
        """A server starts, and a command learns, without a second of imports."""
        loaded = run(
            "import sys\n"
            "from biorag import Memory\n"
            "with Memory.open(':memory:') as memory: memory.learn('a name', 'a text')\n"
            "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
        ).split()
        assert "biorag" in loaded
        assert {"numpy", "nltk", "mcp", "typer", "rich", "platformdirs"} & set(loaded) == set()

    def test_the_package_works_without_what_only_some_features_need(self) -> None:
        assert (
            run(
                "import sys\n"
                "for name in ('nltk', 'mcp', 'typer', 'rich'): sys.modules[name] = None\n"
                "from biorag import Memory\n"
                "with Memory.open(':memory:') as memory:\n"
                "    memory.learn('key', 'La llave está bajo la maceta azul')\n"
                "    print(memory.recall('where is the blue flowerpot')[0].name)"
            )
            == "key\n"
        )


class TestNativeModule:
    """Stub, module and wrappers name the same set, or a caller meets what nobody checked."""

    def test_the_stub_names_what_the_module_has(self) -> None:
        declared = declared_names(PACKAGE / "_native.pyi")
        public = {name for name in dir(_native) if not name.startswith("_")} | {"__version__"}
        assert declared == public
        assert set(stub_all()) == declared

    def test_the_list_of_the_stub_is_sorted(self) -> None:
        assert stub_all() == sorted(stub_all())

    def test_every_native_name_has_a_wrapper(self) -> None:
        used = {
            name
            for path in SOURCES
            if name_of(path).startswith("biorag.kernels.")
            for name in native_names_used(path)
        }
        # `Ranked` is only ever seen as what `TextIndex.search` returns.
        assert set(stub_all()) - used - {"__version__", "Ranked"} == set()


def reads_environment(path: Path) -> bool:
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in {"environ", "getenv", "environb", "putenv"}
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
        for node in ast.walk(tree_of(path))
    ) or any(name in {"os.environ", "os.getenv"} for name in imports_of(path))


def declared_names(stub: Path) -> set[str]:
    """The public functions, classes and constants of a stub."""
    names: set[str] = set()
    for node in tree_of(stub).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return {name for name in names if not name.startswith("_") or name == "__version__"}


def stub_all() -> list[str]:
    for node in tree_of(PACKAGE / "_native.pyi").body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return [str(name) for name in ast.literal_eval(node.value)]
    raise AssertionError("the stub has no __all__")


def native_names_used(path: Path) -> Iterator[str]:
    """Names of the native module that a file imports, or reads as `_native.name`."""
    for imported in imports_of(path):
        if imported.startswith("biorag._native."):
            yield imported.rpartition(".")[2]
    for node in ast.walk(tree_of(path)):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "_native"
        ):
            yield node.attr
