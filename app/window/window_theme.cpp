#include "window/window_theme.h"

#include <QApplication>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleOptionTab>
#include <QTabBar>

namespace aotscope {

namespace {

/// Menus are on one line with the perspectives, which are higher. A line marks the chosen tab, which hardly differs
/// from the others where all is dark.
class WindowStyle : public QProxyStyle {
public:
    WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        constexpr int above = 1;
        return QProxyStyle::pixelMetric(metric, option, widget) + (metric == PM_MenuBarVMargin ? above : 0);
    }
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
        constexpr int thickness = 2;
        QProxyStyle::drawControl(element, option, painter, widget);
        const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
        if (element != CE_TabBarTabShape || !tab || !(tab->state & State_Selected)) return;
        QRect line = tab->rect.adjusted(2, 0, -2, 0);
        if (tab->shape == QTabBar::RoundedSouth) line.setTop(line.bottom() - thickness + 1);
        else line.setHeight(thickness);
        painter->fillRect(line, tab->palette.highlight());
    }
};

QPalette palette(bool dark) {
    QPalette p;
    const auto set = [&](QPalette::ColorRole role, const char* light, const char* darkColour) {
        p.setColor(role, QColor(QLatin1String(dark ? darkColour : light)));
    };
    set(QPalette::Window, "#f3f3f2", "#2a2c2f");
    set(QPalette::WindowText, "#1c1c1c", "#e8e8e8");
    set(QPalette::Base, "#ffffff", "#1d1f22");
    set(QPalette::AlternateBase, "#f7f7f6", "#24272a");
    set(QPalette::Text, "#1c1c1c", "#e8e8e8");
    set(QPalette::PlaceholderText, "#6e6e6a", "#9b9fa4");
    set(QPalette::Button, "#f3f3f2", "#33363a");
    set(QPalette::ButtonText, "#1c1c1c", "#e8e8e8");
    set(QPalette::BrightText, "#ffffff", "#ffffff");
    set(QPalette::ToolTipBase, "#fffbe6", "#3a3d41");
    set(QPalette::ToolTipText, "#1c1c1c", "#e8e8e8");
    set(QPalette::Highlight, "#2f6fbf", "#3874bf");
    set(QPalette::HighlightedText, "#ffffff", "#ffffff");
    set(QPalette::Link, "#1f5fae", "#7db4f2");
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, p.color(QPalette::PlaceholderText));
    return p;
}

bool systemIsDark() { return QApplication::style()->standardPalette().color(QPalette::Window).lightness() < 128; }

}  // namespace

Theme applyAppearance(Settings::Appearance appearance, bool colourBlind) {
    QApplication::setStyle(new WindowStyle);
    const bool dark =
        appearance == Settings::Appearance::dark || (appearance == Settings::Appearance::system && systemIsDark());
    QApplication::setPalette(palette(dark));
    // Fusion draws the frame of an empty box darker than the window: on dark, the filling must make it visible.
    QPalette boxes = palette(dark);
    if (dark) boxes.setColor(QPalette::Base, QColor(0x5a, 0x5f, 0x66));
    QApplication::setPalette(boxes, "QCheckBox");
    return Theme::of({dark, colourBlind});
}

void applyTextSize(int percent) {
    static const QFont system = QApplication::font();
    QFont font = system;
    if (system.pointSizeF() > 0) font.setPointSizeF(system.pointSizeF() * percent / 100);
    else font.setPixelSize(std::max(1, system.pixelSize() * percent / 100));
    if (font != QApplication::font()) QApplication::setFont(font);
}

}  // namespace aotscope
