#include "panels/decomposition_panel.h"

#include <QSplitter>
#include <QVBoxLayout>

namespace aotscope {

DecompositionPanel::DecompositionPanel(QWidget* parent)
    : QWidget(parent), rules_(new TablePanel(this)), rewrites_(new TablePanel(this)) {
    rules_->setObjectName(QStringLiteral("decompositionRules"));
    rules_->view()->setAccessibleName(tr("Rules in effect"));
    rewrites_->setObjectName(QStringLiteral("rewriteTable"));
    rewrites_->view()->setAccessibleName(tr("Single rewrites"));
    auto* splitter = new QSplitter(this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(rules_);
    splitter->addWidget(rewrites_);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
}

}  // namespace aotscope
