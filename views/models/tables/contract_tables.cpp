#include "models/tables/contract_tables.h"

#include "models/tables/table_cells.h"
#include "models/words/node_words.h"
#include "support/joined.h"
#include "support/names.h"

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

/// The values that a graph returns for one purpose.
struct OutputGroup {
    Role role;
    const char *title, *use;
};

/// In the order in which the graph returns them.
constexpr OutputGroup kGroups[] = {
    {Role::mutatedInput, "Mutated Inputs", "the runtime wrapper writes it back into the input"},
    {Role::userOutput, "Outputs", "the runtime wrapper returns it, or an alias that it regenerates"},
    {Role::intermediateBase, "Intermediate Bases", "the runtime wrapper regenerates outputs that are views of it"},
    {Role::saved, "Tensors for Backward", "the autograd node keeps it for the backward graph"},
    {Role::savedSymint, "Symints for Backward", "the autograd node keeps the number for the backward graph"},
};

/// The index in kGroups; its size for a role that is not there.
std::size_t placeOf(Role role) {
    return static_cast<std::size_t>(std::ranges::find(kGroups, role, &OutputGroup::role) - std::begin(kGroups));
}

/// For one value, at `position` in its group.
std::string useOf(const CompileRecord& record, const OutputGroup& group, std::size_t position) {
    const bool described =
        group.role == Role::userOutput && record.metadata && position < record.metadata->outputs.size();
    if (!described) return group.use;
    const OutputInfo& output = record.metadata->outputs[position];
    return output.isAlias() || output.repeats ? "the runtime wrapper returns an alias that it regenerates instead"
                                              : "the runtime wrapper returns it";
}

/// The graph that a call runs first.
std::shared_ptr<const Graph> forwardOf(const CompileRecord& record) {
    return record.partition ? record.partition->forward : record.graph(GraphKind::inference);
}

struct Counts {
    std::array<std::size_t, std::size(kGroups)> of{}, first{};
    std::size_t all = 0;
};

Counts countsOf(const Graph& graph) {
    Counts counts;
    for (const OutputSlot& slot : graph.outputSlots()) {
        const auto group = placeOf(slot.role);
        if (group < std::size(kGroups) && counts.of.at(group)++ == 0) counts.first.at(group) = counts.all;
        ++counts.all;
    }
    return counts;
}

/// "outputs: 3 (1 to 3); intermediate bases: 0".
std::string countsText(const Counts& counts) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::size(kGroups); ++i) {
        const std::size_t n = counts.of.at(i), first = counts.first.at(i);
        std::string part = kGroups[i].title + (": " + std::to_string(n));
        if (n == 1) part += " (at " + std::to_string(first) + ")";
        if (n > 1) part += " (" + std::to_string(first) + " to " + std::to_string(first + n - 1) + ")";
        parts.push_back(std::move(part));
    }
    return joined(parts, "; ");
}

QString plural(std::size_t n, const char* what) { return toQString(counted(n, what)); }

class Layers {
public:
    explicit Layers(const CompileRecord& record)
        : function_(*record.metadata), graph_(*record.graphMetadata), forward_(forwardOf(record)) {
        if (forward_) counts_ = countsOf(*forward_);
    }

    std::vector<RuntimeLayer> run() {
        duplicates();
        syntheticBases();
        runtimeWrapper();
        if (graph_.needsAutograd) autogradNode();
        theGraph();
        return std::move(layers_);
    }

private:
    void add(const QString& name, const QString& text) { layers_.push_back({name, text}); }

