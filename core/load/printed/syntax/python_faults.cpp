#include "load/printed/syntax/python_faults.h"

#include "load/printed/printed_metadata.h"
#include "ops/functional_graph.h"

#include <algorithm>

namespace aotscope {

namespace {

/// The operation of the forward that overwrites `input`, or null.
const Node* writerOf(const Node& input) {
    const auto writes = [&](const Node* user) { return writesInto(*user, input); };
    const auto writer = std::ranges::find_if(input.users(), writes);
    return writer == input.users().end() ? nullptr : *writer;
}

bool isWrittenBack(const Node& input, const Graph& forward) {
    return std::ranges::any_of(forward.outputSlots(), [&](const OutputSlot& slot) {
        return slot.role == Role::mutatedInput && slot.label == nameInProgram(input);
    });
}

}  // namespace

bool takesUnread(const Node& user, const Node& value) {
    constexpr std::size_t mean = 3, variance = 4, train = 7;
    const auto& args = user.args();
    if (!user.isCall("aten.native_batch_norm_backward.default") || args.size() <= train) return false;
    const bool* trains = std::get_if<bool>(&args[train].value);
    return trains && *trains && (args[mean].node() == &value || args[variance].node() == &value);
}

std::vector<std::string> overwrittenSaved(const Graph& forward, const Graph& backward) {
    std::vector<std::string> found;
    const auto inputs = forward.placeholders();
    for (const Node* saved : backward.placeholders()) {
        const auto reads = [&](const Node* user) { return !takesUnread(*user, *saved); };
        if (saved->role != Role::saved || std::ranges::none_of(saved->users(), reads)) continue;
        const auto input = std::ranges::find(inputs, saved->name(), &Node::name);
        if (input == inputs.end()) continue;
        const Node* writer = writerOf(**input);
        if (!writer && !isWrittenBack(**input, forward)) continue;
        const std::string& label = nameInProgram(**input);
        found.push_back("Python saves %" + saved->name() + (label == saved->name() ? "" : " ('" + label + "')") +
                        " for the backward, an input that " +
                        (writer ? "%" + writer->name() + " overwrites" : "is written back after the forward") +
                        ": its backward reads the new values, or fails with \"modified by an inplace operation\"; "
                        "compute with a clone of it, or update it outside of what is compiled");
    }
    return found;
}

}  // namespace aotscope
