#include "verify/judge/graph_values.h"

#include "ops/op_table.h"
#include "support/error.h"
#include "verify/run_io.h"

#include <ATen/core/grad_mode.h>

namespace aotscope {

ValueObserver::ValueObserver(const Graph& graph, const std::vector<NodeId>& steps, ValueSink sink)
    : steps_(steps), sink_(std::move(sink)), placeholders_(graph.placeholders()), nodes_(nodesById(graph)) {}

void ValueObserver::arguments(c10::ArrayRef<c10::IValue> values) {
    calledWith_ = copyValues(values.vec());
    for (std::size_t i = 0; sink_ && i < placeholders_.size(); ++i) sink_(*placeholders_[i], values[i]);
}

void ValueObserver::results(std::size_t step, c10::ArrayRef<c10::IValue> values) {
    const Node* known = nodes_.at(steps_[step]);
    if (!sink_ || !known) return;
    const Node& node = *known;
    if (!node.type.tuple()) return values.empty() ? void() : sink_(node, values[0]);
    for (const Node* user : node.users())
        if (isGetitem(*user)) sink_(*user, values[static_cast<std::size_t>(*user->args()[1].integer())]);
}

GraphRun runGraph(const Graph& graph, const ConstantTable& constants, const std::vector<c10::IValue>& arguments,
                  const ValueSink& sink) {
    const auto compiled = makeInterpreter()->compile(graph, constants);
    ValueObserver observer(graph, compiled->steps(), sink);
    GraphRun run;
    run.arguments = copyValues(arguments);
    auto given = run.arguments;
    const at::AutoGradMode grad(true);  // kernels check whether to keep something for the backward
    try {
        run.outputs = compiled->run(given, &observer);
    } catch (const std::exception& e) {
        run.error = firstSentence(e.what());
        run.failed = observer.current();
    }
    return run;
}

}  // namespace aotscope
