#pragma once

#include "record/compile_record.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>

namespace aotscope {

/// A run as far as its `--report` describes it.
struct ReportedRun {
    /// Graphs, symbols, and the saved and recomputed values of the partition; no passes or metadata.
    std::shared_ptr<const CompileRecord> record;
    /// The graphs have complete types: reports of older versions have only the printed ones.
    bool exact = true;
    bool hasNodes = true;                  ///< false: a baseline with only the counts of operations
    std::vector<std::string> unread = {};  ///< why graphs are missing: printed ones may have sizes without values
};

/// Throws Error, naming `where`, for anything else.
ReportedRun readReport(const nlohmann::json& report, const std::string& where);

}  // namespace aotscope
