#include "debug/debugger.h"

#include "ops/op_table.h"
#include "support/enumerators.h"
#include "support/error.h"

#include <algorithm>

namespace aotscope {

std::vector<std::optional<ValueFacts>> Debugger::values(const std::vector<ValuePlace>& places,
                                                        const Progress& progress) const {
    std::vector<std::optional<ValueFacts>> found;
    for (const ValuePlace& place : places) {
        progress.throwIfCancelled();
        found.push_back(value(place.graph, place.node));
    }
    return found;
}

void editWhenThere(Debugger& run, GraphKind graph, NodeId node, const std::string& value, const Progress& progress) {
    if (!run.value(graph, node)) {
        run.runTo(graph, node, progress);
        if (run.lastStop().reason != DebugStop::Reason::reached)
            throw Error("the value was not changed because the run stopped before it: " + run.lastStop().text);
        run.step(progress);
    }
    if (run.lastStop().reason == DebugStop::Reason::failed) throw Error(run.lastStop().text);
    run.edit(graph, node, value);
}

std::string whyNoValue(const std::vector<DebugStep>& steps, const DebugPosition& position, const Graph& graph,
                       GraphKind kind, const Node& node) {
    const NodeId id = makerOf(node).id();
    for (const DebugStep& step : steps) {
        if (step.graph != kind) continue;
        if (std::ranges::find(step.inside, id) != step.inside.end())
            return "computed in one kernel with %" + graph.findById(step.node)->name() + ", which keeps no value of it";
        const bool before = kind == position.graph ? step.index < position.step : position.graph == GraphKind::backward;
        if (step.node == id && !before) return kNotYet;
    }
    return node.kind() == NodeKind::call ? "the compiled graph has no value of it" : kNotYet;
}

std::string_view name(DebugStop::Reason reason) { return spelled(reason); }

}  // namespace aotscope
