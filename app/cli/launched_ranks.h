#pragma once

#include "distributed/launch.h"
#include "record/options/options.h"

#include <CLI/App.hpp>

#include <functional>
#include <optional>
#include <string>

namespace aotscope {

class RankProcess;

/// The ranks that torchrun, mpirun or srun has started, one of which this process is; and --rank-timeout.
class LaunchedRanks {
public:
    void addTo(CLI::App& app);

    /// Looks whether there are any. Options that describe the world say that there are none.
    void check(const Options& options);
    bool areThere() const { return launch_.has_value(); }
    /// "torchrun has started 4".
    std::string text() const { return launch_->launcher + " has started " + std::to_string(launch_->size); }

    /// Meets the others and runs `job`. Returns its exit code, or that of an error, which one of the ranks prints.
    int run(const Options& options, const std::function<int(RankProcess&)>& job) const;

private:
    std::optional<Launch> launch_;
    int limit_ = 600;
};

}  // namespace aotscope
