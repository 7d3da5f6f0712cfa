#pragma once

#include "record/options.h"

#include <CLI/App.hpp>

#include <filesystem>

namespace aotscope {

/// --ranks of 'aotscope run': all ranks of a distributed program, in this process.
class RankOptions {
public:
    void addTo(CLI::App& app);
    bool given() const { return count_ > 0; }

    /// Runs and prints them. Returns the exit code. The paths may be empty.
    int run(const Options& options, const std::filesystem::path& report, const std::filesystem::path& values) const;

private:
    int count_ = 0;
};

}  // namespace aotscope
