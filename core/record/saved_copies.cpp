#include "record/saved_copies.h"

#include <set>

namespace aotscope {

std::vector<std::size_t> savedCopies(const Partition& partition, const FunctionMetadata& metadata) {
    std::vector<std::size_t> copies;
    const auto inputs = partition.forward ? partition.forward->placeholders() : std::vector<Node*>();
    if (inputs.size() != metadata.inputs.size()) return copies;
    std::set<std::int64_t> overwritten;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const InputInfo& input = metadata.inputs[i];
        const TensorType* type = inputs[i]->type.tensor();
        const bool written = input.mutatesData && input.mutation == MutationType::outOfGraph;
        if (written && type && type->storage >= 0) overwritten.insert(type->storage);
    }
    for (std::size_t i = 0; i < partition.saved.size(); ++i)
        if (const Node* value = partition.forward->findById(partition.saved[i].node); value && value->type.tensor())
            if (overwritten.contains(value->type.tensor()->storage)) copies.push_back(i);
    return copies;
}

void explainCopies(Partition& partition, const FunctionMetadata& metadata) {
    for (const std::size_t i : savedCopies(partition, metadata)) {
        std::string& reason = partition.saved[i].reason;
        reason = "a copy, since the input is written back before the backward reads it" +
                 (reason.empty() ? "" : "; " + reason);
    }
}

}  // namespace aotscope
