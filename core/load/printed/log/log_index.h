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
    metadata,  ///< not a graph: PyTorch's ViewAndMutationMeta as text
    exported,  ///< a graph that aotscope itself wrote
    pass,      ///< of a sequence: its name says which pass has left it
};

/// The place of one printed graph in the file.
struct PrintedSection {
    PrintedKind kind = PrintedKind::unknown;
    std::string title;  ///< the heading or the name of the record
    std::uint64_t offset = 0, bytes = 0;
    std::size_t line = 0;  ///< of the first line, from 1
    std::string key;       ///< lines with this log prefix belong to it; empty: lines without any
    LineHead head;         ///< of its lines, if they have no log prefix
    bool payload = false;  ///< lines behind a tab
};

/// The graphs that one compilation printed.
struct PrintedCompile {
    std::string id;  ///< "0/0"; numbered by position if the file has none
    std::vector<PrintedSection> sections;
    SymbolHints hints;
};

/// The graphs of a file of printouts. Only their places: the text of a graph is read on demand.
struct LogIndex {
    std::filesystem::path path;
    std::vector<PrintedCompile> compiles;
    std::shared_ptr<const TraceLog> trace;  ///< what else is in a TORCH_TRACE log; null: it is none
    bool exported = false;                  ///< one graph that aotscope exported
    std::uint64_t bytes = 0;
};

/// Scans the file once and keeps the places of graphs. Throws Error if it cannot be read.
LogIndex indexLog(const std::filesystem::path& path, const Progress& progress);

/// The lines of one section without log prefixes.
PrintedText readSection(const LogIndex& index, const PrintedSection& section);

}  // namespace aotscope
