#include "record/graph_difference.h"

#include "ir/id_table.h"
#include "record/level_map.h"
#include "support/enumerators.h"
#include "support/error.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

using Positions = IdTable<std::size_t>;
constexpr auto kNowhere = static_cast<std::size_t>(-1);

Positions positionsIn(const Graph& graph) {
    Positions positions(kNowhere);
    positions.reserve(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) positions.set(graph.at(i)->id(), i);
    return positions;
}

std::size_t placeIn(const Positions& positions, NodeId id) {
    const std::size_t place = positions.at(id);
    check(place != kNowhere, "nodes that correspond are in their graphs");
    return place;
}

/// Which pairs, in order of the first graph, are also in order in the second: a longest increasing subsequence.
std::vector<char> inOrder(const std::vector<std::size_t>& positions) {
    std::vector<std::size_t> ends, previous(positions.size());  // ends[k]: the end of the best sequence of length k + 1
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

/// The placements of the joint graph's values, as text.
using Placements = std::unordered_map<NodeId, std::string_view>;

Placements placementsIn(const Partition* partition) {
    Placements placements;
    if (!partition) return placements;
    for (const RecomputedValue& value : partition->recomputed) placements[value.node] = "recomputed";
    for (const SavedValue& value : partition->saved) placements[value.node] = "saved";
    return placements;
}

std::string_view placementOf(const Placements& placements, NodeId node) {
    const auto it = placements.find(node);
    return it == placements.end() ? "neither" : it->second;
}

/// Writes the rows: corresponding nodes side by side, others at their place in their own graph.
class Comparison {
public:
    Comparison(GraphDifference& difference, const LevelMap& map, const Compared& compared)
        : result_(difference),
          map_(map),
          compared_(compared),
          comparer_(
              difference.before.get(), difference.after.get(),
              [&map](const Node& a, const Node& b) { return map.corresponds(a.id(), b.id()); }, compared),
          before_(positionsIn(*difference.before)),
          after_(positionsIn(*difference.after)) {
        pairs_.reserve(map.pairs().size() + map.replacements().size());
        for (const auto& [left, right] : map.pairs()) takePair(placeIn(before_, left), placeIn(after_, right));
        for (const Replacement& replacement : map.replacements()) takeReplacement(replacement);
    }

    /// Either partition may be null; placements are then not compared.
    void comparePlacements(const Partition* before, const Partition* after) {
        if (!before || !after || !compared_.counts({Aspect::partition})) return;
        const Placements then = placementsIn(before), now = placementsIn(after);
        for (Pair& pair : pairs_) {
            const std::string_view was = placementOf(then, nodeBefore(pair.before).id()),
                                   is = placementOf(now, nodeAfter(pair.after).id());
            if (was == is) continue;
            pair.what += (pair.what.empty() ? "" : "; ") + std::string(was) + " -> " + std::string(is);
            pair.aspects.add(Aspect::partition);
        }
    }

    /// Everything up to a pair that keeps its order, left and right, followed by the pair.
    void write() {
        std::ranges::sort(pairs_, {}, &Pair::before);
        std::vector<std::size_t> there;
        there.reserve(pairs_.size());
        for (const Pair& pair : pairs_) there.push_back(pair.after);
        const std::vector<char> kept = inOrder(there);
        atBefore_.assign(result_.before->size(), nullptr);
        atAfter_.assign(result_.after->size(), nullptr);
        for (const Pair& pair : pairs_) atBefore_[pair.before] = atAfter_[pair.after] = &pair;
        result_.rows.reserve(std::max(atBefore_.size(), atAfter_.size()));
        std::size_t left = 0, right = 0;
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            if (!kept[i]) continue;
            const Pair& pair = pairs_[i];
            writeLeft(left, pair.before);
            writeRight(right, pair.after);
            add(kindOf(pair, DifferenceKind::same), pair, pair.what, pair.aspects);
            left = pair.before + 1;
            right = pair.after + 1;
        }
        writeLeft(left, result_.before->size());
        writeRight(right, result_.after->size());
    }

private:
    /// Positions in the two graphs.
    struct Pair {
        std::size_t before, after;
        std::string what;
        AspectSet aspects;
        bool replaced = false;
    };

    /// `unchanged`: the kind of a pair without differences.
    static DifferenceKind kindOf(const Pair& pair, DifferenceKind unchanged) {
        if (pair.replaced) return DifferenceKind::replaced;
        if (pair.what.empty()) return unchanged;
        return pair.aspects == AspectSet{Aspect::names} ? DifferenceKind::renamed : DifferenceKind::changed;
    }

    const Node& nodeBefore(std::size_t place) const { return *result_.before->at(place); }
    const Node& nodeAfter(std::size_t place) const { return *result_.after->at(place); }

    void takePair(std::size_t left, std::size_t right) {
        NodeChange change = comparer_.compare(nodeBefore(left), nodeAfter(right));
        pairs_.push_back({left, right, std::move(change.what), change.aspects});
    }

    void takeReplacement(const Replacement& replacement) {
        const std::string what = describeReplacement(replacement, *result_.before, *result_.after);
        pairs_.push_back({placeIn(before_, replacement.before.front()),
                          placeIn(after_, replacement.after.front()),
                          what,
                          {Aspect::operations},
                          true});
        for (const NodeId id : replacement.before) partsBefore_[id] = what;
        for (const NodeId id : replacement.after) partsAfter_[id] = what;
    }

    void writeLeft(std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            if (atBefore_[i]) continue;
            const NodeId id = nodeBefore(i).id();
            if (const auto part = partsBefore_.find(id); part != partsBefore_.end())
                add(DifferenceKind::replaced, id, kNoNode, part->second, {Aspect::operations});
            else add(DifferenceKind::removed, id, kNoNode, whatBecame(id), {Aspect::operations});
        }
    }

    /// Moved nodes are at their new place.
    void writeRight(std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const NodeId id = nodeAfter(i).id();
            if (atAfter_[i]) writeMoved(*atAfter_[i]);
            else if (const auto part = partsAfter_.find(id); part != partsAfter_.end())
                add(DifferenceKind::replaced, kNoNode, id, part->second, {Aspect::operations});
            else add(DifferenceKind::added, kNoNode, id, {}, {Aspect::operations});
        }
    }

    void writeMoved(const Pair& pair) {
        if (!compared_.counts({Aspect::order}))
            return add(kindOf(pair, DifferenceKind::same), pair, pair.what, pair.aspects);
        const std::string way =
            "from line " + std::to_string(pair.before + 1) + " to " + std::to_string(pair.after + 1);
        const DifferenceKind kind = kindOf(pair, DifferenceKind::moved);
        add(kind == DifferenceKind::renamed ? DifferenceKind::changed : kind, pair,
            pair.what.empty() ? way : pair.what + "; " + way, pair.aspects | AspectSet{Aspect::order});
    }

    std::string whatBecame(NodeId gone) const {
        const NodeId kept = map_.mergedInto(gone);
        return kept == kNoNode ? std::string() : "merged into %" + nodeAfter(placeIn(after_, kept)).name();
    }

    void add(DifferenceKind kind, const Pair& pair, std::string what, AspectSet aspects) {
        add(kind, nodeBefore(pair.before).id(), nodeAfter(pair.after).id(), std::move(what), aspects);
    }

    void add(DifferenceKind kind, NodeId before, NodeId after, std::string what, AspectSet aspects) {
        const bool both = before != kNoNode && after != kNoNode;
        if (!both && !compared_.counts(aspects)) kind = DifferenceKind::same;
        if (kind == DifferenceKind::replaced && !compared_.counts(aspects)) kind = DifferenceKind::same;
        result_.added += kind == DifferenceKind::added;
        result_.removed += kind == DifferenceKind::removed;
        result_.replaced += kind == DifferenceKind::replaced && both;
        result_.changed += kind == DifferenceKind::changed;
        result_.moved += kind == DifferenceKind::moved;
        result_.renamed += kind == DifferenceKind::renamed;
        result_.rows.push_back({kind, before, after, std::move(what), aspects});
    }

    GraphDifference& result_;
    const LevelMap& map_;
    const Compared& compared_;
    const NodeComparer comparer_;
    Positions before_, after_;
    std::vector<Pair> pairs_;
    std::vector<const Pair*> atBefore_, atAfter_;                       ///< by position; null: not in a pair
    std::unordered_map<NodeId, std::string> partsBefore_, partsAfter_;  ///< for replacements: what replaces what
};

}  // namespace

