#pragma once

#include "record/compile_record.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>

namespace aotscope {

/// A run as far as a document that `--report` has written tells of it.
struct ReportedRun {
    /// Graphs, symbols, and the saved and recomputed values of the partition; no passes, no metadata.
    std::shared_ptr<const CompileRecord> record;
    /// The graphs have all that the run knew of their values: reports of older versions have only what is printed.
    bool exact = true;
    bool hasNodes = true;                  ///< false: a baseline that keeps only how often operations occur
    std::vector<std::string> unread = {};  ///< why graphs are missing: printed ones may have sizes without values
};

/// Throws Error, naming `where`, for anything else.
ReportedRun readReport(const nlohmann::json& report, const std::string& where);

}  // namespace aotscope
