#include "models/time_bars.h"

#include <algorithm>

namespace aotscope {

double TimePicture::length() const {
    double end = 0;
    for (const TimeBar& bar : bars) end = std::max(end, bar.end());
    return end;
}

int TimePicture::rows() const {
    int rows = 1;
    for (const TimeBar& bar : bars) rows = std::max(rows, bar.row + 1);
    return rows;
}

int TimePicture::barOf(NodeId node, GraphKind graph) const {
    for (std::size_t i = 0; i < bars.size(); ++i)
        if (bars[i].kind == TimeBar::Kind::operation && bars[i].nodes.front() == node &&
            (bars[i].graph == graph || graph == GraphKind::joint))
            return static_cast<int>(i);
    return -1;
}

}  // namespace aotscope
