#include "canvas/view/text_zoom.h"

#include "canvas/theme.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QGuiApplication>
#include <algorithm>

namespace aotscope {

namespace {

/// The zoom at which the smallest text has this height, with fonts of usual size.
double zoomOfText(double pixels) { return usualZoom() * pixels / lineFont().pixelSize(); }

}  // namespace

double usualZoom() {
    constexpr double usualFont = 13;  // pixels; layouts assume it, whatever the font
    const double systems = QFontInfo(QFontDatabase::systemFont(QFontDatabase::GeneralFont)).pixelSize();
    const double chosen = QFontInfo(QGuiApplication::font()).pixelSize() / systems;
    return std::max(1.0, systems / usualFont) * chosen;
}

double readableZoom() { return zoomOfText(9); }
double legibleZoom() { return zoomOfText(6.5); }

}  // namespace aotscope
