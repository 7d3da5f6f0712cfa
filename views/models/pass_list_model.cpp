#include "models/pass_list_model.h"

#include "models/headings.h"
#include "models/palette.h"
#include "models/words/to_qstring.h"
#include "support/formatted.h"
#include "support/names.h"

#include <QBrush>
#include <QFont>
#include <QGuiApplication>
#include <QPalette>

namespace aotscope {

namespace {

struct PassColumn {
    enum { Name, Operations, Time, Count };
};

QString operationsText(const PassRecord& pass) {
    const QString after = toQString(grouped(pass.nodesAfter));
    return pass.nodesBefore == pass.nodesAfter
               ? after
               : QString(toQString(grouped(pass.nodesBefore)) + QStringLiteral(" → ") + after);
}

}  // namespace

void PassListModel::setRecord(std::shared_ptr<const CompileRecord> record) {
    beginResetModel();
    record_ = std::move(record);
    failure_ = record_ ? PassFailure::from(record_->error) : std::nullopt;
    endResetModel();
}

const PassRecord* PassListModel::pass(int row) const {
    const bool known = record_ && row >= 0 && row < static_cast<int>(record_->passes.size());
    return known ? &record_->passes[static_cast<std::size_t>(row)] : nullptr;
}

bool PassListModel::isIdle(int row) const { return row > 0 && pass(row) && !pass(row)->changed; }

int PassListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !record_ ? 0 : static_cast<int>(record_->passes.size()) + (failure_ ? 1 : 0);
}

/// A failed pass has no graph to show.
Qt::ItemFlags PassListModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return pass(index.row()) ? flags : flags & ~Qt::ItemIsSelectable;
}

QVariant PassListModel::dataOfFailure(int column, int role) const {
    switch (role) {
        case Qt::DisplayRole:
            return column == PassColumn::Name         ? QString(QStringLiteral("✕ ") + toQString(failure_->pass))
                   : column == PassColumn::Operations ? tr("failed")
                                                      : QString();
        case Qt::ToolTipRole: return toQString(record_->error);
        case Qt::ForegroundRole:
            return QBrush(verdictColour(false, QGuiApplication::palette().color(QPalette::Base).lightness() < 128));
        default: return {};
    }
}

int PassListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : PassColumn::Count; }

QVariant PassListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    if (!this->pass(index.row())) return dataOfFailure(index.column(), role);
    const PassRecord& pass = *this->pass(index.row());
    switch (role) {
        case Qt::DisplayRole:
            if (index.column() == PassColumn::Name)
                return QString((pass.changed ? QStringLiteral("● ") : QStringLiteral("   ")) + toQString(name(pass)));
            if (index.column() == PassColumn::Operations) return operationsText(pass);
            return pass.id == PassId::printed ? QString() : toQString(formatDuration(pass.ms));
        case Qt::ToolTipRole: {
            QString tip = toQString(pass.help);
            if (!pass.changed && index.row() > 0) tip += QStringLiteral("\n") + tr("no changes");
            for (const auto& [kind, graph] : pass.graphs)
                tip += QStringLiteral("\n") + toQString(graphTitle(*record_, kind));
            for (const auto& line : pass.log) tip += QStringLiteral("\n") + toQString(line);
            return tip;
        }
        case Qt::TextAlignmentRole:
            return QVariant(index.column() == PassColumn::Name ? Qt::AlignLeft | Qt::AlignVCenter
                                                               : Qt::AlignRight | Qt::AlignVCenter);
        case Qt::ForegroundRole:
            return isIdle(index.row()) ? QVariant(QGuiApplication::palette().brush(QPalette::PlaceholderText))
                                       : QVariant();
        default: return {};
    }
}

QVariant PassListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return columnHeading(
        {{tr("Pass"), tr("a step of the pipeline; ● has changed the graph. Select it to see its graph")},
         {tr("Operations"), tr("of the graph, before and after the pass")},
         {tr("Time"), tr("how long the pass took")}},
        section, orientation, role);
}

}  // namespace aotscope
