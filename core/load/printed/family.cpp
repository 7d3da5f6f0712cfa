#include "load/printed/family.h"

#include "load/printed/dynamo_names.h"
#include "load/printed/roles.h"
#include "load/printed/view_meta.h"
#include "ops/op_table.h"
#include "support/error.h"
#include "support/names.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <unordered_map>

namespace aotscope {

namespace {

using Module = std::unique_ptr<PrintedModule>;

std::string_view titleOf(PrintedKind kind) {
    switch (kind) {
        case PrintedKind::source: return "source";
        case PrintedKind::preGrad: return "pre-grad";
        case PrintedKind::joint: return "joint";
        case PrintedKind::forward: return "forward";
        case PrintedKind::backward: return "backward";
        case PrintedKind::postGrad: return "post-grad";
        default: return "inference";
    }
}

bool dependsOn(const Argument& output, const std::unordered_set<const Node*>& nodes) {
    return output.node() && nodes.contains(output.node());
}

/// A kind for a graph without a heading.
PrintedKind guessKind(PrintedModule& module) {
    setPlaceholderRoles(module, false);
    const auto placeholders = module.graph->placeholders();
    const auto tangents = static_cast<std::size_t>(std::count_if(
        placeholders.begin(), placeholders.end(), [](const Node* n) { return n->role == Role::tangent; }));
    if (tangents == 0) {
        for (const Node* node : module.graph->nodes())
            if (node->kind() == NodeKind::call && !node->op().starts_with("aten.") &&
                !node->op().starts_with("prims.") && !node->op().starts_with("operator.") &&
                !node->op().starts_with("higher_order."))
                return PrintedKind::source;
        const bool primals = std::any_of(placeholders.begin(), placeholders.end(),
                                         [](const Node* n) { return n->name().starts_with("primals_"); });
        return primals ? PrintedKind::forward : PrintedKind::inference;
    }
    // A joint graph returns the outputs of the forward in front of one gradient for every primal.
    const auto dependent = dependOnTangents(*module.graph);
    const auto first = std::find_if(module.outputs.begin(), module.outputs.end(),
                                    [](const Argument& output) { return output.node() != nullptr; });
    const bool forwardFirst = first != module.outputs.end() && !dependsOn(*first, dependent);
    const bool joint =
        module.jointSignature || (forwardFirst && module.outputs.size() > placeholders.size() - tangents);
    return joint ? PrintedKind::joint : PrintedKind::backward;
}

/// One family while it is put together.
class Assembly {
public:
    Assembly(const LogIndex& index, const PrintedCompile& compile) : index_(index), compile_(compile) {}

    PrintedFamily run() {
        for (const auto& section : compile_.sections) read(section);
        // TORCH_LOGS calls the graph of a forward without a backward "Forward graph".
        if (modules_.contains(PrintedKind::forward) && !modules_.contains(PrintedKind::joint) &&
            !modules_.contains(PrintedKind::backward)) {
            modules_[PrintedKind::inference] = std::move(modules_[PrintedKind::forward]);
            modules_.erase(PrintedKind::forward);
        }
        nameInputs();
        markStaticInputs();
        finishJoint();
        finishForward();
        finishBackward();
        finishPlain(PrintedKind::source, GraphKind::source);
        finishPlain(PrintedKind::inference, GraphKind::inference);
        for (auto& module : pre_) family_.preGrad.push_back(finishExtra(*module, "pre-grad"));
        for (auto& module : post_) family_.postGrad.push_back(finishExtra(*module, "post-grad"));
        describe();
        return std::move(family_);
    }

private:
    void read(const PrintedSection& section) {
        if (section.kind == PrintedKind::metadata) {
            meta_ = readViewMeta(readSection(index_, section).text);
            return;
        }
        auto module = parsePrinted(readSection(index_, section), compile_.hints);
        keepNested(*module);
        auto kind = section.kind;
        if (kind == PrintedKind::unknown) kind = guessKind(*module);
        setPlaceholderRoles(*module, kind == PrintedKind::backward);
        setTupleTypes(*module->graph);
        if (kind == PrintedKind::preGrad) pre_.push_back(std::move(module));
        else if (kind == PrintedKind::postGrad) post_.push_back(std::move(module));
        else modules_.try_emplace(kind, std::move(module));
    }

    void keepNested(PrintedModule& module) {
        for (auto& inner : module.nested) {
            setPlaceholderRoles(*inner, false);
            keepNested(*inner);
            complete(*inner, inner->className, std::vector<OutputSlot>(inner->outputs.size()));
            family_.nested.try_emplace(inner->className, std::move(inner->graph));
        }
    }

    PrintedModule* find(PrintedKind kind) {
        const auto it = modules_.find(kind);
        return it == modules_.end() ? nullptr : it->second.get();
    }

