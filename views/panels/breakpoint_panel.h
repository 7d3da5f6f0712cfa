#pragma once

#include "panels/query_edit.h"
#include "passes/breakpoints.h"

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QStackedWidget>
#include <QWidget>

namespace aotscope {

/// The breakpoints of the pipeline, and where it is paused.
class BreakpointPanel : public QWidget {
    Q_OBJECT

public:
    explicit BreakpointPanel(QWidget* parent = nullptr);

    const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }
    void setBreakpoints(std::vector<Breakpoint> breakpoints);
    /// Shows where the pipeline is paused; empty: it is running, or there is nothing to run.
    void setStopped(const QString& reason);
    QListWidget* list() const { return list_; }

public Q_SLOTS:
    /// Adds what the line says, or shows why it cannot.
    void add();
    void removeMarked();

Q_SIGNALS:
    void changed();
    void continueRequested();
    void stepRequested();

public:
    QComboBox* when() const { return when_; }
    QComboBox* pass() const { return pass_; }
    QueryEdit* query() const { return query_; }
    QString state() const { return state_->text(); }

private:
    void refill();
    QLayout* makeLine();
    QLayout* makeButtons();

    std::vector<Breakpoint> breakpoints_;
    QComboBox *when_, *pass_;
    QueryEdit* query_;
    QStackedWidget* what_;
    QLabel* state_;
    QListWidget* list_;
    QPushButton *continue_, *step_;
    bool filling_ = false;
};

}  // namespace aotscope
