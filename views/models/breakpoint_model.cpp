#include "models/breakpoint_model.h"

#include "models/headings.h"
#include "models/words/to_qstring.h"
#include "query/query.h"

namespace aotscope {

void BreakpointModel::setOfPipeline(std::vector<Breakpoint> breakpoints) {
    beginResetModel();
    pipeline_ = std::move(breakpoints);
    endResetModel();
}

void BreakpointModel::setOfDebugger(std::vector<DebugBreakpoint> breakpoints) {
    beginResetModel();
    debugger_ = std::move(breakpoints);
    endResetModel();
}

void BreakpointModel::setHits(std::map<std::string, int> hits) {
    hits_ = std::move(hits);
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, Hits), index(rowCount() - 1, Hits));
}

void BreakpointModel::remove(int row) {
    const bool ofPipeline = isOfPipeline(row);
    beginRemoveRows({}, row, row);
    if (ofPipeline) pipeline_.erase(pipeline_.begin() + row);
    else debugger_.erase(debugger_.begin() + (row - static_cast<int>(pipeline_.size())));
    endRemoveRows();
    Q_EMIT changed();
}

int BreakpointModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(pipeline_.size() + debugger_.size());
}

int BreakpointModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QString BreakpointModel::textAt(int row, int column) const {
    if (isOfPipeline(row)) {
        const Breakpoint& breakpoint = pipelineAt(row);
        const bool ofPass = breakpoint.when == Breakpoint::When::passStarts;
        switch (column) {
            case Kind: return tr("Pipeline");
            case Place:
                return ofPass ? tr("before pass %1").arg(toQString(breakpoint.what))
                              : tr("when %1").arg(toQString(describe(breakpoint.when)));
            case Condition: return ofPass ? QString() : toQString(breakpoint.what);
            default: return QStringLiteral("–");
        }
    }
    const DebugBreakpoint& breakpoint = debuggerAt(row);
    switch (column) {
        case Kind: return tr("Debugger");
        case Place:
            return Query::parseWithValues(breakpoint.condition).readsValues() ? tr("after a value")
                                                                              : tr("before a node");
        case Condition: return toQString(breakpoint.condition);
        case FromHit: return QString::number(breakpoint.hits);
        default: {
            const auto hits = hits_.find(breakpoint.condition);
            return hits == hits_.end() ? QStringLiteral("–") : QString::number(hits->second);
        }
    }
}

QVariant BreakpointModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const int row = index.row();
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return textAt(row, index.column());
    if (role != Qt::CheckStateRole || index.column() != Kind) return {};
    return (isOfPipeline(row) ? pipelineAt(row).enabled : debuggerAt(row).enabled) ? Qt::Checked : Qt::Unchecked;
}

bool BreakpointModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
    const auto row = static_cast<std::size_t>(index.row());
    const bool on = value.toInt() == Qt::Checked;
    if (isOfPipeline(index.row())) pipeline_[row].enabled = on;
    else debugger_[row - pipeline_.size()].enabled = on;
    Q_EMIT dataChanged(index, index, {role});
    Q_EMIT changed();
    return true;
}

QVariant BreakpointModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return columnHeading(
        {{tr("Kind"), tr("Pipeline: pauses a compilation. Debugger: pauses a run of the compiled graphs")},
         {tr("Place"), tr("where it pauses")},
         {tr("Condition"), tr("which nodes or values, as a query")},
         {tr("From Hit"), tr("a run pauses from the nth time on that the condition holds")},
         {tr("Hits"), tr("how often the condition has held in the run under way, also before it paused; – without a "
                         "run, and for breakpoints of the pipeline")}},
        section, orientation, role);
}

Qt::ItemFlags BreakpointModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == Kind ? flags | Qt::ItemIsUserCheckable : flags;
}

}  // namespace aotscope
