#include "canvas/layout/network_graph.h"

#include "canvas/layout/box_size.h"
#include "models/picture_text.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <set>

namespace aotscope {

namespace {

using EdgeKind = CutNetwork::EdgeKind;

constexpr std::size_t kMostBoxes = 150;     ///< of a network that is shown as a whole
constexpr std::size_t kNeighbourhood = 60;  ///< boxes around a centre
constexpr std::size_t kSeeds = 12;          ///< values of the cut that a neighbourhood starts from

/// What the network knows about one value.
struct Value {
    const CutNetwork::Edge* saving = nullptr;  ///< null: it must not be saved
    bool inSinkSide = false, outSinkSide = false;
    bool banned = false, mustRecompute = false;
    std::int64_t fromSource = 0;
    int backwardUses = 0;
    std::int64_t toSink = 0;
    std::map<NodeId, std::int64_t> uses;  ///< flow to each value that uses it
};

QString amount(std::int64_t flow) {
    return flow >= CutNetwork::kInfinite ? QStringLiteral("∞") : toQString(formatBytes(flow));
}

class NetworkDrawer {
public:
    NetworkDrawer(const Graph& joint, const Partition& partition, NodeId centre)
        : network_(*partition.network), centre_(centre) {
        drawn_.kind = GraphKind::joint;
        drawn_.network = true;
        for (const Node* node : joint.nodes()) nodes_[node->id()] = node;
        for (const auto& decision : partition.decisions) decisions_[decision.node] = &decision;
        read();
    }

    DrawnGraph run() {
        choose();
        for (const Node* node : order()) addValue(*node);
        for (const auto& [id, value] : values_)
            if (shown_.contains(id)) addUses(id, value);
        for (auto& box : drawn_.nodes) box.size = boxSize(box);
        return std::move(drawn_);
    }

private:
    const CutNetwork::Vertex& vertex(int index) const { return network_.vertices[static_cast<std::size_t>(index)]; }

    void read() {
        for (const auto& edge : network_.edges) {
            largestFlow_ = std::max(largestFlow_, edge.flow);
            const bool isCut = !vertex(edge.from).sinkSide && vertex(edge.to).sinkSide;
            if (edge.kind == EdgeKind::value || (edge.kind == EdgeKind::alias && isCut))
                values_[vertex(edge.from).node].saving = &edge;
            if (edge.kind == EdgeKind::mustRecompute) values_[vertex(edge.from).node].mustRecompute = true;
        }
        for (auto& [id, value] : values_) {
            value.inSinkSide = !value.saving || vertex(value.saving->from).sinkSide;
            value.outSinkSide = value.saving && vertex(value.saving->to).sinkSide;
        }
        for (const auto& edge : network_.edges) {
            const auto from = values_.find(vertex(edge.from).node), to = values_.find(vertex(edge.to).node);
            if (edge.kind == EdgeKind::banned && to != values_.end()) {
                to->second.banned = true;
                to->second.fromSource += edge.flow;
            } else if (edge.kind == EdgeKind::use && from != values_.end() && to != values_.end()) {
                if (from == to) continue;  // to its own alias
                from->second.uses[vertex(edge.to).node] += edge.flow;
            } else if (edge.to == CutNetwork::kSink || edge.kind == EdgeKind::use) {
                if (from == values_.end() || edge.kind == EdgeKind::mustRecompute) continue;
                ++from->second.backwardUses;
                from->second.toSink += edge.flow;
            }
        }
    }

    static bool isCut(const Value& value) { return value.saving && !value.inSinkSide && value.outSinkSide; }

    void choose() {
        if (values_.size() <= kMostBoxes) {
            for (const auto& [id, value] : values_) shown_.insert(id);
            return;
        }
        std::map<NodeId, std::vector<NodeId>> users;
        for (const auto& [id, value] : values_)
            for (const auto& [user, flow] : value.uses) {
                users[user].push_back(id);
                users[id].push_back(user);
            }
        std::queue<NodeId> pending;
        const auto take = [&](NodeId id) {
            if (shown_.size() < kNeighbourhood && shown_.insert(id).second) pending.push(id);
        };
        const bool around = values_.contains(centre_);
        if (around) take(centre_);
        else
            for (const NodeId id : largestOfTheCut()) take(id);
        for (; !pending.empty(); pending.pop())
            for (const NodeId next : users[pending.front()]) take(next);
        drawn_.note =
            QObject::tr("%1 of %2: those around %3. Select another value of the joint graph to see its surroundings.")
                .arg(shown_.size())
                .arg(toQString(counted(values_.size(), "value")))
                .arg(around ? QStringLiteral("%") + toQString(nodes_.at(centre_)->name())
                            : QObject::tr("the largest saved value"));
    }

