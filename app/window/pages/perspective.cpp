#include "window/pages/perspective.h"

#include <QObject>

#include <algorithm>

namespace aotscope {

const std::vector<PerspectiveInfo>& perspectiveList() {
    const auto tr = [](const char* text) { return QObject::tr(text); };
    static const std::vector<PerspectiveInfo> list{
        {Perspective::explore, QStringLiteral("explore"), tr("Explore"), tr("Alt+1"),
         tr("The graph, and all that is known of the selected node")},
        {Perspective::passes, QStringLiteral("passes"), tr("Passes"), tr("Alt+2"),
         tr("What each pass of the pipeline changes: changes, history of a node, decompositions")},
        {Perspective::memory, QStringLiteral("memory"), tr("Memory"), tr("Alt+3"),
         tr("What is saved for backward and what is recomputed, and what another choice would cost")},
        {Perspective::run, QStringLiteral("run"), tr("Run"), tr("Alt+4"),
         tr("The check against eager, times, comparisons, training")},
        {Perspective::debug, QStringLiteral("debug"), tr("Debug"), tr("Alt+5"),
         tr("Runs the compiled graphs node by node: values and breakpoints")}};
    return list;
}

const PerspectiveInfo& infoOf(Perspective perspective) {
    return *std::ranges::find(perspectiveList(), perspective, &PerspectiveInfo::perspective);
}

Perspective perspectiveFromName(const QString& name) {
    const auto found = std::ranges::find(perspectiveList(), name, &PerspectiveInfo::name);
    return found == perspectiveList().end() ? Perspective::explore : found->perspective;
}

}  // namespace aotscope
