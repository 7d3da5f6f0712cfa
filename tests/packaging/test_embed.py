"""find_package(aotscope): core in another program."""

import unittest

from support import ROOT, ScratchTest, install, run


class TestEmbed(ScratchTest):
    def test_saved_tensors(self):
        install(self.scratch / "prefix", "development")
        build = self.scratch / "build"
        run("cmake", "-S", ROOT / "tests/embed", "-B", build, f"-DCMAKE_PREFIX_PATH={self.scratch / 'prefix'}")
        run("cmake", "--build", build)
        self.assertIn("relu", run(build / "saved_tensors", "sample:mlp"))


if __name__ == "__main__":
    unittest.main()
