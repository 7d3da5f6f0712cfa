#include "support/hostile/hostile_files.h"

namespace aotscope::test {

std::vector<HostileFile> hostilePickles(const Scratch&) { return {}; }

}  // namespace aotscope::test