    static void complete(PrintedModule& module, std::string_view name, std::vector<OutputSlot> slots) {
        module.graph->rename(std::string(name));
        module.graph->setOutput(std::move(module.outputs), std::move(slots));
        numberStorages(*module.graph);
    }

    static std::vector<OutputSlot> userOutputs(std::size_t count) {
        std::vector<OutputSlot> slots;
        for (std::size_t i = 0; i < count; ++i) slots.push_back({Role::userOutput, "output " + std::to_string(i)});
        return slots;
    }

    /// Names of the user's program for primals_N, from the graph that TorchDynamo captured.
    void nameInputs() {
        const PrintedModule* source = find(PrintedKind::source);
        for (const auto kind : {PrintedKind::joint, PrintedKind::forward, PrintedKind::inference})
            if (PrintedModule* module = find(kind); module && source && nameByDynamo(*source->graph, *module->graph)) {
                named_ = true;
                for (const Node* node : module->graph->placeholders()) inputs_[node->name()] = node;
            }
    }

    static std::vector<Node*> primalsOf(const PrintedModule& module) {
        auto nodes = module.graph->placeholders();
        std::erase_if(nodes, [](const Node* node) { return node->role == Role::tangent; });
        return nodes;
    }

    /// Inputs that PyTorch calls static are parameters, or buffers if they need no gradient.
    void markStaticInputs() {
        if (!meta_) return;
        const auto& inputs = meta_->metadata.inputs;
        for (const auto kind : {PrintedKind::joint, PrintedKind::forward, PrintedKind::inference}) {
            const PrintedModule* module = find(kind);
            if (!module) continue;
            const auto primals = primalsOf(*module);
            if (primals.size() != inputs.size()) continue;
            for (const auto i : meta_->staticInputs) {
                if (i >= primals.size() || primals[i]->role != Role::userInput) continue;
                primals[i]->role = inputs[i].requiresGrad ? Role::parameter : Role::buffer;
            }
            family_.staticInputs = !meta_->staticInputs.empty();
        }
    }

    void finishJoint() {
        PrintedModule* joint = find(PrintedKind::joint);
        if (!joint) return;
        const auto count = forwardOutputsOf(*joint);
        auto slots = userOutputs(count);
        const auto primals = primalsOf(*joint);
        if (meta_ && meta_->metadata.forwardReturns() == count) {
            slots = meta_->metadata.forwardSlots();
            for (std::size_t i = 0, mutated = 0; i < meta_->metadata.inputs.size() && i < primals.size(); ++i)
                if (meta_->metadata.inputs[i].mutation == MutationType::outOfGraph)
                    slots[mutated++].label = labelOf(*primals[i]);
        }
        for (std::size_t i = count; i < joint->outputs.size(); ++i) {
            const Node* primal = i - count < primals.size() ? primals[i - count] : nullptr;
            slots.push_back({Role::gradient, primal ? labelOf(*primal) : std::string()});
        }
        for (std::size_t i = 0; i < count; ++i)
            if (joint->outputNotes[i].starts_with("InputMutationAOTOutput")) slots[i].role = Role::mutatedInput;
            else if (joint->outputNotes[i].starts_with("IntermediateBase")) slots[i].role = Role::intermediateBase;
        complete(*joint, "joint", std::move(slots));
        setStages(*joint->graph, count);
        linkBackward(*joint->graph);
        forwardOutputs_ = count;
        family_.notes.push_back("joint graph: " + std::to_string(joint->graph->outputs().size()) +
                                " outputs, the first " + std::to_string(count) +
                                " of the forward (one gradient for each of " + std::to_string(primals.size()) +
                                " inputs)");
        store(GraphKind::joint, *joint);
    }

    void finishForward() {
        PrintedModule* forward = find(PrintedKind::forward);
        if (!forward) return;
        const auto total = forward->outputs.size();
        std::size_t count = total;
        if (forwardOutputs_) count = std::min(*forwardOutputs_, total);
        else if (const PrintedModule* backward = find(PrintedKind::backward)) {
            const auto placeholders = backward->graph->placeholders();
            const auto saved = static_cast<std::size_t>(std::count_if(
                placeholders.begin(), placeholders.end(), [](const Node* n) { return n->role != Role::tangent; }));
            count = total - std::min(saved, total);
        }
        auto slots = userOutputs(count);
        for (std::size_t i = count; i < total; ++i) {
            const Node* node = forward->outputs[i].node();
            slots.push_back(
                {node && node->type.scalar() ? Role::savedSymint : Role::saved, node ? node->name() : std::string()});
        }
        complete(*forward, "forward", std::move(slots));
        shareIds(*forward->graph);
        store(GraphKind::forward, *forward);
    }

