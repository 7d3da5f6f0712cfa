#include "canvas/difference_picture.h"

#include "canvas/layout/box_size.h"

#include <algorithm>
#include <set>

namespace aotscope {

namespace {

using Index = std::size_t;
constexpr int kNowhere = -1;

/// If a box has several values, the one that differs most determines its colour.
int weight(DifferenceKind kind) { return tintOf(kind).weight; }

QString shortenedNote(const QString& text) {
    constexpr int most = 48;
    return text.size() <= most ? text : QString(text.left(most - 1) + QStringLiteral("…"));
}

class Picture {
public:
    Picture(const CompileRecord& before, const CompileRecord& after, const GraphDifference& difference)
        : difference_(difference),
          before_(drawGraph(*difference.before, difference.kindBefore, before)),
          after_(drawGraph(*difference.after, difference.kindAfter, after)),
          placeOfBefore_(before_.nodes.size(), kNowhere),
          placeOfAfter_(after_.nodes.size(), kNowhere) {}

    DrawnGraph run() {
        merged_.kind = after_.kind;
        merged_.note = after_.note;
        for (const DifferenceRow& row : difference_.rows) {
            if (row.after == kNoNode) addGhost(row);
            else addNode(row);
        }
        for (Index i = 0; i < after_.nodes.size(); ++i)  // outputs, which are not nodes
            if (placeOfAfter_[i] == kNowhere) place(after_, i, placeOfAfter_);
        for (const DifferenceRow* row : attached_) addAttached(*row);
        linkBefore();
        finish();
        return std::move(merged_);
    }

private:
    int place(DrawnGraph& from, Index box, std::vector<int>& places) {
        places[box] = static_cast<int>(merged_.nodes.size());
        merged_.nodes.push_back(from.nodes[box]);
        changes_.push_back(DifferenceKind::same);
        return places[box];
    }

    void addNode(const DifferenceRow& row) {
        const auto it = after_.indexOf.find(row.after);
        if (it == after_.indexOf.end()) {
            if (row.kind != DifferenceKind::same && after_.attachedTo.contains(row.after)) attached_.push_back(&row);
            return;
        }
        const auto box = static_cast<Index>(it->second);
        if (placeOfAfter_[box] == kNowhere) place(after_, box, placeOfAfter_);
        const auto at = static_cast<Index>(placeOfAfter_[box]);
        if (weight(row.kind) > weight(changes_[at])) changes_[at] = row.kind;
        say(at, row);
    }

    /// A parameter is a line in the boxes that use it: the first one shows how it differs.
    void addAttached(const DifferenceRow& row) {
        const auto at = static_cast<Index>(placeOfAfter_[static_cast<Index>(after_.attachedTo.at(row.after))]);
        if (weight(row.kind) > weight(changes_[at])) changes_[at] = row.kind;
        const Node* node = difference_.after->findById(row.after);
        DifferenceRow named = row;
        named.what = (node->label.empty() ? "%" + node->name() : node->label) + ": " +
                     (row.what.empty() ? std::string(name(row.kind)) : row.what);
        say(at, named);
    }

    void addGhost(const DifferenceRow& row) {
        const auto it = before_.indexOf.find(row.before);
        if (it == before_.indexOf.end()) return;
        const auto box = static_cast<Index>(it->second);
        if (before_.nodes[box].id != row.before) return;  // an element of a tuple whose operation may still exist
        const auto at = static_cast<Index>(place(before_, box, placeOfBefore_));
        DrawnNode& node = merged_.nodes[at];
        node.id = ghostId(row.before);
        node.ghost = true;
        node.partner = kNowhere;
        changes_[at] = row.kind;
        merged_.indexOf[node.id] = static_cast<int>(at);
        say(at, row);
    }

    void say(Index at, const DifferenceRow& row) {
        if (row.what.empty()) return;
        DrawnNode& node = merged_.nodes[at];
        node.placement.reason = toQString(row.what);
        const bool replaced = row.kind == DifferenceKind::replaced;
        if (replaced && (row.before == kNoNode || row.after == kNoNode))
            return;  // shown by the one that represents all
        const QString line = shortenedNote(replaced ? describe(row) : node.placement.reason);
        if (!node.lines.contains(line)) node.lines << line;  // several values of one box may change in the same way
        node.size = boxSize(node);
    }

