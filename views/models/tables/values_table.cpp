#include "models/tables/values_table.h"

#include "models/tables/table_cells.h"
#include "models/value_placements.h"
#include "models/words/node_words.h"
#include "record/partition_figures.h"
#include "support/names.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace aotscope {

namespace {

using Cell = TableContent::Cell;

/// The buttons of the table, beside the one for all rows.
enum ValueFilter : unsigned { kSavedRows, kRecomputedRows, kKeptRows, kOverriddenRows };
constexpr unsigned bitOf(ValueFilter filter) { return 1U << filter; }

std::vector<TableContent::Filter> valueFilters() {
    return {{tr("Saved"), tr("Values that forward keeps in memory for backward")},
            {tr("Recomputed"), tr("Operations that backward computes again")},
            {tr("Kept Anyway"), tr("What backward reads and saving costs nothing: inputs, parameters, views, sizes")},
            {tr("Overridden"), tr("Values for which you decided instead of the partitioner")}};
}

constexpr std::size_t kOverrideColumn = 7;

std::vector<TableContent::Column> valueColumns() {
    return {
        {tr("Value"), tr("the name that the model gives it, and in brackets its name in the graph"), false},
        {tr("Fate"),
         tr("saved: forward keeps its memory for backward; recomputed: backward computes it again; repeated: a view, "
            "which computes nothing; kept anyway: an input, which its owner keeps in memory, or a view of a value "
            "that is kept"),
         false},
        {tr("Bytes"), tr("size of the tensor itself; a view shares the memory of its base"), true},
        {tr("Storage"),
         tr("size of the whole storage that keeping the tensor keeps alive, which may be larger than the tensor; "
            "–: nothing is kept alive for it"),
         true},
        {tr("Operation"), tr("what computes it"), false},
        {tr("Module"), tr("the module of the model that it is computed in"), false},
        {tr("Why"), tr("the rule that decided its fate; the Inspector lists all rules"), false},
        {tr("Override"), tr("what you decided instead of the partitioner; right-click a row to change it"), false},
        {tr("Type"), tr("dtype, sizes and device"), false},
        {tr("Donated"), tr("nothing else holds its memory, so backward may free or reuse it"), false}};
}

class ValueRows {
public:
    ValueRows(const CompileRecord& record, const PartitionOptions& asked)
        : partition_(*record.partition),
          joint_(record.graph(GraphKind::joint)),
          asked_(asked),
          figures_(figuresOf(partition_)) {
        for (const ValueDecision& decision : partition_.decisions) decisions_.emplace(decision.node, &decision);
    }

    /// What costs memory comes first, then what costs time, then what costs nothing.
    std::vector<TableContent::Row> run() {
        for (const bool costs : {true, false}) {
            for (std::size_t i = 0; i < partition_.saved.size(); ++i)
                if ((figures_.saved[i].share == SavedShare::own) == costs) add(partition_.saved[i], figures_.saved[i]);
            for (std::size_t i = 0; i < partition_.recomputed.size(); ++i)
                if (figures_.recomputed[i].has_value() == costs) add(partition_.recomputed[i], figures_.recomputed[i]);
        }
        addWithoutEffect();
        return std::move(rows_);
    }

private:
    void add(const SavedValue& value, const PartitionFigures::Saved& share) {
        const Node* node = partition_.forward ? partition_.forward->findById(value.node) : nullptr;
        const bool kept = share.share != SavedShare::own;
        // Of a saved integer its value, of anything else the tensor.
        const QString type = !value.unsized.empty()        ? toQString(value.unsized)
                             : node && node->type.scalar() ? typeText(node->type)
                                                           : typeText(value.type);
        const QString name = node ? fullName(*node) : shownName(value.name, value.label);
        addRow({.node = value.node,
                .cells = {textCell(name),
                          {.text = kept ? tr("kept anyway: %1").arg(whyKept(node, share)) : tr("saved"),
                           .fate = kept ? FateMark::kept : FateMark::saved},
                          {toQString(value.bytesText()), static_cast<qint64>(value.type.bytes())},
                          storageOf(value, share),
                          textCell(value.op),
                          moduleOf(node),
                          textCell(value.reason),
                          overrideOf(value.node, value.name),
                          textCell(type),
                          {value.donated ? tr("yes") : QString(), value.donated}},
                .filter = kept ? kKeptRows : kSavedRows});
    }

    void add(const RecomputedValue& value, std::optional<std::int64_t> computed) {
        const Node* node = partition_.backward ? partition_.backward->findById(value.node) : nullptr;
        const auto decision = decisions_.find(value.node);
        addRow({.node = value.node,
                .cells = {textCell("%" + value.name),
                          {.text = computed ? tr("recomputed") : tr("repeated: computes nothing"),
                           .fate = FateMark::recomputed},
                          bytesCell(computed.value_or(0)),
                          noStorage(),
                          textCell(value.op),
                          moduleOf(node),
                          textCell(decision == decisions_.end() ? std::string() : reasonOf(*decision->second)),
                          overrideOf(value.node, value.name),
                          textCell(node ? typeText(node->type) : QString()),
                          {QString(), false}},
                .filter = computed ? std::optional(kRecomputedRows) : std::nullopt});
    }

