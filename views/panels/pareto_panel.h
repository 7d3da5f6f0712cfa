#pragma once

#include "charts/pareto_chart.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace aotscope {

/// The Pareto chart of time against memory, with its buttons.
class ParetoPanel : public QWidget {
    Q_OBJECT

public:
    enum class Memory { saved, peak };

    explicit ParetoPanel(QWidget* parent = nullptr);

    /// The memory on the chart's axis.
    Memory memory() const { return static_cast<Memory>(memory_->currentData().toInt()); }
    void showMarks(std::vector<ParetoMark> marks, const QString& timeUnit);
    /// Adds a button for an action of the window.
    void addButton(QAction* action);
    /// Text beside the buttons.
    void showNote(const QString& text) { note_->setText(text); }
    /// `can`: the budgets can be swept; `canMeasure`: there are points to measure.
    void setEnabledFor(bool can, bool canMeasure);
    ParetoChart* chart() const { return chart_; }

Q_SIGNALS:
    void sweepRequested();
    void measureRequested();
    void memoryChanged();
    void exportRequested();

private:
    ParetoChart* chart_;
    QHBoxLayout* row_;
    QComboBox* memory_;
    QToolButton *sweep_, *measure_, *export_;
    QLabel* note_;
};

}  // namespace aotscope
