#pragma once

#include "support/limits.h"

#include <QDialog>
#include <QDoubleSpinBox>
#include <QSpinBox>

namespace aotscope {

/// Edits the limits of time and memory for loading and tracing a model.
class LimitsDialog : public QDialog {
    Q_OBJECT

public:
    explicit LimitsDialog(const Limits& limits, QWidget* parent = nullptr);

    Limits limits() const;

private:
    QDoubleSpinBox* seconds_;
    QSpinBox* megabytes_;
};

}  // namespace aotscope
