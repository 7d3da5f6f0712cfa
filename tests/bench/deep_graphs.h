#pragma once

#include "ir/parser.h"
#include "support/deep_graph.h"

#include <QSize>
#include <algorithm>
#include <array>

namespace aotscope {

/// Nodes of the graphs for canvas measurements, and the window.
inline constexpr std::array kDeepGraphs = {1'000, 10'000, 100'000};
inline constexpr QSize kWindow(1600, 1000);

/// A joint graph of about so many nodes.
inline std::shared_ptr<const Graph> makeDeepGraph(int nodes) {
    constexpr double perLayer = 142;
    return parseGraph(test::deepGraphText(std::max(1, static_cast<int>(nodes / perLayer))));
}

}  // namespace aotscope
