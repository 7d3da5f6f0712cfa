#pragma once

#include "canvas/view/graph_view.h"
#include "canvas/visible.h"
#include "debug/debugger.h"
#include "io/overlay.h"
#include "passes/breakpoints.h"

#include <map>
#include <memory>

namespace aotscope {

/// A bookmarked place: a graph with its open modules, the selection, and the camera.
struct Place {
    GraphKind graph = GraphKind::joint;
    NodeId node = kNoNode;
    std::optional<ViewState> boxes;  ///< closed groups and hidden boxes; nothing: the default
    GraphView::Position position;    ///< zoom 0: the default
};
/// By their digits.
using Bookmarks = std::map<int, Place>;

/// The view of the window as stored in a session file. Files of earlier versions lack some of it.
struct SessionView {
    Place place;
    int pass = -1;                           ///< of the pass list; -1: the final graph
    QString table;                           ///< the name of the front tab; empty: none
    QString file;                            ///< autosaved sessions: the file that the session belongs to
    QString colour;                          ///< colour mode: a ColourBy by name; empty: that of the window
    std::shared_ptr<const Overlay> overlay;  ///< the values of an opened file; null: none
    std::optional<Bookmarks> bookmarks;
    std::optional<std::vector<Breakpoint>> breakpoints;            ///< of the pipeline
    std::optional<std::vector<DebugBreakpoint>> valueBreakpoints;  ///< of the debugger
    QStringList refused;  ///< errors of unreadable breakpoints, a sentence each; never written
};

std::string sessionViewJson(const SessionView& view);
/// Members that cannot be read keep their defaults. `record`: of the session; null: it has no passes of its own.
SessionView sessionViewFrom(const std::string& json, const CompileRecord* record = nullptr);

}  // namespace aotscope
