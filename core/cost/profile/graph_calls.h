#pragma once

#include "record/compile_record.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace aotscope {

/// Names of operators as numbers. Those that compute the same, such as one and its in-place variant, have one number.
class OperatorKeys {
public:
    /// Of "aten.addmm.default"; a new number for a new operator.
    int add(std::string_view op);
    /// Of "aten::addmm", or -1.
    int find(std::string_view profiled) const;
    std::size_t size() const { return known_.size(); }

private:
    std::unordered_map<std::string, int> known_;
};

/// A node that calls an operator.
struct GraphCall {
    const Node* node = nullptr;
    int key = -1;
    NodeId forward = kNoNode;  ///< that it differentiates, if known
    bool isView = false;       ///< takes no time on a GPU, and a kernel that fuses it may not name it
};

/// The calls of one half of a step, in the order of the graph.
struct GraphCalls {
    const Graph* graph = nullptr;
    GraphKind kind = GraphKind::forward;
    bool isBackward = false;
    std::vector<GraphCall> calls;
    std::unordered_set<int> keys;
    std::unordered_map<const Node*, std::size_t> index;
};

/// The graphs that a step executes: forward, and backward if there is one.
std::vector<GraphCalls> executedCalls(const CompileRecord& record, OperatorKeys& keys);

}  // namespace aotscope
