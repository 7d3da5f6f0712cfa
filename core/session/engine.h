#pragma once

#include "cost/machine_model.h"
#include "device/device_choice.h"
#include "ops/decompositions/decomposition_table.h"
#include "partition/joint_to_split.h"
#include "record/file_access.h"
#include "record/lowered_graph.h"
#include "record/options/compiler_info.h"
#include "session/rank_run.h"
#include "session/session.h"

namespace aotscope {

/// What runs models, as the window sees it: everything that needs LibTorch is asked here, or of the sessions that it
/// opens. Usable from any thread.
class Engine {
public:
    virtual ~Engine() = default;

    /// Why nothing can be compiled, as a sentence: the engine is missing. Empty: it is there.
    virtual std::string whyMissing() const { return {}; }
    /// See Session::open.
    virtual std::shared_ptr<const Session> open(const Options& options, const Progress& progress,
                                                const std::shared_ptr<const Session>& previous = nullptr,
                                                PassObserver* observer = nullptr) const = 0;

    /// Compiles the model for `count` ranks, without running it: see aotscope::compileRanks.
    virtual std::shared_ptr<const Ranks> compileRanks(const Options& options, std::size_t count,
                                                      const Progress& progress, const RankSource& source) const = 0;

    /// The files on the machine of `model`, as the process reads them that opens it.
    virtual std::shared_ptr<const FileAccess> files(const std::string& model) const = 0;
    virtual std::string torchVersion() const = 0;
    virtual std::vector<DeviceChoice> devices() const = 0;
    /// Why nothing can run on it, as one sentence; empty if it can.
    virtual std::string whyDeviceCannotRun(const std::string& device) const = 0;
    /// See CompilerSource.
    virtual std::vector<CompilerInfo> compilers(const std::vector<std::filesystem::path>& plugins) const = 0;
    /// See machineModel: the first call for a device may measure it.
    virtual MachineModel machine(const std::string& device) const = 0;
    virtual Recalibration calibrate(const std::string& device) const = 0;
    /// See PlanSource.
    virtual std::vector<std::string> planByFunction(const std::filesystem::path& function,
                                                    const Graph& joint) const = 0;
    virtual std::vector<DecompositionRule> decompositionRules() const = 0;
    /// Throws Error; see irLevels.
    virtual std::vector<IrLevel> irLevels(const std::shared_ptr<const Graph>& graph) const = 0;
    /// Writes the module of "script:CODE" for torch.jit.load. Throws Error like open.
    virtual void saveScript(const std::string& model, const std::filesystem::path& file) const = 0;
};

/// Without those of plug-ins that cannot be used: compiling reports these.
std::vector<CompilerInfo> usableCompilers(const Engine& engine, const std::vector<std::filesystem::path>& plugins);

// What `engine` knows, when it is needed.
MachineSource machineOf(std::shared_ptr<const Engine> engine, std::string device);
CompilerSource compilersOf(std::shared_ptr<const Engine> engine);
PlanSource plansOf(std::shared_ptr<const Engine> engine);

/// This process.
std::shared_ptr<const Engine> engineHere();

}  // namespace aotscope
