#pragma once

#include "cost/machine_model.h"
#include "export/picture_style.h"
#include "record/graph_difference.h"
#include "session/session.h"
#include "support/progress.h"

#include <filesystem>
#include <string>

namespace aotscope {

/// The graph formats that this build can write.
std::vector<std::string> exportFormats();

/// The file beside a Python program with values that it cannot make: "graph.values.pt" for "graph.py".
std::filesystem::path keptValuesFile(std::filesystem::path script);

/// A graph, and the run that has it. `session`, which has the graph, is needed for TorchScript and for the colours of
/// kernels; null: these are refused, and a Python program makes inputs by their types alone.
struct GraphOfRun {
    const Graph& graph;
    GraphKind kind;
    const CompileRecord& record;
    const Session* session = nullptr;
    MachineSource machine = {};  ///< for colours by estimated times, which are refused without it
};

/// Writes the graph to `file` in `format` (empty: by the file's extension) and returns a sentence about it. `values`:
/// where a Python program finds the values of all inputs and the results of the graph; empty: it makes its own, and
/// finds those that it cannot make in a file beside it (keptValuesFile). Throws UsageError for a format that this build
/// cannot write or that has no such style, Error if the file cannot be written.
std::string exportGraph(const GraphOfRun& shown, std::string format, const std::filesystem::path& file,
                        const PictureStyle& style = {}, const std::filesystem::path& values = {},
                        const Progress& progress = {});

/// Two graphs and their runs, which may be the same.
struct ComparedGraphs {
    const GraphDifference& difference;
    const CompileRecord &before, &after;
    const Session *sessionBefore = nullptr, *sessionAfter = nullptr;  ///< as GraphOfRun has it
};

/// Throws UsageError if exportDifference cannot write the extension of `file`.
void requireDifferenceFormat(const std::filesystem::path& file);

/// Writes one picture of both graphs, or a Python program that calls both (.py), in the format of the extension of
/// `file`, and returns a sentence about it. Throws as requireDifferenceFormat does, Error if the file cannot be
/// written.
std::string exportDifference(const ComparedGraphs& graphs, const std::string& title, const std::filesystem::path& file,
                             const PictureStyle& style = {}, const Progress& progress = {});

}  // namespace aotscope
