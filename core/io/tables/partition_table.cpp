#include "io/tables/partition_table.h"

#include "ir/printer.h"
#include "record/partition_figures.h"
#include "support/joined.h"
#include "support/names.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace aotscope {

namespace {

using Cell = Table::Cell;

/// An entry of Partition::saved, of Partition::recomputed, or neither.
struct ListedValue {
    const Partition& partition;
    const Node* node = nullptr;  ///< in the graph that computes it
    const SavedValue* saved = nullptr;
    PartitionFigures::Saved share = {};
    const RecomputedValue* recomputed = nullptr;
    std::optional<std::int64_t> computed = {};  ///< bytes that are recomputed
    const ValueDecision* decision = nullptr;    ///< null in printed partitions
    std::string override = {};

    const std::string& name() const { return saved ? saved->name : recomputed ? recomputed->name : node->name(); }
    const std::string& op() const { return saved ? saved->op : recomputed ? recomputed->op : node->op(); }
    bool own() const { return saved && share.share == SavedShare::own; }
    bool cut() const { return partition.network && decision; }
};

/// "layers.1.weight (%primals_3)".
std::string shownName(const ListedValue& value) {
    const std::string name = "%" + value.name();
    if (!value.saved || value.saved->label.empty() || value.saved->label == value.name()) return name;
    return value.op() == "constant" ? name + " = " + value.saved->label : value.saved->label + " (" + name + ")";
}

/// "parameter", "in the memory of layers.1.weight".
std::string whyKept(const ListedValue& value) {
    const auto& [share, bytes, owner] = value.share;
    if (share == SavedShare::constant) return "constant";
    if (share == SavedShare::number) return "size";
    if (share == SavedShare::view) {
        const Node* base = value.partition.forward ? value.partition.forward->findById(owner) : nullptr;
        if (!base) return "in the memory of another value";
        return "in the memory of " +
               (base->label.empty() || base->kind() == NodeKind::constant ? "%" + base->name() : base->label);
    }
    if (!value.node || value.node->role == Role::none || value.node->role == Role::userInput) return "input";
    std::string role(name(value.node->role));
    std::ranges::replace(role, '_', ' ');
    return role;
}

Cell fateCell(const ListedValue& value) {
    if (value.own()) return {"saved", "", {}, FateMark::saved};
    if (value.saved) return {"already kept: " + whyKept(value), "", {}, FateMark::kept};
    if (value.recomputed)
        return {value.computed ? "recomputed" : "repeated: computes nothing", "", {}, FateMark::recomputed};
    return {name(ValueDecision::Placement::forwardOnly), "", {}, FateMark::neither};
}

Cell bytesCell(const ListedValue& value) {
    if (value.saved) return value.saved->unsized.empty() ? Cell{value.saved->type.bytes()} : Cell{{}, "?"};
    if (value.recomputed) return {value.computed.value_or(0), value.computed ? "" : "-"};
    const TensorType* tensor = value.node->type.tensor();
    return {tensor ? tensor->bytes() : 0};
}

Cell keptAliveBytes(const ListedValue& value) {
    if (!value.saved) return {};
    if (!value.own()) return {std::int64_t{0}, "-"};
    return value.saved->unsized.empty() ? Cell{value.share.bytes} : Cell{{}, "?"};
}

Cell moduleCell(const ListedValue& value) {
    if (!value.node || !value.node->source) return {};
    const std::string& module = value.node->source->module;
    return {module, module.empty() ? "(top level)" : ""};
}

std::string rulesText(const std::vector<BanReason>& rules) {
    return joined(rules, ", ", [](BanReason rule) { return std::string(describe(rule)); });
}

/// The reason; as text, also other rules that forbid recomputing it.
Cell reasonCell(const ListedValue& value) {
    if (!value.saved && !value.recomputed) return {"backward does not need it: the override has no effect"};
    if (!value.decision) return {value.saved ? value.saved->reason : std::string()};
    const auto& [bans, overruled] = std::tie(value.decision->bans, value.decision->overruled);
    const std::string reason = reasonOf(*value.decision);
    std::string text = reason;
    if (bans.size() > 1) text += "; also: " + rulesText({bans.begin() + 1, bans.end()});
    if (!overruled.empty()) text += "; overrules: " + rulesText(overruled);
    return {value.saved ? value.saved->reason : reason, text};
}

Cell typeCell(const ListedValue& value) {
    if (value.saved) return formatType(value.partition, *value.saved);
    return value.node ? Cell(printType(value.node->type)) : Cell();
}

std::vector<Table::Column> valueColumns() {
    constexpr TableUnit bytes = TableUnit::bytes;
    constexpr bool forAll = false, summed = true;
    return {
        {"name", "value", "its name in the graph; displayed with its name in the model"},
        {"fate", "fate",
         "saved: forward keeps its memory for backward; recomputed: backward computes it again; repeated: a view, "
         "which computes nothing; already kept: an input, which its owner keeps in memory, or a view of a value "
         "that is kept"},
        {"bytes", "bytes", "size of the tensor itself; a view shares the memory of its base", bytes, forAll, summed},
        {"kept_alive_bytes", "storage",
         "size of the whole storage that is kept alive with the tensor, which may be larger than the tensor; 0 "
         "(displayed as -) if nothing is kept alive for it",
         bytes, forAll, summed},
        {"op", "operation", "what computes it"},
        {"module", "module", "the module that computes it"},
        {"reason", "why", "the rule that decided its fate; displayed with other rules that agree"},
        {"override", "override", "what you decided instead of the partitioner; in the window, right-click a row"},
        {"type", "type", "dtype, sizes, strides and device"},
        {"donated", "donated", "nothing else holds its memory, so backward may free or reuse it"},
        {"shape", "", "sizes of the tensor"},
        {"dtype", "", "by its name in PyTorch"},
        {"kind", "kind", "activation: computed by forward; input: kept alive by its owner; symint: a size"},
        {"computes", "", "whether backward computes anything for it; views, elements of tuples and sizes do not"},
        {"distance", "distance", "the number of operations to its nearest use in backward"},
        {"flow", "flow", "how much of the maximum flow goes through it", bytes}};
}

void addRow(const ListedValue& value, Table& table) {
    const SavedValue* saved = value.saved;
    const bool near = value.cut() && value.decision->distance < kNoBackwardUse;
    table.add(Cell(value.name(), shownName(value)), fateCell(value), bytesCell(value), keptAliveBytes(value),
              value.op(), moduleCell(value), reasonCell(value), Table::given(value.override), typeCell(value),
              saved ? Cell(saved->donated) : Cell(), saved && saved->unsized.empty() ? Cell(saved->type.sizes) : Cell(),
              saved ? Cell(longName(saved->type.dtype)) : Cell(), saved ? Cell(name(saved->kind)) : Cell(),
              value.recomputed ? Cell(value.computed.has_value()) : Cell(),
              near ? Cell(value.decision->distance) : Cell(), value.cut() ? Cell(value.decision->flow) : Cell());
}

class ListedValues {
public:
    ListedValues(const Partition& partition, const Graph* joint, const PartitionOptions& asked)
        : partition_(partition), joint_(joint), asked_(asked) {
        for (const ValueDecision& decision : partition.decisions) decisions_.emplace(decision.node, &decision);
    }

