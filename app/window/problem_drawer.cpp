#include "window/problem_drawer.h"

#include "controllers/make_action.h"

#include <QApplication>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace aotscope {

ProblemDrawer::ProblemDrawer(ProblemsPanel* problems, StatusLine* status, QMainWindow* window)
    : QFrame(window), problems_(problems), window_(window) {
    setObjectName(QStringLiteral("problemDrawer"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(problems_);
    action_ = makeAction(this, QStringLiteral("actionProblems"), tr("Pro&blems"), {tr("Ctrl+M")},
                         tr("Shows or hides the list of errors, warnings and notes"),
                         [this] { isVisible() ? shut() : open(true); });
    connect(status, &StatusLine::problemsClicked, action_, &QAction::trigger);
    connect(problems_, &ProblemsPanel::closeRequested, this, &ProblemDrawer::shut);
    connect(problems_, &ProblemsPanel::raised, this, [this] { open(false); });
    connect(problems_, &ProblemsPanel::countChanged, this, [this, status] {
        status->showProblems(problems_->problems(), problems_->count() - problems_->problems());
        if (problems_->count() == 0) shut();
    });
    connect(problems_, &ProblemsPanel::added, status, [status](ProblemsPanel::Kind kind, const QString& text) {
        if (kind != ProblemsPanel::Kind::information) status->say(text);
    });
    window->installEventFilter(this);
    hide();
}

void ProblemDrawer::open(bool takeFocus) {
    if (!isVisible()) before_ = QApplication::focusWidget();
    place();
    show();
    raise();
    problems_->list()->scrollToBottom();
    if (takeFocus) problems_->takeFocus();
}

void ProblemDrawer::shut() {
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    hide();
    if (hadFocus && before_) before_->setFocus(Qt::OtherFocusReason);
}

/// At the lower right, above the status bar, over other content.
void ProblemDrawer::place() {
    const int lines = fontMetrics().height(), bottom = window_->statusBar()->geometry().top();
    const int wanted = problems_->count() > 0 ? 12 * lines : sizeHint().height();
    const QSize size(std::min(window_->width(), 60 * lines), std::min(bottom, wanted));
    setGeometry(QRect(QPoint(window_->width() - size.width(), bottom - size.height()), size));
}

bool ProblemDrawer::eventFilter(QObject* object, QEvent* event) {
    if (object == window_ && event->type() == QEvent::Resize && isVisible()) place();
    return QFrame::eventFilter(object, event);
}

void ProblemDrawer::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return shut();
    QFrame::keyPressEvent(event);
}

}  // namespace aotscope