std::string_view name(DifferenceKind kind) { return spelled(kind); }

GraphDifference compareGraphs(const CompileRecord& record, std::shared_ptr<const Graph> before, GraphKind kindBefore,
                              std::shared_ptr<const Graph> after, GraphKind kindAfter, AspectSet ignored) {
    GraphDifference difference{std::move(before), std::move(after), kindBefore, kindAfter, {}};
    const LevelMap map(record, *difference.before, kindBefore, *difference.after, kindAfter);
    const Compared compared{ignored | kBetweenRunsOnly, false};
    Comparison(difference, map, compared).write();
    return difference;
}

namespace {

GraphDifference comparedOfRuns(std::shared_ptr<const Graph> before, std::shared_ptr<const Graph> after, GraphKind kind,
                               const Compared& compared, const Partition* then, const Partition* now) {
    GraphDifference difference{std::move(before), std::move(after), kind, kind, {}};
    const LevelMap map = LevelMap::ofRuns(*difference.before, *difference.after);
    Comparison comparison(difference, map, compared);
    comparison.comparePlacements(then, now);
    comparison.write();
    return difference;
}

}  // namespace

GraphDifference compareGraphsOfRuns(std::shared_ptr<const Graph> before, std::shared_ptr<const Graph> after,
                                    GraphKind kind, const Compared& compared) {
    return comparedOfRuns(std::move(before), std::move(after), kind, compared, nullptr, nullptr);
}

GraphDifference compareRuns(const CompileRecord& before, const CompileRecord& after, GraphKind kind,
                            const Compared& compared) {
    for (const CompileRecord* record : {&before, &after})
        if (!record->graph(kind))
            throw Error("the run of " + record->model.name + " has no " + std::string(name(kind)) +
                        " graph; choose one that both runs have with --graph");
    const bool splits = kind == GraphKind::joint;
    return comparedOfRuns(before.graph(kind), after.graph(kind), kind, compared,
                          splits ? before.partition.get() : nullptr, splits ? after.partition.get() : nullptr);
}

std::string summaryOf(const GraphDifference& difference) {
    std::string text;
    const auto count = [&](std::size_t n, std::string_view what) {
        if (n > 0) text += (text.empty() ? "" : ", ") + std::to_string(n) + " " + std::string(what);
    };
    count(difference.added, "added");
    count(difference.removed, "removed");
    count(difference.replaced, "replaced");
    count(difference.changed, "changed");
    count(difference.moved, "moved");
    count(difference.renamed, "renamed");
    return text.empty() ? "no difference" : text;
}

}  // namespace aotscope
