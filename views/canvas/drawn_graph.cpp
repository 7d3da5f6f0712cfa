#include "canvas/drawn_graph.h"

#include "canvas/layout/box_size.h"
#include "canvas/layout/memory_groups.h"
#include "canvas/layout/placements.h"
#include "ir/output_names.h"
#include "ir/provenance.h"
#include "ir/subgraphs.h"
#include "models/picture_text.h"
#include "models/words/node_words.h"
#include "record/model_places.h"
#include "support/names.h"

#include <map>
#include <set>

namespace aotscope {

namespace {

constexpr int kMaxLineLength = 40;

QString shortenedLine(const QString& text) {
    const QString line = pictureText(text);
    return line.size() <= kMaxLineLength ? line : line.left(kMaxLineLength - 1) + QStringLiteral("…");
}

/// "weight" for "layer1.conv.weight" in a box of module "layer1.conv".
QString withinModule(const QString& label, const QString& module) {
    return !module.isEmpty() && label.startsWith(module + u'.') ? label.mid(module.size() + 1) : label;
}

/// The type of the first result, and the number of further ones.
QString typeLine(const ValueType& type) {
    if (const auto* tuple = type.tuple()) {
        std::size_t known = 0;
        QString first;
        for (const auto& element : *tuple)
            if (element.known() && !element.other() && known++ == 0) first = typeText(element);
        return known > 1 ? first + QStringLiteral("  +%1").arg(known - 1) : first;
    }
    return type.known() ? typeText(type) : QString();
}

QString sizesOf(const Node& node) {
    const auto* tensor = node.type.tensor();
    if (!tensor) return {};
    QStringList sizes;
    for (auto size : tensor->sizes) sizes << QString::number(size);
    return QStringLiteral(" [") + sizes.join(QStringLiteral(", ")) + QStringLiteral("]");
}

/// Values drawn as a line in each box that uses them.
bool isAttached(const Node& node) {
    if (node.kind() == NodeKind::constant) return true;
    if (node.kind() != NodeKind::placeholder) return false;
    return node.role != Role::userInput && node.role != Role::tangent && node.role != Role::syntheticBase &&
           node.role != Role::none;
}

class Builder {
public:
    Builder(const Graph& graph, GraphKind kind, const Partition* partition) : places_(graph), graph_(graph) {
        drawn_.kind = kind;
        // The partition knows nodes of the joint graph; earlier graphs have numbers of their own.
        if (!partition || (kind != GraphKind::joint && kind != GraphKind::forward && kind != GraphKind::backward))
            return;
        partition_ = kind == GraphKind::joint ? partition : nullptr;
        for (const auto& value : partition->saved) saved_.insert(value.node);
        for (const auto& value : partition->recomputed) recomputed_.insert(value.node);
    }
    Builder(const Graph& graph, GraphKind kind, const CompileRecord& record)
        : Builder(graph, kind, record.partition.get()) {
        places_ = placesIn(graph, kind, record);
        links_.emplace(graph, kind, record);
        if (links_->described()) function_ = record.metadata.get();
    }

