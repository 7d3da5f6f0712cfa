#include "models/values_table.h"

#include "models/node_words.h"
#include "models/table_cells.h"
#include "models/value_placements.h"
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
    return {{tr("Saved"), tr("Values that forward stores in memory for backward")},
            {tr("Recomputed"), tr("Values that backward computes again")},
            {tr("Kept Anyway"), tr("Inputs and parameters that backward reads: their owner keeps them in memory")},
            {tr("Overridden"), tr("Values for which you decided instead of the partitioner")}};
}

constexpr std::size_t kOverrideColumn = 7;

std::vector<TableContent::Column> valueColumns() {
    return {{tr("Value"), tr("the name that the model gives it, and in brackets its name in the graph"), false},
            {tr("Fate"),
             tr("saved: forward stores it for backward; recomputed: backward computes it again; kept anyway: an input, "
                "which its owner keeps in memory"),
             false},
            {tr("Bytes"), tr("size of the tensor itself; a view shares the memory of its base"), true},
            {tr("Storage"),
             tr("size of the whole storage that keeping the tensor keeps alive, which may be larger than the tensor; "
                "shared: another saved value lies in the same storage, and the sum below counts it once; –: the "
                "storage belongs to an input or to no tensor"),
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
        : partition_(*record.partition), joint_(record.graph(GraphKind::joint)), asked_(asked) {
        for (const ValueDecision& decision : partition_.decisions) decisions_.emplace(decision.node, &decision);
        if (partition_.forward)
            for (const Node* node : partition_.forward->placeholders())
                if (const auto* type = node->type.tensor()) inputs_.emplace(type->storage, node);
        for (const SavedValue& value : partition_.saved) ++valuesIn_[value.type.storage];
    }

    /// What costs memory comes first, then what costs time; inputs are alive anyway.
    std::vector<TableContent::Row> run() {
        for (const bool kept : {false, true}) {
            for (const SavedValue& value : partition_.saved)
                if ((value.kind == SavedValue::Kind::input) == kept) add(value);
            if (!kept)
                for (const RecomputedValue& value : partition_.recomputed) add(value);
        }
        addWithoutEffect();
        return std::move(rows_);
    }

private:
    void add(const SavedValue& value) {
        const Node* node = partition_.forward ? partition_.forward->findById(value.node) : nullptr;
        const bool kept = value.kind == SavedValue::Kind::input;
        const QString fate = !kept                                   ? tr("saved")
                             : node && node->role != Role::userInput ? tr("kept anyway: %1").arg(roleWords(node->role))
                                                                     : tr("kept anyway: input");
        // Of a saved integer its value, of anything else the tensor.
        const QString type = !value.unsized.empty()        ? toQString(value.unsized)
                             : node && node->type.scalar() ? typeText(node->type)
                                                           : typeText(value.type);
        const QString name = node ? fullName(*node) : shownName(value.name, value.label);
        addRow({.node = value.node,
                .cells = {textCell(name),
                          {.text = fate, .fate = kept ? FateMark::kept : FateMark::saved},
                          {toQString(value.bytesText()), static_cast<qint64>(value.type.bytes())},
                          storageOf(value),
                          textCell(value.op),
                          moduleOf(node),
                          textCell(toQString(value.reason) + storageNote(value)),
                          overrideOf(value.node, value.name),
                          textCell(type),
                          {value.donated ? tr("yes") : QString(), value.donated}},
                .filter = kept ? kKeptRows : kSavedRows});
    }

    void add(const RecomputedValue& value) {
        const Node* node = partition_.backward ? partition_.backward->findById(value.node) : nullptr;
        const auto decision = decisions_.find(value.node);
        addRow({.node = value.node,
                .cells = {textCell("%" + value.name),
                          {.text = tr("recomputed"), .fate = FateMark::recomputed},
                          bytesCell(value.bytes),
                          noStorage(),
                          textCell(value.op),
                          moduleOf(node),
                          textCell(decision == decisions_.end() ? std::string() : reasonOf(*decision->second)),
                          overrideOf(value.node, value.name),
                          textCell(node ? typeText(node->type) : QString()),
                          {QString(), false}},
                .filter = kRecomputedRows});
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
    /// As the sum counts it: of an activation in no input's memory; of an input, its own.
    Cell storageOf(const SavedValue& value) const {
        const bool input = value.kind == SavedValue::Kind::input;
        if (value.kind == SavedValue::Kind::symint || (!input && inputs_.contains(value.type.storage)))
            return noStorage();
        if (!value.unsized.empty()) return textCell(QStringLiteral("?"));
        Cell cell = bytesCell(value.type.storageBytes);
        const bool known = value.type.storage >= 0;  // printed graphs do not say
        if (known && valuesIn_.at(value.type.storage) > 1) cell.text = tr("%1, shared").arg(cell.text);
        return cell;
    }
    QString storageNote(const SavedValue& value) const {
        if (value.kind != SavedValue::Kind::activation) return {};
        const auto owner = inputs_.find(value.type.storage);
        return owner == inputs_.end() ? QString()
                                      : tr(" (a view of ") + shownName(*owner->second) + tr(": no storage of its own)");
    }

    const Partition& partition_;
    std::shared_ptr<const Graph> joint_;
    const PartitionOptions& asked_;
    std::unordered_map<NodeId, const ValueDecision*> decisions_;
    std::unordered_map<std::int64_t, const Node*> inputs_;    ///< by storage
    std::unordered_map<std::int64_t, std::size_t> valuesIn_;  ///< how many saved values each storage has
    std::unordered_set<NodeId> seen_;
    std::vector<TableContent::Row> rows_;
};

QString sumsOf(const Partition& partition) {
    std::size_t kept = 0;
    std::int64_t tensors = 0;
    for (const SavedValue& value : partition.saved)
        if (value.kind == SavedValue::Kind::input) ++kept;
        else tensors += value.type.bytes();
    std::int64_t recomputed = 0;
    for (const RecomputedValue& value : partition.recomputed) recomputed += value.bytes;
    const auto bytes = [](std::int64_t n) { return toQString(formatBytes(n)); };
    return tr("Saved: %1, %2 in tensors, %3 in storages of their own, each counted once; recomputed: %4, %5; kept "
              "anyway: %6, %7")
        .arg(toQString(counted(partition.saved.size() - kept, "value")), bytes(tensors),
             bytes(partition.savedUniqueBytes()), toQString(counted(partition.recomputed.size(), "operation")),
             bytes(recomputed), toQString(counted(kept, "input")),
             bytes(partition.savedBytes(SavedValue::Kind::input)));
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
