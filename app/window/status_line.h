#pragma once

#include "controllers/remaining_time.h"
#include "panels/elided_label.h"

#include <QProgressBar>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>

namespace aotscope {

/// The status bar: what is shown, the number of problems, and background work, with a button to cancel it.
class StatusLine : public QObject {
    Q_OBJECT

public:
    explicit StatusLine(QStatusBar* bar);

    void setSummary(const QString& text) { summary_->setText(text); }
    /// A temporary sentence.
    void say(const QString& sentence) { bar_->showMessage(sentence, 8000); }
    void sayWritten(const QString& file) { say(tr("Saved %1").arg(file)); }
    /// The number of listed errors and warnings, and of notes.
    void showProblems(int problems, int notes);
    /// The other machine of the model; empty: this one. `why`: why the connection is broken.
    void showMachine(const QString& place, const QString& why);
    /// What runs, and how long it still takes, as far as its stages tell; empty: nothing.
    void showProgress(const QString& text);
    /// As above, for work that is already shown: only the text changes.
    void setStage(const QString& text);

    /// Shows the work of a job or controller: its title, its stages, its end.
    template <typename Worker>
    void follow(Worker* worker) {
        connect(worker, &Worker::started, this, [this](const QString& title) { showProgress(title_ = title); });
        connect(worker, &Worker::stageEntered, this,
                [this](const QString& stage) { showProgress(title_ + QStringLiteral(": ") + stage); });
        connect(worker, &Worker::finished, this, [this] { showProgress({}); });
    }

Q_SIGNALS:
    void cancelRequested();
    void problemsClicked();
    void machineClicked();

private:
    QToolButton* makeButton(const char* name);
    void showStage();

    QStatusBar* bar_;
    ElidedLabel *summary_, *stage_;
    QToolButton *machine_, *problems_;
    QProgressBar* progress_;
    QToolButton* cancel_;
    QString title_, running_;
    RemainingTime remaining_;
    QTimer clock_;
};

}  // namespace aotscope
