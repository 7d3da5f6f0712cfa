#pragma once

#include "ops/meaningless.h"
#include "record/results/results.h"
#include "verify/judge/comparison.h"

#include <ATen/core/ivalue.h>

#include <functional>
#include <unordered_map>
#include <vector>

namespace aotscope {

enum class Verdict : std::uint8_t {
    good,
    likely,  ///< the reference has its value, but from a different operation
    bad,
    unknown,
};

/// A node's value compared with its reference.
struct Judgement {
    Verdict verdict = Verdict::unknown;
    std::optional<Difference> difference;
};

/// How the operation of a node changed.
struct OperationChange {
    bool literals = false;         ///< a different operation, or different numbers among its arguments
    const Node* now = nullptr;     ///< the first argument with a different value,
    const Node* before = nullptr;  ///< and its previous value
    std::string text;              ///< one clause; empty if unchanged
};

/// The reference for the values of a graph.
class ReferenceValues {
public:
    virtual ~ReferenceValues() = default;
    virtual Judgement judge(const Node& node, const c10::IValue& value) const = 0;
    /// "the graph before", "eager"
    virtual std::string name() const = 0;
};

/// The reference of a pass, which also knows what the pass changed.
class PassReference : public ReferenceValues {
public:
    virtual OperationChange changeOf(const Node& node) const = 0;
    /// The previous graphs, if their nodes have the same ids.
    virtual std::vector<const Graph*> graphs() const { return {}; }
    /// What `graph` appears to lack although all its values are correct, as a clause.
    virtual std::string missingFrom(const Graph& graph) const = 0;
};

/// The values of a pass of the same lineage: nodes have the same ids.
class SnapshotValues final : public PassReference {
public:
    /// `graphs` must outlive it.
    explicit SnapshotValues(std::vector<const Graph*> graphs);
    void add(const Node& node, const c10::IValue& value);
    /// Measures how far rounding may move them: `run` repeats the same graphs, naming values by noiseName.
    void measure(const std::function<NamedTensors(const Arithmetic&)>& run);
    static std::string noiseName(const Node& node) { return std::to_string(node.id()); }

    Judgement judge(const Node& node, const c10::IValue& value) const override;
    OperationChange changeOf(const Node& node) const override;
    std::vector<const Graph*> graphs() const override { return graphs_; }
    std::string missingFrom(const Graph& graph) const override;
    std::string name() const override { return "the graph before"; }

private:
    bool equal(const Node& a, const Node& b) const;
    Tolerance toleranceOf(const Node& node) const;
    const Node* find(NodeId id) const;

    std::vector<const Graph*> graphs_;
    std::optional<NoiseEstimate> noise_;
    bool writes_ = false;  ///< an operation writes to memory that a value may share
    std::unordered_map<NodeId, c10::IValue> values_;
};

}  // namespace aotscope
