#include "compile/fused/group_memory.h"

#include "ops/op_table.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

/// What a step reads, and what it makes; of views, the memory.
struct MemoryStep {
    std::vector<const Node*> reads, makes;
    bool mayReuse = false;  ///< results take the memory of what is read for the last time
};

bool isView(const Node& node) {
    return node.kind() == NodeKind::call && opFamily(node.op()) == OpFamily::view && !isGetitem(node);
}

MemoryStep stepOf(const Node& node) {
    MemoryStep step;
    for (const Node* input : node.inputs()) step.reads.push_back(memoryOf(*input));
    if (node.kind() == NodeKind::call && memoryOf(node) == &node) step.makes.push_back(&node);
    return step;
}

MemoryStep stepOf(const FusionGroup& group) {
    MemoryStep step;
    for (const GroupTensor& input : group.inputs) step.reads.push_back(memoryOf(*input.node));
    for (const Node* base : group.bases)
        if (base) step.reads.push_back(memoryOf(*base));
    for (const GroupTensor& output : group.outputs) step.makes.push_back(output.node);
    step.mayReuse = group.kernel.reduced.empty();
    return step;
}

std::int64_t peakOf(const std::vector<MemoryStep>& steps) {
    std::unordered_map<const Node*, std::size_t> last;
    for (std::size_t s = 0; s < steps.size(); ++s)
        for (const auto* nodes : {&steps[s].reads, &steps[s].makes})
            for (const Node* node : *nodes) last[node] = s;
    std::int64_t live = 0, peak = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
        std::vector<const Node*> dying;
        for (const Node* node : steps[s].reads)
            if (node->kind() == NodeKind::call && last.at(node) == s && std::ranges::find(dying, node) == dying.end())
                dying.push_back(node);
        std::vector<const Node*> reusable = steps[s].mayReuse ? dying : std::vector<const Node*>();
        std::int64_t made = 0, reused = 0;
        for (const Node* node : steps[s].makes) {
            made += bytesOf(*node);
            const auto twin =
                std::ranges::find_if(reusable, [&](const Node* input) { return bytesOf(*input) == bytesOf(*node); });
            if (twin == reusable.end()) continue;
            reused += bytesOf(*node);
            reusable.erase(twin);
        }
        peak = std::max(peak, live + made - reused);
        live += made;
        for (const Node* node : dying) live -= bytesOf(*node);
        for (const Node* node : steps[s].makes)
            if (last.at(node) == s) live -= bytesOf(*node);
    }
    return peak;
}

}  // namespace

const Node* memoryOf(const Node& tensor) {
    const Node* node = &tensor;
    for (;;) {
        const Node* call = isGetitem(*node) ? node->args()[0].node() : node;
        if (!call || !isView(*call) || call->args().empty() || !call->args()[0].node()) return node;
        node = call->args()[0].node();
    }
}

std::vector<const Node*> readersOf(const Node& memory) {
    std::vector<const Node*> readers;
    std::vector<const Node*> tensors = {&memory};
    while (!tensors.empty()) {
        const Node& tensor = *tensors.back();
        tensors.pop_back();
        for (const Node* user : tensor.users()) (memoryOf(*user) == user ? readers : tensors).push_back(user);
    }
    return readers;
}

std::int64_t bytesOf(const Node& value) {
    const TensorType* type = value.type.tensor();
    return type ? type->bytes() : 0;
}

std::int64_t peakBytes(const Graph& graph) {
    std::vector<MemoryStep> steps;
    for (const Node* node : graph.nodes()) steps.push_back(stepOf(*node));
    return peakOf(steps);
}

std::int64_t peakBytes(const GroupedGraph& grouped) {
    std::vector<MemoryStep> steps;
    for (const GroupedStep& step : grouped.order)
        steps.push_back(step.node ? stepOf(*step.node) : stepOf(grouped.groups[step.group]));
    return peakOf(steps);
}

std::int64_t givenBytes(const Graph& graph) {
    std::int64_t bytes = 0;
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::placeholder) bytes += bytesOf(*node);
    return bytes;
}

}  // namespace aotscope