    void duplicates() {
        std::size_t removed = 0;
        const CallingConvention& convention = function_.convention;
        for (std::size_t i = 0; i < convention.duplicateOf.size(); ++i) removed += convention.isDuplicate(i) ? 1 : 0;
        passed_ = function_.inputs.size() - removed;
        add(QStringLiteral("AOTDedupeWrapper"),
            removed == 0 ? tr("passes all %1 on: none of them is a duplicate of another")
                               .arg(plural(function_.inputs.size(), "argument"))
                         : tr("removes %1 from %2 and passes %3 on")
                               .arg(plural(removed, "duplicate"), plural(function_.inputs.size(), "argument"))
                               .arg(passed_));
    }
    void syntheticBases() {
        std::size_t bases = 0, replaced = 0;
        for (const GraphInput& input : function_.convention.inputs) {
            if (!input.syntheticBase) continue;
            ++bases;
            replaced += input.arguments.size();
        }
        add(QStringLiteral("AOTSyntheticBaseWrapper"),
            bases == 0 ? tr("passes all %1 on: no mutated argument overlaps another in memory")
                             .arg(plural(passed_, "argument"))
                       : tr("removes %1 that overlap in memory and adds %2 in their place")
                             .arg(plural(replaced, "argument"), plural(bases, "synthetic base")));
    }
    void runtimeWrapper() {
        const std::size_t updated = graph_.mutatedInputIndices().size(), bases = graph_.intermediateBases;
        add(QStringLiteral("RuntimeWrapper"),
            tr("writes %1 back, regenerates %2, and removes updated inputs and %3 from what it returns: %4")
                .arg(plural(updated, "updated input"), plural(graph_.aliasedOutputIndices().size(), "aliased output"),
                     plural(bases, "intermediate base"), plural(function_.outputs.size(), "output")));
    }
    void autogradNode() {
        const std::vector<bool> mask = graph_.tangentMask();
        const auto kept = static_cast<std::size_t>(std::ranges::count(mask, true));
        const auto of = [this](std::size_t i) { return counts_.of.at(i); };
        add(QStringLiteral("CompiledFunction (autograd node)"),
            tr("keeps %2 and %3 for the backward, returns the other %1 of what the graph returns; of %4 it passes %5 "
               "on "
               "to the backward")
                .arg(plural(graph_.forwardReturns(), "value"), plural(of(3), "tensor"), plural(of(4), "symint"),
                     plural(mask.size(), "tangent"))
                .arg(kept));
    }
    void theGraph() {
        add(graph_.needsAutograd ? tr("Forward graph") : tr("Inference graph"),
            forward_
                ? tr("takes %1, returns %2").arg(plural(graph_.inputs.size(), "input"), plural(counts_.all, "value"))
                : tr("takes %1").arg(plural(graph_.inputs.size(), "input")));
    }

    const FunctionMetadata& function_;
    const FunctionMetadata& graph_;
    std::shared_ptr<const Graph> forward_;
    Counts counts_;
    std::size_t passed_ = 0;  ///< arguments after the duplicates
    std::vector<RuntimeLayer> layers_;
};

}  // namespace

TableContent returnsTable(const CompileRecord& record) {
    Table table{"returned",
                {{"position", "#", "position among the graph's outputs"},
                 {"group", "group", "the five groups come in this order"},
                 {"value", "value", "the node whose value is returned"},
                 {"label", "returned As", "the input, output or base that it is for"},
                 {"type", "type", "dtype, sizes and device"},
                 {"bytes", "bytes", "size of the tensor", TableUnit::bytes, false, true},
                 {"use", "what Becomes of It", "who takes it, and for what"}}};
    table.whenEmpty = "The pipeline has made no forward or inference graph yet.";
    for (const OutputGroup& group : kGroups) table.filters.push_back({group.title, group.use});
    const auto graph = forwardOf(record);
    if (!graph || !graph->output()) return contentOf(table);
    const auto joint = record.graph(record.partition ? GraphKind::joint : GraphKind::inference);
    const auto& slots = graph->outputSlots();
    const Counts counts = countsOf(*graph);
    for (std::size_t i = 0; i < std::min(slots.size(), graph->outputs().size()); ++i) {
        const auto group = placeOf(slots[i].role);
        if (group == std::size(kGroups)) continue;
        const Node* node = graph->outputs()[i].node();
        const auto* tensor = node ? node->type.tensor() : nullptr;
        Table::Row& row =
            table.add(i, kGroups[group].title, node ? fullName(*node).toStdString() : "none", slots[i].label,
                      node ? typeText(node->type).toStdString() : "", tensor ? tensor->bytes() : 0,
                      useOf(record, kGroups[group], i - counts.first.at(group)));
        if (node && joint && joint->findById(node->id())) row.node = node->id();
        row.graph = record.partition ? GraphKind::joint : GraphKind::inference;
        row.filters = 1U << group;
    }
    TableContent content = contentOf(table);
    content.summary = toQString(countsText(counts)).toLower();
    content.summary[0] = content.summary[0].toUpper();
    return content;
}

std::vector<RuntimeLayer> runtimeLayers(const CompileRecord& record) {
    return record.metadata && record.graphMetadata ? Layers(record).run() : std::vector<RuntimeLayer>();
}

}  // namespace aotscope
