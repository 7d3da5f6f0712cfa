"""The models in a folder, with the inputs beside them."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Subject:
    file: str  # a path, or sample:NAME
    inputs: Path | None = None
    graphs: tuple = ()  # those that check has found

    @property
    def name(self):
        return "/".join(Path(self.file).parts[-2:])

    @property
    def arguments(self):
        return [self.file, *(["--inputs", self.inputs] if self.inputs else [])]

    @property
    def state(self):
        """Changes with the files."""
        files = [Path(self.file), self.inputs]
        return [file.stat().st_mtime_ns for file in files if file and file.exists()]


def inputs_beside(file):
    """An exported program contains its inputs."""
    if file.suffix == ".pt2":
        return None
    stem = file.name.split(".")[0]
    found = [file.with_name(stem + ending) for ending in (".inputs.pt", ".inputs.json", ".json")]
    return next((path for path in found if path.exists()), None)


def is_model(file):
    return file.suffix in (".pt2", ".pt") and not file.name.endswith(".inputs.pt") and ".noweights." not in file.name


def subjects_in(places, parts):
    subjects = []
    for place in places:
        if place.startswith("sample:"):
            subjects.append(Subject(place))
            continue
        path = Path(place)
        if not path.exists():
            raise SystemExit(f"{place}: there is no such folder, model or sample")
        files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if is_model(file))
        subjects += [Subject(str(file), inputs_beside(file)) for file in files]
    return [subject for subject in subjects if not parts or any(part in subject.name for part in parts)]
