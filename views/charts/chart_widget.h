#pragma once

#include "canvas/theme.h"

#include <QWidget>

namespace aotscope {

/// A chart as a widget, in the colours of its window.
class ChartWidget : public QWidget, public Themed {
public:
    using QWidget::QWidget;

    void setTheme(const Theme& theme) override {
        theme_ = theme;
        update();
    }
    const Theme& theme() const { return theme_; }

protected:
    Theme theme_ = Theme::light();
};

}  // namespace aotscope
