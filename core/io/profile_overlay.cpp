#include "io/profile_overlay.h"

#include <algorithm>

namespace aotscope {

Overlay overlayOf(const JoinedProfile& profile, const CompileRecord& record) {
    Overlay overlay{.title = "time in the profile, a step", .unit = "ms"};
    const auto steps = static_cast<double>(std::max<std::size_t>(profile.steps, 1));
    const auto add = [&](GraphKind kind, const std::string& node, double ms) {
        auto& value = overlay.inGraph[kind].try_emplace(node, 0.0).first->second;
        value = std::get<double>(value) + ms;
    };
    for (const ProfileRow& row : profile.rows) {
        const auto graph = record.graph(row.graph);
        const Node* node = graph ? graph->findById(row.nodes.back()) : nullptr;
        if (!node) continue;
        add(row.graph, node->name(), row.ms / steps);
        if (row.graph != GraphKind::inference) add(GraphKind::joint, node->name(), row.ms / steps);
    }
    return overlay;
}

}  // namespace aotscope
