#include "cli/calibration_flag.h"

#include "cost/machine_model.h"
#include "device/device.h"

#include <iostream>

namespace aotscope {

void CalibrationFlag::addTo(CLI::App& app) {
    app.add_flag("--calibrate", given_, "measure the speed of this machine again, for estimated times");
}

void CalibrationFlag::apply(const std::string& device) const {
    if (!given_) return;
    prepareDevice(device);
    if (const std::string note = calibrateAgain(device).note; !note.empty()) std::cerr << "aotscope: " << note << "\n";
}

void CalibrationFlag::warn(const std::string& device) const {
    if (const std::string note = disturbanceNote(machineModel(device)); !note.empty())
        std::cerr << "aotscope: " << note << "\n";
}

}  // namespace aotscope
