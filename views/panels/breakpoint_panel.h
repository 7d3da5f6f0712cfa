#pragma once

#include "models/breakpoint_model.h"
#include "panels/tables/query_edit.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>

namespace aotscope {

/// All breakpoints, of the pipeline and of the debugger, with a line to add one, and where the pipeline is paused.
class BreakpointPanel : public QWidget {
    Q_OBJECT

public:
    explicit BreakpointPanel(QWidget* parent = nullptr);

    const std::vector<Breakpoint>& breakpoints() const { return model_.ofPipeline(); }
    void setBreakpoints(std::vector<Breakpoint> breakpoints);
    const std::vector<DebugBreakpoint>& conditions() const { return model_.ofDebugger(); }
    void setConditions(std::vector<DebugBreakpoint> conditions) { model_.setOfDebugger(std::move(conditions)); }
    /// See BreakpointModel::setHits().
    void showHits(std::map<std::string, int> hits) { model_.setHits(std::move(hits)); }
    /// The passes of a record may have names of their own; they include those of an incomplete record.
    void setPasses(const CompileRecord* record);
    /// Adds a breakpoint of the debugger with this condition, or removes an existing one.
    void toggleCondition(const QString& condition);
    /// Shows where the pipeline is paused; empty: it is running, or nothing can run.
    void setStopped(const QString& reason);
    /// Prepares for typing a new condition of the debugger.
    void startCondition();

    QTableView* view() const { return view_; }
    QComboBox* when() const { return when_; }
    QComboBox* pass() const { return pass_; }
    QueryEdit* query() const { return query_; }
    QueryEdit* condition() const { return condition_; }
    QSpinBox* hits() const { return hits_; }
    QString state() const { return state_->text(); }
    /// The entry of when() for breakpoints of the debugger.
    int conditionEntry() const { return when_->count() - 1; }

public Q_SLOTS:
    /// Adds the breakpoint in the line, or shows why it is invalid.
    void add();
    void removeSelected();
    /// Enables the selected ones, or disables them if all are enabled.
    void toggleSelected();

Q_SIGNALS:
    /// The user has added, removed, enabled or disabled some.
    void changed();
    void continueRequested();
    void stepRequested();

private:
    QLayout* makeLine();
    QLayout* makeButtons();
    void makeTable();
    void makeTableActions();
    QWidget* makeConditionLine();
    void addOfPipeline(const Breakpoint& breakpoint);
    void addOfDebugger(const DebugBreakpoint& breakpoint);
    QList<int> selectedRows() const;
    void showState();

    BreakpointModel model_;
    std::vector<std::string> passes_;  ///< that can be chosen
    QComboBox *when_, *pass_;
    QueryEdit *query_, *condition_;
    QSpinBox* hits_;
    QStackedWidget* what_;
    QLabel* state_;
    QTableView* view_;
    QPushButton *continue_, *step_;
    QString stopped_;  ///< why the pipeline is paused; empty: it is not
};

}  // namespace aotscope
