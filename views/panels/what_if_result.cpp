#include "panels/what_if_result.h"

#include "models/palette.h"
#include "models/words/to_qstring.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace aotscope {

namespace {

constexpr int kNoteLines = 2;

/// One line that requests no more room than it has.
QLabel* lineLabel(QWidget* parent, Qt::Alignment alignment) {
    auto* label = new QLabel(parent);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    label->setAlignment(alignment | Qt::AlignVCenter);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setTextFormat(Qt::PlainText);
    label->setFixedHeight(label->fontMetrics().lineSpacing() + 2);
    return label;
}

void embolden(QLabel* label) {
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
}

}  // namespace

WhatIfResult::WhatIfResult(QWidget* parent)
    : QWidget(parent), top_(new QHBoxLayout), heading_(lineLabel(this, Qt::AlignLeft)), notes_(new QLabel(this)) {
    const auto makeRow = [this] {
        return Row{lineLabel(this, Qt::AlignLeft), lineLabel(this, Qt::AlignRight), lineLabel(this, Qt::AlignRight),
                   lineLabel(this, Qt::AlignRight)};
    };
    titles_ = makeRow();
    for (int i = 0; i < kResultFigures; ++i) rows_.push_back(makeRow());
    embolden(heading_);
    for (const Row& row : rows_) embolden(row.after);
    heading_->setObjectName(QStringLiteral("whatIfShown"));
    notes_->setObjectName(QStringLiteral("whatIfNotes"));
    notes_->setWordWrap(true);
    notes_->setTextFormat(Qt::RichText);
    notes_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    notes_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    setAccessibleName(tr("Result of what-if"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    layOut();
}

void WhatIfResult::layOut() {
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(0);
    int line = 0;
    const auto add = [&](const Row& row) {
        int column = 0;
        for (QLabel* label : {row.what, row.after, row.before, row.difference}) grid->addWidget(label, line, column++);
        ++line;
    };
    add(titles_);
    for (const Row& row : rows_) add(row);
    // The first has names; the second is bold.
    for (const auto& [column, share] : {std::pair(0, 13), {1, 10}, {2, 9}, {3, 9}})
        grid->setColumnStretch(column, share);
    auto* notes = new QScrollArea(this);
    notes->setFrameShape(QFrame::NoFrame);
    notes->setAccessibleName(tr("Notes on the result"));
    notes->setWidgetResizable(true);
    notes->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    notes->setFixedHeight(notes_->fontMetrics().lineSpacing() * kNoteLines);
    notes->setWidget(notes_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 8, 0);
    column->setSpacing(2);
    top_->setSpacing(4);
    top_->addWidget(heading_, 1);
    column->addLayout(top_);
    column->addLayout(grid);
    column->addWidget(notes);
}

void WhatIfResult::addButtons(const std::vector<QAction*>& actions) {
    for (QAction* action : actions) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        top_->addWidget(button);
    }
}

void WhatIfResult::show(const PartitionResult& result, const QStringList& notes) {
    shown_ = result.shown;
    heading_->setToolTip(shown_);
    elideHeading();
    titles_.after->setText(tr("Shown"));
    titles_.before->setText(titles_.before->fontMetrics().elidedText(
        result.before, Qt::ElideRight,
        std::max(titles_.before->width(), heading_->fontMetrics().averageCharWidth() * 9)));
    titles_.before->setToolTip(tr("What it is compared with: %1").arg(result.before));
    titles_.difference->setText(tr("Difference"));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const PartitionResult::Figure& figure = result.figures.at(i);
        rows_[i].what->setText(figure.what);
        rows_[i].what->setToolTip(capitalized(figure.help));
        rows_[i].after->setText(figure.after);
        rows_[i].before->setText(figure.before);
        rows_[i].difference->setText(figure.difference);
    }
    QStringList lines;
    for (const QString& note : notes) lines << capitalized(note).toHtmlEscaped();
    setNotes(lines.join(QStringLiteral("<br>")));
}

void WhatIfResult::elideHeading() {
    heading_->setText(heading_->fontMetrics().elidedText(shown_, Qt::ElideRight, heading_->width()));
}

void WhatIfResult::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    elideHeading();
}

void WhatIfResult::showProblem(const QString& text) {
    const QColor colour = verdictColour(false, palette().color(QPalette::Window).lightness() < 128);
    setNotes(QStringLiteral("<span style='color:%1'>%2</span>").arg(colour.name(), text.toHtmlEscaped()));
}

void WhatIfResult::setNotes(const QString& html) {
    notes_->setText(html);
    notes_->setToolTip(html);
}

void WhatIfResult::clear() {
    shown_.clear();
    for (QLabel* label : {heading_, titles_.after, titles_.before, titles_.difference, notes_}) label->clear();
    for (const Row& row : rows_)
        for (QLabel* label : {row.what, row.after, row.before, row.difference}) label->clear();
}

QString WhatIfResult::text() const {
    QStringList lines{shown_};
    for (const Row& row : rows_)
        lines << tr("%1: %2 (%3)").arg(row.what->text(), row.after->text(), row.difference->text());
    return (lines << notes_->text()).join(u'\n');
}

}  // namespace aotscope
