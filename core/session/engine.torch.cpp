#include "session/engine.h"

#include <torch/csrc/api/include/torch/version.h>

namespace aotscope {

namespace {

class EngineHere final : public Engine {
public:
    std::shared_ptr<const Session> open(const Options& options, const Progress& progress,
                                        const std::shared_ptr<const Session>& previous,
                                        PassObserver* observer) const override {
        return Session::open(options, progress, previous, observer);
    }
    std::string torchVersion() const override { return TORCH_VERSION; }
    std::vector<DeviceChoice> devices() const override { return deviceChoices(); }
    void prepareDevice(const std::string& device) const override { aotscope::prepareDevice(device); }
    std::vector<CompilerInfo> compilers(const std::vector<std::filesystem::path>& plugins) const override {
        return compilerList(plugins);
    }
    MachineModel machine(const std::string& device) const override { return machineModel(device); }
    Recalibration calibrate(const std::string& device) const override { return calibrateAgain(device); }
    std::vector<IrLevel> irLevels(const std::shared_ptr<const Graph>& graph) const override {
        return aotscope::irLevels(graph);
    }
    void saveScript(const std::string& model, const std::filesystem::path& file) const override {
        aotscope::saveScript(model, file);
    }
};

}  // namespace

std::shared_ptr<const Engine> engineHere() { return std::make_shared<const EngineHere>(); }

}  // namespace aotscope
