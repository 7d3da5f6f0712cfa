#pragma once

#include "canvas/layout/group_levels.h"

namespace aotscope {

/// One level laid out, its upper border at 0.
class LevelPicture {
public:
    LevelPicture() = default;
    LevelPicture(const GroupLevel& level, GraphLayout laidOut);

    /// The size of the frame around one half: 0 forward, 1 backward.
    QSizeF frameSize(int half) const { return {halves_[static_cast<std::size_t>(half)].width, height_}; }
    /// The position of the layout's x in the frame of a half.
    double shift(int half) const { return -halves_[static_cast<std::size_t>(half)].left; }
    const GraphLayout& layout() const { return layout_; }
    /// Of a folded ladder, whose halves are one picture: from its left border; else empty.
    std::vector<double> gutters() const;

private:
    struct Half {
        double left = 0, width = 0;
    };
    GraphLayout layout_;
    std::array<Half, 2> halves_;
    double height_ = 0;
};

/// Nests the levels of a picture and joins the parts of its edges.
GraphLayout composeGroups(const DrawnGraph& graph, const GroupLevels& levels,
                          const std::vector<LevelPicture>& pictures);

}  // namespace aotscope
