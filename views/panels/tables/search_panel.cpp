#include "panels/tables/search_panel.h"

#include "canvas/drawn_graph.h"
#include "panels/tables/quiet_focus.h"
#include "query/query.h"
#include "support/names.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace aotscope {

namespace {

QString helpText() {
    QStringList lines;
    for (const QueryWord& word : queryWords())
        lines
            << QObject::tr("%1: %2, as in %3").arg(toQString(word.text), toQString(word.help), toQString(word.example));
    return lines.join(u'\n');
}

}  // namespace

SearchPanel::SearchPanel(QWidget* parent)
    : QWidget(parent),
      edit_(new QueryEdit(this)),
      count_(new QLabel(this)),
      previous_(new QToolButton(this)),
      next_(new QToolButton(this)),
      view_(new QuietFocus<QTreeView>(this)) {
    edit_->setObjectName(QStringLiteral("searchEdit"));
    edit_->setAccessibleName(tr("Search"));
    edit_->setPlaceholderText(tr("Find nodes: relu  op:mm  bytes>1M  saved"));
    edit_->setClearButtonEnabled(true);
    edit_->setToolTip(helpText());
    count_->setObjectName(QStringLiteral("searchCount"));
    count_->setWordWrap(true);
    previous_->setArrowType(Qt::UpArrow);
    previous_->setToolTip(tr("Previous hit (Shift+F3)"));
    next_->setArrowType(Qt::DownArrow);
    next_->setToolTip(tr("Next hit (F3)"));
    for (QToolButton* button : {previous_, next_}) {
        button->setAutoRaise(true);
        button->setAccessibleName(button->toolTip());
    }
    view_->setObjectName(QStringLiteral("searchResults"));
    view_->setAccessibleName(tr("Hits"));
    view_->setModel(&model_);
    view_->setUniformRowHeights(true);
    view_->setIndentation(12);
    view_->setAlternatingRowColors(true);
    view_->header()->setStretchLastSection(true);
    view_->setMinimumHeight(6 * view_->fontMetrics().lineSpacing());

    auto* line = new QHBoxLayout;
    line->addWidget(count_, 1);
    line->addWidget(previous_);
    line->addWidget(next_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(3);
    layout->addWidget(edit_);
    layout->addLayout(line);
    layout->addWidget(view_, 1);
    for (QWidget* part : std::initializer_list<QWidget*>{view_, previous_, next_}) part->installEventFilter(this);
    connect(previous_, &QToolButton::clicked, edit_, &QueryEdit::previousRequested);
    connect(next_, &QToolButton::clicked, edit_, &QueryEdit::nextRequested);
    const auto choose = [this](const QModelIndex& index) {
        if (following_) return;
        if (const auto position = model_.positionOf(index)) Q_EMIT hitChosen(*position);
    };
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, choose);
    connect(view_, &QTreeView::clicked, this, choose);
    clear();
}

void SearchPanel::showResult(std::shared_ptr<const CompileRecord> record, SearchResult result) {
    constexpr std::size_t fewEnoughToUnfold = 2000;
    following_ = true;
    current_.reset();
    model_.setResult(std::move(record), std::move(result));
    for (std::size_t group = 0; group < model_.result().groups.size(); ++group) {
        view_->setFirstColumnSpanned(static_cast<int>(group), {}, true);
        if (model_.result().hits <= fewEnoughToUnfold) view_->expand(model_.index(static_cast<int>(group), 0));
    }
    view_->setColumnWidth(0, 130);
    view_->setColumnWidth(1, 100);
    following_ = false;
    showCount();
}

void SearchPanel::showError(const QString& text) {
    showResult(nullptr, {});
    count_->setText(text);
    view_->hide();
}

void SearchPanel::clear() {
    showResult(nullptr, {});
    count_->clear();
    view_->hide();
}

void SearchPanel::setCurrent(std::optional<std::size_t> position) {
    if (current_ == position) return;
    current_ = position;
    following_ = true;
    const QModelIndex index = position ? model_.hit(*position) : QModelIndex();
    view_->setCurrentIndex(index);
    if (index.isValid()) view_->scrollTo(index);
    following_ = false;
    showCount();
}

/// Esc means the same in the list and on the buttons as in the query.
bool SearchPanel::eventFilter(QObject* object, QEvent* event) {
    if (event->type() != QEvent::KeyPress || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
        return QWidget::eventFilter(object, event);
    Q_EMIT edit_->closeRequested();
    return true;
}

void SearchPanel::showCount() {
    const SearchResult& result = model_.result();
    view_->setVisible(result.hits > 0);
    for (QToolButton* button : {previous_, next_}) button->setEnabled(result.hits > 0);
    if (result.hits == 0) return count_->setText(tr("No hits in %1").arg(toQString(counted(result.searched, "node"))));
    const QString all = toQString(counted(result.hits, "hit") + " in " + counted(result.groups.size(), "graph"));
    count_->setText(current_ ? tr("%1 of %2").arg(*current_ + 1).arg(all) : all);
}

}  // namespace aotscope
