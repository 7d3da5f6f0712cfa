"""Writes a wheel: a zip archive with metadata and a list of hashes, as the Python packaging standards describe it."""

import base64
import csv
import hashlib
import io
import os
import re
import time
import zipfile
from pathlib import Path

from bundle import RUNTIME
from elf import Elf, is_elf


EARLIEST = 315532800  # 1980, where the time of zip archives begins


def timestamp():
    """Of all files in a package, in seconds: the same for the same sources. SOURCE_DATE_EPOCH may give another."""
    return max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), EARLIEST)


def platform_tag(files, torch=()):
    """The tag for the compiled files and, if it must be the general one, why.

    manylinux_2_N promises that the files run wherever glibc is 2.N or newer: the newest version of a symbol of glibc
    decides, and nothing may be needed that is neither in the wheel, nor in `torch`, nor part of the C and C++ runtime.
    """
    elves = [Elf(file) for file in files if is_elf(file)]
    here = {elf.path.name for elf in elves} | {elf.soname for elf in elves} | set(torch) | RUNTIME
    missing = sorted({name for elf in elves for name in elf.needed} - here)
    if missing:
        return "linux_x86_64", f"it needs {', '.join(missing)} of the system"
    versions = [version for elf in elves for _, version in elf.versions()]
    minors = [int(found[1]) for found in (re.match(r"GLIBC_2\.(\d+)", version) for version in versions) if found]
    return f"manylinux_2_{max(minors, default=17)}_x86_64", ""


def metadata_text(project, version, readme):
    """METADATA, of the table [project] of a pyproject.toml."""
    fields = [
        ("Metadata-Version", "2.4"),
        ("Name", project["name"]),
        ("Version", version),
        ("Summary", project["description"]),
        ("License-Expression", project["license"]),
        ("Requires-Python", project["requires-python"]),
        ("Keywords", ",".join(project.get("keywords", []))),
        *(("Classifier", line) for line in project.get("classifiers", [])),
        *(("License-File", name) for name in ("LICENSE", "THIRD_PARTY.md")),
        *(("Requires-Dist", line) for line in project.get("dependencies", [])),
    ]
    for extra, lines in project.get("optional-dependencies", {}).items():
        fields.append(("Provides-Extra", extra))
        for line in lines:
            requirement, _, marker = line.partition(";")
            condition = f"({marker.strip()}) and extra == '{extra}'" if marker else f"extra == '{extra}'"
            fields.append(("Requires-Dist", f"{requirement.strip()} ; {condition}"))
    fields.append(("Description-Content-Type", "text/markdown"))
    return "".join(f"{name}: {value}\n" for name, value in fields if value) + "\n" + readme


def entry_points_text(project):
    groups = {"console_scripts": project.get("scripts", {}), **project.get("entry-points", {})}
    return "\n".join(
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in entries.items())
        for group, entries in groups.items()
        if entries
    )


class Wheel:
    """A wheel under way. `folder`: whose files are packed, as they lie there."""

    def __init__(self, project, version, tag):
        self.project = project
        self.version = version
        self.tag = f"py3-none-{tag}"
        self.name = f"{project['name']}-{version}-{self.tag}.whl"
        self.info = f"{project['name']}-{version}.dist-info"

    def write(self, folder, output, licenses, readme, level=9):
        """Packs `folder`. `licenses`: files for the folder of metadata. Returns the file."""
        output = Path(output)
        output.mkdir(parents=True, exist_ok=True)
        contents = {
            path.relative_to(folder).as_posix(): path for path in sorted(Path(folder).rglob("*")) if path.is_file()
        }
        for file in licenses:
            contents[f"{self.info}/licenses/{Path(file).name}"] = Path(file)
        contents[f"{self.info}/METADATA"] = metadata_text(self.project, self.version, readme)
        contents[f"{self.info}/entry_points.txt"] = entry_points_text(self.project)
        contents[f"{self.info}/WHEEL"] = (
            f"Wheel-Version: 1.0\nGenerator: aotscope\nRoot-Is-Purelib: false\nTag: {self.tag}\n"
        )
        unfinished = output / (self.name + ".part")
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
            rows = [self._add(archive, name, content) for name, content in contents.items()]
            record = f"{self.info}/RECORD"
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows([*rows, (record, "", "")])
            self._add(archive, record, text.getvalue())
        return unfinished.replace(output / self.name)

    @staticmethod
    def _add(archive, name, content):
        executable = isinstance(content, Path) and os.access(content, os.X_OK)
        data = content.read_bytes() if isinstance(content, Path) else content.encode()
        entry = zipfile.ZipInfo(name, time.gmtime(timestamp())[:6])
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, data, compresslevel=archive.compresslevel)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        return name, f"sha256={digest}", len(data)
