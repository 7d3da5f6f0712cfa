#include "panels/tables/table_panel.h"

#include "models/tables/table_sums.h"
#include "models/words/to_qstring.h"
#include "panels/tables/quiet_focus.h"
#include "panels/tables/whole_rows.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
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
      marks_(new MarkDelegate(view_)),
      sums_(new QLabel(this)),
      columnMenu_(new QMenu(tr("Columns"), this)) {
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
        showSums();
    });
    connect(rowFilters_, &RowFilters::chosen, this, [this](std::optional<std::size_t> filter) {
        following_ = true;
        proxy_.setFilter(filter);
        following_ = false;
        showSums();
    });

    view_->setModel(&proxy_);
    view_->setItemDelegate(marks_);
    view_->installEventFilter(this);
    view_->setSortingEnabled(true);
    view_->setMinimumHeight(3 * view_->fontMetrics().lineSpacing());
    showWholeRows(*view_);
    view_->setAlternatingRowColors(true);
    QHeaderView* header = view_->horizontalHeader();
    header->setStretchLastSection(true);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this,
            [this, header](const QPoint& place) { columnMenu_->popup(header->viewport()->mapToGlobal(place)); });
    connect(header, &QHeaderView::sectionResized, this,
            [this](int column, int /*before*/, int width) { onResized(column, width); });
    connect(columnMenu_, &QMenu::aboutToShow, this, &TablePanel::fillColumnMenu);
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TablePanel::onSelectionChanged);

    auto* copy = new QAction(tr("Copy Rows"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copy, &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(copied(TableFormat::text).text); });
    view_->addActions({copy, columnMenu_->menuAction()});
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);

    auto* top = new QHBoxLayout;
    top->addWidget(summary_, 1);
    top->addWidget(filter_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->addLayout(top);
    layout->addWidget(rowFilters_);
    layout->addWidget(view_, 1);
    layout->addWidget(sums_);
    sums_->setObjectName(QStringLiteral("sums"));
    sums_->hide();
    for (QLabel* label : {summary_, sums_}) {
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setWordWrap(true);
    }
}

void TablePanel::setTheme(const Theme& theme) {
    marks_->setTheme(theme);
    view_->viewport()->update();
}

/// Widths that the user has chosen are for the same columns.
void TablePanel::setContent(TableContent content) {
    if (!std::ranges::equal(content.columns, this->content().columns, {}, &TableContent::Column::title,
                            &TableContent::Column::title))
        dragged_.clear();
    least_.clear();
    showContent(std::move(content));
}

void TablePanel::updateContent(TableContent content) {
    const QHeaderView* header = view_->horizontalHeader();
    const int column = header->sortIndicatorSection();
    const Qt::SortOrder order = header->sortIndicatorOrder();
    const int place = view_->verticalScrollBar()->value();
    const bool sameColumns = this->content().columns.size() == content.columns.size();
    if (!sameColumns) dragged_.clear();
    least_ = sameColumns ? needed_ : std::vector<int>();
    showContent(std::move(content));
    if (column >= 0) view_->sortByColumn(column, order);
    view_->verticalScrollBar()->setValue(place);
}

void TablePanel::showContent(TableContent content) {
    const bool empty = content.rows.empty();
    summary_->setText(empty ? content.whenEmpty : content.summary);
    rowFilters_->setContent(content);
    // The order of computation is the default, until the user chooses another. Set before the rows, which would
    // otherwise be sorted like the previous ones.
    view_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    proxy_.sort(-1);
    {
        const QScopedValueRollback fitting(fitting_, true);
        model_.setContent(std::move(content));
    }
    hideColumns();
    measured_ = false;
    needed_.clear();
    view_->setVisible(!empty);
    filter_->setVisible(!empty);
    if (isVisible()) measureColumns();
    showSums();
}

// --- columns ---

void TablePanel::setHiddenColumns(const QStringList& titles) {
    hidden_ = titles;
    hideColumns();
    fitColumns();
}

std::vector<int> TablePanel::shownColumns() const {
    std::vector<int> shown;
    for (int c = 0; c < model_.columnCount(); ++c)
        if (!view_->isColumnHidden(c)) shown.push_back(c);
    return shown;
}

