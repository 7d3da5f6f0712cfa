#include "load/printed/syntax/roles.h"

#include "ir/output_names.h"
#include "ir/place_with_code.h"
#include "load/printed/printed_metadata.h"
#include "ops/classify.h"
#include "ops/op_table.h"
#include "support/names.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace aotscope {

namespace {

/// "l.weight" for "ParamAOTInput(target='l.weight')".
std::string targetOf(std::string_view note) {
    constexpr std::string_view key = "target='";
    const auto at = note.find(key);
    if (at == std::string_view::npos) return {};
    note.remove_prefix(at + key.size());
    return std::string(note.substr(0, note.find('\'')));
}

std::string_view bareName(const Node& node) {
    auto name = shortOpName(node.op());
    while (name.starts_with('_')) name.remove_prefix(1);
    return name;
}

/// The operation that a backward operation is named after: "native_batch_norm" for native_batch_norm_backward.
std::string_view stemOf(const Node& backward) {
    const auto name = bareName(backward);
    const auto at = name.find("_backward");
    return at == std::string_view::npos ? std::string_view() : name.substr(0, at);
}

bool fitsStem(std::string_view stem, const Node& forward) {
    constexpr std::size_t telling = 4;  // letters needed: "t" begins many names
    const auto name = bareName(forward);
    return !stem.empty() &&
           (name.find(stem) != std::string_view::npos || (name.size() >= telling && stem.starts_with(name)));
}

/// The operation behind a value, through elements of tuples and autograd's copies.
const Node* originalOf(const Node* node) {
    while (node->inputs().size() == 1 && (isGetitem(*node) || node->isCall("aten.detach.default")))
        node = node->inputs()[0];
    return node;
}

/// The forward operation on the same source line (or any, if the line is unknown) whose values `node` uses: preferably
/// one that it is named after, then one that computes such a value, then one that also uses it.
const Node* partnerByValues(const Node& node) {
    const auto eligible = [&](const Node* other) {
        return other->kind() == NodeKind::call && other->stage == Stage::forward &&
               (!node.source || other->source == node.source) && !isGetitem(*other) &&
               !other->isCall("aten.detach.default");
    };
    const auto stem = stemOf(node);
    const Node *maker = nullptr, *user = nullptr;
    for (const Node* input : node.inputs()) {
        if (input->stage != Stage::forward || input->role == Role::tangent) continue;
        const Node* made = originalOf(input);
        if (eligible(made)) {
            if (fitsStem(stem, *made)) return made;
            if (!maker) maker = made;
        }
        for (const Node* other : input->users()) {
            if (!eligible(other)) continue;
            if (fitsStem(stem, *other)) return other;
            if (!user) user = other;
        }
    }
    return maker ? maker : user;
}

/// The operation that an input on the same source line differentiates; if the line is unknown, the earliest one that
/// any input differentiates, since the backward goes back.
const Node* partnerOfInputs(const Node& node, const std::unordered_map<const Node*, const Node*>& partners) {
    const Node* earliest = nullptr;
    for (const Node* input : node.inputs()) {
        const auto it = partners.find(input);
        if (it == partners.end() || input->source != node.source) continue;
        if (node.source) return it->second;
        if (!earliest || it->second->id() < earliest->id()) earliest = it->second;
    }
    return earliest;
}

/// State of an exported program is a parameter or a buffer, including constants.
void takeEntry(const SignatureEntry& entry, Node& placeholder) {
    if (!entry.target.empty()) placeholder.label = entry.target;
    if (entry.kind == "PARAMETER") placeholder.role = Role::parameter;
    if (entry.kind == "BUFFER" || entry.kind == "CONSTANT_TENSOR") placeholder.role = Role::buffer;
}

/// As in its kernel; an operation that may copy has its own memory.
bool sharesMemory(const Node& node) {
    constexpr std::array<std::string_view, 3> mayCopy = {"reshape", "contiguous", "flatten"};
    return node.kind() == NodeKind::call && !node.inputs().empty() && opFamily(node.op()) == OpFamily::view &&
           std::ranges::find(mayCopy, shortOpName(node.op())) == mayCopy.end();
}

}  // namespace

std::unordered_set<const Node*> dependOnTangents(const Graph& graph) {
    std::unordered_set<const Node*> dependent;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Node* node = graph.at(i);
        const bool uses = std::any_of(node->inputs().begin(), node->inputs().end(),
                                      [&](const Node* n) { return dependent.contains(n); });
        if (uses || node->role == Role::tangent) dependent.insert(node);
    }
    return dependent;
}

