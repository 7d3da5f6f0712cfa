#pragma once

#include "charts/memory_chart.h"
#include "cost/live_memory.h"
#include "models/variant.h"
#include "panels/tables/table_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <memory>

namespace aotscope {

/// The live-memory curve of a partition, and the live values at its peak or at a clicked step.
class MemoryPanel : public QWidget {
    Q_OBJECT

public:
    explicit MemoryPanel(QWidget* parent = nullptr);

    /// Predicted peak and, once timed, the measured one. `arena`: how much all of it takes in one arena. `whatIf`: of a
    /// partition that was not compiled.
    void showMemory(std::shared_ptr<const LiveMemory> memory, std::optional<MeasuredFigures> measured,
                    const QString& arena = {}, bool whatIf = false);
    void addButton(QAction* action);
    MemoryChart* chart() const { return chart_; }
    TablePanel* live() const { return live_; }
    /// Predicted against measured.
    QString note() const { return note_->text(); }
    /// What is in the marked range; empty: nothing is marked.
    QString rangeText() const { return range_->text(); }

Q_SIGNALS:
    /// The operation that runs at a clicked step.
    void nodeSelected(aotscope::NodeId node);
    /// The operations of a marked range.
    void nodesSelected(const std::vector<aotscope::NodeId>& nodes);
    void exportRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void showPoint(std::size_t point);
    void showRange();

    std::shared_ptr<const LiveMemory> memory_;
    std::optional<MeasuredFigures> measured_;
    bool outdated_ = false;  ///< this memory is not drawn yet
    QHBoxLayout* row_;
    QToolButton* export_;
    QLabel* note_;
    MemoryChart* chart_;
    TablePanel* live_;
    QLabel* range_;
};

}  // namespace aotscope
