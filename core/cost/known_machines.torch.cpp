// The machine models that this process uses: measured, read from the user's cache folder, or assumed.

#include "cost/known_machines.h"

#include "cost/calibration.h"
#include "device/device.h"
#include "support/machine/brief_waits.h"
#include "support/machine/cores.h"

#include <ATen/Parallel.h>
#include <torch/csrc/api/include/torch/version.h>

#include <fstream>
#include <map>
#include <mutex>

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

    Recalibration renew(const std::string& device) {
        if (!whyDeviceCannotRun(device).empty()) return {get(device), {}};
        const std::optional<MachineModel> earlier = inUse(device);
        Recalibration better = betterOf(earlier, measure(device), usual(device));
        const std::lock_guard lock(mutex_);
        models_.insert_or_assign(device, better.machine);
        return better;
    }

private:
    static MachineModel find(const std::string& device) {
        if (!whyDeviceCannotRun(device).empty()) return assumedGpu();
        const auto kept = keptOf(device);
        return kept ? *kept : betterOf(std::nullopt, measure(device), usual(device)).machine;
    }

    static MachineModel usual(const std::string& device) { return device == "cpu" ? usualCpu() : assumedGpu(); }

    static std::optional<MachineModel> keptOf(const std::string& device) {
        const CalibratedMachine machine = thisMachine(device);
        return readCalibration(calibrationFile(machine), machine);
    }

    /// Measured by this process, or by an earlier one.
    std::optional<MachineModel> inUse(const std::string& device) {
        const std::lock_guard lock(mutex_);
        const auto used = models_.find(device);
        return used == models_.end() ? keptOf(device) : used->second;
    }

    /// A disturbed measurement is not saved: the next process tries again.
    static MachineModel measure(const std::string& device) {
        const BriefWaits waits;
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
    CalibratedMachine machine{cpuModel(), static_cast<int>(availableCores()), at::get_num_threads(), TORCH_VERSION,
                              device};
    for (const DeviceChoice& choice : deviceChoices())
        if (choice.name == device && device != "cpu") machine.device += " " + choice.help;
    return machine;
}

MachineModel machineModel(const std::string& device) { return machines().get(device); }

Recalibration calibrateAgain(const std::string& device) { return machines().renew(device); }

}  // namespace aotscope
