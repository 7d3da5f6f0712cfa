#include "panels/pass_difference_view.h"

#include "canvas/difference_picture.h"
#include "support/names.h"

#include <QHBoxLayout>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

namespace aotscope {

PassDifferenceView::PassDifferenceView(QWidget* parent)
    : QWidget(parent),
      slider_(new PassSlider(this)),
      from_(new QComboBox(this)),
      to_(new QComboBox(this)),
      summary_(new QLabel(this)),
      modes_(new QButtonGroup(this)),
      only_(new QCheckBox(tr("Only Differences"), this)),
      pages_(new QStackedWidget(this)),
      canvas_(new GraphView(pages_)),
      text_(new DifferenceText(pages_)) {
    setObjectName(QStringLiteral("passDifference"));
    canvas_->setObjectName(QStringLiteral("differenceCanvas"));
    canvas_->setAccessibleName(tr("Difference graph"));
    text_->setObjectName(QStringLiteral("differenceText"));
    pages_->addWidget(canvas_);
    pages_->addWidget(text_);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 2, 0, 0);
    layout->setSpacing(2);
    addControls(layout);
    layout->addWidget(slider_);
    layout->addWidget(pages_, 1);

    auto* back = new QShortcut(Qt::Key_Escape, this);
    back->setContext(Qt::WidgetWithChildrenShortcut);
    connect(back, &QShortcut::activated, this, &PassDifferenceView::closeRequested);
    connect(slider_, &PassSlider::rangeChanged, this, &PassDifferenceView::choose);
    connect(canvas_, &GraphView::nodeSelected, this, [this](NodeId node) {
        select(node);
        Q_EMIT nodeSelected(node);
    });
    connect(text_, &DifferenceText::rowChosen, this, &PassDifferenceView::chooseRow);
    connect(only_, &QCheckBox::toggled, this, [this](bool only) {
        text_->setOnlyDifferences(only);
        select(selected_);
    });
    connect(canvas_, &GraphView::groupToggled, this, [this](int group, bool open) {
        if (whole_) layOut(toggled(*whole_->groups, state_, group, open), (*whole_->groups)[group].key);
    });
    connect(&job_, &LayoutJob::finished, this, &PassDifferenceView::showLayout);
    connect(canvas_->legend(), &Legend::changed, this, &PassDifferenceView::fitLegend);
}

/// The summary needs most of their line.
void PassDifferenceView::fitLegend() { canvas_->legend()->setFolded(3 * canvas_->legend()->lineWidth() > width()); }

void PassDifferenceView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitLegend();
}

void PassDifferenceView::addControls(QLayout* layout) {
    auto* line = new QHBoxLayout;
    line->setContentsMargins(8, 0, 8, 0);
    line->addWidget(new QLabel(tr("Difference from"), this));
    line->addWidget(from_, 1);
    line->addWidget(new QLabel(tr("to"), this));
    line->addWidget(to_, 1);
    static_cast<QVBoxLayout*>(layout)->addLayout(line);
    line = new QHBoxLayout;
    line->setContentsMargins(8, 0, 8, 0);
    summary_->setWordWrap(true);
    line->addWidget(summary_, 1);
    line->addWidget(canvas_->legend());
    line->addWidget(only_);
    for (const auto& [id, text] : {std::pair{0, tr("Graph")}, std::pair{1, tr("Text")}}) {
        auto* button = new QToolButton(this);
        button->setText(text);
        button->setCheckable(true);
        button->setAutoRaise(true);
        modes_->addButton(button, id);
        line->addWidget(button);
    }
    modes_->button(0)->setChecked(true);
    only_->setVisible(false);
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("✕"));
    close->setToolTip(tr("Back to the graphs (Esc)"));
    close->setAccessibleName(tr("Close the difference"));
    close->setAutoRaise(true);
    line->addWidget(close);
    static_cast<QVBoxLayout*>(layout)->addLayout(line);
    summary_->setObjectName(QStringLiteral("differenceSummary"));
    from_->setAccessibleName(tr("Difference from"));
    to_->setAccessibleName(tr("Difference to"));
    for (QComboBox* box : {from_, to_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(4);
        connect(box, &QComboBox::activated, this, [this] { choose(from_->currentIndex(), to_->currentIndex()); });
    }
    connect(modes_, &QButtonGroup::idClicked, this, [this](int mode) { showText(mode == 1); });
    connect(close, &QToolButton::clicked, this, &PassDifferenceView::closeRequested);
}

void PassDifferenceView::setStops(const QStringList& titles) {
    slider_->setStops(titles);
    for (QComboBox* box : {from_, to_}) {
        box->clear();
        box->addItems(titles);
    }
}

void PassDifferenceView::setRange(int from, int to) {
    slider_->setRange(from, to);
    from_->setCurrentIndex(slider_->from());
    to_->setCurrentIndex(slider_->to());
}

void PassDifferenceView::choose(int from, int to) {
    setRange(from, to);
    Q_EMIT rangeChanged(slider_->from(), slider_->to());
}

void PassDifferenceView::wait() {
    job_.cancel();
    whole_.reset();
    summary_->setText(tr("Comparing…"));
}

void PassDifferenceView::showDifference(const std::shared_ptr<const DifferenceLines>& lines,
                                        std::shared_ptr<const DrawnGraph> drawn, const ViewState& state) {
    summary_->setText(toQString(summaryOf(*lines->difference)));
    text_->setDifference(lines);
    whole_ = std::move(drawn);
    fresh_ = true;
    canvas_->setNote(tr("Laying out %1…").arg(toQString(counted(whole_->nodes.size(), "box"))));
    layOut(state, {});
    select(selected_);
    // Scrolls the text to the first difference.
    int first = 0;
    while (first < model().rowCount() && model().row(first).kind == DifferenceKind::same) ++first;
    if (first < model().rowCount()) text_->scrollTo(first);
}

/// A new picture starts at the first box that differs.
void PassDifferenceView::showLayout(const std::shared_ptr<const DrawnGraph>& seen,
                                    const std::shared_ptr<const GraphLayout>& places) {
    canvas_->showGraph(seen, places, fresh_ ? GraphView::Camera::fit : GraphView::Camera::keep, anchor_);
    canvas_->select(selected_);
    if (const int first = fresh_ ? firstChange(*seen) : -1; first >= 0)
        canvas_->goTo({places->boxes[static_cast<std::size_t>(first)].center(), canvas_->position().zoom});
    fresh_ = false;
}

void PassDifferenceView::layOut(const ViewState& state, const QString& anchor) {
    state_ = state;
    anchor_ = anchor;
    job_.start(whole_, state_);
}

void PassDifferenceView::showText(bool text) {
    pages_->setCurrentWidget(text ? static_cast<QWidget*>(text_) : canvas_);
    modes_->button(text ? 1 : 0)->setChecked(true);
    only_->setVisible(text);
    canvas_->legend()->setVisible(!text);
}

void PassDifferenceView::chooseRow(int row) {
    const DifferenceRow& chosen = model().row(row);
    const NodeId node = chosen.after != kNoNode ? chosen.after : ghostId(chosen.before);
    select(node);
    Q_EMIT nodeSelected(node);
}

void PassDifferenceView::select(NodeId node) {
    selected_ = node;
    canvas_->select(node);
    const bool ghost = isGhost(node);
    text_->selectRow(model().rowOf(ghost ? originalId(node) : kNoNode, ghost ? kNoNode : node));
}

}  // namespace aotscope
