"""cmake --install: the program runs, looks for LibTorch where it should, and its desktop finds it."""

import configparser
import gzip
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from support import BUILD, ROOT, ScratchTest, install, libraries, program_help, run, wrong_torch

import completions
import package
from bundle import RUNTIME
from elf import Elf

FREEDESKTOP = "{http://www.freedesktop.org/standards/shared-mime-info}"


class InstalledTest(ScratchTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        prefix = cls.scratch / "prefix"
        install(prefix, "program")
        cls.program, cls.engine = prefix / "bin/aotscope", prefix / "bin/aotscope-engine"
        cls.share = prefix / "share"
        cls.window = "libQt6Widgets.so.6" in Elf(cls.program).needed


class TestProgram(InstalledTest):
    def test_runs(self):
        self.assertRegex(run(self.program, "--version"), r"^\d+\.\d+\.\d+\n")
        for program in (self.program, self.engine):
            self.assertIn("equal", run(program, "run", "sample:mlp", "--check"))

    def test_looks_for_libtorch_before_the_library_path(self):
        elf = Elf(self.engine)
        self.assertIsNone(elf.runpath)
        self.assertEqual(elf.rpath, str(libraries(BUILD / "aotscope-engine")["libtorch_cpu.so"].parent))
        run(self.engine, "--version", LD_LIBRARY_PATH=str(wrong_torch(self.scratch / "wrong")))

    def test_does_not_look_for_libraries_in_the_current_folder(self):
        for program in (BUILD / "aotscope", BUILD / "aotscope-engine", self.program, self.engine):
            self.assertNotIn("", Elf(program).rpath.split(":"))

    def test_licenses(self):
        self.assertEqual((self.share / "doc/aotscope/copyright").read_text(), (ROOT / "LICENSE").read_text())
        self.assertTrue((self.share / "doc/aotscope/THIRD_PARTY.md").exists())

    def test_desktop(self):
        if not self.window:
            self.skipTest("SKIPPED: this build has no window")
        file = self.share / "applications/aotscope.desktop"
        parser = configparser.ConfigParser(interpolation=None)
        parser.optionxform = str
        parser.read(file)
        entry = parser["Desktop Entry"]
        self.assertEqual(entry["Type"], "Application")
        self.assertEqual(entry["Exec"], "aotscope %f")
        self.assertTrue((self.share / f"icons/hicolor/scalable/apps/{entry['Icon']}.svg").exists())
        self.assertTrue((self.share / f"icons/hicolor/128x128/apps/{entry['Icon']}.png").exists())
        mime = ElementTree.parse(self.share / "mime/packages/aotscope.xml").getroot()
        types = {node.get("type"): node.find(FREEDESKTOP + "glob").get("pattern") for node in mime}
        self.assertEqual(set(types.values()), {"*.aotscope", "*.pt2"})
        self.assertEqual(set(entry["MimeType"].strip(";").split(";")), set(types))
        if shutil.which("desktop-file-validate"):
            self.assertEqual(run("desktop-file-validate", file), "")

    def test_metadata(self):
        if not self.window:
            self.skipTest("SKIPPED: this build has no window")
        file = self.share / "metainfo/org.aotscope.aotscope.metainfo.xml"
        component = ElementTree.parse(file).getroot()
        self.assertEqual(component.find("launchable").text, "aotscope.desktop")
        self.assertIn(component.find("releases/release").get("version"), run(self.program, "--version"))
        if shutil.which("appstreamcli"):
            run("appstreamcli", "validate", "--no-net", file)

    def test_man_page(self):
        text = gzip.decompress((self.share / "man/man1/aotscope.1.gz").read_bytes()).decode()
        for command in program_help()[0].commands:
            self.assertRegex(text, rf"(?m)^\\fB{command}\b")
        self.assertNotRegex(text, r"(?m)\]\(|\*\*|^\|")  # no Markdown is left
        if shutil.which("groff"):
            page = self.scratch / "aotscope.1"
            page.write_text(text)
            shown = run("groff", "-man", "-Tascii", page)
            self.assertIn("EXIT CODES", re.sub(".\b", "", shown))


class TestCompletions(InstalledTest):
    """For every word in the program's --help."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.top, cls.commands = program_help()

    def text(self, shell):
        return (self.share / completions.PLACES[shell]).read_text()

    def complete(self, *words):
        """Bash's completions of the last word."""
        listed = " ".join(f"'{word}'" for word in words)
        script = (
            f"source {self.share / completions.PLACES['bash']}; COMP_WORDS=({listed}); "
            f"COMP_CWORD={len(words) - 1}; _aotscope; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        )
        return run("bash", "--norc", "-c", script).split()

    def test_the_help_is_read(self):
        self.assertIn("run", self.top.commands)
        self.assertEqual([option.names[0] for option in self.commands["diff"].positionals], ["MODEL", "OTHER"])
        output = next(option for option in self.commands["export"].options if "-o" in option.names)
        self.assertEqual((output.names, output.takes_file), (["-o", "--output"], True))
        for command, help in self.commands.items():
            self.assertGreater(len(help.options), 0, command)
            for option in help.options:
                self.assertTrue(all(re.fullmatch(r"-\w|--[a-z-]+", name) for name in option.names), option)
                self.assertTrue(option.help, option)

    def test_all_options_are_in_all_shells(self):
        for shell in completions.PLACES:
            text = self.text(shell)
            for command, help in self.commands.items():
                self.assertIn(command, text)
                for option in help.options:
                    for name in option.names:
                        self.assertIn(
                            name if shell != "fish" else f" -{'s' if len(name) == 2 else 'l'} {name.strip('-')}", text
                        )

    def test_the_shells_read_them(self):
        run("bash", "-n", self.share / completions.PLACES["bash"])
        for shell in ("zsh", "fish"):
            if shutil.which(shell):
                run(shell, "-n", self.share / completions.PLACES[shell])

    def test_bash(self):
        self.assertEqual(self.complete("aotscope", "pas"), ["passes"])
        self.assertIn("--check", self.complete("aotscope", "run", "sample:mlp", "--ch"))
        self.assertNotIn("--check", self.complete("aotscope", "passes", "sample:mlp", "--c"))
        self.assertEqual(self.complete("aotscope", "run", "--mode", "tr"), ["train"])
        self.assertEqual(self.complete("aotscope", "run", "--mode", "=", "ev"), ["eval"])
        self.assertIn("joint", self.complete("aotscope", "export", "--graph", ""))
        self.assertEqual(self.complete("aotscope", "run", "sample", ":", "resnet1"), ["resnet18"])
        self.assertIn("sample:", self.complete("aotscope", "run", "sam"))


class TestTorch(ScratchTest):
    """The component torch: everything in one place that may be moved."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        other = cls.scratch / "build-torch2_99"
        other.mkdir()
        shutil.copy(BUILD / "aotscope-engine", other)
        install(cls.scratch / "first", "program", "torch", AOTSCOPE_OTHER_BUILDS=str(other))
        cls.place = cls.scratch / "moved here"
        (cls.scratch / "first").rename(cls.place)
        cls.program, cls.engine = cls.place / "bin/aotscope", cls.place / "bin/aotscope-engine"

    def test_runs_elsewhere(self):
        for program in (self.program, self.engine):
            elf = Elf(program)
            self.assertEqual((elf.rpath, elf.runpath), ("$ORIGIN/../lib/aotscope", None))
        for name in ("libtorch_cpu.so", "libc10.so"):
            path = self.place / "lib/aotscope" / name
            self.assertEqual(libraries(self.engine)[name].resolve(), path.resolve())
        run(self.program, "run", "sample:mlp", LD_LIBRARY_PATH=str(wrong_torch(self.scratch / "wrong")))

    def test_engines_for_other_torches_have_none(self):
        engine = self.place / "lib/aotscope/torch2_99/aotscope-engine"
        self.assertEqual((Elf(engine).rpath, Elf(engine).runpath), ("$ORIGIN", None))
        command = [self.program, "run", "sample:mlp", "--torch", "2.99"]
        said = subprocess.run(command, capture_output=True, text=True).stderr
        self.assertRegex(said, "aotscope-engine' finds no torch; give the folder of a torch 2.99")

    @unittest.skipUnless(shutil.which("patchelf"), "SKIPPED: patchelf is not installed; ./dev setup installs it")
    def test_archive_has_everything(self):
        package.complete(self.place, package.Build(BUILD))
        ending = "svg" if "libQt6Core.so.6" in Elf(self.program).needed else "txt"
        command = [self.program, "export", "sample:mlp", "-o", self.scratch / f"joint.{ending}"]
        alone = subprocess.run(command, check=True, capture_output=True, text=True, env={"PATH": "/nowhere"})
        self.assertNotIn("simple rows", alone.stdout)
        for name, path in (libraries(self.program) | libraries(self.engine)).items():
            if name not in RUNTIME:
                self.assertTrue(path.resolve().is_relative_to(self.place.resolve()), path)


if __name__ == "__main__":
    unittest.main()
