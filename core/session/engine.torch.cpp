#include "session/engine.h"

#include "compile/compilers.h"
#include "cost/known_machines.h"
#include "device/device.h"
#include "load/torchscript/script_model.h"
#include "ops/decompositions/decomposition.h"
#include "partition/plan_function.h"
#include "passes/ir_levels.h"
#include "record/model_kind.h"
#include "session/ranks/rank_runs.h"
#include "session/remote/remote_files.h"
#include "session/remote/remote_host.h"
#include "support/file.h"

#include <torch/csrc/jit/api/module.h>

#include <sstream>

namespace aotscope {

namespace {

class EngineHere final : public Engine {
public:
    std::shared_ptr<const Session> open(const Options& options, const Progress& progress,
                                        const std::shared_ptr<const Session>& previous,
                                        PassObserver* observer) const override {
        return Session::open(options, progress, previous, observer);
    }
    std::shared_ptr<const Ranks> compileRanks(const Options& options, std::size_t count, const Progress& progress,
                                              const RankSource& source) const override {
        return aotscope::compileRanks(options, count, progress, source);
    }
    std::shared_ptr<const FileAccess> files(const std::string& model) const override {
        return filesOf(isRemote(model) ? hostOf({.model = model}, nullptr) : nullptr);
    }
    std::string torchVersion() const override { return aotscope::torchVersion(); }
    std::vector<DeviceChoice> devices() const override { return deviceChoices(); }
    std::string whyDeviceCannotRun(const std::string& device) const override {
        return aotscope::whyDeviceCannotRun(device);
    }
    std::vector<CompilerInfo> compilers(const std::vector<std::filesystem::path>& plugins) const override {
        return compilerList(plugins);
    }
    MachineModel machine(const std::string& device) const override { return machineModel(device); }
    Recalibration calibrate(const std::string& device) const override {
        prepareDevice(device);
        return calibrateAgain(device);
    }
    std::vector<std::string> planByFunction(const std::filesystem::path& function, const Graph& joint) const override {
        return aotscope::planByFunction(function, joint);
    }
    std::vector<DecompositionRule> decompositionRules() const override { return allDecompositionRules(); }
    std::vector<IrLevel> irLevels(const std::shared_ptr<const Graph>& graph) const override {
        return aotscope::irLevels(graph);
    }
    void saveScript(const std::string& model, const std::filesystem::path& file) const override {
        std::ostringstream content;
        scriptModule(model.substr(kScriptPrefix.size()), {}).save(content);
        writeFileAtomically(file, content.str());
    }
};

}  // namespace

std::shared_ptr<const Engine> engineHere() { return std::make_shared<const EngineHere>(); }

}  // namespace aotscope
