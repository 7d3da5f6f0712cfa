#pragma once

#include "window/pages/edge_strip.h"
#include "window/pages/pages.h"

#include <map>

namespace aotscope {

/// Docks that the user has shown (true) or hidden.
using DockChoices = std::map<QDockWidget*, bool>;

/// Leaves the graph at least half of the window: docks at the sides for which there is no room are buttons at the edge,
/// as are those that the user has closed.
class DockFolding : public QObject {
    Q_OBJECT

public:
    DockFolding(const Pages* pages, QMainWindow* window);

    /// Those at the sides that belong to the current perspective, and its tables. Others are shown on demand.
    std::vector<QDockWidget*> docks() const;
    /// Shows as many as there is room for, and those that `choices` has.
    void arrange(const DockChoices& choices);
    /// Buttons for what is hidden now; none beside the start page.
    void refreshEdges(bool beside);

private:
    /// The docks of one side.
    struct Side {
        std::vector<QDockWidget*> docks;
        int usual = 0, least = 0;  ///< widths
        bool kept = false;         ///< by the user
        int width = 0;             ///< 0: folded
    };

    std::vector<QDockWidget*> docksAt(Page::Place place) const;
    QDockWidget* tables() const { return pages_->dock(pages_->tabs()); }
    Side side(Page::Place place, const DockChoices& choices) const;
    int roomBeside() const;
    void share(Side& first, Side& second) const;
    void place(const Side& left, const Side& right, const DockChoices& choices);
    void toggle(QDockWidget* dock, Page::Place place);

    const Pages* pages_;
    QMainWindow* window_;
    EdgeStrip *left_, *right_;
};

/// Makes a window as small as its screen, and moves it there if its title can be reached on no screen.
void bringOnScreen(QWidget& window);

}  // namespace aotscope