    /// "parameter", "in the memory of layers.1.weight".
    QString whyKept(const Node* node, const PartitionFigures::Saved& share) const {
        switch (share.share) {
            case SavedShare::constant: return tr("constant");
            case SavedShare::number: return tr("size");
            case SavedShare::view: return tr("in the memory of %1").arg(nameOf(share.owner));
            default: return node && node->role != Role::userInput ? roleWords(node->role) : tr("input");
        }
    }
    QString nameOf(NodeId id) const {
        const Node* node = partition_.forward ? partition_.forward->findById(id) : nullptr;
        return node ? shownName(*node) : QString();
    }

    /// The user asked for something that changes nothing: backward does not need the value.
    void addWithoutEffect() {
        if (!joint_ || !anyOverride()) return;
        for (const Node* node : joint_->nodes()) {
            const Cell wanted = overrideOf(node->id(), node->name());
            if (wanted.text.isEmpty() || seen_.contains(node->id())) continue;
            const auto* tensor = node->type.tensor();
            addRow({.node = node->id(),
                    .cells = {textCell(fullName(*node)),
                              {.text = describe(ValueDecision::Placement::forwardOnly), .fate = FateMark::neither},
                              bytesCell(tensor ? tensor->bytes() : 0),
                              noStorage(),
                              textCell(node->op()),
                              moduleOf(node),
                              textCell(tr("backward does not need it: the override has no effect")),
                              wanted,
                              textCell(typeText(node->type)),
                              {QString(), false}},
                    .filter = std::nullopt});
        }
    }

    struct Made {
        NodeId node;
        std::vector<Cell> cells;
        std::optional<ValueFilter> filter;
    };
    void addRow(Made made) {
        seen_.insert(made.node);
        const bool overridden = !made.cells[kOverrideColumn].text.isEmpty();
        rows_.push_back(
            {.cells = std::move(made.cells),
             .node = made.node,
             .graph = GraphKind::joint,
             .filters = (made.filter ? bitOf(*made.filter) : 0U) | (overridden ? bitOf(kOverriddenRows) : 0U)});
    }

    bool anyOverride() const {
        return !asked_.cut.mustSave.empty() || !asked_.cut.mustRecompute.empty() || !asked_.save.empty() ||
               !asked_.recompute.empty();
    }
    Cell overrideOf(NodeId node, const std::string& name) const {
        const auto names = [&](const std::vector<std::string>& list) {
            return std::ranges::any_of(list, [&](std::string_view text) {
                return text == name || (text.starts_with('%') && text.substr(1) == name);
            });
        };
        if (asked_.cut.mustSave.contains(node) || names(asked_.save)) return textCell(tr("save"));
        if (asked_.cut.mustRecompute.contains(node) || names(asked_.recompute)) return textCell(tr("recompute"));
        return textCell(QString());
    }
    static Cell moduleOf(const Node* node) {
        if (!node || !node->source) return textCell(QString());
        return textCell(node->source->module.empty() ? tr("(top level)") : toQString(node->source->module));
    }
    /// Nothing is kept alive for the backward.
    static Cell noStorage() { return {QStringLiteral("–"), -1.0}; }
    /// As the sum counts it.
    static Cell storageOf(const SavedValue& value, const PartitionFigures::Saved& share) {
        if (share.share != SavedShare::own) return noStorage();
        return value.unsized.empty() ? bytesCell(share.bytes) : textCell(QStringLiteral("?"));
    }

    const Partition& partition_;
    std::shared_ptr<const Graph> joint_;
    const PartitionOptions& asked_;
    const PartitionFigures figures_;
    std::unordered_map<NodeId, const ValueDecision*> decisions_;
    std::unordered_set<NodeId> seen_;
    std::vector<TableContent::Row> rows_;
};

QString sumsOf(const Partition& partition) {
    const PartitionFigures figures = figuresOf(partition);
    const QString kept = toQString(keptText(figures));
    return tr("Saved: %1, %2; recomputed: %3, %4%5")
        .arg(toQString(counted(figures.savedValues, "value")), toQString(formatBytes(figures.savedBytes)),
             toQString(counted(figures.recomputedOps, "operation")), toQString(formatBytes(figures.recomputedBytes)),
             kept.isEmpty() ? QString() : tr("; kept anyway: %1").arg(kept));
}

}  // namespace

TableContent valuesTable(const CompileRecord& record, const PartitionOptions& asked) {
    TableContent t;
    t.whenEmpty = record.metadata && !record.metadata->needsAutograd ? tr("An inference graph saves nothing.")
                                                                     : tr("Nothing is saved or recomputed.");
    t.columns = valueColumns();
    t.filters = valueFilters();
    if (!record.partition) return t;
    t.rows = ValueRows(record, asked).run();
    t.summary = sumsOf(*record.partition);
    return t;
}

}  // namespace aotscope
