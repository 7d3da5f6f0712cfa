#pragma once

#include "distributed/launch.h"
#include "record/options/options.h"

#include <CLI/App.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace aotscope {

/// The ranks started by torchrun, mpirun or srun, including this process; and --rank-timeout.
class LaunchedRanks {
public:
    void addTo(CLI::App& app);

    /// Detects a launcher, unless options describe the world.
    void check(const Options& options);
    bool areThere() const { return launch_.has_value(); }
    const Launch& launch() const { return *launch_; }
    std::size_t count() const { return launch_->size; }
    /// How long to wait for the others.
    std::chrono::seconds limit() const { return std::chrono::seconds(limit_); }
    /// "torchrun has started 4".
    std::string text() const { return launch_->launcher + " has started " + std::to_string(launch_->size); }

private:
    std::optional<Launch> launch_;
    int limit_ = 600;
};

}  // namespace aotscope
