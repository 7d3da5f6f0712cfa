#pragma once

#include "export/export_graph.h"
#include "partition/pareto.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aotscope {

/// Lays the graph out and writes it as "svg", "png", "pdf" or "html", without a window. `compilers`: for the colours of
/// kernels. Returns the time of the layout and notes about it.
std::string exportPicture(const GraphOfRun& shown, const std::string& format, const std::filesystem::path& file,
                          const PictureStyle& style = {}, std::vector<CompilerUse> compilers = {});

/// The same for a picture of a difference.
std::string exportDifferencePicture(const ComparedGraphs& graphs, const std::string& title, const std::string& format,
                                    const std::filesystem::path& file, const PictureStyle& style);

/// A partition on a chart of memory against time.
struct ParetoRow {
    double megabytes = 0, ms = 0;
    std::string label;  ///< beside the point: "0.3"
    bool measured = false;
    SweepKind kind = SweepKind::budget;
};

/// Writes a chart of memory against time as SVG, without a window: estimated points joined, measured ones beside them.
/// `memory` and `time`: labels of the axes. Throws Error if the file cannot be written.
void exportPareto(const std::vector<ParetoRow>& rows, const std::string& memory, const std::string& time,
                  const std::string& title, const std::filesystem::path& file);

}  // namespace aotscope
