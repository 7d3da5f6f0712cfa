#pragma once

#include "canvas/view/graph_view.h"
#include "canvas/visible.h"
#include "debug/debugger.h"
#include "io/overlay.h"
#include "passes/breakpoints.h"

#include <map>
#include <memory>

namespace aotscope {

/// A place that a person can come back to: a graph as it is opened, what is selected, and what is in view.
struct Place {
    GraphKind graph = GraphKind::joint;
    NodeId node = kNoNode;
    std::optional<ViewState> boxes;  ///< closed groups and hidden boxes; nothing: as a graph is first shown
    GraphView::Position position;    ///< zoom 0: as a graph is first shown
};
/// By their digits.
using Bookmarks = std::map<int, Place>;

/// What of a session the window shows, as it stands in the session file. Files of earlier programs lack some of it.
struct SessionView {
    Place place;
    int pass = -1;   ///< of the pass list; -1: the final graph
    QString table;   ///< the name of the tab in front; empty: there is none
    QString file;    ///< autosaved sessions: the file that the session belongs to
    QString colour;  ///< by what boxes are coloured: a ColourBy or Dimension by name; empty: as the window has it
    std::shared_ptr<const Overlay> overlay;  ///< the values of a file that were opened; null: none
    std::optional<Bookmarks> bookmarks;
    std::optional<std::vector<Breakpoint>> breakpoints;            ///< of the pipeline
    std::optional<std::vector<DebugBreakpoint>> valueBreakpoints;  ///< of the debugger
    QStringList refused;  ///< breakpoints that cannot be read, a sentence each; never written
};

std::string sessionViewJson(const SessionView& view);
/// What cannot be read keeps its default. `record`: of the session; null: it has no passes of its own.
SessionView sessionViewFrom(const std::string& json, const CompileRecord* record = nullptr);

}  // namespace aotscope