    /// Boxes of the earlier graph are placed where their nodes are now.
    void linkBefore() {
        for (const DifferenceRow& row : difference_.rows) {
            if (row.before == kNoNode || row.after == kNoNode) continue;
            const auto from = before_.indexOf.find(row.before), to = after_.indexOf.find(row.after);
            if (from != before_.indexOf.end() && to != after_.indexOf.end())
                placeOfBefore_[static_cast<Index>(from->second)] = placeOfAfter_[static_cast<Index>(to->second)];
        }
        for (DrawnNode& node : merged_.nodes)
            if (node.ghost) node.origin.forward = here(node.origin.forward);
    }

    /// The box of a node of the earlier graph in this picture.
    NodeId here(NodeId before) const {
        const auto box = before_.indexOf.find(before);
        const int place = box == before_.indexOf.end() ? kNowhere : placeOfBefore_[static_cast<Index>(box->second)];
        return place == kNowhere ? kNoNode : merged_.nodes[static_cast<Index>(place)].id;
    }

    void finish() {
        for (const auto& [id, box] : after_.indexOf) merged_.indexOf[id] = placeOfAfter_[static_cast<Index>(box)];
        for (const auto& [id, box] : after_.attachedTo) merged_.attachedTo[id] = placeOfAfter_[static_cast<Index>(box)];
        for (Index i = 0; i < after_.nodes.size(); ++i) {
            int& partner = merged_.nodes[static_cast<Index>(placeOfAfter_[i])].partner;
            if (partner >= 0) partner = placeOfAfter_[static_cast<Index>(partner)];
        }
        std::set<std::pair<int, int>> known;
        for (DrawnEdge edge : after_.edges) {
            edge.from = placeOfAfter_[static_cast<Index>(edge.from)];
            edge.to = placeOfAfter_[static_cast<Index>(edge.to)];
            known.emplace(edge.from, edge.to);
            merged_.edges.push_back(std::move(edge));
        }
        for (DrawnEdge edge : before_.edges) {
            edge.from = placeOfBefore_[static_cast<Index>(edge.from)];
            edge.to = placeOfBefore_[static_cast<Index>(edge.to)];
            if (edge.from < 0 || edge.to < 0 || !(isGhostAt(edge.from) || isGhostAt(edge.to))) continue;
            if (!merged_.isLadder()) edge.kind = DrawnEdge::Kind::flow;
            if (edge.from < edge.to && known.emplace(edge.from, edge.to).second)
                merged_.edges.push_back(std::move(edge));
        }
        colour();
    }

    bool isGhostAt(int box) const { return merged_.nodes[static_cast<Index>(box)].ghost; }

    void colour() {
        using enum DifferenceKind;
        std::set<DifferenceKind> seen;
        for (Index i = 0; i < merged_.nodes.size(); ++i) {
            merged_.nodes[i].tint = tintOf(changes_[i]);
            if (changes_[i] != same) merged_.nodes[i].value = meaningOf(changes_[i]);
            seen.insert(changes_[i]);
        }
        for (const DifferenceKind kind : {added, removed, replaced, changed, moved, renamed, same})
            if (seen.contains(kind)) merged_.tints.push_back({tintOf(kind), meaningOf(kind)});
    }

    const GraphDifference& difference_;
    DrawnGraph before_, after_, merged_;
    std::vector<int> placeOfBefore_, placeOfAfter_;
    std::vector<DifferenceKind> changes_;
    std::vector<const DifferenceRow*> attached_;  ///< of values without a box
};

}  // namespace

NodeId ghostId(NodeId before) { return -2 - before; }
bool isGhost(NodeId id) { return id <= -2; }
NodeId originalId(NodeId id) { return isGhost(id) ? -2 - id : id; }

bool differs(const DrawnNode& box) { return box.tint && *box.tint != tintOf(DifferenceKind::same); }

int firstChange(const DrawnGraph& picture) {
    const auto first = std::ranges::find_if(picture.nodes, differs);
    return first == picture.nodes.end() ? -1 : static_cast<int>(first - picture.nodes.begin());
}

DrawnGraph drawDifference(const CompileRecord& record, const GraphDifference& difference) {
    return Picture(record, record, difference).run();
}

DrawnGraph drawDifference(const CompileRecord& before, const CompileRecord& after, const GraphDifference& difference) {
    return Picture(before, after, difference).run();
}

}  // namespace aotscope
