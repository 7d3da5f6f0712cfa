"""Makes packages from builds: see README.md."""

import argparse
import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

sys.dont_write_bytecode = True  # leaves nothing in the source tree

from bundle import Bundle, write_qt_conf
from elf import PackagingError, set_rpath
from wheel import Wheel, metadata_text, platform_tag, timestamp

ROOT = Path(__file__).resolve().parents[2]
PYTHON_PACKAGE = ROOT / "app/python/aotscope"
# Where the programs look for libraries. LibTorch lies beside the package, in the same site-packages.
PLACES_IN_WHEEL = {"aotscope": "$ORIGIN/../lib", "aotscope-engine": "$ORIGIN/../../../torch/lib"}


class Build:
    """A build folder with its programs, and the LibTorch that the engine was built for."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.engine = self.folder / "aotscope-engine"
        self.program = self.folder / "aotscope"  # with the window; without Qt, a link to the engine
        cache = self.folder / "CMakeCache.txt"
        if not self.program.exists() or not cache.exists():
            raise PackagingError(f"{folder}: there is no program; build it first")
        library = re.search(r"^LIBTORCH_CPU_LIBRARY:FILEPATH=(.*)$", cache.read_text(), re.MULTILINE)[1]
        self.has_window = self.program.resolve() != self.engine.resolve()
        self.torch = Path(library).parent
        header = (self.torch.parent / "include/torch/headeronly/version.h").read_text()
        self.version = ".".join(re.findall(r"define TORCH_VERSION_(?:MAJOR|MINOR) (\d+)", header))
        self.torch_libraries = {file.name for file in self.torch.iterdir() if ".so" in file.name}
        self.place = f"torch{self.version.replace('.', '_')}"  # of its engine, where there are several

    def install(self, prefix, others=()):
        """With LibTorch, and the engines of other builds."""
        environment = os.environ | {"AOTSCOPE_OTHER_BUILDS": ";".join(str(build.folder.resolve()) for build in others)}
        for component in ("program", "torch"):
            command = ["cmake", "--install", self.folder, "--prefix", prefix, "--component", component, "--strip"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)


def version():
    return re.search(r"project\(aotscope VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def project():
    with (ROOT / "app/python/pyproject.toml").open("rb") as file:
        return tomllib.load(file)["project"]


def size(file):
    return f"{file.stat().st_size / 1e6:.1f} MB"


def make_wheel(builds, output, package=PYTHON_PACKAGE, level=9):
    """One wheel with the window of the first build, and the engine of each, in a folder named for its torch."""
    if not (package / "__main__.py").exists():
        raise PackagingError(f"{package}: there is no __main__.py")
    versions = [build.version for build in builds]
    if len(set(versions)) < len(versions):
        raise PackagingError(
            f"two engines for the same torch: {', '.join(versions)}; give one build for each minor version"
        )
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch)
        inside = tree / "aotscope"
        shutil.copytree(package, inside, ignore=shutil.ignore_patterns("__pycache__", "bin"))
        for build in builds:
            add_program(build.engine, inside / "bin" / build.place)
        if builds[0].has_window:
            add_program(builds[0].program, inside / "bin")
            add_qt(builds[0].program, inside / "bin", Bundle(inside / "lib", inside / "licenses"))
        torch_libraries = set().union(*(build.torch_libraries for build in builds))
        tag, why = platform_tag(tree.rglob("*"), torch_libraries)
        if why:
            print(f"package: tagged {tag}, not manylinux: {why}", file=sys.stderr)
        made = Wheel(project(), version(), tag)
        licenses = [ROOT / "LICENSE", ROOT / "THIRD_PARTY.md"]
        return made.write(tree, output, licenses, (ROOT / "README.md").read_text(), level)


def add_program(built, folder):
    """Puts a program into a wheel."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / built.name
    shutil.copyfile(built, program)
    program.chmod(0o755)
    subprocess.run(["strip", program], check=True)
    set_rpath(program, PLACES_IN_WHEEL[built.name])


def add_qt(program, place, bundle):
    """Puts Qt and Graphviz into the folder of the bundle, for a copy of the program in `place`."""
    bundle.add_qt(program)
    bundle.add_graphviz()
    write_qt_conf(place, bundle.folder)
    bundle.finish()


def complete(tree, build):
    """Puts Qt and Graphviz into a tree that has the programs and LibTorch."""
    if build.has_window:
        place = tree / "lib/aotscope"
        add_qt(build.program, tree / "bin", Bundle(place, tree / "share/doc/aotscope/licenses", build.torch_libraries))


def make_archive(builds, output, level=6):
    """A self-contained folder that runs wherever it is unpacked: the first build, and the engines of the others."""
    name = f"aotscope-{version()}-linux-x86_64"
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch) / name
        builds[0].install(tree, builds[1:])
        complete(tree, builds[0])
        return write_tar(output / f"{name}.tar.gz", level, lambda archive: archive.add(tree, name, filter=plain))


def plain(entry):
    """Removes what differs between builds of a package."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = timestamp()
    return entry


def write_tar(file, level, fill):
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(file.name + ".part")
    with unfinished.open("wb") as raw, gzip.GzipFile("", "wb", level, raw, timestamp()) as compressed:
        with tarfile.open(mode="w", fileobj=compressed) as archive:
            fill(archive)
    return unfinished.replace(file)


def sdist_project(text):
    """pyproject.toml as it is at the top of an sdist."""
    moved = {
        '"../.."': '"."',
        "../../": "",
        'wheel.packages = ["': 'wheel.packages = ["app/python/',
        "wheel.license-files = []": 'wheel.license-files = ["LICENSE", "THIRD_PARTY.md"]',
    }
    for before, after in moved.items():
        text = text.replace(before, after)
    return text


def make_sdist(output):
    """The sources that git knows, as pip wants them."""
    name = f"aotscope-{version()}"
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    texts = {
        "pyproject.toml": sdist_project((ROOT / "app/python/pyproject.toml").read_text()),
        "PKG-INFO": metadata_text(project(), version(), (ROOT / "README.md").read_text()),
    }

    def fill(archive):
        for path in filter(None, listed.split("\0")):
            # Tests are not run from there.
            if not path.startswith(("tests/", ".ci/")) and (ROOT / path).exists():
                archive.add(ROOT / path, f"{name}/{path}", filter=plain)
        for path, text in texts.items():
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size = len(text.encode())
            archive.addfile(plain(entry), io.BytesIO(text.encode()))

    return write_tar(output / f"{name}.tar.gz", 9, fill)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("wheel", "archive", "sdist"))
    parser.add_argument("--build", type=Path, action="append", default=[], help="a build folder; of all but the first, only the engine is taken")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="folder for the package")
    parser.add_argument("--level", type=int, default=9, choices=range(10), help="of compression")
    options = parser.parse_args()
    try:
        builds = [Build(folder) for folder in options.build]
        if options.kind == "sdist":
            made = make_sdist(options.output)
        elif not builds:
            raise PackagingError("name a build folder with --build")
        elif options.kind == "wheel":
            made = make_wheel(builds, options.output, level=options.level)
        else:
            made = make_archive(builds, options.output, options.level)
    except PackagingError as error:
        sys.exit(f"package: {error}")
    print(f"{made}  {size(made)}")


if __name__ == "__main__":
    main()
