#include "window/status_line.h"

#include "crash/crash_handler.h"
#include "models/words/to_qstring.h"
#include "support/names.h"

#include <QStyle>

namespace aotscope {

StatusLine::StatusLine(QStatusBar* bar)
    : QObject(bar),
      bar_(bar),
      summary_(new ElidedLabel(bar)),
      stage_(new ElidedLabel(bar)),
      machine_(makeButton("machine")),
      problems_(makeButton("problemCounter")),
      progress_(new QProgressBar(bar)),
      cancel_(new QToolButton(bar)) {
    summary_->setObjectName(QStringLiteral("summary"));
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    summary_->setToolTip(
        tr("The shown graph, as PyTorch names it: model, compilation, kind, number\n"
           "Saved: what forward keeps in memory only for backward\n"
           "Already kept: what backward reads and saving costs nothing, such as inputs and views\n"
           "Recomputed: operations that backward computes again\n"
           "Pipeline: the time to compile; forward, backward: their measured times"));
    stage_->setObjectName(QStringLiteral("stage"));
    clock_.setInterval(1000);
    connect(&clock_, &QTimer::timeout, this, &StatusLine::showStage);
    progress_->setRange(0, 0);
    progress_->setMaximumWidth(120);
    cancel_->setText(tr("Cancel"));
    cancel_->setToolTip(tr("Cancel the running job (Ctrl+.)"));
    connect(cancel_, &QToolButton::clicked, this, &StatusLine::cancelRequested);
    problems_->setToolTip(tr("Errors, warnings and notes (Ctrl+M)"));
    connect(machine_, &QToolButton::clicked, this, &StatusLine::machineClicked);
    connect(problems_, &QToolButton::clicked, this, &StatusLine::problemsClicked);
    bar->setContentsMargins(4, 0, 0, 0);
    bar->addWidget(summary_, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{machine_, problems_, stage_, progress_, cancel_}) {
        bar->addPermanentWidget(widget);
        widget->hide();
    }
}

QToolButton* StatusLine::makeButton(const char* name) {
    auto* button = new QToolButton(bar_);
    button->setObjectName(QLatin1String(name));
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

void StatusLine::showMachine(const QString& place, const QString& why) {
    constexpr int characters = 28;
    const QFontMetrics metrics = machine_->fontMetrics();
    const QString name = metrics.elidedText(place, Qt::ElideMiddle, characters * metrics.averageCharWidth());
    machine_->setVisible(!place.isEmpty());
    machine_->setText(why.isEmpty() ? name : tr("%1: disconnected").arg(name));
    machine_->setIcon(
        bar_->style()->standardIcon(why.isEmpty() ? QStyle::SP_DriveNetIcon : QStyle::SP_MessageBoxWarning));
    machine_->setToolTip(why.isEmpty() ? tr("The model is on %1, which is connected").arg(place)
                                       : why + u'\n' + tr("Click to connect again"));
}

void StatusLine::showProblems(int problems, int notes) {
    problems_->setVisible(problems + notes > 0);
    problems_->setText(problems > 0 ? toQString(counted(static_cast<std::size_t>(problems), "problem"))
                                    : toQString(counted(static_cast<std::size_t>(notes), "note")));
    problems_->setIcon(
        bar_->style()->standardIcon(problems > 0 ? QStyle::SP_MessageBoxWarning : QStyle::SP_MessageBoxInformation));
}

void StatusLine::showProgress(const QString& text) {
    noteForCrashes(CrashNote::work, text.toStdString());
    setStage(text);
    for (QWidget* widget : std::initializer_list<QWidget*>{stage_, progress_, cancel_})
        widget->setVisible(!text.isEmpty());
}

void StatusLine::setStage(const QString& text) {
    running_ = text;
    remaining_.enter(text, RemainingTime::Clock::now());
    if (text.isEmpty()) clock_.stop();
    else if (!clock_.isActive()) clock_.start();
    showStage();
}

void StatusLine::showStage() {
    const QString left = remaining_.text(RemainingTime::Clock::now());
    stage_->setText(left.isEmpty() ? running_ : tr("%1, %2").arg(running_, left));
}

}  // namespace aotscope