void setPlaceholderRoles(PrintedModule& module, bool backward) {
    std::unordered_map<std::string_view, const SignatureEntry*> signature;
    for (const SignatureEntry& entry : module.signature.inputs) signature.try_emplace(entry.name, &entry);
    for (Node* node : module.graph->placeholders()) {
        const auto it = module.inputNotes.find(node);
        const std::string note = it == module.inputNotes.end() ? std::string() : it->second;
        if (note.starts_with("name=")) node->label = note.substr(5);
        if (const auto target = targetOf(note); !target.empty()) node->label = target;
        if (node->name().starts_with("tangents_") || note.starts_with("TangentAOTInput")) node->role = Role::tangent;
        else if (backward) node->role = node->type.scalar() ? Role::savedSymint : Role::saved;
        else if (note.starts_with("ParamAOTInput")) node->role = Role::parameter;
        else if (note.starts_with("BufferAOTInput")) node->role = Role::buffer;
        else node->role = Role::userInput;
        if (const auto known = signature.find(node->name()); known != signature.end()) takeEntry(*known->second, *node);
    }
}

std::vector<OutputSlot> plainSlots(const PrintedModule& module) {
    auto slots = userOutputs(module.outputs.size());
    const auto& entries = module.signature.outputs;
    if (entries.size() != slots.size()) return slots;
    std::size_t results = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const SignatureEntry& entry = entries[i];
        if (entry.kind.ends_with("_MUTATION")) slots[i] = {Role::mutatedInput, entry.target};
        else if (entry.kind.starts_with("GRADIENT_TO_")) slots[i] = {Role::gradient, entry.target};
        else if (entry.kind == "TOKEN") slots[i] = {Role::userOutput, "token " + entry.name};
        else slots[i].label = outputLabel("", results++);
    }
    return slots;
}

void addGradientSlots(const PrintedModule& joint, std::vector<OutputSlot>& slots) {
    const auto primals = primalsOf(*joint.graph);
    for (std::size_t i = 0; slots.size() < joint.outputs.size(); ++i)
        slots.push_back({Role::gradient, i < primals.size() ? nameInProgram(*primals[i]) : std::string()});
}

std::size_t forwardOutputsOf(const PrintedModule& joint) {
    return joint.outputs.size() - std::min(joint.outputs.size(), primalsOf(*joint.graph).size());
}

std::vector<std::string> jointProblems(const Graph& joint) {
    std::vector<std::string> problems;
    const std::size_t primals = primalsOf(joint).size(), tangents = tangentsOf(joint).size();
    const std::size_t total = joint.outputs().size(), forward = joint.forwardOutputCount();
    if (tangents == 0) return problems;  // a training step with its loss
    if (total < primals)
        problems.push_back("the joint graph returns " + counted(total, "value") + " for " + counted(primals, "input") +
                           "; expected its outputs, and a gradient or None for each input: print the whole graph");
    else if (tangents > forward)
        problems.push_back("the joint graph takes " + counted(tangents, "tangent") + " for " +
                           counted(forward, "output") + " of the forward (it returns " + counted(total, "value") +
                           ", the last " + std::to_string(total - forward) + " of them gradients of " +
                           counted(primals, "input") + "); expected at most one for each output");
    if (std::string why = whyNoForward(joint); !why.empty()) problems.push_back(std::move(why));
    return problems;
}

std::string whyNoForward(const Graph& joint) {
    const auto dependent = dependOnTangents(joint);
    for (std::size_t i = 0; i < joint.forwardOutputCount(); ++i) {
        const Node* node = joint.outputs()[i].node();
        if (!node || !dependent.contains(node)) continue;
        const std::string place = placeWithCode(*node);
        return "no forward can compute output " + std::to_string(i) + " of the joint graph, %" + node->name() +
               (node->op().empty() ? "" : " = " + node->op()) + (place.empty() ? "" : " (" + place + ")") +
               ": it depends on a tangent, so the backward changes a value that the forward returns; return a copy " +
               "of it, or do not change it in the backward";
    }
    return {};
}

bool hasPrimals(const Graph& graph) {
    const auto placeholders = graph.placeholders();
    return std::any_of(placeholders.begin(), placeholders.end(),
                       [](const Node* node) { return node->name().starts_with("primals_"); });
}

