#pragma once

#include "canvas/theme.h"

#include <QChart>
#include <QValueAxis>

namespace aotscope {

/// Colours of charts, on the background of the canvas; hues that colour-blind eyes tell apart (after Okabe and Ito).
struct ChartStyle {
    explicit ChartStyle(const Theme& theme);

    QColor background, text, faintText, grid;
    QColor estimated, measured, chosen;
    QColor forward, backward, peak;
};

/// The smallest of 1, 2, 2.5 and 5 times a power of ten that divides `range` into at most `most` parts.
double roundStep(double range, int most);

/// An empty chart in this style.
void applyStyle(QChart& chart, const ChartStyle& style);

/// An axis of `chart` from `low` to `high`, with ticks at round numbers.
QValueAxis* addAxis(QChart& chart, Qt::Alignment side, const QString& title, double low, double high,
                    const ChartStyle& style);

}  // namespace aotscope
