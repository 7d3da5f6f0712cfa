#pragma once

#include "session/session.h"

#include <string>

namespace aotscope {

/// A session on graphs without a program: they can be inspected, but not run.
class GraphSession : public Session {
public:
    InputSpec inputSpec() const override { return {}; }
    std::vector<std::string> inputNames() const override { return {}; }
    std::string whyNotCompiled() const override { return whyNotExecutable(); }

    std::vector<CompilerUse> compilers(const Progress&) const override { refuse(); }
    CheckResult check(const Progress&) const override { refuse(); }
    BisectResult bisect(const Progress&) const override { refuse(); }
    TimingResult time(const TimingOptions&, const Progress&) const override { refuse(); }
    VariantTiming timeAgainst(const Session&, const TimingOptions&, const Progress&) const override { refuse(); }
    void saveTorchScript(const Graph&, GraphKind, TorchScriptForm, const std::filesystem::path&) const override {
        refuse();
    }
    void saveValues(const std::filesystem::path&, const Progress&) const override { refuse(); }
    std::shared_ptr<Debugger> debug(const Progress&) const override { refuse(); }
    TrainResult train(const TrainOptions&, const Progress&, const TrainListener&) const override { refuse(); }

private:
    [[noreturn]] void refuse() const;
};

}  // namespace aotscope
