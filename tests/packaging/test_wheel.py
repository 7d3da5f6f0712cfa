"""Wheels: complete, with right hashes and an honest tag, and a program that runs from site-packages."""

import base64
import csv
import hashlib
import io
import os
import re
import shutil
import subprocess
import tarfile
import tomllib
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

from support import BUILD, ROOT, ScratchTest, libraries, run, wrong_torch

import bundle
import package
from bundle import RUNTIME
from elf import Elf, PackagingError, set_rpath
from wheel import Wheel, entry_points_text, metadata_text, platform_tag

PROJECT = {
    "name": "aotscope",
    "description": "a description",
    "license": "BSD-3-Clause",
    "requires-python": ">=3.10",
    "dependencies": ["torch>=2.11,<2.16"],
    "optional-dependencies": {"notebook": ["ipython", "pandas>=2; python_version < '3.14'"]},
    "scripts": {"aotscope": "aotscope.__main__:main"},
    "entry-points": {"pytest11": {"aotscope": "aotscope.pytest_plugin"}},
}


def stand_in(folder):
    """A minimal Python package."""
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "__main__.py").write_text("def main():\n    pass\n")
    (folder / "__pycache__/x.pyc").write_text("")
    return folder


def build_of_other_torch(folder):
    """The build under test, as if it were for another version of torch."""
    torch = package.Build(BUILD).torch
    (folder / "torch/include/torch/headeronly").mkdir(parents=True)
    (folder / "torch/lib").symlink_to(torch)
    version = "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 99\n#define TORCH_VERSION_PATCH 0\n"
    (folder / "torch/include/torch/headeronly/version.h").write_text(version)
    (folder / "CMakeCache.txt").write_text(f"LIBTORCH_CPU_LIBRARY:FILEPATH={folder}/torch/lib/libtorch_cpu.so\n")
    for name in ("aotscope", "aotscope-engine"):
        (folder / name).symlink_to(BUILD / name)
    return package.Build(folder)


def unpack(wheel, folder):
    """As pip does it."""
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            Path(archive.extract(entry, folder)).chmod(entry.external_attr >> 16 & 0o777)
    return folder


def alone(*command, **environment):
    """Runs a command with an empty PATH."""
    return subprocess.run(command, capture_output=True, text=True, env={"PATH": "/nowhere"} | environment)


def records_of(archive):
    name = next(name for name in archive.namelist() if name.endswith(".dist-info/RECORD"))
    return name, {row[0]: row[1:] for row in csv.reader(io.StringIO(archive.read(name).decode()))}


class TestFormat(ScratchTest):
    def written(self, folder):
        tree = self.scratch / folder / "tree"
        stand_in(tree / "aotscope")
        program = tree / "aotscope/program"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        return Wheel(PROJECT, "1.2", "any").write(tree, self.scratch / folder, [ROOT / "LICENSE"], "# Read me\n")

    def test_records(self):
        with zipfile.ZipFile(self.written("records")) as archive:
            own, records = records_of(archive)
            self.assertEqual(set(records), set(archive.namelist()))
            for name, (digest, size) in records.items():
                if name == own:
                    continue
                data = archive.read(name)
                expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
                self.assertEqual((digest, size), (f"sha256={expected}", str(len(data))))
            self.assertEqual(archive.getinfo("aotscope/program").external_attr >> 16, 0o100755)
            self.assertEqual(archive.getinfo("aotscope/__init__.py").external_attr >> 16, 0o100644)

    def test_the_same_files_make_the_same_wheel(self):
        self.assertEqual(self.written("first").read_bytes(), self.written("second").read_bytes())

    def test_metadata(self):
        text = metadata_text(PROJECT, "1.2", "# Read me\n")
        head, _, body = text.partition("\n\n")
        for line in (
            "Name: aotscope",
            "Version: 1.2",
            "Requires-Dist: torch>=2.11,<2.16",
            "Requires-Dist: ipython ; extra == 'notebook'",
            "Requires-Dist: pandas>=2 ; (python_version < '3.14') and extra == 'notebook'",
        ):
            self.assertIn(line, head.splitlines())
        self.assertEqual(body, "# Read me\n")
        self.assertEqual(
            entry_points_text(PROJECT),
            "[console_scripts]\naotscope = aotscope.__main__:main\n\n[pytest11]\naotscope = aotscope.pytest_plugin\n",
        )

    def test_tag_says_what_is_needed(self):
        program = BUILD / "aotscope-engine"
        tag, why = platform_tag([program])
        self.assertEqual(tag, "linux_x86_64")
        self.assertIn("libtorch_cpu.so", why)
        everything = {name for file in [program, *libraries(program).values()] for name in Elf(file).needed}
        tag, why = platform_tag([program], everything)
        self.assertRegex(tag, r"^manylinux_2_\d\d_x86_64$")
        self.assertEqual(why, "")

    def test_versions_of_the_project(self):
        with (ROOT / "app/python/pyproject.toml").open("rb") as file:
            pyproject = tomllib.load(file)
        find = (ROOT / "core/cmake/FindLibTorch.cmake").read_text()
        self.assertIn("set(LIBTORCH_OLDEST 2.11)", find)
        self.assertIn("set(LIBTORCH_NEWEST 2.15)", find)
        self.assertNotIn("dependencies", pyproject["project"])  # it opens much without torch
        self.assertEqual(pyproject["project"]["optional-dependencies"]["torch"], ["torch>=2.11,<2.16"])
        self.assertIn(package.version(), run(BUILD / "aotscope", "--version"))

    def test_rpath_is_replaced_in_place(self):
        program = self.scratch / "program"
        shutil.copy(BUILD / "aotscope-engine", program)
        set_rpath(program, "$ORIGIN/x")
        elf = Elf(program)
        self.assertEqual((elf.rpath, elf.runpath), ("$ORIGIN/x", None))
        self.assertIn("Library rpath: [$ORIGIN/x]", run("readelf", "-d", program))
        self.assertEqual(program.stat().st_size, (BUILD / "aotscope-engine").stat().st_size)

    def test_refusals(self):
        with self.assertRaisesRegex(PackagingError, "there is no program; build it first"):
            package.Build(self.scratch)
        build = package.Build(BUILD)
        with self.assertRaisesRegex(PackagingError, "there is no __main__.py"):
            package.make_wheel([build], self.scratch, self.scratch)
        with self.assertRaisesRegex(PackagingError, "two engines for the same torch"):
            package.make_wheel([build, build], self.scratch, stand_in(self.scratch / "stand_in"))