std::size_t resultsOf(const PrintedModule& forward) {
    std::unordered_map<const Node*, std::size_t> places;
    for (std::size_t i = 0; i < forward.graph->size(); ++i) places[forward.graph->at(i)] = i;
    std::size_t first = forward.outputs.size();
    for (const bool numbers : {true, false})
        for (std::size_t next = places.size(); first > 1; --first) {
            const Node* node = forward.outputs[first - 1].node();
            if (!node || (node->type.scalar() != nullptr) != numbers || places.at(node) >= next) break;
            next = places.at(node);
        }
    return first;
}

void setStages(Graph& joint, std::size_t forwardOutputs) {
    const auto nodes = joint.nodes();
    const auto dependent = dependOnTangents(joint);
    std::unordered_set<const Node*> needed;
    for (std::size_t i = 0; i < std::min(forwardOutputs, joint.outputs().size()); ++i)
        if (const Node* node = joint.outputs()[i].node()) needed.insert(node);
    std::size_t last = 0;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const Node* node = nodes[i];
        if (dependent.contains(node) || node->kind() == NodeKind::output) continue;
        if (hasEffect(*node) || drawsRandomNumbers(*node)) needed.insert(node);
        if (!needed.contains(node)) continue;
        needed.insert(node->inputs().begin(), node->inputs().end());
        last = std::max(last, i);
    }
    // Copies that autograd saved of the last results are part of the forward, too.
    while (last + 1 < nodes.size() && nodes[last + 1]->isCall("aten.detach.default") &&
           !dependent.contains(nodes[last + 1]))
        ++last;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i]->stage = dependent.contains(nodes[i]) || (i > last && nodes[i]->kind() != NodeKind::placeholder)
                              ? Stage::backward
                              : Stage::forward;
}

void linkBackward(Graph& joint) {
    std::unordered_map<const SourceInfo*, const Node*> last;  // of the forward operations; then the latest link
    const auto nodes = joint.nodes();
    for (Node* node : nodes)
        if (node->kind() == NodeKind::call && node->stage == Stage::forward && node->source && !isGetitem(*node))
            last[node->source.get()] = node;
    std::unordered_map<const Node*, const Node*> partners;
    for (Node* node : nodes) {
        if (node->kind() != NodeKind::call || node->stage != Stage::backward) continue;
        const auto known = node->source ? last.find(node->source.get()) : last.end();
        if (node->source && known == last.end()) continue;
        const Node* partner = partnerByValues(*node);
        if (!partner) partner = partnerOfInputs(*node, partners);
        if (!partner && known != last.end()) partner = known->second;
        if (!partner) continue;
        partners[node] = partner;
        if (known != last.end()) known->second = partner;
        node->autograd.forward = partner->id();
    }
}

void numberStorages(Graph& graph) {
    std::int64_t next = 0;
    for (Node* node : graph.nodes()) {
        TensorType* type = node->type.tensor();
        if (!type) continue;
        // An element of a tuple shares the memory that the operation behind the tuple shares.
        const Node* maker = isGetitem(*node) && !node->inputs().empty() ? node->inputs()[0] : node;
        const TensorType* base = sharesMemory(*maker) ? maker->inputs()[0]->type.tensor() : nullptr;
        type->storage = base ? base->storage : next++;
        if (base) {
            type->storageBytes = base->storageBytes;
            continue;
        }
        std::int64_t elements = type->numel() == 0 ? 0 : 1;
        for (std::size_t i = 0; i < type->sizes.size() && elements; ++i)
            elements += (type->sizes[i] - 1) * type->strides[i];
        type->storageBytes = elements * static_cast<std::int64_t>(itemSize(type->dtype));
    }
}

void setTupleTypes(Graph& graph) {
    constexpr std::int64_t most = 10'000;
    for (Node* node : graph.nodes()) {
        if (node->kind() != NodeKind::call || node->type.known() || node->users().empty()) continue;
        TupleType elements;
        const bool all = std::all_of(node->users().begin(), node->users().end(), [&](const Node* user) {
            const auto* index = isGetitem(*user) && user->args().size() == 2 ? user->args()[1].integer() : nullptr;
            if (!index || *index < 0 || *index >= most || user->args()[0].node() != node) return false;
            const auto i = static_cast<std::size_t>(*index);
            if (elements.size() <= i) elements.resize(i + 1);
            elements[i] = user->type;
            return true;
        });
        if (all) node->type.data = std::move(elements);
    }
}

}  // namespace aotscope
