#include "cost/calibration_file.h"

#include "support/error.h"
#include "support/file.h"
#include "support/json/bounded_json.h"
#include "support/user_folders.h"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr int kVersion = 2;  ///< of the measurements
constexpr std::uintmax_t kLargestFile = 64 << 10;

json machineJson(const CalibratedMachine& machine) {
    return {{"cpu", machine.cpu},
            {"cores", machine.cores},
            {"threads", machine.threads},
            {"torch", machine.torch},
            {"device", machine.device}};
}

/// The valid range of a number.
struct Bounds {
    double low, high;
};
constexpr Bounds kSeconds = {0, 100}, kRate = {1, 1e18}, kBytes = {1, 1e12};

/// Calls `field(name, number, bounds)` for each number of a model that a calibration can change.
template <typename Model, typename Field>
void eachNumber(Model& model, Field&& field) {
    field("overhead", model.overhead, kSeconds);
    field("view_overhead", model.viewOverhead, kSeconds);
    field("small_bytes", model.bytes.smallBytes, kBytes);
    field("small_bytes_per_second", model.bytes.small, kRate);
    field("large_bytes", model.bytes.largeBytes, kBytes);
    field("large_bytes_per_second", model.bytes.large, kRate);
    field("fresh_bytes_per_second", model.freshBytes, kRate);
    field("calibration_ms", model.calibrationMs, Bounds{0, 1e7});
    field("disagreement", model.disagreement, Bounds{1, kMostDisturbance});
    field("waiting", model.waiting, Bounds{0, kMostDisturbance});
    forEachPace(model, [&](const std::string& name, auto& rate) {
        field(name + "_latency", rate.latency, kSeconds);
        field(name + "_per_second", rate.perSecond, kRate);
    });
}

MachineModel modelFrom(const json& numbers) {
    MachineModel model;
    eachNumber(model, [&](const std::string& name, double& number, const Bounds& bounds) {
        number = numbers.at(name).get<double>();
        // Written so that NaN fails, too.
        if (!(number >= bounds.low && number <= bounds.high)) throw Error("has an impossible " + name);
    });
    if (model.bytes.smallBytes >= model.bytes.largeBytes) throw Error("has an impossible large_bytes");
    return model;
}

}  // namespace

std::filesystem::path calibrationFolder() { return userCacheFolder() / "aotscope"; }

std::filesystem::path calibrationFile(const CalibratedMachine& machine) {
    boost::uuids::name_generator_sha1 generate(boost::uuids::ns::oid());
    return calibrationFolder() / ("calibration-" + to_string(generate(machineJson(machine).dump())) + ".json");
}

std::optional<MachineModel> readCalibration(const std::filesystem::path& file, const CalibratedMachine& machine) {
    try {
        const json document = parseBounded(readFile(file, kLargestFile), {.depth = 4});
        if (document.at("version") != kVersion || document.at("machine") != machineJson(machine)) return std::nullopt;
        return modelFrom(document.at("numbers"));
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

void writeCalibration(const std::filesystem::path& file, const CalibratedMachine& machine, const MachineModel& model) {
    json numbers;
    eachNumber(model, [&](const std::string& name, double number, const Bounds&) { numbers[name] = number; });
    const json document = {{"version", kVersion}, {"machine", machineJson(machine)}, {"numbers", numbers}};
    try {
        std::filesystem::create_directories(file.parent_path());
        writeFileAtomically(file, document.dump(1) + "\n");
    } catch (const std::exception&) {  // a full disk, or a read-only folder
    }
}

}  // namespace aotscope
