#pragma once

#include "distributed/launch.h"
#include "record/options/options.h"

#include <CLI/App.hpp>

#include <functional>
#include <optional>
#include <string>

namespace aotscope {

class RankProcess;

/// The ranks started by torchrun, mpirun or srun, including this process; and --rank-timeout.
class LaunchedRanks {
public:
    void addTo(CLI::App& app);

    /// Detects a launcher, unless options describe the world.
    void check(const Options& options);
    bool areThere() const { return launch_.has_value(); }
    std::size_t count() const { return launch_->size; }
    /// "torchrun has started 4".
    std::string text() const { return launch_->launcher + " has started " + std::to_string(launch_->size); }

    /// Meets the other ranks and runs `job`. Returns its exit code, or that of an error, which one of the ranks prints.
    int run(const Options& options, const std::function<int(RankProcess&)>& job) const;

private:
    std::optional<Launch> launch_;
    int limit_ = 600;
};

}  // namespace aotscope
