#include "panels/check_panel.h"

#include <QHBoxLayout>
#include <QStyle>
#include <QVBoxLayout>

namespace aotscope {

namespace {

QStyle::StandardPixmap iconOf(CheckStory::Verdict verdict) {
    switch (verdict) {
        case CheckStory::Verdict::equal: return QStyle::SP_DialogApplyButton;
        case CheckStory::Verdict::notCompared: return QStyle::SP_MessageBoxWarning;
        default: return QStyle::SP_MessageBoxCritical;
    }
}

}  // namespace

CheckPanel::CheckPanel(QWidget* parent)
    : QWidget(parent),
      icon_(new QLabel(this)),
      sentence_(new QLabel(this)),
      details_(new QLabel(this)),
      difference_(new QLabel(this)),
      showPlace_(new QPushButton(tr("Show Operation"), this)),
      values_(new TablePanel(this)) {
    sentence_->setObjectName(QStringLiteral("checkVerdict"));
    QFont bold = sentence_->font();
    bold.setBold(true);
    sentence_->setFont(bold);
    details_->setObjectName(QStringLiteral("checkDetails"));
    difference_->setObjectName(QStringLiteral("firstDifference"));
    for (QLabel* label : {sentence_, details_, difference_}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    showPlace_->setToolTip(tr("Shows the graph after the first pass that differs, and selects the operation"));
    values_->setObjectName(QStringLiteral("checkTable"));
    values_->view()->setAccessibleName(tr("Compared values"));
    auto* verdict = new QHBoxLayout;
    verdict->addWidget(icon_);
    verdict->addWidget(sentence_, 1);
    auto* place = new QHBoxLayout;
    place->addWidget(difference_, 1);
    place->addWidget(showPlace_, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addLayout(verdict);
    layout->addWidget(details_);
    layout->addLayout(place);
    layout->addWidget(values_, 1);
    layout->addStretch(0);
    connect(showPlace_, &QPushButton::clicked, this, &CheckPanel::placeAsked);
    setStory({});
}

void CheckPanel::setStory(CheckStory story) {
    story_ = std::move(story);
    const bool known = story_.verdict != CheckStory::Verdict::none;
    const int size = fontMetrics().height();
    icon_->setVisible(known);
    icon_->setPixmap(style()->standardIcon(iconOf(story_.verdict)).pixmap(size, size));
    sentence_->setText(story_.sentence);
    // As one paragraph, which needs less room than lines.
    details_->setText(QString(story_.details).replace(u'\n', u' '));
    details_->setVisible(!story_.details.isEmpty());
    difference_->setText(story_.difference);
    difference_->setVisible(!story_.difference.isEmpty());
    showPlace_->setVisible(story_.hasPlace);
    values_->setVisible(!story_.values.columns.empty());
    values_->setContent(story_.values);
}

}  // namespace aotscope
