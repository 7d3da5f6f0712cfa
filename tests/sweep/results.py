"""The answers so far, kept in a file."""

import dataclasses
import json
import time

from answers import SLOW, Answer, Row
from trials import CHECK

SECONDS_BETWEEN_WRITES = 5


class Results:
    def __init__(self, file, version):
        self._file, self._version = file, version
        self._answers, self._saved = {}, time.monotonic()
        if file and file.exists():
            document = json.loads(file.read_text())
            if document.get("program") == version:
                for entry in document["answers"]:
                    key = entry["model"], tuple(entry["state"]), entry["trial"]
                    if entry["answer"]["verdict"] != SLOW:  # the machine may have been busy
                        self._answers[key] = Answer(**entry["answer"])

    def find(self, subject, trial):
        return self._answers.get((subject.file, tuple(subject.state), trial))

    def add(self, subject, trial, answer):
        self._answers[subject.file, tuple(subject.state), trial] = answer
        if time.monotonic() > self._saved + SECONDS_BETWEEN_WRITES:
            self.save()
        return answer

    def save(self):
        """Completely, or not at all."""
        self._saved = time.monotonic()
        if not self._file:
            return
        answers = [
            {"model": model, "state": state, "trial": trial, "answer": dataclasses.asdict(answer)}
            for (model, state, trial), answer in self._answers.items()
        ]
        beside = self._file.with_name(self._file.name + ".new")
        beside.write_text(json.dumps({"program": self._version, "answers": answers}, indent=1) + "\n")
        beside.replace(self._file)

    def rows(self, subjects):
        rows = []
        for subject in subjects:
            check = self.find(subject, CHECK.name)
            for (model, state, trial), answer in self._answers.items():
                if check and model == subject.file and state == tuple(subject.state):
                    rows.append(Row(subject.name, trial, answer, check.verdict))
        return rows
