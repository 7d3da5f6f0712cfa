#include "panels/graph/module_panel.h"

#include "panels/tables/quiet_focus.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace aotscope {

namespace {

constexpr int kNarrowest = 96;  ///< pixels, of the column of names
constexpr int kHeaderMargin = 5;
constexpr int kNoteMargin = 4;
constexpr int kMostOpened = 40;      ///< rows that a tree opens with
constexpr int kMostUnfolded = 2000;  ///< rows left by a filter that open at once

/// The menu of the header chooses the visible columns. Bytes add little to counts.
void addColumnActions(QTreeView* view, const QAbstractItemModel& model) {
    QHeaderView* header = view->header();
    header->setContextMenuPolicy(Qt::ActionsContextMenu);
    for (int column = 1; column < model.columnCount(); ++column) {
        auto* action = new QAction(model.headerData(column, Qt::Horizontal).toString(), header);
        action->setCheckable(true);
        const bool atFirst = column != ModuleTreeModel::Column::bytes;
        action->setChecked(atFirst);
        view->setColumnHidden(column, !atFirst);
        QObject::connect(action, &QAction::toggled, view,
                         [view, column](bool shown) { view->setColumnHidden(column, !shown); });
        header->addAction(action);
    }
}

}  // namespace

ModulePanel::ModulePanel(QWidget* parent)
    : QWidget(parent), filter_(new QLineEdit(this)), note_(new QLabel(this)), view_(new QuietFocus<QTreeView>(this)) {
    proxy_.setSourceModel(&model_);
    proxy_.setSortRole(ModuleTreeModel::SortRole);
    proxy_.setFilterRole(ModuleTreeModel::FilterRole);
    proxy_.setFilterCaseSensitivity(Qt::CaseInsensitive);
    proxy_.setRecursiveFilteringEnabled(true);
    filter_->setObjectName(QStringLiteral("moduleFilter"));
    filter_->setAccessibleName(tr("Filter modules"));
    filter_->setPlaceholderText(tr("Filter modules"));
    filter_->setClearButtonEnabled(true);
    filter_->setToolTip(tr("Shows only modules with this text in their path or class (/ in the tree)"));
    note_->setObjectName(QStringLiteral("moduleNote"));
    note_->setWordWrap(true);
    note_->setContentsMargins(kNoteMargin, 0, kNoteMargin, 0);
    note_->hide();
    view_->setObjectName(QStringLiteral("moduleTree"));
    view_->setAccessibleName(tr("Modules"));
    view_->setModel(&proxy_);
    view_->setUniformRowHeights(true);
    view_->setIndentation(12);
    view_->setExpandsOnDoubleClick(false);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setSortingEnabled(true);
    view_->header()->setSortIndicatorClearable(true);
    view_->header()->setSortIndicator(-1, Qt::AscendingOrder);
    view_->header()->setStretchLastSection(false);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    addColumnActions(view_, model_);
    for (QObject* part : std::initializer_list<QObject*>{view_, view_->viewport(), filter_})
        part->installEventFilter(this);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 2, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(filter_);
    layout->addWidget(view_, 1);
    layout->addWidget(note_);
    connect(filter_, &QLineEdit::textChanged, this, &ModulePanel::setFilter);
    connect(view_, &QWidget::customContextMenuRequested, this, &ModulePanel::showMenu);
    connect(view_, &QTreeView::activated, this, [this](const QModelIndex& row) { Q_EMIT toggled(moduleAt(row)); });
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (!following_ && row.isValid()) Q_EMIT chosen(moduleAt(row));
    });
    // The selection may have changed since: a click on the current row selects its operations again.
    connect(view_, &QTreeView::clicked, this, [this](const QModelIndex& row) { Q_EMIT chosen(moduleAt(row)); });
    auto* copy = new QAction(tr("&Copy as Text"), this);
    copy->setObjectName(QStringLiteral("copyModules"));
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copy, &QAction::triggered, this, &ModulePanel::copy);
    view_->addAction(copy);
}

void ModulePanel::setTree(std::shared_ptr<const ModuleTree> tree, const QString& model, const QString& note) {
    following_ = true;
    const std::set<QString> open = openPaths();
    const QString marked = current() < 0 ? QString() : (*model_.tree())[current()].path;
    const bool same = model_.setTree(std::move(tree), model);
    if (const auto& now = model_.tree(); now && !same) {
        openFirstLevels();
        for (int module = 0; module < static_cast<int>(now->modules.size()); ++module)
            if (open.contains((*now)[module].path)) view_->expand(rowOf(module));
        if (!marked.isEmpty()) view_->setCurrentIndex(rowOf(now->byPath(marked)));
    }
    fitNumbers();
    fitNames();
    note_->setText(note);
    note_->setVisible(!note.isEmpty());
    following_ = false;
}