    DrawnGraph run() {
        for (const Node* node : graph_.nodes()) addNode(*node);
        addOutputs();
        if (function_) markMemory();
        for (const Node* node : graph_.nodes()) addEdges(*node);
        if (drawn_.isLadder()) linkPartners();
        if (partition_) markPlacements(drawn_, graph_, *partition_);
        for (auto& node : drawn_.nodes) node.size = boxSize(node);
        return std::move(drawn_);
    }

private:
    void addNode(const Node& node) {
        known_.emplace(node.id(), &node);
        if (node.kind() == NodeKind::output || isAttached(node)) return;
        if (const auto owner = tupleOf(node); owner != drawn_.indexOf.end()) {
            const int box = owner->second;
            drawn_.indexOf[node.id()] = box;
            ++drawn_.nodes[static_cast<std::size_t>(box)].operations;
            mark(drawn_.nodes[static_cast<std::size_t>(box)], node);
            return;
        }
        // An unused input adds nothing.
        if (node.kind() == NodeKind::placeholder && node.users().empty()) return;
        DrawnNode box;
        box.id = node.id();
        box.kind = node.kind() == NodeKind::placeholder ? DrawnNode::Kind::input : DrawnNode::Kind::call;
        box.operations = box.kind == DrawnNode::Kind::call ? 1 : 0;
        box.name = QStringLiteral("%") + pictureText(node.name(), kMostShown);
        box.title = pictureText(box.kind == DrawnNode::Kind::call ? shortOpName(node.op())
                                : node.label.empty()              ? std::string_view(node.name())
                                                                  : std::string_view(node.label));
        box.stage = node.stage;
        box.family = opFamily(node.op());
        const Provenance provenance = provenanceOf(node);
        const auto forward = known_.find(provenance.forward);
        if (const SourceInfo* place = places_.of(node.id())) {
            box.origin.module = toQString(place->module);
            box.origin.moduleType = toQString(place->moduleType);
        }
        if (node.stage == Stage::backward) box.origin.forward = provenance.forward;
        box.origin.text =
            pictureText(describe(provenance, forward == known_.end() ? nullptr : forward->second), kMostShown);
        if (!box.origin.module.isEmpty()) box.lines << pictureText(box.origin.module.right(kMaxLineLength));
        if (const QString type = typeLine(node.type); !type.isEmpty()) box.lines << type;
        for (const auto& subgraph : subgraphsOf(node))
            box.lines << QStringLiteral("@%1: %2").arg(pictureText(subgraph->name()),
                                                       toQString(counted(subgraph->callCount(), "operation")));
        attachInputs(box, node);
        mark(box, node);
        if (function_ && box.kind == DrawnNode::Kind::input) describeInput(box);
        drawn_.indexOf[node.id()] = static_cast<int>(drawn_.nodes.size());
        drawn_.nodes.push_back(std::move(box));
    }

    /// For an element of a tuple that has a box, this box.
    std::unordered_map<NodeId, int>::const_iterator tupleOf(const Node& node) const {
        const Node* tuple = node.isCall("operator.getitem") && !node.args().empty() ? node.args()[0].node() : nullptr;
        return tuple ? drawn_.indexOf.find(tuple->id()) : drawn_.indexOf.end();
    }

    void describeInput(DrawnNode& box) const {
        const auto input = links_->inputOf(box.id);
        if (!input) return;
        box.aliasing.effect = effectOn(links_->described()->inputs[*input]);
        box.aliasing.syntheticBase = links_->isSyntheticBase(box.id);
        if (box.aliasing.syntheticBase) box.lines << QStringLiteral("synthetic base");
        if (box.aliasing.effect != InputEffect::none) box.lines << describe(*box.aliasing.effect);
    }

    /// One line: a single attached input with its sizes, several by name.
    void attachInputs(DrawnNode& box, const Node& node) {
        std::vector<const Node*> attached;
        for (const Node* input : node.inputs())
            if (isAttached(*input)) {
                attached.push_back(input);
                drawn_.attachedTo.emplace(input->id(), static_cast<int>(drawn_.nodes.size()));
            }
        if (attached.empty()) return;
        QStringList names;
        for (const Node* input : attached) {
            const bool saved = input->role == Role::saved || input->role == Role::savedSymint;
            const QString label = toQString(input->label.empty() ? input->name() : input->label);
            names << (saved ? QStringLiteral("saved ") : QString()) + withinModule(label, box.origin.module);
            if (!input->label.empty()) box.attached << pictureText(fullName(*input), kMostShown);
        }
        box.lines << shortenedLine(attached.size() == 1 ? names[0] + sizesOf(*attached[0])
                                                        : names.join(QStringLiteral(", ")));
    }

