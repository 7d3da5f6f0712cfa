#pragma once

#include "record/options/options.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aotscope {

/// A log of TORCH_TRACE, alone or among those of other ranks in a folder. Compilations of logs after the first have ids
/// such as "1:0/0", where 1 is the rank.
struct ChosenLog {
    std::filesystem::path file;
    std::string rank;                 ///< prefix of its ids: "1:"; empty for the first log and outside of folders
    std::string compileId;            ///< within the log; empty: not chosen
    std::vector<std::string> others;  ///< prefixes of the ids of other logs
};

/// The log selected by `options` if their model is a folder of logs, otherwise the model itself. Throws UsageError if
/// the rank has no log.
ChosenLog chooseLog(const Options& options);

}  // namespace aotscope
