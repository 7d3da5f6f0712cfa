#pragma once

#include "support/limits.h"

#include <QDialog>
#include <QDoubleSpinBox>
#include <QSpinBox>

namespace aotscope {

/// Edits what loading and tracing a model may take.
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
