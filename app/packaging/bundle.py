"""Puts Qt and Graphviz beside a program, with the libraries that they need and their licenses.

The private folder that is filled holds libraries, `plugins` of Qt, `graphviz` with its plug-ins, the program `dot`, and
`fonts`. A qt.conf next to the program leads Qt, and the program itself, there.
"""

import os
import shutil
import subprocess
from pathlib import Path

from elf import Elf, PackagingError, is_elf, set_rpath

# Those of the C and C++ runtime are never taken along: every system has them, and two in one process clash.
RUNTIME = frozenset(
    "ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libdl.so.2 librt.so.1 libpthread.so.0 libresolv.so.2 libutil.so.1 "
    "libstdc++.so.6 libgcc_s.so.1".split()
)
# Enough for windows on X11 (and Wayland's X server), pictures without a display, and input methods. No printing on
# paper: CUPS would bring cryptography along. OpenGL is not used.
QT_PLUGINS = (
    "platforms/libqxcb.so",
    "platforms/libqoffscreen.so",
    "platforminputcontexts/libcomposeplatforminputcontextplugin.so",
    "platforminputcontexts/libibusplatforminputcontextplugin.so",
    "platformthemes/libqxdgdesktopportal.so",
    "iconengines/libqsvgicon.so",
    "imageformats/libqsvg.so",
)
# For systems that have none.
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf")
FONT_FOLDER = Path("/usr/share/fonts/truetype/dejavu")
FONT_SETTINGS = Path(__file__).resolve().parents[2] / "resources/packaging/fonts.conf"
GRAPHVIZ_PLUGINS = ("core", "dot_layout")  # layouts are read as text: no fonts, no pictures


def places_of_libraries(file):
    """Where the loader finds the libraries of `file` on this machine."""
    places = {}
    said = subprocess.run(["ldd", file], check=True, capture_output=True, text=True).stdout
    for line in said.splitlines():
        name, arrow, rest = line.strip().partition(" => ")
        if arrow and rest.startswith("not found"):
            raise PackagingError(f"{file}: needs {name}, which is not on this machine")
        if arrow:
            places[name] = Path(rest.rpartition(" (")[0])
    return places


def libraries_of(file, left_out):
    """The libraries that `file` needs, those of libraries included, by name; `left_out` are not entered."""
    places = places_of_libraries(file)
    found, waiting = {}, [Path(file)]
    while waiting:
        for name in Elf(waiting.pop()).needed:
            if name not in found and name not in left_out:
                found[name] = places[name]
                waiting.append(places[name])
    return found


def qt_plugin_folder(qt_core):
    """The plug-ins of the Qt whose core library this is."""
    for tool in ("qtpaths6", "qmake6"):
        if shutil.which(tool):
            option = "--query" if tool == "qtpaths6" else "-query"
            said = subprocess.run([tool, option, "QT_INSTALL_PLUGINS"], check=True, capture_output=True, text=True)
            return Path(said.stdout.strip())
    for folder in (qt_core.parent / "qt6/plugins", qt_core.parent.parent / "plugins"):
        if folder.is_dir():
            return folder
    raise PackagingError(f"the plug-ins of {qt_core} were not found; install qtpaths6 or qmake6")


def copy(source, target, mode=0o755):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)  # what a link leads to
    target.chmod(mode)


class Bundle:
    """Fills the private folder. `torch`: names of LibTorch's libraries, if they lie there already."""

    def __init__(self, folder, licenses, torch=()):
        self.folder = Path(folder)
        self.licenses = Path(licenses)
        self.left_out = RUNTIME | set(torch)
        self.sources = {}  # of each copied file, by its path

    def _take(self, source, target, mode=0o755):
        copy(source, target, mode)
        self.sources[target] = Path(source).resolve()

    def _libraries(self, file):
        for name, source in libraries_of(file, self.left_out).items():
            if self.folder / name not in self.sources:
                self._take(source, self.folder / name)

    def add_qt(self, program):
        """The libraries of the program, Qt's among them, Qt's plug-ins, and fonts."""
        self._libraries(program)
        qt_core = libraries_of(program, self.left_out).get("libQt6Core.so.6")
        if not qt_core:
            return
        folder = qt_plugin_folder(qt_core)
        for name in QT_PLUGINS:
            if (folder / name).exists():
                self._take(folder / name, self.folder / "plugins" / name)
                self._libraries(folder / name)
            elif name.startswith("platforms/"):
                raise PackagingError(f"{folder / name} was not found; install qt6-qpa-plugins")
        for name in FONTS:
            if not (FONT_FOLDER / name).exists():
                raise PackagingError(f"{FONT_FOLDER / name} was not found; install fonts-dejavu-core")
            self._take(FONT_FOLDER / name, self.folder / "fonts" / name, 0o644)
        copy(FONT_SETTINGS, self.folder / "fonts/fonts.conf", 0o644)

    def add_graphviz(self):
        dot = shutil.which("dot")
        if not dot:
            raise PackagingError("dot was not found; install graphviz")
        dot = Path(dot).resolve()
        self._take(dot, self.folder / "dot")
        self._libraries(dot)
        plugins = places_of_libraries(dot)["libgvc.so.6"].resolve().parent / "graphviz"
        for name in GRAPHVIZ_PLUGINS:
            plugin = f"libgvplugin_{name}.so.6"
            self._take(plugins / plugin, self.folder / "graphviz" / plugin)
            self._libraries(plugins / plugin)

    def finish(self):
        """Makes the copies look for each other, lists Graphviz's plug-ins, and collects licenses."""
        for file in filter(is_elf, self.sources):
            elf = Elf(file)
            if file.name == "dot" or elf.rpath or elf.runpath:
                up = os.path.relpath(self.folder, file.parent)
                set_rpath(file, "$ORIGIN" if up == "." else f"$ORIGIN/{up}")
        if (self.folder / "dot").exists():
            environment = os.environ | {"GVBINDIR": str(self.folder / "graphviz")}
            subprocess.run([self.folder / "dot", "-c"], check=True, env=environment)
        self._collect_licenses()

    def _collect_licenses(self):
        missing = []
        for source in sorted(set(self.sources.values())):
            package = owner_of(source)
            text = Path("/usr/share/doc") / (package or "-") / "copyright"
            if not package or not text.exists():
                missing.append(str(source))
                continue
            target = self.licenses / package
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(text, target)
        if missing:
            raise PackagingError(
                f"no license was found for {', '.join(missing)}; packages are made on Debian or Ubuntu, "
                "from the libraries of its packages"
            )


def owner_of(file):
    """The Debian package that a file came in, or None."""
    if not shutil.which("dpkg-query"):
        return None
    for path in (str(file), str(file).removeprefix("/usr")):
        said = subprocess.run(["dpkg-query", "--search", path], capture_output=True, text=True)
        for line in said.stdout.splitlines():
            if not line.startswith("diversion "):
                return line.split(":")[0]
    return None


def write_qt_conf(place, folder):
    """Leads the program in `place` to its private folder, from wherever both are."""
    prefix = os.path.relpath(folder, place)
    (Path(place) / "qt.conf").write_text(
        f"[Paths]\nPrefix={prefix}\nPlugins=plugins\nLibraries=.\nLibraryExecutables=.\n"
    )
