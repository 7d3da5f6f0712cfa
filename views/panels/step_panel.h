#pragma once

#include "models/step_model.h"

#include <QLabel>
#include <QTableView>

namespace aotscope {

/// The steps of a run node by node. Requests the values of visible rows.
class StepPanel : public QWidget {
    Q_OBJECT

public:
    explicit StepPanel(QWidget* parent = nullptr);

    StepModel& model() { return model_; }
    QTableView* view() const { return view_; }
    void setSteps(std::shared_ptr<const CompileRecord> record, std::vector<DebugStep> steps);
    /// Marks the step that is executed next, and scrolls to it.
    void setPosition(const DebugPosition& position);
    /// One sentence above the table.
    void setState(const QString& sentence) { state_->setText(sentence); }
    /// Marks the row of a node, without a signal.
    void select(GraphKind graph, NodeId node);
    /// Executed steps that are visible and whose values are unknown, by row.
    std::map<int, DebugStep> wanted() const;

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node, aotscope::GraphKind graph);
    /// The visible rows have changed.
    void rowsSeen();

protected:
    void showEvent(QShowEvent* event) override;

private:
    StepModel model_;
    QLabel* state_;
    QTableView* view_;
    bool following_ = false;  ///< the selection is being set by code
};

}  // namespace aotscope
