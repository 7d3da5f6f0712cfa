#include "window/status_line.h"

#include "crash/crash_handler.h"

namespace aotscope {

StatusLine::StatusLine(QStatusBar* bar)
    : QObject(bar),
      bar_(bar),
      summary_(new ElidedLabel(bar)),
      stage_(new ElidedLabel(bar)),
      progress_(new QProgressBar(bar)),
      cancel_(new QToolButton(bar)) {
    summary_->setObjectName(QStringLiteral("summary"));
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    progress_->setRange(0, 0);
    progress_->setMaximumWidth(120);
    cancel_->setText(tr("Cancel"));
    cancel_->setToolTip(tr("Cancel the running job (Ctrl+.)"));
    connect(cancel_, &QToolButton::clicked, this, &StatusLine::cancelRequested);
    bar->addWidget(summary_, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{stage_, progress_, cancel_}) {
        bar->addPermanentWidget(widget);
        widget->hide();
    }
}

void StatusLine::showProgress(const QString& text) {
    noteForCrashes(CrashNote::work, text.toStdString());
    stage_->setText(text);
    for (QWidget* widget : std::initializer_list<QWidget*>{stage_, progress_, cancel_})
        widget->setVisible(!text.isEmpty());
}

void StatusLine::begin(const QString& title) {
    title_ = title;
    showProgress(title);
}

void StatusLine::enter(const QString& stage) { showProgress(title_ + QStringLiteral(": ") + stage); }

}  // namespace aotscope