    std::vector<ListedValue> run() {
        const PartitionFigures figures = figuresOf(partition_);
        for (std::size_t i = 0; i < partition_.saved.size(); ++i)
            add(partition_.saved[i], partition_.forward,
                {.partition = partition_, .saved = &partition_.saved[i], .share = figures.saved[i]});
        for (std::size_t i = 0; i < partition_.recomputed.size(); ++i)
            add(partition_.recomputed[i], partition_.backward,
                {.partition = partition_, .recomputed = &partition_.recomputed[i], .computed = figures.recomputed[i]});
        addWithoutEffect();
        return std::move(values_);
    }

private:
    void add(const auto& listed, const std::shared_ptr<const Graph>& graph, ListedValue value) {
        const auto decision = decisions_.find(listed.node);
        value.node = graph ? graph->findById(listed.node) : nullptr;
        value.decision = decision == decisions_.end() ? nullptr : decision->second;
        value.override = overrideOf(listed.node, listed.name);
        values_.push_back(std::move(value));
    }

    /// Overrides of values that the backward does not need.
    void addWithoutEffect() {
        if (!joint_ || (asked_.cut.mustSave.empty() && asked_.cut.mustRecompute.empty() && asked_.save.empty() &&
                        asked_.recompute.empty()))
            return;
        std::unordered_set<NodeId> seen;
        for (const SavedValue& value : partition_.saved) seen.insert(value.node);
        for (const RecomputedValue& value : partition_.recomputed) seen.insert(value.node);
        for (const Node* node : joint_->nodes())
            if (const std::string wanted = overrideOf(node->id(), node->name());
                !wanted.empty() && !seen.contains(node->id()))
                values_.push_back({.partition = partition_, .node = node, .override = wanted});
    }

