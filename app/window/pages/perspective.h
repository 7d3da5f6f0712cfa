#pragma once

#include <QKeySequence>
#include <QString>
#include <vector>

namespace aotscope {

/// An activity, with pages of its own beside the graph.
enum class Perspective : std::uint8_t { explore, passes, memory, run, debug };

struct PerspectiveInfo {
    Perspective perspective;
    QString name;   ///< settings, layouts and tests know it by this: "memory"
    QString title;  ///< "Memory"
    QKeySequence key;
    QString tip;
};

/// In their order.
const std::vector<PerspectiveInfo>& perspectiveList();
const PerspectiveInfo& infoOf(Perspective perspective);
/// By a name that may come from a file; Explore if unknown.
Perspective perspectiveFromName(const QString& name);

}  // namespace aotscope