    void mark(DrawnNode& box, const Node& node) const {
        box.placement.saved = box.placement.saved || saved_.contains(node.id());
        box.placement.recomputed = box.placement.recomputed || recomputed_.contains(node.id());
    }

    /// User outputs are boxes of their own; other results of the graph are lines in the boxes that they come from.
    void addOutputs() {
        const auto& values = graph_.outputs();
        std::map<int, QStringList> updates, bases, gradients;
        std::size_t outputs = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const Node* node = values[i].node();
            const OutputSlot& slot = graph_.outputSlots()[i];
            const std::size_t output = slot.role == Role::userOutput ? outputs++ : 0;
            if (!node || slot.role == Role::saved || slot.role == Role::savedSymint) continue;
            const auto owner = drawn_.indexOf.find(node->id());
            if (owner == drawn_.indexOf.end()) continue;
            if (slot.role == Role::userOutput) {
                DrawnNode box;
                box.kind = DrawnNode::Kind::output;
                box.title = pictureText(slot.label.empty() ? outputLabel("", output) : slot.label);
                box.name = box.title;
                box.stage = node->stage;  // a whole training step returns what its backward computes
                if (function_ && output < function_->outputs.size()) {
                    box.aliasing.returnedAs = function_->outputs[output].type;
                    if (const QString relation = relationOf(*function_, output); !relation.isEmpty())
                        box.lines << relation;
                    boxOfOutput_[output] = drawn_.nodes.size();
                }
                drawn_.edges.push_back(
                    {owner->second, static_cast<int>(drawn_.nodes.size()), DrawnEdge::Kind::flow, node->id()});
                drawn_.nodes.push_back(std::move(box));
                continue;
            }
            auto& box = drawn_.nodes[static_cast<std::size_t>(owner->second)];
            box.aliasing.intermediateBase = box.aliasing.intermediateBase || slot.role == Role::intermediateBase;
            auto& names = slot.role == Role::gradient           ? gradients[owner->second]
                          : slot.role == Role::intermediateBase ? bases[owner->second]
                                                                : updates[owner->second];
            names << withinModule(toQString(slot.label), box.origin.module);
        }
        for (const auto& [box, names] : updates) addLine(box, QStringLiteral("updates "), names);
        for (const auto& [box, names] : bases) addLine(box, QStringLiteral("returned as "), names);
        for (const auto& [box, names] : gradients) addLine(box, QStringLiteral("grad of "), names);
    }

    void addLine(int box, const QString& what, const QStringList& names) {
        drawn_.nodes[static_cast<std::size_t>(box)].lines << shortenedLine(what + names.join(QStringLiteral(", ")));
    }

    /// The placeholder that `node` writes to, as copy_ does; null: none.
    static const Node* target(const Node* node) {
        while (node && node->kind() == NodeKind::call && shortOpName(node->op()).ends_with('_'))
            node = node->args().empty() ? nullptr : node->args().front().node();
        return node && node->kind() == NodeKind::placeholder ? node : nullptr;
    }

    /// Boxes that write to an input or compute its new value, and the groups of values that share memory.
    void markMemory() {
        for (auto& box : drawn_.nodes) {
            const Node* written = box.kind == DrawnNode::Kind::call ? target(known_.at(box.id)) : nullptr;
            const auto input = written ? links_->inputOf(written->id()) : std::nullopt;
            if (input && links_->described()->inputs[*input].mutation != MutationType::notMutated)
                box.aliasing.effect = effectOn(links_->described()->inputs[*input]);
        }
        for (const auto& [id, index] : drawn_.indexOf) {
            auto& box = drawn_.nodes[static_cast<std::size_t>(index)];
            const auto* returned = links_->returnedAs(id);
            if (!returned || box.kind != DrawnNode::Kind::call) continue;
            for (const std::size_t input : returned->updates)
                box.aliasing.effect = std::max(box.aliasing.effect.value_or(InputEffect::none),
                                               effectOn(links_->described()->inputs[input]));
        }
        for (const MemoryGroup& group : memoryGroups(graph_, *links_, *function_)) {
            std::set<std::size_t> boxes;
            for (const NodeId id : group.nodes)
                if (const auto it = drawn_.indexOf.find(id); it != drawn_.indexOf.end())
                    boxes.insert(static_cast<std::size_t>(it->second));
            for (const std::size_t output : group.outputs)
                if (const auto it = boxOfOutput_.find(output); it != boxOfOutput_.end()) boxes.insert(it->second);
            if (boxes.size() < 2) continue;
            for (const std::size_t box : boxes) drawn_.nodes[box].aliasing.tag = group.tag;
            drawn_.memoryGroups.emplace_back(group.tag, group.members);
        }
    }

