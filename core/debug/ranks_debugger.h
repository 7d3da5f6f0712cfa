#pragma once

#include "debug/debugger.h"

namespace aotscope {

/// Where one of several ranks stands.
struct RankPlace {
    DebugPosition position;
    bool waits = false;  ///< for others, with its next step
};

/// A node on one of several ranks.
struct RankNode {
    std::size_t rank = 0;
    GraphKind graph = GraphKind::forward;
    NodeId node = kNoNode;
};

/// All ranks of a distributed program, stepped together: every command lets each rank execute one step after the other,
/// and a collective is made when the last rank of its group is there. A rank that has to wait for others stays where it
/// is. What is asked of one run is asked of the shown rank; breakpoints, differences and failures of any rank stop all,
/// and are named.
class RanksDebugger : public Debugger {
public:
    std::size_t ranks() const { return records_.size(); }
    const CompileRecord& record(std::size_t rank) const { return *records_[rank]; }
    virtual DebugPosition positionOf(std::size_t rank) const = 0;
    /// The first, or the one that somebody has chosen; another one if the last command has stopped for others only.
    std::size_t shown() const { return shown_; }
    /// Throws Error.
    void show(std::size_t rank);
    /// Of what a rank waits for, its node and the collective; empty: it can go on, or has ended.
    const std::string& waitsFor(std::size_t rank) const { return waits_[rank]; }
    /// The ranks that the last command stopped for; empty: for all.
    const std::vector<std::size_t>& stoppedBy() const { return stoppedBy_; }

    DebugPosition position() const override { return positionOf(shown_); }
    /// The node of lastStop() in the graphs of the shown rank; null: there is none.
    const Node* stoppedAt() const;
    std::vector<RankPlace> places() const;
    /// Starts again, and lets every rank come to its place. Throws Cancelled.
    virtual void goTo(const std::vector<RankPlace>& places, const Progress& progress) = 0;

    using Debugger::values;  ///< of the shown rank
    /// Of a run on another machine, all take as long as one.
    virtual std::vector<std::optional<ValueFacts>> values(const std::vector<RankNode>& nodes,
                                                          const Progress& progress) const = 0;
    /// For each of `nodes`, the values of the nodes of that name on every rank.
    using OfRanks = std::vector<std::optional<ValueFacts>>;
    std::vector<OfRanks> valuesOf(GraphKind graph, const std::vector<std::string>& nodes,
                                  const Progress& progress) const;
    OfRanks values(GraphKind graph, const std::string& node) const { return valuesOf(graph, {node}, {}).front(); }

protected:
    /// Of each rank, the record of its graphs.
    explicit RanksDebugger(std::vector<std::shared_ptr<const CompileRecord>> records);

    std::size_t shown_ = 0;
    std::vector<std::string> waits_;
    std::vector<std::size_t> stoppedBy_;

private:
    std::vector<std::shared_ptr<const CompileRecord>> records_;
};

}  // namespace aotscope
