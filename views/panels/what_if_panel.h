#pragma once

#include "panels/collective_menu.h"
#include "panels/what_if_result.h"
#include "record/options/partition_options.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QListWidget>
#include <QSlider>
#include <QToolButton>
#include <QWidget>
#include <vector>

namespace aotscope {

/// The settings of a partition: partitioner, memory budget, ban rules, and overrides for single values.
class WhatIfPanel : public QWidget {
    Q_OBJECT

public:
    explicit WhatIfPanel(QWidget* parent = nullptr);

    const PartitionOptions& options() const { return options_; }
    /// Shows `options` without emitting changed(). `joint` names the overridden values; null disables the panel.
    void showOptions(const PartitionOptions& options, const Graph* joint);
    /// Shows the result of these options, remarks about it, and the time it took in milliseconds (0: it was known).
    void showAnswer(const PartitionResult& result, QStringList notes, double ms);
    void showProblem(const QString& text) { result_->showProblem(text); }
    QString answer() const { return result_->text(); }
    /// Adds buttons for actions of the window.
    void addButtons(const std::vector<QAction*>& actions);
    /// Buttons beside the result, which stay visible with it.
    void setDecisions(QAction* apply, QAction* reset) { result_->addButtons({apply, reset}); }

Q_SIGNALS:
    /// `merge`: continues the previous change (one drag of the slider); both are undone together.
    void changed(const aotscope::PartitionOptions& options, const QString& what, bool merge);
    void nodeSelected(aotscope::NodeId node);

private:
    void layOut();
    void fillLists();
    void buildBudget();
    void layOutBudget();
    void buildRules();
    void readAndEmit(const QString& what, bool merge);
    void fillOverrides(const Graph* joint);
    void leaveSelected();
    void enableWhatApplies();
    void showBudget();
    void emitBudget();

    PartitionOptions options_;
    bool showing_ = false;
    QComboBox *algorithm_, *solver_, *estimator_;
    QSlider* budget_;
    QDoubleSpinBox* budgetNumber_;
    QLabel* budgetLabel_;
    struct Rule {
        QCheckBox* box;
        bool MinCutOptions::*member;
    };
    std::vector<Rule> rules_;
    QListWidget* overrides_;
    QToolButton* leave_;
    QToolButton* collectives_;  ///< only if there are any
    CollectiveMenu* trials_;
    WhatIfResult* result_;
    QLabel* overridesTitle_;
    QWidget *budgetGroup_, *rulesGroup_, *buttons_;
};

}  // namespace aotscope
