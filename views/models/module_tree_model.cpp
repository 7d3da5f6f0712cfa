#include "models/module_tree_model.h"

#include "models/headings.h"
#include "models/tables/table_text.h"
#include "models/words/to_qstring.h"
#include "support/formatted.h"
#include "support/names.h"

namespace aotscope {

namespace {

using Column = ModuleTreeModel::Column;

QString countText(std::int64_t count) {
    return count > 0 ? toQString(grouped(static_cast<std::size_t>(count))) : QString();
}

/// As short as possible: "11.7 M"; exact below 10,000.
QString shortCountText(std::int64_t count) {
    constexpr std::int64_t whole = 10'000;
    return count < whole ? countText(count) : toQString(formatBytes(count)).chopped(1);
}

QString bytesText(std::int64_t bytes) { return bytes > 0 ? toQString(formatBytes(bytes)) : QString(); }

QVariant sortValue(const ModuleEntry& module, int column) {
    switch (column) {
        case Column::operations: return QVariant::fromValue(static_cast<qulonglong>(module.operations));
        case Column::time: return module.ms;
        case Column::saved: return QVariant::fromValue(static_cast<qlonglong>(module.savedBytes));
        case Column::parameters: return QVariant::fromValue(static_cast<qlonglong>(module.parameters));
        case Column::bytes: return QVariant::fromValue(static_cast<qlonglong>(module.parameterBytes));
        default: return module.path;
    }
}

QString basisWords(TimeBasis basis) {
    switch (basis) {
        case TimeBasis::measured: return QObject::tr("measured");
        case TimeBasis::estimated: return QObject::tr("estimated: Time (Ctrl+T) measures it");
        case TimeBasis::unreliable: return QObject::tr("the machine was busy when it was calibrated");
    }
    return {};
}

}  // namespace

bool ModuleTreeModel::setTree(std::shared_ptr<const ModuleTree> tree, const QString& model) {
    if (tree && tree->modules.empty()) tree.reset();
    if (tree && tree_ && model == model_ && tree->hasModulesOf(*tree_)) {
        Q_EMIT layoutAboutToBeChanged();  // by their new numbers, which may change the order of rows
        tree_ = std::move(tree);
        Q_EMIT layoutChanged();
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, Column::count - 1);
        return true;
    }
    beginResetModel();
    tree_ = std::move(tree);
    model_ = model;
    endResetModel();
    return false;
}

QModelIndex ModuleTreeModel::indexOf(int module, int column) const {
    if (!tree_ || module < 0 || module >= static_cast<int>(tree_->modules.size())) return {};
    return createIndex((*tree_)[module].row, column, static_cast<quintptr>(module));
}

QModelIndex ModuleTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return indexOf(parent.isValid() ? at(parent).children[static_cast<std::size_t>(row)] : 0, column);
}

QModelIndex ModuleTreeModel::parent(const QModelIndex& index) const {
    return index.isValid() ? indexOf(at(index).parent) : QModelIndex();
}

int ModuleTreeModel::rowCount(const QModelIndex& parent) const {
    if (!tree_ || parent.column() > 0) return 0;
    return parent.isValid() ? static_cast<int>(at(parent).children.size()) : 1;
}

int ModuleTreeModel::columnCount(const QModelIndex& /*parent*/) const { return Column::count; }

QString ModuleTreeModel::titleOf(const ModuleEntry& module) const {
    const QString name = module.parent < 0 ? model_ : module.name();
    return module.type.isEmpty() ? name : name + QStringLiteral(" · ") + module.type;
}

QString ModuleTreeModel::textAt(const ModuleEntry& module, int column) const {
    switch (column) {
        case Column::name: return titleOf(module);
        case Column::operations: return countText(static_cast<std::int64_t>(module.operations));
        case Column::time:
            // Saying once that there are no numbers is enough.
            if (!tree_->basis || module.ms <= 0 || (*tree_->basis == TimeBasis::unreliable && module.parent >= 0))
                return {};
            return toQString(timeText(module.ms, *tree_->basis));
        case Column::saved: return bytesText(module.savedBytes);
        case Column::parameters: return countText(module.parameters);
        default: return bytesText(module.parameterBytes);
    }
}

QString ModuleTreeModel::tipOf(const ModuleEntry& module) const {
    QStringList lines{module.path.isEmpty() ? tr("the whole model") : module.path};
    if (!module.type.isEmpty()) lines << module.type;
    lines << toQString(counted(module.operations, "operation") + " in the shown graph");
    if (module.parameters > 0)
        lines << tr("%1, %2").arg(toQString(counted(static_cast<std::size_t>(module.parameters), "parameter")),
                                  bytesText(module.parameterBytes));
    if (module.savedBytes > 0) lines << tr("%1 saved for backward").arg(bytesText(module.savedBytes));
    if (const QString time = textAt(module, Column::time); !time.isEmpty())
        lines << tr("%1 per step (%2)").arg(time, basisWords(*tree_->basis));
    return lines.join(u'\n');
}

QVariant ModuleTreeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const ModuleEntry& module = at(index);
    switch (role) {
        case Qt::DisplayRole:
            return index.column() == Column::parameters ? shortCountText(module.parameters)
                                                        : textAt(module, index.column());
        case Qt::ToolTipRole: return tipOf(module);
        case Qt::TextAlignmentRole:
            return QVariant((index.column() == Column::name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case SortRole: return sortValue(module, index.column());
        case FilterRole: return QString(module.path + u' ' + module.type);
        default: return {};
    }
}

QVariant ModuleTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole && orientation == Qt::Horizontal)
        return QVariant((section == Column::name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const bool estimated = tree_ && tree_->basis && *tree_->basis != TimeBasis::measured;
    return columnHeading(
        {{tr("Module"), tr("the path of the module, and its class")},
         {tr("Ops"), tr("operations of the shown graph in the module and its submodules")},
         {estimated ? tr("≈ Time") : tr("Time"),
          tr("of one step, forward and backward; estimated until Time (Ctrl+T) has measured it")},
         {tr("Saved"), tr("memory that forward keeps for backward, each storage counted once, with the module that "
                          "made the value")},
         {tr("Params"), tr("how many numbers the module learns")},
         {tr("Size"), tr("memory of its parameters")}},
        section, orientation, role);
}

QString ModuleTreeModel::textOf(int module) const {
    if (!tree_ || module < 0) return {};
    QStringList headings;
    for (int column = 0; column < Column::count; ++column)
        headings << headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    QList<QStringList> rows;
    for (int within = module; within < (*tree_)[module].end; ++within) {
        const ModuleEntry& entry = (*tree_)[within];
        QStringList cells{entry.path.isEmpty() ? model_ : entry.path};
        for (int column = 1; column < Column::count; ++column) cells << textAt(entry, column);
        rows << cells;
    }
    return tableText(headings, rows, TableFormat::text);
}

}  // namespace aotscope
