"""The window, and the output without one."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace
from unittest import mock

import aotscope
import torch
from torch import nn

from support import TestCase, running, script, until

NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}


class Show(TestCase):
    def setUp(self) -> None:
        super().setUp()
        self.model, self.x = nn.Linear(3, 3), torch.randn(2, 3)

    def folders(self) -> list[str]:
        return [path.name for path in self.temporary.glob("aotscope-????????")]

    def test_window_keeps_its_file_until_it_is_closed(self) -> None:
        mine = script(self.folder / "mine", '#!/bin/sh\ncp "$1" "$0.copy"\nsleep 7654321\n')
        with mock.patch.dict(os.environ, {"AOTSCOPE_PROGRAM": str(mine), "QT_QPA_PLATFORM": "offscreen"}):
            window = aotscope.show(self.model, self.x)
        self.assertTrue(window.running)
        self.assertEqual(window.how, "torch.export (strict=False)")
        self.assertEqual(len(self.folders()), 1)
        copy = self.folder / "mine.copy"
        self.assertTrue(until(lambda: copy.exists() and copy.stat().st_size > 1000))
        window.close()
        self.assertEqual((window.running, self.folders()), (False, []))
        self.assertTrue(until(lambda: not running("sleep 7654321")))

    def test_file_goes_with_the_window(self) -> None:
        mine = script(self.folder / "mine", '#!/bin/sh\nwhile [ ! -e "$0.end" ]; do sleep 0.05; done\n')
        with mock.patch.dict(os.environ, {"AOTSCOPE_PROGRAM": str(mine), "QT_QPA_PLATFORM": "offscreen"}):
            window = aotscope.show(self.model, self.x)
        self.assertTrue(window.running)
        (self.folder / "mine.end").touch()
        window.wait(60)
        self.assertEqual((window.running, self.folders()), (False, []))

    def test_real_window(self) -> None:
        report = aotscope.run(self.model, self.x)
        with mock.patch.dict(os.environ, {"QT_QPA_PLATFORM": "offscreen", "HOME": str(self.folder)}):
            try:
                window = aotscope.show(report)
            except aotscope.Error as e:
                self.skipTest(str(e))  # a build without Qt
        self.assertTrue(window.running)
        window.close()
        self.assertFalse(window.running)
        self.assertTrue(until(lambda: not list(self.temporary.glob("aotscope*"))))  # a guard of the engine does it

    def test_program_that_fails(self) -> None:
        mine = script(self.folder / "mine", "#!/bin/sh\necho 'aotscope: no window today' >&2\nexit 2\n")
        with (
            mock.patch.dict(os.environ, {"AOTSCOPE_PROGRAM": str(mine), "QT_QPA_PLATFORM": "offscreen"}),
            mock.patch.object(sys.modules["aotscope.show"], "_SECONDS_TO_FAIL", 60),
            self.assertRaisesRegex(aotscope.Error, "^no window today$"),
        ):
            aotscope.show(self.model, self.x)
        self.assertEqual(self.folders(), [])

    def test_no_display(self) -> None:
        with (
            mock.patch.dict(os.environ, NO_DISPLAY),
            mock.patch.object(torch.export, "export", side_effect=AssertionError("exported for nothing")),
            self.assertRaisesRegex(aotscope.Error, 'no display.*save\\("model.html"\\)'),
        ):
            aotscope.show(self.model, self.x)
        self.assertEqual(self.folders(), [])

    def test_page(self) -> None:
        with mock.patch.dict(os.environ, NO_DISPLAY):
            try:
                page = aotscope.show(self.model, self.x, html=self.folder / "page.html")
            except aotscope.Error as e:
                self.skipTest(str(e))  # a build without Qt
        self.assertIn("<html", page.read_text(encoding="utf-8"))

    def test_notebook(self) -> None:
        shell = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=object()))
        with mock.patch.dict(sys.modules, {"IPython": shell}), mock.patch.dict(os.environ, NO_DISPLAY):
            shown = aotscope.show(self.model, self.x, options={"partition": "default"})
        self.assertIsInstance(shown, aotscope.Report)
        self.assertEqual(shown.partition["algorithm"], "default")
