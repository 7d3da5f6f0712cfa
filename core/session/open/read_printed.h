#pragma once

#include "io/session/model_reference.h"
#include "load/model_source.h"
#include "load/printed/graph_rules.h"
#include "load/printed/log/log_index.h"
#include "passes/pass_observer.h"
#include "passes/printed_record.h"
#include "session/open/trace_folder.h"
#include "session/session.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace aotscope {

inline constexpr const char* kPrintedNotCompiled =
    "printed graphs cannot be recompiled without the program they came from; open the model itself";

/// What a session on graphs printed by Python shows.
struct PrintedReading {
    ChosenLog log;    ///< with the id of the compilation
    FileStamp stamp;  ///< of its file
    std::shared_ptr<const CompileRecord> record;
    std::vector<std::string> compileIds;    ///< see Session
    std::shared_ptr<const TraceLog> trace;  ///< see Session
    std::shared_ptr<const LogIndex> index;  ///< for the other compilations of the file; null: read it again
    std::string whyNotCompiled;             ///< see Session
    std::string whyNoGraphs = {};           ///< the log only describes compilations; empty: there are graphs
};

/// How printed graphs are read.
struct PrintedRequest {
    const Options& options;
    const GraphRules& rules;
    SplitSources split;
    const Progress& progress;
    const Session* previous = nullptr;  ///< its index of the same unchanged file is used again
    PassObserver* observer = nullptr;   ///< of sequences of passes
};

/// Reads a source that may contain printed graphs (see mayBePrinted): readable text, a TORCH_LOGS log, a TORCH_TRACE
/// log (also without graphs) or a folder of those. Nothing if a text contains no such graph. Folders, and texts with
/// one graph after several passes, are sequences of passes. Throws Error if one of the graphs is unreadable.
std::optional<PrintedReading> readPrinted(const PrintedRequest& request, ModelSource source);

/// One compilation in such a file: its id, and the kind and number of operations of each of its graphs.
struct PrintedSummary {
    std::string id;
    std::vector<std::pair<std::string, std::size_t>> graphs;
    std::string error;  ///< why its graphs are unreadable
};

/// All compilations in a file. Throws Error without any.
std::vector<PrintedSummary> summarizePrinted(const std::filesystem::path& path, const Progress& progress);
/// The same for a log of TORCH_TRACE.
std::vector<PrintedSummary> summarizePrinted(std::shared_ptr<const TraceLog> log, const Progress& progress);

}  // namespace aotscope
