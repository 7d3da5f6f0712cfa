#pragma once

#include "debug/debugger.h"
#include "panels/query_edit.h"

#include <QLabel>
#include <QListWidget>
#include <QSpinBox>
#include <QWidget>

namespace aotscope {

/// Where a run that is stepped through is to stop: conditions on nodes and on their values.
class ValueBreakpointPanel : public QWidget {
    Q_OBJECT

public:
    explicit ValueBreakpointPanel(QWidget* parent = nullptr);

    const std::vector<DebugBreakpoint>& breakpoints() const { return breakpoints_; }
    void setBreakpoints(std::vector<DebugBreakpoint> breakpoints);
    /// Adds a breakpoint with this condition, or removes the one that there is.
    void toggle(const QString& condition);

    QueryEdit* condition() const { return condition_; }
    QSpinBox* hits() const { return hits_; }
    QListWidget* list() const { return list_; }
    QString said() const { return said_->text(); }

public Q_SLOTS:
    /// Takes what the line says; a sentence says why not.
    void add();
    void removeMarked();

Q_SIGNALS:
    void changed();

private:
    QLayout* makeLine();
    void refill();

    std::vector<DebugBreakpoint> breakpoints_;
    QueryEdit* condition_;
    QSpinBox* hits_;
    QLabel* said_;
    QListWidget* list_;
    bool filling_ = false;
};

}  // namespace aotscope
