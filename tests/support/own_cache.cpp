// Part of every test: the programs under test keep their caches here, and not in the folder of the user.

#include <cstdlib>

namespace {

const int kSet = ::setenv("XDG_CACHE_HOME", AOTSCOPE_TEST_CACHE, 1);

}  // namespace
