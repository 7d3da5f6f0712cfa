#pragma once

#include "charts/pareto_chart.h"

#include <QComboBox>
#include <QLabel>
#include <QToolButton>

namespace aotscope {

/// The Pareto chart of memory against time with what can be asked of it.
class ParetoPanel : public QWidget {
    Q_OBJECT

public:
    enum class Memory { saved, peak };

    explicit ParetoPanel(QWidget* parent = nullptr);

    /// Which memory is drawn.
    Memory memory() const { return static_cast<Memory>(memory_->currentData().toInt()); }
    void showMarks(std::vector<ParetoMark> marks, const QString& timeUnit);
    /// A sentence beside the buttons.
    void showNote(const QString& text) { note_->setText(text); }
    /// `can`: there is something to sweep; `canMeasure`: and to measure.
    void setEnabledFor(bool can, bool canMeasure);
    void setTheme(const Theme& theme) { chart_->setTheme(theme); }
    ParetoChart* chart() const { return chart_; }

Q_SIGNALS:
    void sweepRequested();
    void measureRequested();
    void memoryChanged();
    void exportRequested();

private:
    ParetoChart* chart_;
    QComboBox* memory_;
    QToolButton *sweep_, *measure_, *export_;
    QLabel* note_;
};

}  // namespace aotscope