void TablePanel::hideColumns() {
    const QScopedValueRollback fitting(fitting_, true);
    const auto isHidden = [this](const TableContent::Column& column) { return hidden_.contains(column.title); };
    const bool all = std::ranges::all_of(content().columns, isHidden);
    for (std::size_t c = 0; c < content().columns.size(); ++c)
        view_->setColumnHidden(static_cast<int>(c), !all && isHidden(content().columns[c]));
}

void TablePanel::fillColumnMenu() {
    columnMenu_->clear();
    const std::vector<int> shown = shownColumns();
    for (int c = 0; c < model_.columnCount(); ++c) {
        const TableContent::Column& column = content().columns[static_cast<std::size_t>(c)];
        QAction* action = columnMenu_->addAction(column.title);
        action->setToolTip(capitalized(column.help));
        action->setCheckable(true);
        action->setChecked(!view_->isColumnHidden(c));
        action->setEnabled(shown.size() > 1 || !action->isChecked());
        connect(action, &QAction::toggled, this,
                [this, title = column.title](bool wanted) { chooseColumn(title, wanted); });
    }
    columnMenu_->addSeparator();
    QAction* all = columnMenu_->addAction(tr("Show All"), this, [this] {
        setHiddenColumns({});
        Q_EMIT columnsChosen({});
    });
    all->setEnabled(std::ssize(shown) < model_.columnCount());
}

void TablePanel::chooseColumn(const QString& title, bool shown) {
    QStringList hidden = hidden_;
    hidden.removeAll(title);
    if (!shown) hidden << title;
    setHiddenColumns(hidden);
    Q_EMIT columnsChosen(hidden_);
}

/// Most tables of a run are hidden: measuring all of their columns would block the window.
void TablePanel::measureColumns() {
    measured_ = true;
    needed_.clear();
    for (int c = 0; c < model_.columnCount(); ++c) needed_.push_back(widthOf(*view_, c));
    for (std::size_t c = 0; c < std::min(needed_.size(), least_.size()); ++c)
        needed_[c] = std::max(needed_[c], least_[c]);
    fitColumns();
}

/// Wide columns leave room for the others, and get what those leave, before the last column is stretched. Columns that
/// the user has resized stay as they are.
void TablePanel::fitColumns() {
    std::vector<int> shown = shownColumns();
    if (shown.empty() || needed_.empty()) return;
    const QScopedValueRollback fitting(fitting_, true);
    const auto neededBy = [this](int column) { return needed_[static_cast<std::size_t>(column)]; };
    const int last = shown.back();
    shown.pop_back();
    const int room = view_->viewport()->width(), widest = std::clamp(room / 3, kLeastOfWide, kWidestColumn);
    std::map<int, int> widths = dragged_;
    int spare = room - neededBy(last);
    for (const int c : shown) spare -= widths.try_emplace(c, std::min(neededBy(c), widest)).first->second;
    for (const int c : shown) {
        const int more = dragged_.contains(c) ? 0 : std::clamp(neededBy(c) - widths[c], 0, std::max(spare, 0));
        spare -= more;
        view_->setColumnWidth(c, widths[c] + more);
    }
    view_->setColumnWidth(last, neededBy(last));
}

/// The last column takes what is left, whoever resizes.
void TablePanel::onResized(int column, int width) {
    if (!fitting_ && width > 0 && column != shownColumns().back()) dragged_[column] = width;
}

void TablePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitColumns();
}

void TablePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!measured_) measureColumns();
}

// --- rows ---

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
    showSums();
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

TablePanel::Copied TablePanel::copied(TableFormat format, qsizetype moreThan) const {
    QList<int> rows, columns;
    for (const QModelIndex& index : view_->selectionModel()->selectedRows()) rows << index.row();
    std::sort(rows.begin(), rows.end());
    if (rows.size() <= moreThan) rows.clear();
    for (const int column : shownColumns()) columns << column;
    return {tableText(proxy_, rows, format, columns), rows.isEmpty() ? proxy_.rowCount() : rows.size()};
}

void TablePanel::showSums() {
    TableRows rows;
    for (int row = 0; row < proxy_.rowCount(); ++row) rows.shown.push_back(sourceRow(proxy_.index(row, 0)));
    for (const QModelIndex& index : view_->selectionModel()->selectedRows()) rows.selected.push_back(sourceRow(index));
    const QString text = sumsText(content(), rows);
    sums_->setText(text);
    sums_->setVisible(!text.isEmpty());
}

}  // namespace aotscope
