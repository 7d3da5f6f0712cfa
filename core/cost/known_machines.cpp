// The models that this process uses: measured, read from the user's cache folder, or assumed.

#include "cost/calibration.h"
#include "device/device.h"

#include <ATen/Parallel.h>
#include <torch/csrc/api/include/torch/version.h>

#include <fstream>
#include <map>
#include <mutex>
#include <thread>

namespace aotscope {

namespace {

std::string cpuModel() {
    constexpr std::string_view kName = "model name\t: ";
    std::ifstream cpus("/proc/cpuinfo");
    for (std::string line; std::getline(cpus, line);)
        if (line.starts_with(kName)) return line.substr(kName.size());
    return {};
}

/// The models that this process uses, by device.
class Machines {
public:
    MachineModel get(const std::string& device) {
        const std::lock_guard lock(mutex_);
        const auto known = models_.find(device);
        return known != models_.end() ? known->second : models_.emplace(device, find(device)).first->second;
    }

    MachineModel renew(const std::string& device) {
        if (!whyDeviceCannotRun(device).empty()) return get(device);
        const MachineModel model = measure(device);
        const std::lock_guard lock(mutex_);
        const auto [known, isNew] = models_.emplace(device, model);
        if (!isNew && (known->second.disturbed() || !model.disturbed())) known->second = model;
        return known->second;
    }

private:
    static MachineModel find(const std::string& device) {
        if (!whyDeviceCannotRun(device).empty()) return assumedGpu();
        const CalibratedMachine machine = thisMachine(device);
        const auto kept = readCalibration(calibrationFile(machine), machine);
        return kept ? *kept : measure(device);
    }

    /// What was disturbed is not kept: the next process tries again.
    static MachineModel measure(const std::string& device) {
        MachineModel model = calibrate(device);
        const CalibratedMachine machine = thisMachine(device);
        if (!model.disturbed()) writeCalibration(calibrationFile(machine), machine, model);
        return model;
    }

    std::mutex mutex_;
    std::map<std::string, MachineModel> models_;
};

Machines& machines() {
    static Machines all;
    return all;
}

}  // namespace

CalibratedMachine thisMachine(const std::string& device) {
    CalibratedMachine machine{cpuModel(), static_cast<int>(std::thread::hardware_concurrency()), at::get_num_threads(),
                              TORCH_VERSION, device};
    for (const DeviceChoice& choice : deviceChoices())
        if (choice.name == device && device != "cpu") machine.device += " " + choice.help;
    return machine;
}

MachineModel machineModel(const std::string& device) { return machines().get(device); }

MachineModel calibrateAgain(const std::string& device) { return machines().renew(device); }

}  // namespace aotscope
