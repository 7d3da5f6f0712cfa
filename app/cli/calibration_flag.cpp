#include "cli/calibration_flag.h"

#include "session/engine.h"

#include <iostream>

namespace aotscope {

void CalibrationFlag::addTo(CLI::App& app) {
    app.add_flag("--calibrate", given_, "measure the speed of this machine again, for estimated times");
}

void CalibrationFlag::apply(const Engine& engine, const std::string& device) const {
    if (!given_) return;
    if (const std::string note = engine.calibrate(device).note; !note.empty())
        std::cerr << "aotscope: " << note << "\n";
}

void CalibrationFlag::warn(const MachineModel& machine) {
    if (const std::string note = disturbanceNote(machine); !note.empty()) std::cerr << "aotscope: " << note << "\n";
}

}  // namespace aotscope
