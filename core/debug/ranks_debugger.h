#pragma once

#include "debug/debugger.h"

namespace aotscope {

/// Where one of several ranks is.
struct RankPlace {
    DebugPosition position;
    bool waits = false;  ///< for other ranks, with its next step
};

/// A node on one of several ranks.
struct RankNode {
    std::size_t rank = 0;
    GraphKind graph = GraphKind::forward;
    NodeId node = kNoNode;
};

/// All ranks of a distributed program, stepped together: every command lets each rank execute one step after the other,
/// and a collective runs when the last rank of its group reaches it. A rank that must wait for others stays where it
/// is. Queries for one run are answered for the shown rank; breakpoints, differences and failures of any rank stop all,
/// and name it.
class RanksDebugger : public Debugger {
public:
    std::size_t ranks() const { return records_.size(); }
    const CompileRecord& record(std::size_t rank) const { return *records_[rank]; }
    virtual DebugPosition positionOf(std::size_t rank) const = 0;
    /// The first rank, or the chosen one; another one if the last command has stopped only for others.
    std::size_t shown() const { return shown_; }
    /// Throws Error for a rank that does not exist.
    void show(std::size_t rank);
    /// The node and collective that a rank waits for; empty: it can continue, or has ended.
    const std::string& waitsFor(std::size_t rank) const { return waits_[rank]; }
    /// The ranks that the last command stopped for; empty: all.
    const std::vector<std::size_t>& stoppedBy() const { return stoppedBy_; }

    DebugPosition position() const override { return positionOf(shown_); }
    /// The node of lastStop() in the graphs of the shown rank, or null.
    const Node* stoppedAt() const;
    std::vector<RankPlace> places() const;
    /// Restarts, and runs every rank to its place. Throws Cancelled.
    virtual void goTo(const std::vector<RankPlace>& places, const Progress& progress) = 0;

    using Debugger::values;  ///< of the shown rank
    /// In a remote run, all take as long as one.
    virtual std::vector<std::optional<ValueFacts>> values(const std::vector<RankNode>& nodes,
                                                          const Progress& progress) const = 0;
    /// For each of `nodes`, the values of the nodes with that name on every rank.
    using OfRanks = std::vector<std::optional<ValueFacts>>;
    std::vector<OfRanks> valuesOf(GraphKind graph, const std::vector<std::string>& nodes,
                                  const Progress& progress) const;
    OfRanks values(GraphKind graph, const std::string& node) const { return valuesOf(graph, {node}, {}).front(); }

protected:
    /// For each rank, the record of its graphs.
    explicit RanksDebugger(std::vector<std::shared_ptr<const CompileRecord>> records);

    std::size_t shown_ = 0;
    std::vector<std::string> waits_;
    std::vector<std::size_t> stoppedBy_;

private:
    std::vector<std::shared_ptr<const CompileRecord>> records_;
};

}  // namespace aotscope
