"""Reads what an ELF file needs at run time, and sets where it looks for it."""

import shutil
import struct
import subprocess
from pathlib import Path

DT_NEEDED, DT_STRTAB, DT_SONAME, DT_RPATH, DT_RUNPATH = 1, 5, 14, 15, 29
DT_VERNEED, DT_VERNEEDNUM = 0x6FFFFFFE, 0x6FFFFFFF
PT_LOAD, PT_DYNAMIC = 1, 2


class PackagingError(Exception):
    """One sentence for the maker of a package."""


def is_elf(path):
    path = Path(path)
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


class Elf:
    """The dynamic section of a 64-bit little-endian ELF file."""

    def __init__(self, path):
        self.path = Path(path)
        self.data = self.path.read_bytes()
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise PackagingError(f"{path}: expected a 64-bit little-endian ELF file")
        offset, size, count = struct.unpack_from("<Q", self.data, 32)[0], *struct.unpack_from("<HH", self.data, 54)
        self.segments = []
        self.entries = []  # (position in the file, tag, value)
        dynamic = None
        for i in range(count):
            kind, _, start, address, _, length = struct.unpack_from("<IIQQQQ", self.data, offset + i * size)
            if kind == PT_LOAD:
                self.segments.append((address, start, length))
            elif kind == PT_DYNAMIC:
                dynamic = (start, length)
        if not dynamic:
            return
        for position in range(dynamic[0], sum(dynamic), 16):
            tag, value = struct.unpack_from("<QQ", self.data, position)
            if tag == 0:
                break
            self.entries.append((position, tag, value))
        self.strings = self._offset(self._values(DT_STRTAB)[0])

    def _offset(self, address):
        for start, offset, length in self.segments:
            if start <= address < start + length:
                return address - start + offset
        raise PackagingError(f"{self.path}: address {address:#x} is in no segment")

    def _values(self, tag):
        return [value for _, t, value in self.entries if t == tag]

    def _string(self, offset):
        start = self.strings + offset
        return self.data[start : self.data.index(b"\0", start)].decode()

    @property
    def needed(self):
        return [self._string(value) for value in self._values(DT_NEEDED)]

    @property
    def soname(self):
        names = self._values(DT_SONAME)
        return self._string(names[0]) if names else self.path.name

    @property
    def rpath(self):
        """DT_RPATH, which is searched before LD_LIBRARY_PATH, or None."""
        paths = self._values(DT_RPATH)
        return self._string(paths[0]) if paths else None

    @property
    def runpath(self):
        """DT_RUNPATH, which is searched after LD_LIBRARY_PATH, or None."""
        paths = self._values(DT_RUNPATH)
        return self._string(paths[0]) if paths else None

    def versions(self):
        """The symbol versions that it needs, as (library, version) pairs: ("libc.so.6", "GLIBC_2.34")."""
        if not self._values(DT_VERNEED):
            return set()
        found = set()
        entry = self._offset(self._values(DT_VERNEED)[0])
        for _ in range(self._values(DT_VERNEEDNUM)[0]):
            _, count, library, first, following = struct.unpack_from("<HHIII", self.data, entry)
            version = entry + first
            for _ in range(count):
                _, _, _, name, step = struct.unpack_from("<IHHII", self.data, version)
                found.add((self._string(library), self._string(name)))
                version += step
            entry += following
        return found


def set_rpath(path, rpath):
    """Makes `path` look in `rpath` first, whatever LD_LIBRARY_PATH says: DT_RPATH, with no DT_RUNPATH beside it."""
    elf = Elf(path)
    places = [entry for entry in elf.entries if entry[1] in (DT_RPATH, DT_RUNPATH)]
    new = rpath.encode()
    if len(places) == 1:
        position, _, value = places[0]
        start = elf.strings + value
        room = elf.data.index(b"\0", start) - start
        if len(new) <= room:
            with Path(path).open("r+b") as file:
                file.seek(position)
                file.write(struct.pack("<Q", DT_RPATH))
                file.seek(start)
                file.write(new.ljust(room, b"\0"))
            return
    if not shutil.which("patchelf"):
        raise PackagingError(f"{path}: there is no room for the path {rpath}; install patchelf, which makes some")
    subprocess.run(["patchelf", "--force-rpath", "--set-rpath", rpath, path], check=True)
