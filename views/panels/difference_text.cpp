#include "panels/difference_text.h"

#include "panels/fixed_font.h"
#include "panels/tables/whole_rows.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

namespace aotscope {

namespace {

constexpr int kLineMargin = 6, kLineGap = 4;

constexpr qsizetype kLongLine = 1000;  ///< characters; longer lines take long to measure

int widthOf(const QString& line) {
    const QFontMetrics metrics(fixedFont());
    if (line.size() < kLongLine) return metrics.horizontalAdvance(line);
    return static_cast<int>(line.size()) * metrics.horizontalAdvance(QLatin1Char('0'));  // all have the same width
}

/// A whole line with its differing words marked.
class LineDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QRect place = option.rect;
        const bool selected = option.state & QStyle::State_Selected;
        const QVariant fill = index.data(Qt::BackgroundRole);
        if (fill.isValid()) painter->fillRect(place, fill.value<QColor>());
        const QFontMetrics metrics(fixedFont());
        const QString line = index.data(Qt::DisplayRole).toString();
        const int left = place.left() + kLineMargin;
        const auto colour = index.data(DifferenceTextModel::DifferingColour).value<QColor>();
        for (const TextPart& part : index.data(DifferenceTextModel::DifferingParts).value<std::vector<TextPart>>()) {
            const int from = metrics.horizontalAdvance(line, static_cast<int>(part.start)),
                      to = metrics.horizontalAdvance(line, static_cast<int>(part.start + part.length));
            painter->fillRect(QRect(left + from, place.top() + 1, to - from, place.height() - 2), colour);
        }
        painter->setFont(fixedFont());
        painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
        painter->drawText(place.adjusted(kLineMargin, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                          line);
        if (!selected) return;
        painter->setPen(QPen(option.palette.color(QPalette::Highlight), 2));
        painter->drawLine(place.topLeft() + QPoint(0, 1), place.topRight() + QPoint(0, 1));
        painter->drawLine(place.bottomLeft(), place.bottomRight());
    }
};

}  // namespace

DifferenceText::DifferenceText(QWidget* parent)
    : QWidget(parent),
      models_{new DifferenceTextModel(DifferenceTextModel::Side::before, this),
              new DifferenceTextModel(DifferenceTextModel::Side::after, this)},
      views_{new QTableView(this), new QTableView(this)} {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    for (const std::size_t side : {0, 1}) {
        prepare(views_[side], models_[side]);
        layout->addWidget(views_[side], 1);
    }
    views_[0]->setObjectName(QStringLiteral("differenceTextBefore"));
    views_[0]->setAccessibleName(tr("Graph before"));
    views_[1]->setObjectName(QStringLiteral("differenceTextAfter"));
    views_[1]->setAccessibleName(tr("Graph after"));
    // One scroll bar serves both; it is on the right.
    views_[0]->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    follow(views_[0], views_[1]);
    follow(views_[1], views_[0]);
}

void DifferenceText::prepare(QTableView* view, DifferenceTextModel* model) {
    view->setModel(model);
    view->setItemDelegate(new LineDelegate(view));
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    view->setShowGrid(false);
    view->setTabKeyNavigation(false);
    view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view->setFont(fixedFont());
    keepRowsHigh(*view, kLineGap);
    view->verticalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    auto* copy = new QAction(tr("Copy Rows"), view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, [this, view] { copyRows(view); });
    view->addAction(copy);
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
}

/// `other` scrolls along with `view`, and marks the same row.
void DifferenceText::follow(QTableView* view, QTableView* other) {
    connect(view->verticalScrollBar(), &QScrollBar::valueChanged, other->verticalScrollBar(), &QScrollBar::setValue);
    connect(view->horizontalScrollBar(), &QScrollBar::valueChanged, other->horizontalScrollBar(),
            &QScrollBar::setValue);
    connect(view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (following_ || !index.isValid()) return;
        selectRow(index.row());
        Q_EMIT rowChosen(index.row());
    });
}

void DifferenceText::setDifference(const std::shared_ptr<const DifferenceLines>& lines) {
    following_ = true;
    for (DifferenceTextModel* model : models_) model->setDifference(lines);
    following_ = false;
    fitColumns();
}

void DifferenceText::setOnlyDifferences(bool only) {
    following_ = true;
    for (DifferenceTextModel* model : models_) model->setOnlyDifferences(only);
    following_ = false;
}

void DifferenceText::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) fitColumns();
}

void DifferenceText::setTheme(const Theme& theme) {
    for (DifferenceTextModel* model : models_) model->setScheme(theme.scheme);
}

/// No line is cut off, and both sides have the same width, so that they scroll alike.
void DifferenceText::fitColumns() {
    const int width = std::max(widthOf(model().longestLine()) + 2 * kLineMargin, 400);
    int numbers = 0;
    for (const QTableView* view : views_) numbers = std::max(numbers, view->verticalHeader()->sizeHint().width());
    for (QTableView* view : views_) {
        view->setColumnWidth(0, width);
        view->verticalHeader()->setFixedWidth(numbers);
    }
}

void DifferenceText::selectRow(int row) {
    following_ = true;
    for (QTableView* view : views_) {
        if (row < 0) view->selectionModel()->clear();
        else if (view->currentIndex().row() != row) view->selectRow(row);
    }
    following_ = false;
}

void DifferenceText::scrollTo(int row) {
    view(DifferenceTextModel::Side::after)->scrollTo(model().index(row, 0), QAbstractItemView::PositionAtCenter);
}

/// Before, after and what changed, separated by tabs.
void DifferenceText::copyRows(const QTableView* view) {
    QStringList lines;
    for (const QModelIndex& row : view->selectionModel()->selectedRows()) {
        QStringList cells;
        for (const DifferenceTextModel* model : models_) cells << model->index(row.row(), 0).data().toString();
        lines << (cells << model().whatChanged(row.row())).join(u'\t');
    }
    QGuiApplication::clipboard()->setText(lines.join(u'\n'));
}

}  // namespace aotscope
