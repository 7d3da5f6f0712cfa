#pragma once

#include "session/engine.h"

#include <map>
#include <string>
#include <vector>

namespace aotscope {

/// A log of TORCH_TRACE that was found, but not read yet.
struct FoundLog {
    std::shared_ptr<const FileAccess> files;
    std::filesystem::path path;
    std::string model;  ///< that opens it: see Options
};

/// Finds logs here and on other machines, each through one connection.
class LogFinder {
public:
    /// `engine` must outlive it.
    explicit LogFinder(const Engine& engine) : engine_(engine) {}

    /// The logs in a folder, or the log itself; empty for anything else. Throws Error, Cancelled.
    std::vector<FoundLog> at(const std::string& place, const Progress& progress);

private:
    const Engine& engine_;
    std::map<std::vector<std::string>, std::shared_ptr<const FileAccess>> files_;  ///< by the command for the machine
};

}  // namespace aotscope
