#include "record/graph_difference.h"

#include "ir/printer.h"
#include "record/node_follower.h"
#include "support/error.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace aotscope {

namespace {

using Positions = std::unordered_map<NodeId, std::size_t>;

Positions positionsIn(const Graph& graph) {
    Positions positions;
    positions.reserve(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) positions[graph.at(i)->id()] = i;
    return positions;
}

/// Which of the pairs, in order of the first graph, keep their order in the second: a longest increasing subsequence.
std::vector<char> inOrder(const std::vector<std::size_t>& positions) {
    std::vector<std::size_t> ends, previous(positions.size());  // ends[k]: last of the best sequence of length k + 1
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const auto it = std::ranges::lower_bound(ends, positions[i], {}, [&](std::size_t e) { return positions[e]; });
        previous[i] = it == ends.begin() ? i : *(it - 1);
        if (it == ends.end()) ends.push_back(i);
        else *it = i;
    }
    std::vector<char> kept(positions.size(), 0);
    if (ends.empty()) return kept;
    for (std::size_t i = ends.back();; i = previous[i]) {
        kept[i] = 1;
        if (previous[i] == i) break;
    }
    return kept;
}

/// What a partition makes of values of the joint graph, in words.
using Placements = std::unordered_map<NodeId, std::string_view>;

Placements placementsIn(const Partition& partition) {
    Placements placements;
    for (const RecomputedValue& value : partition.recomputed) placements[value.node] = "recomputed";
    for (const SavedValue& value : partition.saved) placements[value.node] = "saved";
    return placements;
}

std::string_view placementOf(const Placements& placements, NodeId node) {
    const auto it = placements.find(node);
    return it == placements.end() ? "neither" : it->second;
}

class Comparison {
public:
    explicit Comparison(GraphDifference& difference)
        : result_(difference), before_(positionsIn(*difference.before)), after_(positionsIn(*difference.after)) {}

    void inOneRun(const CompileRecord& record) {
        for (const PassRecord& pass : record.passes)
            for (const auto& [gone, kept] : pass.merged) merged_[gone] = kept;
        const bool byId = shareIds(*result_.before, result_.kindBefore, *result_.after, result_.kindAfter);
        if (!byId)
            links_ = std::make_unique<LevelMap>(record, *result_.before, result_.kindBefore, *result_.after,
                                                result_.kindAfter);
        pair(byId ? MatchBy::id : MatchBy::structure);
        write();
    }

