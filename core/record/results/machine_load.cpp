#include "record/results/machine_load.h"

#include "support/formatted.h"

namespace aotscope {

std::string disturbanceNote(const MachineLoad& load) {
    std::string note;
    if (load.disturbed())
        note = "times are unreliable: other programs were busy, and the measuring thread had a core for only " +
               formatted("%.0f %% of the time", 100 / load.waiting);
    if (load.threads < load.usualThreads)
        note += std::string(note.empty() ? "" : "; ") + "measured on " + std::to_string(load.threads) + " of " +
                std::to_string(load.usualThreads) + " threads, because other programs occupied the other cores";
    return note;
}

}  // namespace aotscope
