#pragma once

#include "charts/loss_chart.h"
#include "panels/tables/table_panel.h"
#include "record/results/train_result.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QProgressBar>
#include <QSpinBox>
#include <QToolButton>

namespace aotscope {

/// Training settings, live loss curves, and the results.
class TrainPanel : public QWidget {
    Q_OBJECT

public:
    explicit TrainPanel(QWidget* parent = nullptr);

    TrainOptions options() const;
    void setSteps(int steps) { steps_->setValue(steps); }
    /// A file with a list of batches; empty: random inputs.
    void setData(const QString& file);

    /// Empties the panel. `why`: a sentence on why nothing can be trained; empty: it can.
    void reset(const QString& why);
    void start();
    /// All steps so far.
    void showSteps(const std::vector<TrainStep>& steps);
    /// `note`: how the training ended.
    void finish(const QString& note);

    LossChart* chart() const { return chart_; }
    TablePanel* figures() const { return figures_; }
    QString note() const { return note_->text(); }

Q_SIGNALS:
    void startRequested();
    void stopRequested();
    void dataRequested();
    void exportRequested();

private:
    void enable(bool can, bool running);

    QSpinBox* steps_;
    QDoubleSpinBox* rate_;
    QComboBox *optimizer_, *data_;
    QToolButton *start_, *stop_, *export_;
    QProgressBar* progress_;
    QLabel* note_;
    LossChart* chart_;
    TablePanel* figures_;
    QString file_;
};

}  // namespace aotscope