    void finishBackward() {
        PrintedModule* backward = find(PrintedKind::backward);
        if (!backward) return;
        std::vector<OutputSlot> slots(backward->outputs.size(), {Role::gradient, {}});
        for (const auto kind : {GraphKind::joint, GraphKind::forward}) {
            const auto it = family_.graphs.find(kind);
            if (it == family_.graphs.end()) continue;
            std::size_t i = 0;
            for (const Node* node : it->second->placeholders())
                if (node->role != Role::tangent && i < slots.size()) slots[i++].label = labelOf(*node);
            break;
        }
        complete(*backward, "backward", std::move(slots));
        shareIds(*backward->graph);
        const auto forward = family_.graphs.find(GraphKind::forward);
        for (Node* node : backward->graph->nodes()) {
            const bool again = node->kind() == NodeKind::call && forward != family_.graphs.end() &&
                               forward->second->findById(node->id());
            if (node->kind() == NodeKind::placeholder && node->label.empty()) node->label = labelIn(node->name());
            if (node->kind() == NodeKind::placeholder && node->role != Role::tangent) continue;
            if (!again) node->stage = Stage::backward;
        }
        store(GraphKind::backward, *backward);
    }

    void finishPlain(PrintedKind kind, GraphKind as) {
        PrintedModule* module = find(kind);
        if (!module) return;
        complete(*module, titleOf(kind), userOutputs(module->outputs.size()));
        store(as, *module);
    }

    static std::shared_ptr<const Graph> finishExtra(PrintedModule& module, std::string_view name) {
        complete(module, name, userOutputs(module.outputs.size()));
        return std::move(module.graph);
    }

    void store(GraphKind kind, PrintedModule& module) { family_.graphs[kind] = std::move(module.graph); }

    static std::string labelOf(const Node& node) { return node.label.empty() ? node.name() : node.label; }
    std::string labelIn(const std::string& name) const {
        const auto it = inputs_.find(name);
        return it == inputs_.end() ? name : labelOf(*it->second);
    }

    /// A value of the joint graph keeps its name in the halves: same name and operation, same id.
    void shareIds(Graph& graph) {
        std::shared_ptr<Graph> joint, other;
        if (const auto it = family_.graphs.find(GraphKind::joint); it != family_.graphs.end()) joint = it->second;
        if (const auto it = family_.graphs.find(GraphKind::forward); it != family_.graphs.end()) other = it->second;
        std::unordered_map<std::string_view, Node*> known;
        NodeId next = 0;
        for (const auto& reference : {joint, other}) {
            if (!reference) continue;
            for (Node* node : reference->nodes()) {
                known.try_emplace(node->name(), node);
                next = std::max(next, node->id() + 1);
            }
        }
        if (known.empty()) return;
        for (Node* node : graph.nodes()) {
            const auto it = known.find(node->name());
            const bool placeholder = node->kind() == NodeKind::placeholder;
            const bool same = it != known.end() &&
                              (placeholder || (it->second->kind() == node->kind() && it->second->op() == node->op()));
            graph.setIdentity(node, same ? it->second->id() : next++);
            if (!same) continue;
            node->stage = it->second->stage;
            node->autograd = it->second->autograd;
            if (placeholder && node->label.empty()) node->label = it->second->label;
            if (placeholder && node->role == Role::userInput) node->role = it->second->role;
        }
    }

    /// What the graphs show of inputs and outputs.
    void describe() {
        for (const auto kind : {GraphKind::joint, GraphKind::forward, GraphKind::inference, GraphKind::source})
            if (const auto it = family_.graphs.find(kind); it != family_.graphs.end()) {
                describe(*it->second);
                break;
            }
        if (const auto it = family_.graphs.find(GraphKind::joint); it != family_.graphs.end())
            for (const Node* node : it->second->nodes())
                if ((node->kind() == NodeKind::placeholder && !node->type.known()) ||
                    (!node->label.empty() && node->kind() == NodeKind::call && !node->type.known()))
                    family_.typesKnown = false;
        family_.metadata.needsAutograd =
            family_.graphs.contains(GraphKind::joint) || family_.graphs.contains(GraphKind::backward);
        family_.metadata.whyAutograd = family_.metadata.needsAutograd ? "printed by Python: a graph with a backward"
                                                                      : "printed by Python: no backward";
        if (named_) family_.notes.push_back("names of inputs: from the graph that TorchDynamo captured");
        for (const auto& [name, graph] : family_.nested)
            family_.notes.push_back("nested graph " + name + ": " + counted(graph->callCount(), "operation"));
    }

