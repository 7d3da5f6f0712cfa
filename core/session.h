#pragma once

#include "options.h"
#include "passes/record.h"
#include "runtime/results.h"
#include "support/progress.h"

#include <memory>

namespace aotscope {

/// One model, compiled with one set of options: the door through which the window and the command line use the
/// pipeline. Knows no torch type in its interface. Safe to use from any one thread at a time.
class Session {
public:
    /// Loads and compiles. Throws Error when the model or its inputs cannot be had; a pass that fails leaves a
    /// session whose record holds the error and everything up to that pass. Throws Cancelled.
    static std::shared_ptr<const Session> open(const Options& options, const Progress& progress);
    virtual ~Session() = default;

    virtual const Options& options() const = 0;
    virtual std::shared_ptr<const CompileRecord> record() const = 0;
    /// The spec behind the example inputs, where there is one: samples and given specs.
    virtual std::optional<InputSpec> inputSpec() const = 0;

    /// Throws Error when the pipeline had failed, or when a run fails.
    virtual CheckResult check(const Progress& progress) const = 0;
    virtual TimingResult time(int iterations, const Progress& progress) const = 0;
};

struct SampleInfo {
    std::string name, help;
};
std::vector<SampleInfo> sampleList();

/// The spec to start from for a model: its own example inputs, or a template with its inputs' names.
/// Throws Error when the model cannot be loaded.
InputSpec suggestedInputs(const std::string& model);

/// Settings of LibTorch that hold for the whole process; call once at start.
void initializeTorch();
std::string torchVersion();

}  // namespace aotscope