class TestSources(ScratchTest):
    def test_sdist_has_its_project_at_the_top(self):
        if not (ROOT / ".git").exists():
            self.skipTest("SKIPPED: the sources are not in a git repository")
        made = package.make_sdist(self.scratch / "first")
        self.assertEqual(made.read_bytes(), package.make_sdist(self.scratch / "second").read_bytes())
        with tarfile.open(made) as archive:
            names = archive.getnames()
            top = f"aotscope-{package.version()}"
            self.assertEqual({name.split("/")[0] for name in names}, {top})
            self.assertIn(f"{top}/CMakeLists.txt", names)
            self.assertIn(f"{top}/PKG-INFO", names)
            project = tomllib.load(archive.extractfile(f"{top}/pyproject.toml"))
        settings = project["tool"]["scikit-build"]
        self.assertEqual(settings["cmake"]["source-dir"], ".")
        self.assertEqual(settings["wheel"]["packages"], ["app/python/aotscope"])
        self.assertEqual(settings["metadata"]["version"]["input"], "CMakeLists.txt")


@unittest.skipUnless(shutil.which("patchelf"), "SKIPPED: patchelf is not installed; ./dev setup installs it")
class TestProgram(ScratchTest):
    """The wheel of the build under test, unpacked as pip does it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.build = package.Build(BUILD)
        builds = [cls.build, build_of_other_torch(cls.scratch / "other build")]
        cls.made = package.make_wheel(builds, cls.scratch, stand_in(cls.scratch / "aotscope"), level=1)
        cls.site = unpack(cls.made, cls.scratch / "site-packages")
        (cls.site / "torch").symlink_to(cls.build.torch.parent)
        cls.inside = cls.site / "aotscope"
        cls.engine = cls.inside / "bin" / cls.build.place / "aotscope-engine"
        cls.window = (cls.inside / "bin/aotscope").exists()
        cls.program = cls.inside / "bin/aotscope" if cls.window else cls.engine

    def alone(self, *arguments, **environment):
        outcome = alone(self.program, *arguments, **environment)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        return outcome

    def test_is_complete(self):
        self.assertRegex(self.made.name, r"-py3-none-manylinux_2_\d\d_x86_64\.whl$")
        self.assertTrue((self.inside / "__main__.py").exists())
        self.assertFalse((self.inside / "__pycache__").exists())
        elves = [file for file in self.inside.rglob("*") if file.is_file() and file.read_bytes()[:4] == b"\x7fELF"]
        names = {file.name for file in elves}
        for file in elves:
            self.assertEqual(set(Elf(file).needed) - names - RUNTIME - self.build.torch_libraries, set(), file)

    def test_has_one_window_and_an_engine_for_each_torch(self):
        found = {file.relative_to(self.inside).as_posix() for file in self.inside.rglob("aotscope*") if file.is_file()}
        windows = {"bin/aotscope"} if self.window else set()
        self.assertEqual(found, windows | {f"bin/{place}/aotscope-engine" for place in (self.build.place, "torch2_99")})

    def test_libraries_are_its_own_and_those_of_torch(self):
        for program in (self.program, self.engine):
            elf = Elf(program)
            self.assertEqual((elf.rpath, elf.runpath), (package.PLACES_IN_WHEEL[program.name], None))
        for name, path in (libraries(self.program) | libraries(self.engine)).items():
            path = Path(os.path.normpath(path))
            if name not in RUNTIME:
                self.assertTrue(path.is_relative_to(self.site) or path.is_relative_to(self.build.torch), path)

    def test_two_torches_do_not_mix(self):
        other = self.scratch / "other"
        other.mkdir()
        for file in self.build.torch.iterdir():
            (other / file.name).symlink_to(file)
        found = libraries(self.engine, LD_LIBRARY_PATH=str(other))
        for name in ("libtorch_cpu.so", "libc10.so"):
            self.assertEqual(os.path.normpath(found[name]), str(self.site / "torch/lib" / name))

    def test_runs(self):
        self.assertIn(package.version(), self.alone("--version").stdout)
        self.alone("run", "sample:mlp", "--check", LD_LIBRARY_PATH=str(wrong_torch(self.scratch / "wrong")))

    def test_opens_without_torch_what_needs_none(self):
        if not self.window:
            self.skipTest("SKIPPED: this build has no window")
        data = ROOT / "tests/data"
        session, page, report = (self.scratch / f"mlp.{ending}" for ending in ("aotscope", "html", "json"))
        self.alone("run", "sample:mlp", "--save", session, "--report", report)
        program = unpack(self.made, self.scratch / "bare") / "aotscope/bin/aotscope"
        for given in (session, data / "printed/mlp.log", data / "trace_logs/inductor.log", data / "printed/passes"):
            shown = alone(program, given, TMPDIR=str(self.scratch))
            self.assertEqual(shown.returncode, 0, f"{given}: {shown.stderr}")
            drawn = Path(re.search(r"The graphs are in (.*)", shown.stdout)[1])
            self.assertTrue(list(drawn.glob("*.svg")), shown.stdout)
        alone(program, "export", session, "-o", page)
        self.assertIn("<html", page.read_text())
        self.assertEqual(alone(program, "diff", report, session).stdout.splitlines()[0], "no difference")
        for arguments in (["sample:mlp"], ["run", "sample:mlp"], ["export", data / "exported/pytree.pt2", "-o", page]):
            refused = alone(program, *arguments)
            self.assertEqual(refused.returncode, 1, refused.stdout)
            versions = f"{self.build.version} or 2.99, which is not installed"
            self.assertRegex(refused.stderr, rf"^aotscope: .*running models needs PyTorch {versions} .*pip install.*\n$")

    def test_draws_with_its_own_graphviz(self):
        if not self.window:
            self.skipTest("SKIPPED: this build has no window")
        picture = self.scratch / "joint.svg"
        said = self.alone("export", "sample:mlp", "-o", picture, GVBINDIR="/nowhere").stdout
        self.assertNotIn("simple rows", said)
        self.assertIn("<svg", picture.read_text())

    def test_fonts(self):
        if self.window:
            folder = self.inside / "lib/fonts"
            self.assertEqual(ElementTree.parse(folder / "fonts.conf").find("dir").get("prefix"), "relative")
            self.assertTrue((folder / "DejaVuSans.ttf").exists())

    def test_plugins_of_other_qts_are_left_alone(self):
        if not self.window:
            self.skipTest("SKIPPED: this build has no window")
        others = str(bundle.qt_plugin_folder(libraries(BUILD / "aotscope")["libQt6Core.so.6"]))
        arguments = ("export", "sample:mlp", "-o", self.scratch / "plugins.svg")
        said = self.alone(*arguments, QT_PLUGIN_PATH=others, QT_QPA_PLATFORM_PLUGIN_PATH=others, LD_DEBUG="libs")
        loaded = re.findall(r"calling init: (.*/platforms/.*)", said.stderr)
        self.assertEqual(loaded, [str(self.inside / "lib/plugins/platforms/libqoffscreen.so")])

    def test_licenses(self):
        if self.window:
            licenses = {file.name for file in (self.inside / "licenses").iterdir()}
            self.assertTrue({"libqt6core6", "libqt6gui6", "libgvc6"} <= licenses, licenses)


if __name__ == "__main__":
    unittest.main()