    static bool isSize(const Node& node) { return node.type.scalar() && node.type.scalar()->expression; }

    void addEdges(const Node& node) {
        const auto to = drawn_.indexOf.find(node.id());
        if (to == drawn_.indexOf.end()) return;
        for (const Node* input : node.inputs()) {
            const auto from = drawn_.indexOf.find(input->id());
            if (from == drawn_.indexOf.end() || from->second == to->second) continue;
            // A size is used by hundreds of operations, whose types show it already.
            if (isSize(*input) && !isSize(node)) continue;
            if (!connected_.emplace(from->second, to->second).second) continue;
            const bool rung = drawn_.isLadder() && input->stage == Stage::forward && node.stage == Stage::backward;
            drawn_.edges.push_back(
                {from->second, to->second, rung ? DrawnEdge::Kind::rung : DrawnEdge::Kind::flow, input->id()});
        }
    }

    /// The first operation of each autograd node is level with the forward operation it differentiates.
    void linkPartners() {
        std::set<int> taken;
        for (const Node* node : graph_.nodes()) {
            if (node->stage != Stage::backward || node->autograd.forward == kNoNode || node->kind() != NodeKind::call)
                continue;
            const auto box = drawn_.indexOf.find(node->id()), partner = drawn_.indexOf.find(node->autograd.forward);
            if (box == drawn_.indexOf.end() || partner == drawn_.indexOf.end()) continue;
            auto& own = drawn_.nodes[static_cast<std::size_t>(box->second)].partner;
            if (own < 0 && taken.insert(partner->second).second) own = partner->second;
        }
    }

    std::unordered_map<NodeId, const Node*> known_;  ///< nodes so far
    ModelPlaces places_;
    const Graph& graph_;
    DrawnGraph drawn_;
    std::set<NodeId> saved_, recomputed_;
    const Partition* partition_ = nullptr;  ///< of a joint graph
    std::optional<MetadataLinks> links_;
    const FunctionMetadata* function_ = nullptr;  ///< null: mutation and aliasing are unknown
    std::map<std::size_t, std::size_t> boxOfOutput_;
    std::set<std::pair<int, int>> connected_;
};

}  // namespace

DrawnGraph drawGraph(const Graph& graph, GraphKind kind, const Partition* partition) {
    return Builder(graph, kind, partition).run();
}

DrawnGraph drawGraph(const Graph& graph, GraphKind kind, const CompileRecord& record) {
    return Builder(graph, kind, record).run();
}

QStringList placementLines(const DrawnNode& node) {
    QStringList lines;
    if (!node.value.isEmpty()) lines << node.value;
    if (node.placement.saved) lines << QStringLiteral("saved for backward");
    if (node.placement.recomputed) lines << QStringLiteral("recomputed in backward");
    if (node.placement.decided && !node.placement.saved && !node.placement.recomputed)
        lines << describe(*node.placement.decided);
    if (!node.placement.reason.isEmpty()) lines << node.placement.reason;
    if (!node.placement.change.isEmpty()) lines << QStringLiteral("what-if: ") + node.placement.change;
    return lines;
}

}  // namespace aotscope
