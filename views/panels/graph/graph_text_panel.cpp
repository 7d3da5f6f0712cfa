#include "panels/graph/graph_text_panel.h"

#include "models/words/to_qstring.h"
#include "panels/fixed_font.h"
#include "panels/tables/quiet_focus.h"
#include "panels/tables/whole_rows.h"
#include "support/names.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtConcurrent>

namespace aotscope {

namespace {

constexpr int kTextMargin = 4;

/// The drawn part of a line. The last line of a large graph has thousands of outputs.
QString drawnText(const QString& line) {
    constexpr qsizetype most = 5000;
    return line.size() > most ? line.left(most) + u'…' : line;
}

}  // namespace

/// A line with its parts in colours.
class GraphTextPanel::Lines : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    Theme theme = Theme::light();

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const bool marked = option.state & QStyle::State_Selected;
        if (marked) painter->fillRect(option.rect, option.palette.highlight());
        const QString line = drawnText(index.data().toString());
        QTextLayout layout(line, option.font);
        if (!marked) layout.setFormats(formatsOf(line));
        layout.beginLayout();
        QTextLine text = layout.createLine();
        layout.endLayout();
        painter->setPen(option.palette.color(marked ? QPalette::HighlightedText : QPalette::Text));
        const double top = option.rect.top() + (option.rect.height() - text.height()) / 2;
        layout.draw(painter, QPointF(option.rect.left() + kTextMargin, top));
    }

private:
    QColor colourOf(GraphTextPart::Kind kind) const {
        switch (kind) {
            case GraphTextPart::Kind::name: return theme.hit;
            case GraphTextPart::Kind::type: return theme.faintText;
            case GraphTextPart::Kind::operation: return theme.current;
            case GraphTextPart::Kind::keyword: return theme.recomputedRung;
        }
        return theme.text;
    }

    QList<QTextLayout::FormatRange> formatsOf(const QString& line) const {
        QList<QTextLayout::FormatRange> formats;
        for (const GraphTextPart& part : partsOf(line)) {
            QTextCharFormat format;
            format.setForeground(colourOf(part.kind));
            formats.append({static_cast<int>(part.start), static_cast<int>(part.length), format});
        }
        return formats;
    }
};

GraphTextPanel::GraphTextPanel(QWidget* parent)
    : QWidget(parent),
      delegate_(new Lines(this)),
      state_(new QLabel(this)),
      find_(new QLineEdit(this)),
      view_(new QuietFocus<QTableView>(this)) {
    setObjectName(QStringLiteral("graphText"));
    makeView();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(4);
    layout->addLayout(makeTop());
    layout->addWidget(view_, 1);
    connect(&watcher_, &QFutureWatcherBase::finished, this, &GraphTextPanel::take);
    setGraph(nullptr);
}

QLayout* GraphTextPanel::makeTop() {
    state_->setObjectName(QStringLiteral("graphTextState"));
    find_->setObjectName(QStringLiteral("graphTextFind"));
    find_->setPlaceholderText(tr("Find in text"));
    find_->setAccessibleName(tr("Find in text"));
    find_->setClearButtonEnabled(true);
    find_->setToolTip(tr("Enter: next line with this text; Shift+Enter: previous (/ in the text)"));
    find_->installEventFilter(this);
    auto* row = new QHBoxLayout;
    row->addWidget(state_, 1);
    row->addWidget(find_, 1);
    const auto button = [&](Qt::ArrowType arrow, const QString& tip, bool forward) {
        auto* tool = new QToolButton(this);
        tool->setArrowType(arrow);
        tool->setAutoRaise(true);
        tool->setToolTip(tip);
        tool->setAccessibleName(tip);
        connect(tool, &QToolButton::clicked, this, [this, forward] { findNext(forward); });
        row->addWidget(tool);
    };
    button(Qt::UpArrow, tr("Previous line with this text"), false);
    button(Qt::DownArrow, tr("Next line with this text"), true);
    return row;
}

