#include "panels/log_panel.h"

#include "models/tables/table_text.h"
#include "panels/tables/quiet_focus.h"
#include "panels/tables/whole_rows.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace aotscope {

/// The lines up to a level that contain a text.
class LogPanel::Lines : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setLeast(LogLevel level) {
        least_ = static_cast<int>(level);
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const QModelIndex line = sourceModel()->index(row, 0, parent);
        return line.data(LogModel::LevelRole).toInt() <= least_ && QSortFilterProxyModel::filterAcceptsRow(row, parent);
    }

private:
    int least_ = static_cast<int>(LogLevel::info);
};

LogPanel::LogPanel(QWidget* parent)
    : QWidget(parent),
      lines_(new Lines(this)),
      level_(new QComboBox(this)),
      filter_(new QLineEdit(this)),
      view_(new QuietFocus<QTableView>(this)) {
    setObjectName(QStringLiteral("log"));
    lines_->setSourceModel(&model_);
    lines_->setFilterKeyColumn(-1);
    lines_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    makeTable();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addLayout(makeTop());
    layout->addWidget(view_, 1);
}

QLayout* LogPanel::makeTop() {
    level_->setObjectName(QStringLiteral("logLevel"));
    level_->setAccessibleName(tr("Level"));
    level_->addItems({tr("Errors"), tr("Warnings"), tr("Information"), tr("Everything")});
    level_->setCurrentIndex(static_cast<int>(LogLevel::info));
    level_->setToolTip(tr("Shows lines up to this level; everything includes what each pass noted"));
    filter_->setObjectName(QStringLiteral("logFilter"));
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setClearButtonEnabled(true);
    filter_->setAccessibleName(tr("Filter"));
    connect(level_, &QComboBox::currentIndexChanged, this,
            [this](int level) { lines_->setLeast(static_cast<LogLevel>(level)); });
    connect(filter_, &QLineEdit::textChanged, lines_, &QSortFilterProxyModel::setFilterFixedString);
    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("Show"), this));
    row->addWidget(level_);
    row->addWidget(filter_, 1);
    const auto button = [&](const char* name, const QString& text, const QString& tip, const auto& act) {
        auto* tool = new QToolButton(this);
        tool->setObjectName(QLatin1String(name));
        tool->setText(text);
        tool->setToolTip(tip);
        connect(tool, &QToolButton::clicked, this, act);
        row->addWidget(tool);
    };
    button("saveLog", tr("Save…"), tr("Saves the lines that are shown as a text file"),
           [this] { Q_EMIT saveRequested(); });
    button("copyLog", tr("Copy All"), tr("Copies the lines that are shown"),
           [this] { QGuiApplication::clipboard()->setText(text()); });
    button("clearLog", tr("Clear"), tr("Empties the log"), [this] { model_.clear(); });
    return row;
}

void LogPanel::makeTable() {
    view_->setObjectName(QStringLiteral("logTable"));
    view_->setAccessibleName(tr("Log"));
    view_->setModel(lines_);
    showWholeRows(*view_);
    view_->setShowGrid(false);
    view_->horizontalHeader()->setStretchLastSection(true);
    const auto setWidth = [this](int column, const char* widest) {
        constexpr int margin = 16;
        view_->setColumnWidth(column, view_->fontMetrics().horizontalAdvance(QLatin1String(widest)) + margin);
    };
    setWidth(LogModel::Time, "00:00:00");
    setWidth(LogModel::Level, "warning");
    setWidth(LogModel::Part, "common-subexpressions");
    auto* copy = new QAction(tr("Copy Rows"), view_);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &LogPanel::copySelection);
    view_->addAction(copy);
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void LogPanel::add(const std::vector<LogEntry>& entries) {
    const QScrollBar* bar = view_->verticalScrollBar();
    const bool atEnd = bar->value() == bar->maximum();
    model_.add(entries);
    if (atEnd) view_->scrollToBottom();
}

QString LogPanel::text() const { return tableText(*lines_, {}, TableFormat::text); }

void LogPanel::copySelection() const {
    QList<int> rows;
    for (const QModelIndex& index : view_->selectionModel()->selectedRows()) rows << index.row();
    QGuiApplication::clipboard()->setText(tableText(*lines_, rows, TableFormat::text));
}

}  // namespace aotscope
