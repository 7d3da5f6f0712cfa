#include "window/centre.h"

#include <QApplication>

namespace aotscope {

Centre::Centre(QWidget* parent)
    : QStackedWidget(parent), start_(new StartPage(this)), graphs_(new QSplitter(this)), pane_(new GraphPane(graphs_)) {
    pane_->setObjectName(QStringLiteral("graphPane"));
    graphs_->setChildrenCollapsible(false);
    graphs_->addWidget(pane_);
    addWidget(start_);
    addWidget(graphs_);
}

void Centre::showStart(const QStringList& recentModels) {
    start_->refresh(recentModels);
    setCurrentWidget(start_);
}

void Centre::showGraphs() {
    if (currentWidget() == graphs_) return;
    const bool hadFocus = start_->isAncestorOf(QApplication::focusWidget());
    setCurrentWidget(graphs_);
    if (hadFocus) pane_->view()->setFocus(Qt::OtherFocusReason);  // Qt would choose the tabs above it
}

}  // namespace aotscope