    /// Either partition may be null.
    void inTwoRuns(const Partition* before, const Partition* after) {
        pair(MatchBy::structure);
        if (before && after) comparePlacements(placementsIn(*before), placementsIn(*after));
        write();
    }

private:
    void pair(MatchBy matchBy) {
        const GraphDiff diff = diffGraphs(*result_.before, *result_.after, matchBy);
        for (const NodeChange& change : diff.changes)
            if (change.kind == NodeChange::Kind::changed) changes_[change.before] = change.what;
        pairs_ = diff.matched;
        pairOutputs();
        std::ranges::sort(pairs_, {}, [&](const auto& pair) { return before_.at(pair.first); });
        std::vector<std::size_t> there;
        for (const auto& pair : pairs_) there.push_back(after_.at(pair.second));
        kept_ = inOrder(there);
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            twin_[pairs_[i].first] = pairs_[i].second;
            origin_[pairs_[i].second] = pairs_[i].first;
            if (!kept_[i]) displaced_.insert(pairs_[i].first);
        }
    }

    /// What a graph returns corresponds to what the other returns, whatever the ids say.
    void pairOutputs() {
        const Node *before = result_.before->output(), *after = result_.after->output();
        if (!before || !after) return;
        for (const auto& [left, right] : pairs_)
            if (left == before->id() || right == after->id()) return;
        pairs_.emplace_back(before->id(), after->id());
        const std::string from = printArguments(*before), to = printArguments(*after);
        if (from != to) changes_[before->id()] = "arguments (" + from + ") -> (" + to + ")";
    }

    void comparePlacements(const Placements& before, const Placements& after) {
        for (const auto& [left, right] : pairs_) {
            const std::string_view then = placementOf(before, left), now = placementOf(after, right);
            if (then == now) continue;
            std::string& change = changes_[left];
            change += (change.empty() ? "" : "; ") + std::string(then) + " -> " + std::string(now);
        }
    }

    /// Everything up to a pair that keeps its order, left and right, then the pair itself.
    void write() {
        std::size_t left = 0, right = 0;
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            if (!kept_[i]) continue;
            const auto [before, after] = pairs_[i];
            writeLeft(left, before_.at(before));
            writeRight(right, after_.at(after));
            add(changes_.contains(before) ? DifferenceKind::changed : DifferenceKind::same, before, after,
                whatChanged(before));
            left = before_.at(before) + 1;
            right = after_.at(after) + 1;
        }
        writeLeft(left, result_.before->size());
        writeRight(right, result_.after->size());
    }

    void writeLeft(std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const NodeId id = result_.before->at(i)->id();
            if (!twin_.contains(id)) add(DifferenceKind::removed, id, kNoNode, whatBecame(id));
        }
    }

    /// Nodes that have moved stand where they are now.
    void writeRight(std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const NodeId id = result_.after->at(i)->id();
            const auto origin = origin_.find(id);
            if (origin == origin_.end()) {
                add(DifferenceKind::added, kNoNode, id, {});
            } else if (displaced_.contains(origin->second)) {
                const std::string change = whatChanged(origin->second);
                const std::string way =
                    "from line " + std::to_string(before_.at(origin->second) + 1) + " to " + std::to_string(i + 1);
                add(change.empty() ? DifferenceKind::moved : DifferenceKind::changed, origin->second, id,
                    change.empty() ? way : change + "; " + way);
            }
        }
    }

    std::string whatChanged(NodeId before) const {
        const auto it = changes_.find(before);
        return it == changes_.end() ? std::string() : it->second;
    }

    /// What stands for a node that is gone.
    std::string whatBecame(NodeId gone) const {
        if (!links_) {
            const auto kept = merged_.find(gone);
            const bool here = kept != merged_.end() && after_.contains(kept->second);
            return here ? "merged into %" + nameAfter(kept->second) : std::string();
        }
        constexpr std::size_t shown = 6;
        std::string text;
        const auto became = links_->toB(gone);
        for (std::size_t i = 0; i < std::min(shown, became.size()); ++i)
            text += (text.empty() ? "became %" : ", %") + nameAfter(became[i]);
        return became.size() > shown ? text + " and " + std::to_string(became.size() - shown) + " more" : text;
    }

    const std::string& nameAfter(NodeId id) const { return result_.after->at(after_.at(id))->name(); }

    void add(DifferenceKind kind, NodeId before, NodeId after, std::string what) {
        result_.added += kind == DifferenceKind::added;
        result_.removed += kind == DifferenceKind::removed;
        result_.changed += kind == DifferenceKind::changed;
        result_.moved += kind == DifferenceKind::moved;
        result_.rows.push_back({kind, before, after, std::move(what)});
    }

    GraphDifference& result_;
    Positions before_, after_;
    std::vector<std::pair<NodeId, NodeId>> pairs_;  ///< in order of the first graph
    std::vector<char> kept_;                        ///< of each pair: whether it keeps its order
    std::unordered_map<NodeId, std::string> changes_;
    std::unordered_map<NodeId, NodeId> twin_, origin_, merged_;
    std::unordered_set<NodeId> displaced_;
    std::unique_ptr<LevelMap> links_;
};

}  // namespace

std::string_view name(DifferenceKind kind) {
    constexpr std::array<std::string_view, 5> names = {"same", "added", "removed", "changed", "moved"};
    return names.at(static_cast<std::size_t>(kind));
}

GraphDifference compareGraphs(const CompileRecord& record, std::shared_ptr<const Graph> before, GraphKind kindBefore,
                              std::shared_ptr<const Graph> after, GraphKind kindAfter) {
    GraphDifference difference{std::move(before), std::move(after), kindBefore, kindAfter, {}};
    Comparison(difference).inOneRun(record);
    return difference;
}

GraphDifference compareRuns(const CompileRecord& before, const CompileRecord& after, GraphKind kind) {
    for (const CompileRecord* record : {&before, &after})
        if (!record->graph(kind))
            throw Error("the run of " + record->model.name + " has no " + std::string(name(kind)) +
                        " graph; choose one that both runs have with --graph");
    GraphDifference difference{before.graph(kind), after.graph(kind), kind, kind, {}};
    const bool joint = kind == GraphKind::joint;
    Comparison(difference).inTwoRuns(joint ? before.partition.get() : nullptr, joint ? after.partition.get() : nullptr);
    return difference;
}

std::string summaryOf(const GraphDifference& difference) {
    std::string text;
    const auto count = [&](std::size_t n, std::string_view what) {
        if (n > 0) text += (text.empty() ? "" : ", ") + std::to_string(n) + " " + std::string(what);
    };
    count(difference.added, "added");
    count(difference.removed, "removed");
    count(difference.changed, "changed");
    count(difference.moved, "moved");
    return text.empty() ? "no difference" : text;
}

}  // namespace aotscope
