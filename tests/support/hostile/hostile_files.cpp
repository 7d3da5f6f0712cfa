#include "support/hostile/hostile_files.h"

namespace aotscope::test {

std::vector<HostileFile> hostileFiles(const Scratch& scratch) {
    std::vector<HostileFile> files;
    for (const auto make : {hostileSessions, hostileTorchScript, hostileLoops, hostileExported, hostilePickles,
                            hostileBombs, hostilePlaces, hostilePlans, hostileProfiles})
        for (HostileFile& file : make(scratch)) files.push_back(std::move(file));
    return files;
}

}  // namespace aotscope::test
