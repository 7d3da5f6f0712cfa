#pragma once

#include "cost/profile/graph_calls.h"
#include "load/profile/profile.h"

#include <set>
#include <unordered_map>

namespace aotscope {

/// How much speaks for it that an operation of a profile is a call of a graph.
class CallWeights {
public:
    static constexpr int kName = 8, kSizes = 4, kValues = 1, kModule = 1, kSequence = 8;

    CallWeights(const Profile& profile, const GraphCalls& graph) : profile_(profile), graph_(graph) {}

    /// 0: they are different. `key`: of the operation's name.
    int operator()(std::int32_t operation, int key, std::size_t call) const;

    /// The forward nodes that a number of autograd stands for; empty: something outside of the graph. Numbers without
    /// an entry say nothing.
    void setSequences(const std::unordered_map<std::int64_t, std::set<NodeId>>* sequences) { sequences_ = sequences; }
    /// The profile was recorded with inputs of other sizes: only the numbers of dimensions are compared.
    void compareRanksOnly() { ranksOnly_ = true; }

private:
    bool fits(const std::vector<ProfiledSizes>& sizes, const Node& node) const;
    static bool hasValues(const std::vector<std::string>& values, const Node& node);
    bool fitsTensor(const std::vector<std::int64_t>& sizes, const Node& node) const;
    const std::set<NodeId>* differentiates(std::int32_t operation) const;

    const Profile& profile_;
    const GraphCalls& graph_;
    const std::unordered_map<std::int64_t, std::set<NodeId>>* sequences_ = nullptr;
    bool ranksOnly_ = false;
};

}  // namespace aotscope