    std::string overrideOf(NodeId node, const std::string& name) const {
        const auto names = [&](const std::vector<std::string>& list) {
            return std::ranges::any_of(list, [&](std::string_view text) {
                return text == name || (text.starts_with('%') && text.substr(1) == name);
            });
        };
        if (asked_.cut.mustSave.contains(node) || names(asked_.save)) return "save";
        return asked_.cut.mustRecompute.contains(node) || names(asked_.recompute) ? "recompute" : "";
    }

    const Partition& partition_;
    const Graph* joint_;
    const PartitionOptions& asked_;
    std::unordered_map<NodeId, const ValueDecision*> decisions_;
    std::vector<ListedValue> values_;
};

/// The table's filters that apply.
unsigned filtersOf(const ListedValue& value) {
    enum Filter : unsigned { none = 0, saved = 1, recomputed = 2, kept = 4, overridden = 8 };
    const Filter fate = value.own() ? saved : value.saved ? kept : value.computed ? recomputed : none;
    return fate | (value.override.empty() ? none : overridden);
}

std::string sumsOf(const Partition& partition, const Graph* joint) {
    const PartitionFigures figures = figuresOf(partition);
    return std::string(name(partition.algorithm)) + " partition" +
           (joint ? " of " + counted(joint->callCount(), "operation") : std::string()) + ": " + figuresText(figures) +
           keptText(figures) + "\n";
}

}  // namespace

std::string formatType(const Partition& partition, const SavedValue& value) {
    if (!value.unsized.empty()) return value.unsized;
    const Node* made = partition.forward ? partition.forward->findById(value.node) : nullptr;
    return made && made->type.scalar() ? printType(made->type) : printTensorType(value.type);
}

Table partitionTable(const Partition& partition, const Graph* joint, const PartitionOptions& asked) {
    Table table{"values", valueColumns()};
    for (const ListedValue& value : ListedValues(partition, joint, asked).run()) {
        addRow(value, table);
        Table::Row& row = table.rows.back();
        row.node = value.saved ? value.saved->node : value.recomputed ? value.recomputed->node : value.node->id();
        row.filters = filtersOf(value);
    }
    table.filters = {{"Saved", "Values that forward keeps in memory for backward"},
                     {"Recomputed", "Operations that backward computes again"},
                     {"Already Kept", "What backward reads and saving costs nothing: inputs, parameters, views, sizes"},
                     {"Overridden", "Values for which you decided instead of the partitioner"}};
    table.summary = sumsOf(partition, joint);
    table.whenEmpty = "Nothing is saved or recomputed.";
    return table;
}

}  // namespace aotscope