    void describe(const Graph& graph) {
        const bool exact = meta_ && meta_->metadata.inputs.size() == inputCount(graph);
        if (exact) family_.metadata = meta_->metadata;
        else describeOutputs(graph);
        std::size_t i = 0;
        for (const Node* node : graph.placeholders()) {
            if (node->role == Role::tangent) continue;
            InputInfo info = exact ? family_.metadata.inputs[i] : InputInfo();
            info.name = labelOf(*node);
            info.role = node->role;
            if (node->type.tensor()) info.tensor = *node->type.tensor();
            if (!exact) readMutation(*node, info);
            if (exact) family_.metadata.inputs[i++] = std::move(info);
            else family_.metadata.inputs.push_back(std::move(info));
        }
        if (!exact) setRequiresGrad(graph);
        else typeOutputs(graph);
    }

    static std::size_t inputCount(const Graph& graph) {
        const auto nodes = graph.placeholders();
        return static_cast<std::size_t>(
            std::count_if(nodes.begin(), nodes.end(), [](const Node* n) { return n->role != Role::tangent; }));
    }

    static void readMutation(const Node& node, InputInfo& info) {
        info.mutatesData = std::any_of(node.users().begin(), node.users().end(), [&](const Node* user) {
            return user->kind() == NodeKind::call && isMutating(user->op()) && !user->args().empty() &&
                   user->args()[0].node() == &node;
        });
        if (info.mutatesData) info.mutation = MutationType::inGraph;
    }

    void typeOutputs(const Graph& graph) {
        const auto first = family_.metadata.mutatedInputIndices().size();
        for (std::size_t i = 0; i < family_.metadata.outputs.size() && first + i < graph.outputs().size(); ++i)
            if (const Node* node = graph.outputs()[first + i].node(); node && node->type.tensor())
                family_.metadata.outputs[i].tensor = *node->type.tensor();
    }

    void describeOutputs(const Graph& graph) {
        const auto& outputs = graph.outputs();
        const auto& slots = graph.outputSlots();
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (slots[i].role != Role::userOutput && slots[i].role != Role::intermediateBase) continue;
            OutputInfo info;
            const Node* node = outputs[i].node();
            info.isTensor = node && !node->type.scalar();
            if (node && node->type.tensor()) info.tensor = *node->type.tensor();
            family_.metadata.outputs.push_back(info);
        }
    }

    /// An input that gets a gradient requires one.
    void setRequiresGrad(const Graph& graph) {
        const auto it = family_.graphs.find(GraphKind::backward);
        for (const Graph* source :
             {&graph, it == family_.graphs.end() ? nullptr : static_cast<const Graph*>(it->second.get())}) {
            if (!source) continue;
            std::size_t input = 0;
            for (std::size_t i = 0; i < source->outputs().size(); ++i) {
                if (source->outputSlots()[i].role != Role::gradient) continue;
                if (input < family_.metadata.inputs.size())
                    family_.metadata.inputs[input].requiresGrad = source->outputs()[i].node() != nullptr;
                ++input;
            }
            if (input > 0) return;
        }
    }

    const LogIndex& index_;
    const PrintedCompile& compile_;
    PrintedFamily family_;
    std::map<PrintedKind, Module> modules_;
    std::vector<Module> pre_, post_;
    std::unordered_map<std::string, const Node*> inputs_;
    std::optional<std::size_t> forwardOutputs_;
    std::optional<ViewMeta> meta_;
    bool named_ = false;
};

}  // namespace

PrintedFamily readFamily(const LogIndex& index, const PrintedCompile& compile) {
    return Assembly(index, compile).run();
}

void resolveUnknown(LogIndex& index) {
    std::vector<PrintedCompile> resolved;
    bool joinable = false;  // the last one is made of graphs without a heading
    std::exception_ptr failure;
    for (auto& compile : index.compiles) {
        const bool unknown = compile.sections.size() == 1 && compile.sections[0].kind == PrintedKind::unknown;
        if (unknown) {
            PrintedSection& section = compile.sections[0];
            try {
                section.kind = guessKind(*parsePrinted(readSection(index, section), compile.hints));
            } catch (const Error&) {  // some other class, as long as there are graphs besides it
                if (!failure) failure = std::current_exception();
                continue;
            }
            const auto has = [&](PrintedKind kind) {
                return std::any_of(resolved.back().sections.begin(), resolved.back().sections.end(),
                                   [&](const PrintedSection& s) { return s.kind == kind; });
            };
            const bool half = section.kind == PrintedKind::forward || section.kind == PrintedKind::backward;
            if (joinable && half && !has(section.kind) && (has(PrintedKind::joint) || has(PrintedKind::forward))) {
                resolved.back().sections.push_back(std::move(section));
                continue;
            }
        }
        joinable = unknown;
        resolved.push_back(std::move(compile));
    }
    if (resolved.empty() && failure) std::rethrow_exception(failure);
    index.compiles = std::move(resolved);
}

}  // namespace aotscope
