#pragma once

#include "canvas/visible.h"
#include "passes/record.h"

#include <QPointF>
#include <QString>

#include <string>

namespace aotscope {

/// What of a session the window shows, as it stands in the session file.
struct SessionView {
    GraphKind graph = GraphKind::joint;
    int pass = -1;  ///< of the pass list; -1: the final graph
    NodeId node = kNoNode;
    std::optional<ViewState> boxes;  ///< closed groups and hidden boxes; nothing: as a graph is first shown
    double zoom = 0;                 ///< 0: as a graph is first shown
    QPointF centre;
    QString table;  ///< the object name of the table in front
    QString file;   ///< autosaved sessions: the file that the session belongs to
};

std::string sessionViewJson(const SessionView& view);
/// What cannot be read keeps its default.
SessionView sessionViewFrom(const std::string& json);

}  // namespace aotscope
