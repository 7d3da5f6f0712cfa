#include "trace/node_provenance.h"

#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/SequenceNumber.h>
#include <torch/csrc/autograd/function.h>

namespace aotscope {

void NodeProvenance::follow(const Node* node) {
    followed_ = node;
    stage_ = node->stage;
}

/// Forward: the sequence number of the autograd node just created by this operation's enclosing call, which
/// differentiates the first operation recorded with that number. Backward: the node being evaluated.
void NodeProvenance::annotate(Node* node) {
    node->stage = stage_;
    if (followed_) return annotateAs(node, *followed_);
    if (stage_ == Stage::forward) {
        node->source = location_.current();
        if (location_.region() >= 0) node->checkpoint = {CheckpointPolicy::preferRecompute, location_.region()};
        node->autograd.sequence = static_cast<std::int64_t>(at::sequence_number::peek()) - 1;
        forwardBySequence_.emplace(node->autograd.sequence, node);
        return;
    }
    const auto function = torch::autograd::get_current_node();
    if (!function) return;
    node->autograd.sequence = static_cast<std::int64_t>(function->sequence_nr());
    node->autograd.function = function->name();
    const auto it = forwardBySequence_.find(node->autograd.sequence);
    if (it == forwardBySequence_.end()) return;
    node->autograd.forward = it->second->id();
    node->source = it->second->source;
}

void NodeProvenance::annotateAs(Node* node, const Node& origin) {
    node->source = origin.source;
    node->checkpoint = origin.checkpoint;
    node->autograd = origin.autograd;
    node->autograd.savedOutput = SavedOutput::no;  // only of the last node
    firstOf_.emplace(origin.id(), node->id());
    const auto forward = firstOf_.find(origin.autograd.forward);
    node->autograd.forward = forward == firstOf_.end() ? kNoNode : forward->second;
}

// An operation's own output, saved by autograd, returns in a new wrapper, while saved inputs return unchanged: this
// distinguishes them.
Node* NodeProvenance::noteWrapper(const at::Tensor& wrapper, const TracedGraph& graph) {
    if (!at::functionalization::impl::isFunctionalTensor(wrapper)) return nullptr;
    if (stage_ == Stage::forward) {
        if (forwardWrappers_.insert(wrapper.unsafeGetTensorImpl()).second) keepAlive_.push_back(wrapper);
        return nullptr;
    }
    if (forwardWrappers_.contains(wrapper.unsafeGetTensorImpl())) return nullptr;
    const auto* functional = at::functionalization::impl::unsafeGetFunctionalWrapper(wrapper);
    Node* node = graph.nodeOf(functional->value());
    return node && node->stage == Stage::forward && node->kind() == NodeKind::call ? node : nullptr;
}

}  // namespace aotscope
