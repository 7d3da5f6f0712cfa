#pragma once

#include "canvas/drawn_graph.h"

#include <QColor>
#include <QFont>
#include <QString>
#include <vector>

namespace aotscope {

/// What the fill of a node tells.
enum class ColourBy : std::uint8_t { stage, family };

struct NodeColours {
    QColor fill, border, text;
};

/// Colours and fonts of the canvas, on screen and in exported pictures.
struct Theme {
    QColor background, text, faintText, flow, rung, selection, savedBorder;

    static Theme light();
    static Theme dark();

    NodeColours colours(const DrawnNode& node, ColourBy by) const;

    struct LegendEntry {
        QColor fill, border;
        QString text;
    };
    /// What the colours in `graph` mean; only those that occur.
    std::vector<LegendEntry> legend(const DrawnGraph& graph, ColourBy by) const;

private:
    bool dark_ = false;
};

/// Fonts of node boxes: title, and the smaller lines below it.
QFont titleFont();
QFont lineFont();

}  // namespace aotscope