/// Qt would reserve room for the sort indicator in each of them.
void ModulePanel::fitNumbers() {
    const QAbstractItemView* cells = view_;
    for (int column = 1; column < ModuleTreeModel::Column::count; ++column) {
        const QString title = model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const int header = view_->header()->fontMetrics().horizontalAdvance(title) + 2 * kHeaderMargin;
        view_->setColumnWidth(column, std::max(header, cells->sizeHintForColumn(column)));
    }
}

/// Shows as many of the other columns as fit beside the names, unless the user has resized that of the names.
void ModulePanel::fitNames() {
    if (fitted_ > 0 && view_->columnWidth(0) != fitted_) return;
    view_->resizeColumnToContents(0);
    int room = view_->viewport()->width(), column = 1;
    for (; column < ModuleTreeModel::Column::count && room - view_->columnWidth(column) >= kNarrowest; ++column)
        room -= view_->columnWidth(column);
    const bool all = column == ModuleTreeModel::Column::count;
    view_->setColumnWidth(0, std::max(kNarrowest, all ? std::min(view_->columnWidth(0), room) : room));
    fitted_ = view_->columnWidth(0);
}

/// As many levels as are easy to survey; for a new tree.
void ModulePanel::openFirstLevels() {
    const auto& modules = model_.tree()->modules;
    std::vector<int> depths(modules.size(), 0), rows;
    for (std::size_t module = 0; module < modules.size(); ++module) {
        if (module > 0) depths[module] = depths[static_cast<std::size_t>(modules[module].parent)] + 1;
        rows.resize(std::max(rows.size(), static_cast<std::size_t>(depths[module]) + 1), 0);
        ++rows[static_cast<std::size_t>(depths[module])];
    }
    int level = 0, seen = 1;
    for (std::size_t depth = 1; depth < rows.size() && seen + rows[depth] <= kMostOpened; ++depth, ++level)
        seen += rows[depth];
    view_->expandToDepth(std::max(level - 1, 0));
}

std::set<QString> ModulePanel::openPaths() const {
    std::set<QString> open;
    if (!model_.tree()) return open;
    for (int module = 0; module < static_cast<int>(model_.tree()->modules.size()); ++module)
        if (view_->isExpanded(rowOf(module))) open.insert((*model_.tree())[module].path);
    return open;
}

int ModulePanel::current() const { return moduleAt(view_->currentIndex()); }

void ModulePanel::mark(int module) {
    following_ = true;
    const QModelIndex row = rowOf(module);
    view_->setCurrentIndex(row);
    if (row.isValid()) view_->scrollTo(row);
    else view_->clearSelection();
    following_ = false;
}

void ModulePanel::expandAll() { view_->expandAll(); }

void ModulePanel::collapseAll() {
    view_->collapseAll();
    view_->expandToDepth(0);
}

void ModulePanel::copy() const { QGuiApplication::clipboard()->setText(model_.textOf(std::max(current(), 0))); }

void ModulePanel::setFilter(const QString& text) {
    following_ = true;  // a removed row makes another one current, which is not a choice
    proxy_.setFilterFixedString(text);
    following_ = false;
    if (text.isEmpty()) return mark(current());
    int rows = 0;
    for (const auto& module : model_.tree() ? model_.tree()->modules : std::vector<ModuleEntry>())
        rows += module.path.contains(text, Qt::CaseInsensitive) ? 1 : 0;
    if (rows <= kMostUnfolded) view_->expandAll();
}

void ModulePanel::showMenu(const QPoint& place) {
    const int module = moduleAt(view_->indexAt(place));
    if (module >= 0) Q_EMIT menuAsked(module, view_->viewport()->mapToGlobal(place));
}

/// "/" in the tree moves to its filter; elsewhere the window handles it. Down or Esc leads back.
bool ModulePanel::eventFilter(QObject* object, QEvent* event) {
    // A scroll bar may appear with the rows.
    if (object == view_->viewport() && event->type() == QEvent::Resize) fitNames();
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(object, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool pressed = event->type() == QEvent::KeyPress;
    if (object == view_ && key->text() == QLatin1String("/")) {
        if (pressed) {
            filter_->setFocus(Qt::ShortcutFocusReason);
            filter_->selectAll();
        }
    } else if (object == filter_ && (key->key() == Qt::Key_Down || key->key() == Qt::Key_Escape)) {
        if (pressed && key->key() == Qt::Key_Escape) filter_->clear();
        if (pressed) view_->setFocus(Qt::ShortcutFocusReason);
    } else {
        return QWidget::eventFilter(object, event);
    }
    event->accept();
    return true;
}

}  // namespace aotscope
