#include "panels/history_panel.h"

#include "panels/tables/quiet_focus.h"
#include "panels/tables/whole_rows.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>
#include <functional>

namespace aotscope {

namespace {

using State = HistoryStep::State;

constexpr int kWidestChange = 420;  ///< pixels; longer ones are in the tooltip

/// One field for every graph.
class Strip : public QWidget {
public:
    struct Field {
        NodeColours colours;
        QString title, tip;
        bool current = false;
    };

    explicit Strip(QWidget* parent) : QWidget(parent) {
        setObjectName(QStringLiteral("historyStrip"));
        setFixedHeight(fontMetrics().height() + 14);
        setCursor(Qt::PointingHandCursor);
    }
    void setFields(std::vector<Field> fields) {
        fields_ = std::move(fields);
        update();
    }
    std::function<void(int)> chosen;

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            const QRectF place = placeOf(i).adjusted(1.5, 2.5, -1.5, -2.5);
            const QColor border = palette().color(fields_[i].current ? QPalette::Highlight : QPalette::Mid);
            painter.setPen(QPen(border, fields_[i].current ? 2.5 : 1));
            painter.setBrush(fields_[i].colours.fill);
            painter.drawRoundedRect(place, 4, 4);
            painter.setPen(fields_[i].colours.text);
            painter.drawText(
                place.adjusted(4, 0, -4, 0), Qt::AlignCenter,
                fontMetrics().elidedText(fields_[i].title, Qt::ElideRight, static_cast<int>(place.width()) - 8));
        }
    }
    void mousePressEvent(QMouseEvent* event) override {
        if (const int field = fieldAt(event->position().x()); field >= 0 && chosen) chosen(field);
    }
    bool event(QEvent* event) override {
        if (event->type() != QEvent::ToolTip) return QWidget::event(event);
        auto* help = static_cast<QHelpEvent*>(event);
        if (const int field = fieldAt(help->pos().x()); field >= 0)
            QToolTip::showText(help->globalPos(), fields_[static_cast<std::size_t>(field)].tip, this);
        return true;
    }

private:
    double step() const {
        return fields_.empty() ? 1 : static_cast<double>(width()) / static_cast<double>(fields_.size());
    }
    QRectF placeOf(std::size_t i) const {
        return {step() * static_cast<double>(i), 0, step(), static_cast<double>(height())};
    }
    int fieldAt(double x) const {
        const int field = static_cast<int>(x / step());
        return field >= 0 && field < static_cast<int>(fields_.size()) ? field : -1;
    }

    std::vector<Field> fields_;
};

}  // namespace

QString describe(const HistoryStep& step) {
    const QString change = toQString(step.change);
    return change.isEmpty() ? meaningOf(step.state) : QObject::tr("%1: %2").arg(meaningOf(step.state), change);
}

QString meaningOf(State state) { return toQString(name(state)); }

Meaning colourFor(State state) {
    switch (state) {
        case State::appears: return Meaning::added;
        case State::changed: return Meaning::changed;
        case State::replaced: return Meaning::replaced;
        case State::gone: return Meaning::removed;
        case State::unchanged: return Meaning::unchanged;
        case State::absent: break;
    }
    return Meaning::absent;
}

HistoryPanel::HistoryPanel(QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), strip_(new Strip(this)), table_(new QuietFocus<QTableWidget>(this)) {
    table_->setObjectName(QStringLiteral("historyTable"));
    table_->setAccessibleName(tr("Node history"));
    table_->setColumnCount(3);
    table_->setHorizontalHeaderLabels({tr("Graph"), tr("Change"), tr("Node in This Graph")});
    table_->horizontalHeaderItem(0)->setToolTip(tr("The graphs of the run, in the order of the passes"));
    table_->horizontalHeaderItem(1)->setToolTip(tr("What became of the node between the graph before and this one"));
    table_->horizontalHeaderItem(2)->setToolTip(tr("The node itself, or what has replaced it"));
    showWholeRows(*table_);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setShowGrid(false);
    table_->horizontalHeader()->setStretchLastSection(true);
    title_->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(3);
    layout->addWidget(title_);
    layout->addWidget(strip_);
    layout->addWidget(table_, 1);
    const auto choose = [this](int step) {
        if (!following_ && step >= 0) Q_EMIT stepChosen(step);
    };
    static_cast<Strip*>(strip_)->chosen = choose;
    connect(table_, &QTableWidget::currentCellChanged, this, choose);
    connect(table_, &QTableWidget::cellClicked, this, choose);
    showMessage(tr("Select a node to see how each pass changes it."));
}

void HistoryPanel::showMessage(const QString& text) {
    steps_.clear();
    title_->setText(text);
    strip_->hide();
    table_->hide();
}

void HistoryPanel::showHistory(const CompileRecord& record, const QString& node, std::vector<HistoryStep> steps) {
    steps_ = std::move(steps);
    titles_.clear();
    title_->setText(tr("%1 in all graphs of the run").arg(node));
    following_ = true;
    table_->setRowCount(static_cast<int>(steps_.size()));
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const HistoryStep& step = steps_[i];
        titles_ << titleOf(record, step.where);
        const int row = static_cast<int>(i);
        table_->setItem(row, 0, new QTableWidgetItem(titles_.back()));
        table_->setItem(row, 1, new QTableWidgetItem(describe(step)));
        table_->item(row, 1)->setToolTip(describe(step));
        table_->setItem(row, 2, new QTableWidgetItem(toQString(step.text)));
        table_->item(row, 2)->setToolTip(toQString(step.text));
    }
    table_->resizeColumnToContents(0);
    table_->resizeColumnToContents(1);
    table_->setColumnWidth(1, std::min(table_->columnWidth(1), kWidestChange));
    following_ = false;
    strip_->show();
    table_->show();
    colour();
}

void HistoryPanel::setCurrent(int step) {
    current_ = step;
    following_ = true;
    if (step >= 0 && step < table_->rowCount()) table_->selectRow(step);
    else table_->setCurrentItem(nullptr);
    following_ = false;
    colour();
}

void HistoryPanel::setTheme(const Theme& theme) {
    scheme_ = theme.scheme;
    colour();
}

void HistoryPanel::colour() {
    std::vector<Strip::Field> fields;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const NodeColours& colours = coloursOf(colourFor(steps_[i].state), scheme_);
        const int row = static_cast<int>(i);
        fields.push_back(
            {colours, titles_[row], titles_[row] + QStringLiteral(": ") + describe(steps_[i]), row == current_});
        if (QTableWidgetItem* change = table_->item(row, 1)) {
            change->setBackground(colours.fill);
            change->setForeground(colours.text);
        }
    }
    static_cast<Strip*>(strip_)->setFields(std::move(fields));
}

}  // namespace aotscope
