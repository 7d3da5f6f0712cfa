#pragma once

#include "options.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>
#include <QToolBar>

namespace aotscope {

/// Everything that decides what a run does, in one row.
class OptionsBar : public QToolBar {
    Q_OBJECT

public:
    explicit OptionsBar(QWidget* parent = nullptr);

    /// Puts the row's choices into `options`, leaving model and inputs alone.
    void writeTo(Options& options) const;
    /// Shows `options` without emitting changed().
    void show(const Options& options);

Q_SIGNALS:
    void changed();

private:
    void enableWhatApplies();

    QComboBox *mode_, *partition_;
    QCheckBox *inference_, *staticParameters_;
    QSpinBox* seed_;
};

}  // namespace aotscope
