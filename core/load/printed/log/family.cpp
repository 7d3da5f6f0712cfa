#include "load/printed/log/family.h"

#include "ir/output_names.h"
#include "load/printed/dynamo_names.h"
#include "load/printed/exported_graph.h"
#include "load/printed/log/unknown_kinds.h"
#include "load/printed/printed_metadata.h"
#include "load/printed/syntax/nested_graphs.h"
#include "load/printed/syntax/python_faults.h"
#include "load/printed/syntax/roles.h"
#include "support/enumerators.h"
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
    return kind == PrintedKind::pass ? "a pass of Inductor" : spelled<'-'>(kind);
}

/// An input that is None in Python has no type, and is unused.
bool typeIsMissing(const Node* node) {
    return !node->type.known() && (node->kind() != NodeKind::placeholder || !node->users().empty());
}

/// Builds one family.
class Assembly {
public:
    Assembly(const LogIndex& index, const PrintedCompile& compile, const GraphRules& rules)
        : index_(index), compile_(compile), rules_(rules) {}

    PrintedFamily run() {
        readSections();
        completeTypes();
        // TORCH_LOGS also calls an inference graph "Forward graph"; its inputs are not primals.
        if (const PrintedModule* forward = find(PrintedKind::forward); forward && !hasPrimals(*forward->graph) &&
                                                                       !modules_.contains(PrintedKind::joint) &&
                                                                       !modules_.contains(PrintedKind::backward)) {
            modules_[PrintedKind::inference] = std::move(modules_[PrintedKind::forward]);
            modules_.erase(PrintedKind::forward);
        }
        nameInputs();
        markStaticInputs();
        markSubclasses();
        finishJoint();
        finishForward();
        finishBackward();
        finishPlain(PrintedKind::source, GraphKind::source);
        finishPlain(PrintedKind::inference, GraphKind::inference);
        InductorStages inductor(family_.graphs);
        for (auto& [section, module] : inductor_) inductor.add(*module, *section);
        family_.inductor = inductor.take();
        describe();
        return std::move(family_);
    }

private:
    /// A log may end or be damaged within a graph: the others are read.
    void readSections() {
        std::exception_ptr first;
        for (const auto& section : compile_.sections) {
            try {
                read(section);
            } catch (const Error& e) {
                if (!first) first = std::current_exception();
                family_.unreadable.push_back(std::string(titleOf(section.kind)) + ": " + e.what());
            }
        }
        if (first && modules_.empty() && inductor_.empty()) std::rethrow_exception(first);
    }

    void read(const PrintedSection& section) {
        if (section.kind == PrintedKind::metadata) {
            meta_ = readViewMeta(readSection(index_, section).text);
            return;
        }
        auto module = parsePrinted(readSection(index_, section), compile_.hints);
        takeNested(*module, family_.nested, rules_);
        family_.unsized.insert(module->unsized.begin(), module->unsized.end());
        auto kind = section.kind;
        if (kind == PrintedKind::unknown) kind = guessKind(*module);
        setPlaceholderRoles(*module, kind == PrintedKind::backward);
        if (kind == PrintedKind::preGrad || kind == PrintedKind::postGrad || kind == PrintedKind::pass)
            inductor_.emplace_back(&section, std::move(module));
        else modules_.try_emplace(kind, std::move(module));
    }

    /// Joint and forward graph first: the backward uses their values.
    void completeTypes() {
        KnownTypes known;
        const auto complete = [&](PrintedModule& module) {
            rules_.deriveStrides(module, known);
            rules_.deriveFromInputs(module);
            family_.underived |= module.underived;
            setTupleTypes(*module.graph);
        };
        for (const auto& [kind, module] : modules_) complete(*module);
        for (const auto& [section, module] : inductor_) complete(*module);
    }

    PrintedModule* find(PrintedKind kind) {
        const auto it = modules_.find(kind);
        return it == modules_.end() ? nullptr : it->second.get();
    }

    /// Gives primals_N the names of the user's program, from the graph that TorchDynamo captured.
    void nameInputs() {
        const PrintedModule* source = find(PrintedKind::source);
        if (!source) return;
        forEachPrimals([&](Graph& graph, const auto& /*primals*/) {
            if (!nameByDynamo(*source->graph, graph)) return;
            named_ = true;
            for (const Node* node : graph.placeholders()) inputs_[node->name()] = node;
        });
    }

