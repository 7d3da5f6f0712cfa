#include "panels/tables/table_panel.h"

#include "models/tables/table_text.h"
#include "panels/tables/quiet_focus.h"
#include "panels/tables/whole_rows.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <numeric>
#include <unordered_set>

namespace aotscope {

namespace {

constexpr int kMeasuredRows = 50;                       ///< the ones that determine the widths of columns
constexpr int kMeasuredTexts = 5;                       ///< the longest of these rows in a column
constexpr int kWidestColumn = 320, kLeastOfWide = 120;  ///< what wide columns have if there is little room

/// Measuring every cell would take longer than making the table. The longest texts are the widest, or nearly so.
int widthOf(const QTableView& view, int column) {
    std::vector<QModelIndex> cells;
    for (int row = 0; row < std::min(view.model()->rowCount(), kMeasuredRows); ++row)
        cells.push_back(view.model()->index(row, column));
    const auto measured = cells.begin() + std::min<std::ptrdiff_t>(kMeasuredTexts, std::ssize(cells));
    std::ranges::partial_sort(cells, measured, std::greater(),
                              [](const QModelIndex& cell) { return cell.data().toString().size(); });
    int width = view.horizontalHeader()->sectionSizeHint(column);
    for (auto cell = cells.begin(); cell != measured; ++cell)
        width = std::max(width, view.sizeHintForIndex(*cell).width() + 1);  // including the line of the grid
    return width;
}

}  // namespace

TablePanel::TablePanel(QWidget* parent)
    : QWidget(parent),
      summary_(new QLabel(this)),
      rowFilters_(new RowFilters(this)),
      filter_(new QLineEdit(this)),
      view_(new QuietFocus<QTableView>(this)),
      marks_(new MarkDelegate(view_)) {
    proxy_.setSourceModel(&model_);
    proxy_.setSortRole(TableModel::SortRole);
    proxy_.setFilterKeyColumn(-1);
    proxy_.setFilterCaseSensitivity(Qt::CaseInsensitive);
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setAccessibleName(tr("Filter"));
    filter_->setClearButtonEnabled(true);
    filter_->setMaximumWidth(220);
    filter_->setToolTip(tr("Shows only rows with this text (/ in the table)"));
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        following_ = true;  // a filtered-out row makes another one current, which is not a choice
        proxy_.setFilterFixedString(text);
        following_ = false;
    });
    connect(rowFilters_, &RowFilters::chosen, this, [this](std::optional<std::size_t> filter) {
        following_ = true;
        proxy_.setFilter(filter);
        following_ = false;
    });

    view_->setModel(&proxy_);
    view_->setItemDelegate(marks_);
    view_->installEventFilter(this);
    view_->setSortingEnabled(true);
    view_->setMinimumHeight(3 * view_->fontMetrics().lineSpacing());
    showWholeRows(*view_);
    view_->setAlternatingRowColors(true);
    view_->horizontalHeader()->setStretchLastSection(true);
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TablePanel::onSelectionChanged);

    auto* copy = new QAction(tr("Copy Rows"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copy, &QAction::triggered, this, &TablePanel::copySelection);
    view_->addAction(copy);
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);

    auto* top = new QHBoxLayout;
    top->addWidget(summary_, 1);
    top->addWidget(filter_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->addLayout(top);
    layout->addWidget(rowFilters_);
    layout->addWidget(view_, 1);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    summary_->setWordWrap(true);
}

void TablePanel::setTheme(const Theme& theme) {
    marks_->setTheme(theme);
    view_->viewport()->update();
}

void TablePanel::setContent(TableContent content) {
    const bool empty = content.rows.empty();
    summary_->setText(empty ? content.whenEmpty : content.summary);
    rowFilters_->setContent(content);
    // The order of computation is the default, until the user chooses another. Set before the rows, which would
    // otherwise be sorted like the previous ones.
    view_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    proxy_.sort(-1);
    model_.setContent(std::move(content));
    measured_ = false;
    fitted_.clear();
    if (isVisible()) measureColumns();
    view_->setVisible(!empty);
    filter_->setVisible(!empty);
}

/// Most tables of a run are hidden: measuring all of their columns would block the window.
void TablePanel::measureColumns() {
    measured_ = true;
    needed_.clear();
    for (int c = 0; c < model_.columnCount(); ++c) needed_.push_back(widthOf(*view_, c));
    fitColumns();
}

/// Wide columns leave room for the others, and get what those leave, before the last column is stretched.
void TablePanel::fitColumns() {
    const int room = view_->viewport()->width(), widest = std::clamp(room / 3, kLeastOfWide, kWidestColumn);
    fitted_.clear();
    for (std::size_t c = 0; c + 1 < needed_.size(); ++c) fitted_.push_back(std::min(needed_[c], widest));
    int spare =
        std::accumulate(fitted_.begin(), fitted_.end(), room - (needed_.empty() ? 0 : needed_.back()), std::minus());
    for (std::size_t c = 0; c < fitted_.size(); ++c) {
        const int more = std::clamp(needed_[c] - fitted_[c], 0, std::max(spare, 0));
        spare -= more;
        fitted_[c] += more;
        view_->setColumnWidth(static_cast<int>(c), fitted_[c]);
    }
    if (!needed_.empty()) view_->setColumnWidth(static_cast<int>(fitted_.size()), needed_.back());
}

