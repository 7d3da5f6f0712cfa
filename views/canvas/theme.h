#pragma once

#include "canvas/drawn_graph.h"
#include "models/node_values.h"
#include "models/palette.h"
#include "models/tables/table_content.h"

#include <QFont>
#include <QString>
#include <vector>

namespace aotscope {

/// Colours and fonts of the canvas, on screen and in exported pictures.
struct Theme : LineColours {
    ColourScheme scheme;

    static Theme of(ColourScheme scheme);
    static Theme light() { return of({false, false}); }
    static Theme dark() { return of({true, false}); }

    NodeColours colours(const DrawnNode& node, ColourBy by) const;
    /// For a value in a table.
    NodeColours colours(FateMark mark) const;
    /// Width of the border: thick for what the colouring emphasizes.
    static double borderWidth(const DrawnNode& node, ColourBy by);

    struct LegendEntry {
        QColor fill, border;
        QString text;
        QString tag;  ///< a badge in place of the colour
    };
    /// The meaning of the colours in `graph`; only those that occur.
    std::vector<LegendEntry> legend(const DrawnGraph& graph, ColourBy by) const;
    /// The entry of search hits, which are marked on the canvas only.
    LegendEntry hitEntry() const;
    /// The mark at the operation that a debugger executes next.
    LegendEntry currentMark() const;

private:
    static void addMarks(const Theme& theme, const DrawnGraph& graph, std::vector<LegendEntry>& entries);
    static void addMemoryGroups(const DrawnGraph& graph, std::vector<LegendEntry>& entries);
};

/// A widget with its own colours. The window passes its theme to all of them.
class Themed {
public:
    virtual ~Themed() = default;
    virtual void setTheme(const Theme& theme) = 0;
};

/// Fonts of node boxes: title, and the smaller lines below it.
QFont titleFont();
QFont lineFont();

}  // namespace aotscope
