#include "canvas/view/text_zoom.h"

#include "canvas/theme.h"

#include <QFontInfo>
#include <QGuiApplication>
#include <algorithm>

namespace aotscope {

double usualZoom() {
    constexpr double usualFont = 13;  // pixels; layouts assume it, whatever the font
    return std::max(1.0, QFontInfo(QGuiApplication::font()).pixelSize() / usualFont);
}

double readableZoom() {
    constexpr double smallestText = 9;
    return usualZoom() * smallestText / lineFont().pixelSize();
}

}  // namespace aotscope
