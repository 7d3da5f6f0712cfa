#pragma once

#include "record/results.h"

#include <ATen/core/ivalue.h>

#include <unordered_map>
#include <vector>

namespace aotscope {

enum class Verdict : std::uint8_t {
    good,
    likely,  ///< the reference has its value, but of another operation
    bad,
    unknown,
};

/// A node's value against what it should be.
struct Judgement {
    Verdict verdict = Verdict::unknown;
    std::optional<Difference> difference;
};

/// How the operation of a node is not what it was.
struct OperationChange {
    bool literals = false;         ///< another operation, or other numbers among its arguments
    const Node* now = nullptr;     ///< the first argument that is another value...
    const Node* before = nullptr;  ///< ... than this one
    std::string text;              ///< one clause; empty: nothing changed
};

/// What the values of a graph are compared with.
class ReferenceValues {
public:
    virtual ~ReferenceValues() = default;
    virtual Judgement judge(const Node& node, const c10::IValue& value) const = 0;
    /// "the graph before", "eager"
    virtual std::string name() const = 0;
};

/// The reference of a pass, which can also say what the pass did to an operation.
class PassReference : public ReferenceValues {
public:
    virtual OperationChange changeOf(const Node& node) const = 0;
    /// The graphs before, if nodes have the same ids there.
    virtual std::vector<const Graph*> graphs() const { return {}; }
    /// What `graph` seems to lack though no value in it is wrong: one clause.
    virtual std::string missingFrom(const Graph& graph) const = 0;
};

/// Whether the elements of the result are whatever was in memory.
bool isUninitialized(const Node& node);

/// The values of a pass of the same lineage: nodes have the same ids.
class SnapshotValues final : public PassReference {
public:
    /// `graphs` must outlive it.
    explicit SnapshotValues(std::vector<const Graph*> graphs);
    void add(const Node& node, const c10::IValue& value);

    Judgement judge(const Node& node, const c10::IValue& value) const override;
    OperationChange changeOf(const Node& node) const override;
    std::vector<const Graph*> graphs() const override { return graphs_; }
    std::string missingFrom(const Graph& graph) const override;
    std::string name() const override { return "the graph before"; }

private:
    bool equal(const Node& a, const Node& b) const;
    const Node* find(NodeId id) const;

    std::vector<const Graph*> graphs_;
    bool writes_ = false;  ///< some operation writes into memory that a value may look into
    std::unordered_map<NodeId, c10::IValue> values_;
};

}  // namespace aotscope
