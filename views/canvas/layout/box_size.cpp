#include "canvas/layout/box_size.h"

#include "canvas/theme.h"

#include <QFontMetricsF>
#include <QHash>
#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

/// Measures texts of a font. Graphs have few different ones.
class TextWidths {
public:
    explicit TextWidths(const QFont& font) : metrics_(font) {}
    double height() const { return metrics_.height(); }
    double of(const QString& text) {
        if (known_.size() >= kMost) known_.clear();
        auto known = known_.constFind(text);
        if (known == known_.constEnd()) known = known_.insert(text, metrics_.horizontalAdvance(text));
        return known.value();
    }

private:
    static constexpr qsizetype kMost = 20'000;
    QFontMetricsF metrics_;
    QHash<QString, double> known_;
};

}  // namespace

QSizeF boxSize(const DrawnNode& node) {
    thread_local TextWidths title(titleFont()), line(lineFont());  // layouts are also made in the background
    constexpr qreal padding = 8, gap = 3;
    qreal width = title.of(node.title), height = title.height();
    for (const QString& text : node.lines) {
        width = std::max(width, line.of(text));
        height += line.height();
    }
    return {std::ceil(width + 2 * padding), std::ceil(height + 2 * padding - gap)};
}

}  // namespace aotscope
