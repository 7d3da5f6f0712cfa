#pragma once

#include "canvas/layout/groups.h"
#include "canvas/layout/layout.h"

namespace aotscope {

/// What is laid out together: the boxes directly in an open group, and the open groups in it as boxes. Edges that cross
/// its border end in ports, points on the border.
struct GroupLevel {
    struct Item {
        int box = -1;       ///< of the picture; or
        int group = -1;     ///< one half of an open group, with `box` that of an operator; or
        bool port = false;  ///< a port
        bool backward = false;
        bool entry = false;  ///< ports: edges enter here
    };
    int group = 0;
    std::vector<Item> items;  ///< parallel to the nodes of `graph`
    DrawnGraph graph;         ///< always a ladder; the backward half may be empty
    LayoutPlan plan;          ///< known after the sizes of its inner groups
    double titleWidth = 0;    ///< of a title that must not be cut off

    bool empty() const { return items.empty(); }
};

/// The route of an edge through levels: in each, a part from an item to an item.
struct EdgeWay {
    struct Part {
        int level = 0, edge = 0;
        bool outward = false;  ///< ends in a port on the way out of the group
    };
    std::vector<Part> parts;  ///< empty for rungs
};

struct GroupLevels {
    std::vector<GroupLevel> levels;         ///< by group; empty for groups that are closed
    std::vector<EdgeWay> ways;              ///< by edge of the picture
    std::vector<std::vector<int>> byDepth;  ///< open groups, the whole graph first
};

/// Splits a picture into its open groups.
GroupLevels takeApart(const DrawnGraph& graph);

/// Rows of a level, ports in the first and in the last one, which hold nothing else.
std::vector<int> rowsOf(const GroupLevel& level);

}  // namespace aotscope