    /// Calls `visit` with the inputs, except tangents, of the graphs after TorchDynamo's.
    void forEachPrimals(const auto& visit) {
        for (const auto kind : {PrintedKind::joint, PrintedKind::forward, PrintedKind::inference})
            if (PrintedModule* module = find(kind)) visit(*module->graph, primalsOf(*module->graph));
    }

    /// Inputs that PyTorch calls static are parameters, or buffers if they do not require grad.
    void markStaticInputs() {
        if (!meta_) return;
        const auto& inputs = meta_->metadata.inputs;
        forEachPrimals([&](const Graph& /*graph*/, const auto& primals) {
            if (primals.size() != inputs.size()) return;
            for (const auto i : meta_->staticInputs) {
                if (i >= primals.size() || primals[i]->role != Role::userInput) continue;
                primals[i]->role = inputs[i].requiresGrad ? Role::parameter : Role::buffer;
            }
            family_.staticInputs = !meta_->staticInputs.empty();
        });
    }

    /// Inputs that are one tensor subclass in the program, but several values in the graph.
    void markSubclasses() {
        if (!meta_) return;
        forEachPrimals([&](const Graph& /*graph*/, const auto& primals) {
            for (std::size_t input = 0; input < meta_->inputs.size(); ++input) {
                const PrintedLeaf& leaf = meta_->inputs[input];
                const bool isStatic = std::ranges::find(meta_->staticInputs, input) != meta_->staticInputs.end();
                for (std::size_t part = 0; part < std::max<std::size_t>(leaf.parts.size(), 1); ++part) {
                    if (leaf.first + part >= primals.size()) break;
                    Node& primal = *primals[leaf.first + part];
                    const auto& known = meta_->metadata.inputs;
                    const bool trained = input < known.size() && known[input].requiresGrad;
                    if (isStatic && primal.role == Role::userInput && primal.type.tensor())
                        primal.role = trained ? Role::parameter : Role::buffer;
                    if (leaf.subclass.empty()) continue;
                    SourceInfo source;
                    source.text = "# " + (part == 0 ? std::string() : leaf.parts[part] + " of ") + leaf.subclass;
                    primal.source = std::make_shared<const SourceInfo>(std::move(source));
                }
            }
        });
    }

    void labelSubclasses(std::vector<OutputSlot>& slots) const {
        if (!meta_) return;
        for (const PrintedLeaf& leaf : meta_->outputs)
            for (std::size_t part = 0; part < leaf.parts.size() && leaf.first + part < slots.size(); ++part) {
                std::string& label = slots[leaf.first + part].label;
                label += (label.empty() ? "" : ", ") + (part == 0 ? "" : leaf.parts[part] + " of ") + leaf.subclass;
            }
    }

    /// "InputMutationAOTOutput(mutated_input=PlainAOTInput(idx=0))" refers to an input by its own note.
    static void takeNotes(const PrintedModule& module, std::vector<OutputSlot>& slots) {
        constexpr std::string_view mutation = "InputMutationAOTOutput(mutated_input=";
        std::unordered_map<std::string_view, const Node*> inputs;
        for (const auto& [input, note] : module.inputNotes) inputs.try_emplace(note, input);
        for (std::size_t i = 0; i < slots.size(); ++i) {
            std::string_view note = module.outputNotes[i];
            if (note.starts_with("IntermediateBase")) slots[i].role = Role::intermediateBase;
            if (!note.starts_with(mutation) || !note.ends_with(')')) continue;
            slots[i].role = Role::mutatedInput;
            note = note.substr(mutation.size(), note.size() - mutation.size() - 1);
            if (const auto input = inputs.find(note); input != inputs.end())
                slots[i].label = nameInProgram(*input->second);
        }
    }

    /// Slots of the first `count` outputs, which the forward returns besides saved values.
    std::vector<OutputSlot> returnedSlots(const PrintedModule& module, std::size_t count) const {
        auto slots = userOutputs(count);
        const auto primals = primalsOf(*module.graph);
        if (meta_ && meta_->metadata.forwardReturns() == count) {
            slots = meta_->metadata.forwardSlots();
            for (std::size_t i = 0, mutated = 0; i < meta_->metadata.inputs.size() && i < primals.size(); ++i)
                if (meta_->metadata.inputs[i].mutation == MutationType::outOfGraph)
                    slots[mutated++].label = nameInProgram(*primals[i]);
        }
        takeNotes(module, slots);
        labelSubclasses(slots);
        return slots;
    }

