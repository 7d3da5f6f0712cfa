#pragma once

#include "ir/graph.h"
#include "program/location_sink.h"
#include "trace/traced_graph.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace aotscope {

/// Where the nodes of a trace come from: forward or backward, the model's source, and autograd.
class NodeProvenance {
public:
    explicit NodeProvenance(const LocationSink& location) : location_(location) {}

    Stage stage() const { return stage_; }
    /// From now on nodes belong to `stage`.
    void enter(Stage stage) { stage_ = stage; }

    /// What is recorded next belongs to `node` of another graph that is being run: it has its stage, its source and its
    /// place in autograd, and results that depend on data have its type.
    void follow(const Node* node);
    /// Null: the program itself is run.
    const Node* followed() const { return followed_; }

    /// Notes all that is known of `node`, which has just been recorded.
    void annotate(Node* node);

    /// Notes `wrapper`, a value above functionalization. If it is an operation's own output, saved by autograd for its
    /// backward and used there, that operation; else null.
    Node* noteWrapper(const at::Tensor& wrapper, const TracedGraph& graph);

private:
    void annotateAs(Node* node, const Node& origin);

    const LocationSink& location_;
    Stage stage_ = Stage::forward;
    const Node* followed_ = nullptr;
    std::unordered_map<NodeId, NodeId> firstOf_;  ///< by the id of a followed node, the first that it became
    std::unordered_map<std::int64_t, Node*> forwardBySequence_;
    std::unordered_set<const c10::TensorImpl*> forwardWrappers_;  ///< functional wrappers seen in the forward
    std::vector<at::Tensor> keepAlive_;                           ///< so that addresses in the set stay unique
};

}  // namespace aotscope
