#include "panels/compare_panel.h"

#include <QSplitter>
#include <QVBoxLayout>

namespace aotscope {

ComparePanel::ComparePanel(QWidget* parent)
    : QWidget(parent), runs_(new TablePanel(this)), nodes_(new TablePanel(this)) {
    runs_->setObjectName(QStringLiteral("comparedRuns"));
    runs_->view()->setAccessibleName(tr("What distinguishes the two runs"));
    nodes_->setObjectName(QStringLiteral("comparedNodes"));
    nodes_->view()->setAccessibleName(tr("The selected operation in both runs"));
    auto* splitter = new QSplitter(this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(runs_);
    splitter->addWidget(nodes_);
    splitter->setSizes({500, 500});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
}

}  // namespace aotscope