    void finishJoint() {
        PrintedModule* joint = find(PrintedKind::joint);
        if (!joint) return;
        const auto count = forwardOutputsOf(*joint);
        auto slots = returnedSlots(*joint, count);
        addGradientSlots(*joint, slots);
        completeGraph(*joint, "joint", std::move(slots));
        family_.problems = jointProblems(*joint->graph);
        setStages(*joint->graph, count);
        linkBackward(*joint->graph);
        forwardOutputs_ = count;
        family_.notes.push_back("joint graph: " + std::to_string(joint->graph->outputs().size()) +
                                " outputs, the first " + std::to_string(count) +
                                " of the forward (one gradient for each of " +
                                std::to_string(primalsOf(*joint->graph).size()) + " inputs)");
        store(GraphKind::joint, *joint);
    }

    void finishForward() {
        PrintedModule* forward = find(PrintedKind::forward);
        if (!forward) return;
        const auto total = forward->outputs.size();
        std::size_t count;
        if (forwardOutputs_) count = std::min(*forwardOutputs_, total);
        else if (const PrintedModule* backward = find(PrintedKind::backward)) {
            count = total - std::min(primalsOf(*backward->graph).size(), total);
        } else if (meta_ && meta_->metadata.forwardReturns() <= total) {
            count = meta_->metadata.forwardReturns();
        } else {
            count = resultsOf(*forward);
            family_.notes.push_back("forward graph: " + counted(total, "output") + ", of which the last " +
                                    std::to_string(total - count) +
                                    " are assumed to be saved values, since they are in graph order; the backward, "
                                    "which would confirm this, is missing");
        }
        auto slots = returnedSlots(*forward, count);
        for (std::size_t i = count; i < total; ++i) {
            const Node* node = forward->outputs[i].node();
            slots.push_back(
                {node && node->type.scalar() ? Role::savedSymint : Role::saved, node ? node->name() : std::string()});
        }
        completeGraph(*forward, "forward", std::move(slots));
        shareIds(*forward->graph);
        store(GraphKind::forward, *forward);
    }

    void finishBackward() {
        PrintedModule* backward = find(PrintedKind::backward);
        if (!backward) return;
        std::vector<OutputSlot> slots(backward->outputs.size(), {Role::gradient, {}});
        if (const Graph* whole = graph(GraphKind::joint) ? graph(GraphKind::joint) : graph(GraphKind::forward)) {
            const auto primals = primalsOf(*whole);
            for (std::size_t i = 0; i < std::min(slots.size(), primals.size()); ++i)
                slots[i].label = nameInProgram(*primals[i]);
        }
        completeGraph(*backward, "backward", std::move(slots));
        shareIds(*backward->graph);
        const Graph* forward = graph(GraphKind::forward);
        for (Node* node : backward->graph->nodes()) {
            const bool again = node->kind() == NodeKind::call && forward && forward->findById(node->id());
            if (node->kind() == NodeKind::placeholder && node->label.empty()) node->label = labelIn(node->name());
            if (node->kind() == NodeKind::placeholder && node->role != Role::tangent) continue;
            if (!again) node->stage = Stage::backward;
        }
        store(GraphKind::backward, *backward);
        if (!forward) return;
        const auto faults = overwrittenSaved(*forward, *graph(GraphKind::backward));
        family_.problems.insert(family_.problems.end(), faults.begin(), faults.end());
    }

    void finishPlain(PrintedKind kind, GraphKind as) {
        PrintedModule* module = find(kind);
        if (!module) return;
        auto slots = plainSlots(*module);
        if (kind == PrintedKind::inference) labelSubclasses(slots);
        completeGraph(*module, titleOf(kind), std::move(slots));
        store(as, *module);
    }

    void store(GraphKind kind, PrintedModule& module) { family_.graphs[kind] = std::move(module.graph); }
    /// Null: it is not stored.
    Graph* graph(GraphKind kind) const {
        const auto it = family_.graphs.find(kind);
        return it == family_.graphs.end() ? nullptr : it->second.get();
    }

    std::string labelIn(const std::string& name) const {
        const auto it = inputs_.find(name);
        return it == inputs_.end() ? name : nameInProgram(*it->second);
    }

