#include "panels/difference_panel.h"

#include <QSplitter>
#include <QVBoxLayout>

namespace aotscope {

DifferencePanel::DifferencePanel(QWidget* parent)
    : QWidget(parent), numbers_(new TablePanel(this)), values_(new TablePanel(this)) {
    numbers_->setObjectName(QStringLiteral("differenceTable"));
    numbers_->view()->setAccessibleName(tr("Numbers of both partitions"));
    values_->setObjectName(QStringLiteral("changedValuesTable"));
    values_->view()->setAccessibleName(tr("Values whose fate differs"));
    auto* splitter = new QSplitter(this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(numbers_);
    splitter->addWidget(values_);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setSizes({450, 550});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
}

}  // namespace aotscope
