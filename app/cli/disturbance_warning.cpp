#include "cli/disturbance_warning.h"

#include "cost/machine_model.h"

#include <iostream>

namespace aotscope {

void warnOfDisturbance(const std::string& device) {
    if (const std::string note = disturbanceNote(machineModel(device)); !note.empty())
        std::cerr << "aotscope: " << note << "\n";
}

}  // namespace aotscope