    /// A value of the joint graph keeps its name in forward and backward: same name and operation, same id.
    void shareIds(Graph& half) {
        std::unordered_map<std::string_view, Node*> known;
        NodeId next = 0;
        for (const Graph* reference : {graph(GraphKind::joint), graph(GraphKind::forward)}) {
            if (!reference) continue;
            for (Node* node : reference->nodes()) {
                known.try_emplace(node->name(), node);
                next = std::max(next, node->id() + 1);
            }
        }
        if (known.empty()) return;
        for (Node* node : half.nodes()) {
            const auto it = known.find(node->name());
            const bool placeholder = node->kind() == NodeKind::placeholder;
            const bool same = it != known.end() &&
                              (placeholder || (it->second->kind() == node->kind() && it->second->op() == node->op()));
            half.setIdentity(node, same ? it->second->id() : next++);
            if (!same) continue;
            node->stage = it->second->stage;
            node->autograd = it->second->autograd;
            if (placeholder && node->label.empty()) node->label = it->second->label;
            if (placeholder && node->role == Role::userInput) node->role = it->second->role;
        }
    }

    /// Derives metadata of inputs and outputs from the graphs.
    void describe() {
        for (const auto kind : {GraphKind::joint, GraphKind::forward, GraphKind::inference, GraphKind::source})
            if (const Graph* whole = graph(kind)) {
                family_.metadata = printedMetadata(*whole, graph(GraphKind::backward), meta_);
                break;
            }
        if (const Graph* joint = graph(GraphKind::joint))
            for (const Node* node : joint->nodes()) {
                const bool needed =
                    node->kind() == NodeKind::placeholder || (node->kind() == NodeKind::call && !node->label.empty());
                if (needed && typeIsMissing(node)) family_.typesKnown = false;
            }
        family_.metadata.needsAutograd =
            graph(GraphKind::joint) || graph(GraphKind::backward) || graph(GraphKind::forward);
        family_.metadata.whyAutograd = family_.metadata.needsAutograd ? "printed by Python: a graph with a backward"
                                                                      : "printed by Python: no backward";
        if (named_) family_.notes.push_back("names of inputs: from the graph that TorchDynamo captured");
        for (const auto& [name, graph] : family_.nested)
            family_.notes.push_back("nested graph " + name + ": " + counted(graph->callCount(), "operation"));
    }

    const LogIndex& index_;
    const PrintedCompile& compile_;
    const GraphRules& rules_;
    PrintedFamily family_;
    std::map<PrintedKind, Module> modules_;
    std::vector<std::pair<const PrintedSection*, Module>> inductor_;
    std::unordered_map<std::string, const Node*> inputs_;
    std::optional<std::size_t> forwardOutputs_;
    std::optional<ViewMeta> meta_;
    bool named_ = false;
};

}  // namespace

namespace {

/// The kind that its name gives, or else its inputs suggest.
GraphKind graphKindOf(const Graph& graph) {
    if (const auto kind = graphKindFromName(graph.name())) return *kind;
    return tangentsOf(graph).empty() ? GraphKind::inference : GraphKind::joint;
}

PrintedFamily familyOf(std::unique_ptr<Graph> graph) {
    PrintedFamily family;
    const GraphKind kind = graphKindOf(*graph);
    const auto& nodes = graph->nodes();
    const auto known = [](const Node* node) { return node->type.tensor() && node->type.tensor()->storage >= 0; };
    if (std::none_of(nodes.begin(), nodes.end(), known)) numberStorages(*graph);
    const auto isBackward = [](const Node* node) { return node->stage == Stage::backward; };
    if (kind == GraphKind::joint && std::none_of(nodes.begin(), nodes.end(), isBackward))
        setStages(*graph, graph->forwardOutputCount());
    if (kind == GraphKind::joint) family.problems = jointProblems(*graph);
    family.typesKnown = std::all_of(nodes.begin(), nodes.end(), [](const Node* node) {
        return node->kind() != NodeKind::placeholder || !typeIsMissing(node);
    });
    family.metadata = printedMetadata(*graph, nullptr, std::nullopt);
    family.metadata.needsAutograd =
        kind == GraphKind::joint || kind == GraphKind::forward || kind == GraphKind::backward;
    family.metadata.whyAutograd = "a " + std::string(name(kind)) + " graph that was exported";
    family.graphs[kind] = std::move(graph);
    return family;
}

}  // namespace

PrintedFamily readFamily(const LogIndex& index, const PrintedCompile& compile, const GraphRules& rules) {
    if (index.exported) return familyOf(readExportedGraph(index.path));
    return Assembly(index, compile, rules).run();
}

}  // namespace aotscope
