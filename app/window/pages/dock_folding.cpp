#include "window/pages/dock_folding.h"

#include "canvas/view/text_zoom.h"

#include <QGuiApplication>
#include <QLayout>
#include <QScreen>
#include <QStyle>

#include <algorithm>

namespace aotscope {

namespace {

using Docks = std::vector<QDockWidget*>;

constexpr double kShareOfGraph = 0.51;        ///< of the area of the window
constexpr int kLeft = 290, kLeastLeft = 230;  ///< widths of docks, for fonts of usual size
constexpr int kRight = 365, kLeastRight = 300;
constexpr int kTables = 260;
constexpr int kNarrow = 900;  ///< of the window

int inText(int pixels) { return static_cast<int>(pixels * usualZoom()); }

bool isShown(const QDockWidget* dock) { return !dock->isHidden(); }

}  // namespace

DockFolding::DockFolding(const Pages* pages, QMainWindow* window)
    : QObject(window),
      pages_(pages),
      window_(window),
      left_(new EdgeStrip(Qt::LeftToolBarArea, window)),
      right_(new EdgeStrip(Qt::RightToolBarArea, window)) {
    connect(left_, &EdgeStrip::clicked, this, [this](QDockWidget* dock) { toggle(dock, Page::Place::left); });
    connect(right_, &EdgeStrip::clicked, this, [this](QDockWidget* dock) { toggle(dock, Page::Place::right); });
}

Docks DockFolding::docksAt(Page::Place place) const {
    Docks docks;
    for (const Page& page : pages_->all())
        if (page.place == place && !page.hidden && (!page.perspective || page.perspective == pages_->perspective()))
            docks.push_back(pages_->dock(page.widget));
    return docks;
}

Docks DockFolding::docks() const {
    Docks all = docksAt(Page::Place::left);
    std::ranges::copy(docksAt(Page::Place::right), std::back_inserter(all));
    if (pages_->hasTabs(pages_->perspective())) all.push_back(tables());
    return all;
}

DockFolding::Side DockFolding::side(Page::Place place, const DockChoices& choices) const {
    Side side;
    side.docks = docksAt(place);
    const bool left = place == Page::Place::left;
    side.usual = inText(left ? kLeft : kRight);
    side.least = inText(left ? kLeastLeft : kLeastRight);
    const auto chosen = [&](bool shown) {
        return [&choices, shown](QDockWidget* dock) {
            const auto choice = choices.find(dock);
            return choice != choices.end() && choice->second == shown;
        };
    };
    side.kept = std::ranges::any_of(side.docks, chosen(true));
    if (std::ranges::all_of(side.docks, chosen(false))) side.usual = side.least = 0;
    return side;
}

/// What is left of the width when the graph has its share, with the height that it has without tables.
int DockFolding::roomBeside() const {
    window_->layout()->activate();
    const int line = window_->fontMetrics().height() + 12, bars = 2 * line;  // tabs above the graph, strip below it
    const int below = isShown(tables()) && !tables()->isFloating() ? tables()->height() : 0;
    const int high = std::max(1, window_->centralWidget()->height() + below - bars);
    const double area = static_cast<double>(window_->width()) * window_->height();
    return window_->width() - static_cast<int>(kShareOfGraph * area / high);
}

/// The widths of both; else only of the first, which matters more; else of none.
void DockFolding::share(Side& first, Side& second) const {
    const int edge = window_->fontMetrics().height() + 14;
    const int room = roomBeside() - 2 * window_->style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent);
    const auto clamped = [](const Side& side, int width) { return std::clamp(width, side.least, side.usual); };
    if (first.least + second.least <= room) {
        const int spare = room - first.least - second.least;
        first.width = clamped(first, first.least + spare / 2);
        second.width = clamped(second, room - first.width);
        first.width = clamped(first, room - second.width);
        return;
    }
    second.width = second.kept ? second.least : 0;
    const int beside = room - edge - second.width;
    first.width = first.least <= beside ? clamped(first, beside) : first.kept ? first.least : 0;
}

void DockFolding::place(const Side& left, const Side& right, const DockChoices& choices) {
    Docks widened;
    QList<int> widths;
    for (const Side* side : {&left, &right}) {
        for (QDockWidget* dock : side->docks) {
            const auto choice = choices.find(dock);
            dock->setVisible(choice != choices.end() ? choice->second : side->width > 0);
        }
        const auto shown = std::ranges::find_if(side->docks, isShown);
        if (side->width == 0 || shown == side->docks.end()) continue;
        widened.push_back(*shown);
        widths.push_back(side->width);
    }
    refreshEdges(true);
    window_->layout()->activate();
    window_->resizeDocks(QList(widened.begin(), widened.end()), widths, Qt::Horizontal);
    if (!isShown(tables())) return;
    constexpr double part = 0.4;
    const int high = window_->centralWidget()->height() + tables()->height();
    window_->resizeDocks({tables()}, {std::min(inText(kTables), static_cast<int>(part * high))}, Qt::Vertical);
}

/// Among passes, the list of passes is what people look at; elsewhere it is what is known of the selected node.
void DockFolding::arrange(const DockChoices& choices) {
    const auto ofTables = choices.find(tables());
    tables()->setVisible(pages_->hasTabs(pages_->perspective()) && (ofTables == choices.end() || ofTables->second));
    Side left = side(Page::Place::left, choices), right = side(Page::Place::right, choices);
    if (pages_->perspective() == Perspective::passes) share(left, right);
    else share(right, left);
    place(left, right, choices);
}

/// On a small screen, docks that the user has opened need the room of the strip beside them.
void DockFolding::refreshEdges(bool beside) {
    const bool narrow = window_->width() < inText(kNarrow);
    for (const auto& [strip, place] : {std::pair{left_, Page::Place::left}, std::pair{right_, Page::Place::right}}) {
        const Docks docks = docksAt(place);
        strip->setDocks(docks);
        const bool open = std::ranges::any_of(docks, isShown), whole = std::ranges::all_of(docks, isShown);
        strip->setVisible(beside && !whole && !(narrow && open));
    }
}

void DockFolding::toggle(QDockWidget* dock, Page::Place place) {
    if (isShown(dock)) return dock->hide();
    const Docks docks = docksAt(place);
    const bool first = std::ranges::none_of(docks, isShown);
    dock->show();
    dock->raise();
    if (!first || dock->isFloating()) return;
    constexpr double most = 0.45;
    const int usual = inText(place == Page::Place::left ? kLeft : kRight);
    window_->layout()->activate();
    window_->resizeDocks({dock}, {std::min(usual, static_cast<int>(most * window_->width()))}, Qt::Horizontal);
}

void bringOnScreen(QWidget& window) {
    constexpr QSize least(80, 12);  // of the title bar, to drag it by
    const QRect frame = window.frameGeometry(), title(frame.topLeft(), QSize(frame.width(), 2 * least.height()));
    const auto reaches = [&](const QScreen* screen) {
        const QSize seen = screen->availableGeometry().intersected(title).size();
        return seen.width() >= least.width() && seen.height() >= least.height();
    };
    const QRect screen = window.screen()->availableGeometry();
    window.resize(window.size().boundedTo(screen.size()));
    if (std::ranges::any_of(QGuiApplication::screens(), reaches)) return;
    window.move(std::clamp(frame.left(), screen.left(), std::max(screen.left(), screen.right() - window.width())),
                std::clamp(frame.top(), screen.top(), std::max(screen.top(), screen.bottom() - window.height())));
}

}  // namespace aotscope
