#include "canvas/view/text_zoom.h"

#include "canvas/theme.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QGuiApplication>
#include <algorithm>

namespace aotscope {

double usualZoom() {
    constexpr double usualFont = 13;  // pixels; layouts assume it, whatever the font
    const double systems = QFontInfo(QFontDatabase::systemFont(QFontDatabase::GeneralFont)).pixelSize();
    const double chosen = QFontInfo(QGuiApplication::font()).pixelSize() / systems;
    return std::max(1.0, systems / usualFont) * chosen;
}

double readableZoom() {
    constexpr double smallestText = 9;
    return usualZoom() * smallestText / lineFont().pixelSize();
}

}  // namespace aotscope