/// Widths that the user has chosen stay.
void TablePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    for (std::size_t c = 0; c < fitted_.size(); ++c)
        if (view_->columnWidth(static_cast<int>(c)) != fitted_[c]) return;
    if (!fitted_.empty()) fitColumns();
}

void TablePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!measured_) measureColumns();
}

void TablePanel::updateContent(TableContent content) {
    const QHeaderView* header = view_->horizontalHeader();
    const int column = header->sortIndicatorSection();
    const Qt::SortOrder order = header->sortIndicatorOrder();
    const int place = view_->verticalScrollBar()->value();
    std::vector<int> widths;
    const bool measured = measured_;
    const bool shown = !this->content().rows.empty() && this->content().columns.size() == content.columns.size();
    for (int c = 0; shown && c + 1 < model_.columnCount(); ++c) widths.push_back(view_->columnWidth(c));
    setContent(std::move(content));
    for (std::size_t c = 0; c < widths.size(); ++c) view_->setColumnWidth(static_cast<int>(c), widths[c]);
    measured_ = measured_ || (measured && shown);
    if (column >= 0) view_->sortByColumn(column, order);
    view_->verticalScrollBar()->setValue(place);
}

void TablePanel::select(const std::vector<NodeId>& nodes) {
    if (leading_) return;
    std::vector<int> all;
    for (NodeId node : nodes) std::ranges::copy(model_.rowsOf(node), std::back_inserter(all));
    selectRows(all);
}

void TablePanel::selectRows(const std::vector<int>& sourceRows) {
    QItemSelection rows;
    for (int row : sourceRows)
        if (const QModelIndex index = proxy_.mapFromSource(model_.index(row, 0)); index.isValid())
            rows.select(index, index);
    following_ = true;
    view_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (!rows.isEmpty()) {
        view_->selectionModel()->setCurrentIndex(rows.first().topLeft(), QItemSelectionModel::NoUpdate);
        view_->scrollTo(rows.first().topLeft());
    } else {
        view_->selectionModel()->setCurrentIndex({},
                                                 QItemSelectionModel::NoUpdate);  // the same row can be chosen again
    }
    following_ = false;
}

std::vector<NodeId> TablePanel::markedNodes() const {
    std::vector<NodeId> nodes;
    for (const QModelIndex& index : view_->selectionModel()->selectedRows())
        if (const NodeId node = model_.content().rows[static_cast<std::size_t>(sourceRow(index))].node; node != kNoNode)
            nodes.push_back(node);
    return nodes;
}

/// "/" in the table moves to its filter; elsewhere the window handles it.
bool TablePanel::eventFilter(QObject* object, QEvent* event) {
    const bool key = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (!key || static_cast<QKeyEvent*>(event)->text() != QLatin1String("/"))
        return QWidget::eventFilter(object, event);
    if (event->type() == QEvent::KeyPress) {
        filter_->setFocus(Qt::ShortcutFocusReason);
        filter_->selectAll();
    }
    event->accept();
    return true;
}

void TablePanel::onSelectionChanged() {
    QModelIndexList chosen = view_->selectionModel()->selectedRows();
    if (following_ || chosen.isEmpty()) return;
    const auto rowOf = [this](const QModelIndex& index) -> const TableContent::Row& {
        return content().rows[static_cast<std::size_t>(sourceRow(index))];
    };
    const auto current = std::ranges::find(chosen, view_->currentIndex().row(), &QModelIndex::row);
    if (current != chosen.end()) std::iter_swap(chosen.begin(), current);
    const GraphKind graph = rowOf(chosen.front()).graph;
    std::vector<NodeId> nodes;
    std::unordered_set<NodeId> known{kNoNode};
    for (const QModelIndex& index : chosen)
        if (const auto& row = rowOf(index); row.graph == graph && known.insert(row.node).second)
            nodes.push_back(row.node);
    leading_ = true;
    if (nodes.size() == 1) Q_EMIT nodeSelected(nodes.front(), graph);
    else if (!nodes.empty()) Q_EMIT nodesSelected(nodes, graph);
    leading_ = false;
}

void TablePanel::copySelection() {
    QList<int> rows;
    for (const QModelIndex& index : view_->selectionModel()->selectedRows()) rows << proxy_.mapToSource(index).row();
    QGuiApplication::clipboard()->setText(tableText(model_, rows, TableFormat::text));
}

}  // namespace aotscope
