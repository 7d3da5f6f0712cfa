#pragma once

#include "load/printed/printed_text.h"
#include "load/printed/symbols.h"
#include "load/printed/syntax/graph_start.h"
#include "load/printed/syntax/log_line.h"
#include "record/trace_log.h"
#include "support/progress.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// The kind of a printed graph, from its heading or record.
enum class PrintedKind : std::uint8_t {
    unknown,
    source,  ///< what TorchDynamo captured
    preGrad,
    joint,
    forward,
    backward,
    inference,
    postGrad,
    metadata,  ///< not a graph: the text of PyTorch's ViewAndMutationMeta
    exported,  ///< a graph written by aotscope itself
    pass,      ///< part of a sequence: its name gives the pass before it
};

/// The position of one printed graph in the file.
struct PrintedSection {
    PrintedKind kind = PrintedKind::unknown;
    std::string title;  ///< the heading or the name of the record
    std::uint64_t offset = 0, bytes = 0;
    std::size_t line = 0;  ///< of the first line, starting at 1
    std::string key;       ///< its lines have this log prefix; empty: no prefix
    LineHead head;         ///< of its lines, if they have no log prefix
    bool payload = false;  ///< its lines start with a tab
};

/// The graphs printed by one compilation.
struct PrintedCompile {
    std::string id;  ///< "0/0"; numbered by position if the file has none
    std::vector<PrintedSection> sections;
    SymbolHints hints;
};

/// The graphs in a file. Only their positions: the text of a graph is read on demand.
struct LogIndex {
    std::filesystem::path path;
    std::vector<PrintedCompile> compiles;
    std::shared_ptr<const TraceLog> trace;  ///< the other contents of a TORCH_TRACE log; null for other files
    bool exported = false;                  ///< a single graph exported by aotscope
    std::uint64_t bytes = 0;
};

/// Scans the file once and records the positions of graphs. Throws Error if it cannot be read.
LogIndex indexLog(const std::filesystem::path& path, const Progress& progress);
/// Of a log of TORCH_TRACE.
LogIndex indexLog(std::shared_ptr<const TraceLog> log);

/// What reads the file.
const FileAccess& filesOf(const LogIndex& index);

/// The lines of one section without log prefixes.
PrintedText readSection(const LogIndex& index, const PrintedSection& section);

}  // namespace aotscope
