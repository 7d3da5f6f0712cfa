#pragma once

#include "program/constant_table.h"
#include "record/options/options.h"
#include "verify/judge/reference_values.h"
#include "verify/printed/cut_graph.h"

#include <unordered_map>
#include <vector>

namespace aotscope {

/// Judges the values of running graphs by their operations alone: the interpreter runs each again on its operands.
/// Errors in an operand are not attributed to the operation, however large they become. The tolerance is measured on
/// that operation. Unknown: inputs, random numbers, mutations, meaningless values.
class OperationJudge {
public:
    /// All of them must outlive it.
    OperationJudge(std::vector<const Graph*> graphs, const ConstantTable& constants, const Options& options)
        : graphs_(std::move(graphs)), constants_(constants), options_(options) {}

    /// Call with all values, in the order in which they are computed.
    Judgement judge(const Node& node, const c10::IValue& value);

private:
    NodeIds knownBefore(const Node& call) const;
    const Graph* graphOf(const Node& node) const;
    Judgement compare(const Graph& operation, const std::vector<c10::IValue>& operands, const std::string& what,
                      const c10::IValue& value) const;

    std::vector<const Graph*> graphs_;
    const ConstantTable& constants_;
    const Options& options_;
    std::unordered_map<NodeId, c10::IValue> values_;
};

/// Compares `actual`, results of `graph` on these arguments, with those of the interpreter; if they differ, measures
/// how far rounding may move them. `names` are those of the results in messages. Throws Error if the interpreter fails.
std::vector<std::optional<Difference>> compareResults(const Graph& graph, const ConstantTable& constants,
                                                      const std::vector<c10::IValue>& arguments,
                                                      const std::vector<std::string>& names,
                                                      const std::vector<c10::IValue>& actual, const Options& options);

}  // namespace aotscope
