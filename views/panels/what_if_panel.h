#pragma once

#include "record/partition_options.h"

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

/// What decides a partition, to be changed: the memory budget, rules, and wishes for single values.
class WhatIfPanel : public QWidget {
    Q_OBJECT

public:
    explicit WhatIfPanel(QWidget* parent = nullptr);

    const PartitionOptions& options() const { return options_; }
    /// Shows `options` without emitting changed(). `joint` names the values of wishes; null: nothing can be asked.
    void showOptions(const PartitionOptions& options, const Graph* joint);
    /// What the partition of these options is like, and how long it took to find (0: it was there).
    void showAnswer(const QStringList& lines, double ms);
    void showProblem(const QString& text);
    QString answer() const { return answer_->text(); }
    /// Buttons for what the window does.
    void addButtons(const std::vector<QAction*>& actions);

Q_SIGNALS:
    /// `merge`: of one movement with the change before (of the slider), to be undone with it.
    void changed(const aotscope::PartitionOptions& options, const QString& what, bool merge);
    void nodeSelected(aotscope::NodeId node);
    void leaveRequested(aotscope::NodeId node);

private:
    void buildBudget();
    void buildRules();
    void readAndEmit(const QString& what, bool merge);
    void fillWishes(const Graph* joint);
    void leaveSelected();
    void enableWhatApplies();

    PartitionOptions options_;
    bool showing_ = false;
    QComboBox *algorithm_, *solver_, *estimator_;
    QSlider* budget_;
    QDoubleSpinBox* budgetNumber_;
    struct Rule {
        QCheckBox* box;
        bool MinCutOptions::*member;
    };
    std::vector<Rule> rules_;
    QListWidget* wishes_;
    QToolButton* leave_;
    QLabel *answer_, *wishesTitle_;
    QWidget *budgetGroup_, *rulesGroup_, *buttons_;
};

}  // namespace aotscope