    std::vector<NodeId> largestOfTheCut() const {
        std::vector<std::pair<std::int64_t, NodeId>> cut;
        for (const auto& [id, value] : values_)
            if (isCut(value)) cut.emplace_back(-value.saving->capacity, id);
        std::sort(cut.begin(), cut.end());
        std::vector<NodeId> ids;
        for (std::size_t i = 0; i < std::min(cut.size(), kSeeds); ++i) ids.push_back(cut[i].second);
        return ids;
    }

    /// The shown values in program order.
    std::vector<const Node*> order() const {
        std::vector<const Node*> nodes;
        for (const NodeId id : shown_)
            if (const auto node = nodes_.find(id); node != nodes_.end()) nodes.push_back(node->second);
        return nodes;
    }

    void addValue(const Node& node) {
        const Value& value = values_.at(node.id());
        int source = -1;
        if (value.banned) {
            source = addTerminal(DrawnNode::Kind::input, QObject::tr("source"), CutSide::source);
            if (const auto decision = decisions_.find(node.id());
                decision != decisions_.end() && !decision->second->bans.empty())
                drawn_.nodes.back().lines << toQString(describe(decision->second->bans.front()));
        }
        DrawnNode box;
        box.id = node.id();
        box.name = QStringLiteral("%") + pictureText(node.name(), kMostShown);
        box.title = box.name;
        box.cut.side = isCut(value) ? CutSide::cut : value.inSinkSide ? CutSide::sink : CutSide::source;
        box.lines << (node.kind() == NodeKind::placeholder ? toQString(node.label.empty() ? node.name() : node.label)
                                                           : toQString(shortOpName(node.op())));
        box.cut.saturated = value.saving && value.saving->capacity > 0 && value.saving->saturated();
        if (!value.saving) {
            box.lines << QObject::tr("must be recomputed");
        } else if (value.saving->capacity >= CutNetwork::kInfinite) {
            box.lines << QObject::tr("flow %1 of ∞").arg(amount(value.saving->flow));
        } else {
            box.lines << QObject::tr("flow %1 of %2").arg(amount(value.saving->flow), amount(value.saving->capacity));
            if (box.cut.saturated) box.lines << QObject::tr("saturated");
        }
        const int index = static_cast<int>(drawn_.nodes.size());
        drawn_.indexOf[node.id()] = index;
        drawn_.nodes.push_back(std::move(box));
        if (source >= 0) connect(source, index, value.fromSource, QObject::tr("source"), node.name());
        if (value.backwardUses > 0 || value.mustRecompute) {
            const int sink = addTerminal(DrawnNode::Kind::output, QObject::tr("sink"), CutSide::sink);
            drawn_.nodes.back().lines << (value.mustRecompute
                                              ? QObject::tr("must be recomputed")
                                              : QObject::tr("%1 in backward")
                                                    .arg(toQString(
                                                        counted(static_cast<std::size_t>(value.backwardUses), "use"))));
            connect(index, sink, value.toSink, toQString(node.name()), "sink");
        }
    }

    void addUses(NodeId id, const Value& value) {
        const int from = drawn_.indexOf.at(id);
        for (const auto& [user, flow] : value.uses)
            if (const auto to = drawn_.indexOf.find(user); to != drawn_.indexOf.end())
                connect(from, to->second, flow, toQString(nodes_.at(id)->name()), nodes_.at(user)->name());
    }

    int addTerminal(DrawnNode::Kind kind, const QString& title, CutSide side) {
        DrawnNode box;
        box.kind = kind;
        box.title = box.name = title;
        box.cut.side = side;
        drawn_.nodes.push_back(std::move(box));
        return static_cast<int>(drawn_.nodes.size()) - 1;
    }

    void connect(int from, int to, std::int64_t flow, const QString& source, std::string_view target) {
        DrawnEdge edge{from, to};
        edge.flow = largestFlow_ > 0 ? static_cast<double>(flow) / static_cast<double>(largestFlow_) : 0;
        edge.tip = QObject::tr("%1 to %2: flow %3, infinite capacity").arg(source, toQString(target), amount(flow));
        drawn_.edges.push_back(edge);
    }

    const CutNetwork& network_;
    NodeId centre_;
    DrawnGraph drawn_;
    std::map<NodeId, const Node*> nodes_;
    std::map<NodeId, const ValueDecision*> decisions_;
    std::map<NodeId, Value> values_;
    std::set<NodeId> shown_;
    std::int64_t largestFlow_ = 0;
};

}  // namespace

DrawnGraph drawNetwork(const Graph& joint, const Partition& partition, NodeId centre) {
    return NetworkDrawer(joint, partition, centre).run();
}

}  // namespace aotscope
