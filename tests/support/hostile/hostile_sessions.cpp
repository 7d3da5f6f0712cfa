#include "support/hostile/hostile_files.h"

namespace aotscope::test {

std::vector<HostileFile> hostileSessions(const Scratch&) { return {}; }

}  // namespace aotscope::test