void GraphTextPanel::makeView() {
    view_->setObjectName(QStringLiteral("graphTextView"));
    view_->setAccessibleName(tr("Text of the graph"));
    view_->setModel(&model_);
    view_->setItemDelegate(delegate_);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setTabKeyNavigation(false);
    view_->setShowGrid(false);
    view_->setFont(fixedFont());
    view_->installEventFilter(this);
    view_->horizontalHeader()->hide();
    view_->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    keepRowsHigh(*view_, 2);
    view_->verticalHeader()->setHighlightSections(false);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (following_ || !index.isValid()) return;
        node_ = model_.lines()->nodes[static_cast<std::size_t>(index.row())];
        if (node_ != kNoNode) Q_EMIT nodeSelected(node_);
    });
    const auto addAction = [this](const QString& text, const QKeySequence& key, bool all) {
        auto* action = new QAction(text, view_);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, [this, all] { copy(all); });
        view_->addAction(action);
    };
    addAction(tr("Copy Lines"), QKeySequence::Copy, false);
    addAction(tr("Copy All"), {}, true);
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void GraphTextPanel::setGraph(std::shared_ptr<const Graph> graph) {
    graph_ = std::move(graph);
    if (isVisible() || !graph_) write();
}

void GraphTextPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    write();
}

/// Results for a previous graph are dropped when they arrive.
void GraphTextPanel::write() {
    if (!graph_) {
        model_.setLines(nullptr);
        return state_->setText(tr("No graph is shown."));
    }
    if (model_.lines() && model_.lines()->graph == graph_) return;
    state_->setText(tr("Writing…"));
    watcher_.setFuture(QtConcurrent::run([graph = graph_] { return GraphLines::of(graph); }));
}

void GraphTextPanel::take() {
    const auto lines = watcher_.result();
    if (lines->graph != graph_) return;
    following_ = true;
    model_.setLines(lines);
    following_ = false;
    fitColumn();
    state_->setText(toQString(counted(static_cast<std::size_t>(lines->count()), "line")));
    select(node_);
}

void GraphTextPanel::fitColumn() {
    if (const auto& lines = model_.lines())
        view_->setColumnWidth(0, view_->fontMetrics().horizontalAdvance(drawnText(lines->longest)) + 4 * kTextMargin);
}

void GraphTextPanel::select(NodeId node) {
    node_ = node;
    if (!model_.lines()) return;
    const int row = model_.lines()->row(node);
    if (row >= 0 && view_->currentIndex().row() == row && view_->selectionModel()->isRowSelected(row)) return;
    following_ = true;
    if (row < 0) view_->selectionModel()->clear();
    else view_->selectRow(row);
    following_ = false;
    if (row < 0) return;
    const int across = view_->horizontalScrollBar()->value();  // the beginnings of lines do not move
    view_->scrollTo(model_.index(row), QAbstractItemView::PositionAtCenter);
    view_->horizontalScrollBar()->setValue(across);
}

void GraphTextPanel::setTheme(const Theme& theme) {
    delegate_->theme = theme;
    view_->viewport()->update();
}

/// From the current line on; the found line becomes the current one, and its node is selected.
void GraphTextPanel::findNext(bool forward) {
    if (!model_.lines()) return;
    const int now = view_->currentIndex().row();
    const int row = model_.lines()->find(find_->text(), now < 0 ? 0 : now + (forward ? 1 : -1), forward);
    if (row >= 0) view_->selectRow(row);
    else if (!find_->text().isEmpty()) state_->setText(tr("No line has this text."));
}

/// "/" in the text moves to the field, Enter in the field to the next line.
bool GraphTextPanel::eventFilter(QObject* object, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(object, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool slash = object == view_ && key->text() == QLatin1String("/");
    const bool enter = object == find_ && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter);
    if (!slash && !enter) return QWidget::eventFilter(object, event);
    event->accept();
    if (event->type() == QEvent::ShortcutOverride) return true;
    if (enter) findNext(!key->modifiers().testFlag(Qt::ShiftModifier));
    else find_->setFocus(Qt::ShortcutFocusReason);
    return true;
}

void GraphTextPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) fitColumn();
}

void GraphTextPanel::copy(bool all) const {
    if (!model_.lines()) return;
    QString text;
    for (const QModelIndex& index : all ? QModelIndexList() : view_->selectionModel()->selectedRows())
        text += index.data().toString() + u'\n';
    QGuiApplication::clipboard()->setText(all ? model_.lines()->text : text);
}

}  // namespace aotscope
