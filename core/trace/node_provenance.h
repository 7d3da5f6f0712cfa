#pragma once

#include "ir/graph.h"
#include "program/location_sink.h"
#include "trace/traced_graph.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace aotscope {

/// Tracks the origin of a trace's nodes: forward or backward, the model's source, and autograd.
class NodeProvenance {
public:
    explicit NodeProvenance(const LocationSink& location) : location_(location) {}

    Stage stage() const { return stage_; }
    /// From now on, nodes belong to `stage`.
    void enter(Stage stage) { stage_ = stage; }

    /// Further nodes belong to `node` of another graph that is being run: they get its stage, source and autograd link,
    /// and data-dependent results have its type.
    void follow(const Node* node);
    /// Null if the program itself runs.
    const Node* followed() const { return followed_; }

    /// Sets everything known about `node`, which has just been recorded.
    void annotate(Node* node);

    /// Records `wrapper`, a value above functionalization. Returns the operation if it is the operation's own output,
    /// saved by autograd for its backward and used there; otherwise null.
    Node* noteWrapper(const at::Tensor& wrapper, const TracedGraph& graph);

private:
    void annotateAs(Node* node, const Node& origin);

    const LocationSink& location_;
    Stage stage_ = Stage::forward;
    const Node* followed_ = nullptr;
    std::unordered_map<NodeId, NodeId> firstOf_;  ///< by id of a followed node: the first node that replaced it
    std::unordered_map<std::int64_t, Node*> forwardBySequence_;
    std::unordered_set<const c10::TensorImpl*> forwardWrappers_;  ///< functional wrappers seen in the forward
    std::vector<at::Tensor> keepAlive_;                           ///< so that addresses in the set stay unique
};

}  // namespace aotscope
