#pragma once

#include "debug/debugger.h"
#include "panels/query_edit.h"

#include <QLabel>
#include <QListWidget>
#include <QSpinBox>
#include <QWidget>

namespace aotscope {

/// The breakpoints of the debugger: conditions on nodes and on their values.
class ValueBreakpointPanel : public QWidget {
    Q_OBJECT

public:
    explicit ValueBreakpointPanel(QWidget* parent = nullptr);

    const std::vector<DebugBreakpoint>& breakpoints() const { return breakpoints_; }
    void setBreakpoints(std::vector<DebugBreakpoint> breakpoints);
    /// Adds a breakpoint with this condition, or removes an existing one.
    void toggle(const QString& condition);

    QueryEdit* condition() const { return condition_; }
    QSpinBox* hits() const { return hits_; }
    QListWidget* list() const { return list_; }
    QString said() const { return said_->text(); }

public Q_SLOTS:
    /// Adds what the line says, or shows why it cannot.
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
