#include "canvas/theme.h"

#include "io/tables/metadata_tables.h"
#include "support/names.h"

#include <algorithm>
#include <set>

namespace aotscope {

namespace {

Meaning mutationOf(const DrawnNode& node) {
    if (node.aliasing.returnedAs) return after(Meaning::ownMemory, static_cast<std::size_t>(*node.aliasing.returnedAs));
    if (node.aliasing.effect) return after(Meaning::notMutated, static_cast<std::size_t>(*node.aliasing.effect));
    return node.aliasing.intermediateBase ? Meaning::intermediateBase : Meaning::unmarked;
}

QString mutationMeaning(const DrawnNode& node) {
    if (node.aliasing.returnedAs) return toQString(describe(*node.aliasing.returnedAs));
    if (node.aliasing.effect && *node.aliasing.effect == InputEffect::none && node.kind == DrawnNode::Kind::input)
        return QStringLiteral("input, not mutated");
    if (node.aliasing.effect) return describe(*node.aliasing.effect);
    return node.aliasing.intermediateBase ? QStringLiteral("intermediate base") : QStringLiteral("neither");
}

/// The section of the legend for a box: inputs and their updates, bases, outputs, everything else.
int mutationRank(const DrawnNode& node) {
    return node.aliasing.effect ? 0 : node.aliasing.intermediateBase ? 1 : node.aliasing.returnedAs ? 2 : 3;
}

/// The placement of a value. Inputs exist anyway, unless the backward needs them.
Meaning placementOf(const DrawnNode& node) {
    if (node.kind == DrawnNode::Kind::output) return Meaning::output;
    if (node.placement.recomputed) return Meaning::recomputed;
    if (node.placement.saved) return Meaning::saved;
    if (node.kind == DrawnNode::Kind::input) return Meaning::input;
    if (!node.placement.decided) return node.stage == Stage::backward ? Meaning::backward : Meaning::forward;
    return *node.placement.decided == ValueDecision::Placement::backwardOnly ? Meaning::backward : Meaning::forward;
}

QString placementMeaning(const DrawnNode& node) {
    if (node.kind == DrawnNode::Kind::output) return QStringLiteral("output");
    if (node.placement.recomputed) return QStringLiteral("recomputed in backward");
    if (node.placement.saved) return QStringLiteral("saved for backward");
    if (node.kind == DrawnNode::Kind::input) return QStringLiteral("input");
    const bool backward = node.placement.decided ? *node.placement.decided == ValueDecision::Placement::backwardOnly
                                                 : node.stage == Stage::backward;
    return backward ? QStringLiteral("backward only") : QStringLiteral("forward only");
}

Meaning sideOf(const DrawnNode& node) {
    return node.kind != DrawnNode::Kind::call ? Meaning::input
           : *node.cut.side == CutSide::cut   ? Meaning::saved
           : *node.cut.side == CutSide::sink  ? Meaning::recomputed
                                              : Meaning::forward;
}

QString sideMeaning(const DrawnNode& node) {
    if (node.kind != DrawnNode::Kind::call) return QStringLiteral("source and sink");
    switch (*node.cut.side) {
        case CutSide::source: return QStringLiteral("source side: not needed in backward");
        case CutSide::cut: return QStringLiteral("cut here: saved");
        case CutSide::sink: return QStringLiteral("sink side: computed in backward");
    }
    return {};
}

Meaning stageOf(const DrawnNode& node) {
    return node.kind == DrawnNode::Kind::input    ? Meaning::input
           : node.kind == DrawnNode::Kind::output ? Meaning::output
           : node.placement.recomputed            ? Meaning::recomputed
           : node.stage == Stage::backward        ? Meaning::backward
                                                  : Meaning::forward;
}

}  // namespace

Theme Theme::of(ColourScheme scheme) {
    Theme theme;
    static_cast<LineColours&>(theme) = lineColours(scheme);
    theme.scheme = scheme;
    return theme;
}

NodeColours Theme::colours(const DrawnNode& node, ColourBy by) const {
    const bool byFamily = by == ColourBy::family && node.kind == DrawnNode::Kind::call;
    const Meaning meaning = node.tint                             ? node.tint->meaning
                            : node.kind == DrawnNode::Kind::group ? stageOf(node)
                            : node.cut.side                       ? sideOf(node)
                            : by == ColourBy::mutation            ? mutationOf(node)
                            : by == ColourBy::placement           ? placementOf(node)
                            : byFamily ? after(Meaning::matmul, static_cast<std::size_t>(node.family))
                                       : stageOf(node);
    NodeColours colours = coloursOf(meaning, scheme);
    // Colouring by mutation and by fate has its own borders.
    const bool markSaved = node.tint ? !node.ghost : by != ColourBy::mutation && by != ColourBy::placement;
    if (node.cut.saturated && !node.tint) colours.border = change;
    else if (node.placement.saved && markSaved) colours.border = savedBorder;
    return colours;
}

NodeColours Theme::colours(FateMark mark) const {
    NodeColours colours = coloursOf(mark == FateMark::saved        ? Meaning::saved
                                    : mark == FateMark::recomputed ? Meaning::recomputed
                                    : mark == FateMark::kept       ? Meaning::input
                                                                   : Meaning::forward,
                                    scheme);
    if (mark == FateMark::saved || mark == FateMark::kept) colours.border = savedBorder;
    return colours;
}

double Theme::borderWidth(const DrawnNode& node, ColourBy by) {
    const bool thick =
        node.cut.saturated || (by == ColourBy::mutation ? !node.aliasing.tag.isEmpty() : node.placement.saved);
    return thick ? 2.2 : 1.1;
}

std::vector<Theme::LegendEntry> Theme::legend(const DrawnGraph& graph, ColourBy by) const {
    std::vector<LegendEntry> entries;
    std::set<QString> seen;
    bool anySaved = false;
    if (!graph.tints.empty()) {
        for (const TintMeaning& meaning : graph.tints) {
            const NodeColours& c = coloursOf(meaning.tint.meaning, scheme);
            entries.push_back({c.fill, c.border, meaning.text, {}});
        }
        addMarks(*this, graph, entries);
        return entries;
    }
    const auto add = [&](const DrawnNode& node, const QString& meaning) {
        if (node.kind == DrawnNode::Kind::group && by != ColourBy::stage) return;
        if (!seen.insert(meaning).second) return;
        DrawnNode example = node;
        if (by != ColourBy::placement) example.placement.saved = false;
        const NodeColours c = colours(example, by);
        entries.push_back({c.fill, c.border, meaning, {}});
    };
    if (graph.network) {
        for (const auto& node : graph.nodes) add(node, sideMeaning(node));
        const auto saturated = [](const DrawnNode& node) { return node.cut.saturated; };
        if (std::any_of(graph.nodes.begin(), graph.nodes.end(), saturated))
            entries.push_back({background, change, QStringLiteral("saturated"), {}});
        entries.push_back({rung, rung, QStringLiteral("edge with flow; the width shows the amount"), {}});
        entries.push_back(
            {background, flow, QStringLiteral("edge without flow; edges between values have infinite capacity"), {}});
        return entries;
    }
    if (by == ColourBy::placement) {
        for (const auto& node : graph.nodes) add(node, placementMeaning(node));
        addMarks(*this, graph, entries);
        return entries;
    }
    if (by == ColourBy::mutation) {
        for (const int rank : {0, 1, 2, 3})
            for (const auto& node : graph.nodes)
                if (mutationRank(node) == rank) add(node, mutationMeaning(node));
        addMemoryGroups(graph, entries);
        addMarks(*this, graph, entries);
        return entries;
    }
    for (const auto& node : graph.nodes) {
        anySaved = anySaved || node.placement.saved;
        if (node.kind == DrawnNode::Kind::input) add(node, QStringLiteral("input"));
        else if (node.kind == DrawnNode::Kind::output) add(node, QStringLiteral("output"));
        else if (by == ColourBy::family) add(node, toQString(name(node.family)));
        else if (node.placement.recomputed) add(node, QStringLiteral("recomputed in backward"));
        else add(node, toQString(name(node.stage)));
    }
    if (anySaved) entries.push_back({background, savedBorder, QStringLiteral("saved for backward"), {}});
    addMarks(*this, graph, entries);
    return entries;
}

Theme::LegendEntry Theme::hitEntry() const { return {background, hit, QStringLiteral("search hit"), {}}; }
Theme::LegendEntry Theme::currentMark() const {
    return {current, current, QStringLiteral("next node in the debugger"), {}};
}

void Theme::addMarks(const Theme& theme, const DrawnGraph& graph, std::vector<LegendEntry>& entries) {
    const auto changed = [](const DrawnNode& node) { return !node.placement.change.isEmpty(); };
    if (std::any_of(graph.nodes.begin(), graph.nodes.end(), changed))
        entries.push_back({theme.background, theme.change, QStringLiteral("changed by What If"), {}});
}

void Theme::addMemoryGroups(const DrawnGraph& graph, std::vector<LegendEntry>& entries) {
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < std::min(graph.memoryGroups.size(), most); ++i) {
        const auto& [tag, members] = graph.memoryGroups[i];
        entries.push_back({{}, {}, QStringLiteral("shared memory: ") + members, tag});
    }
    if (graph.memoryGroups.size() > most)
        entries.push_back(
            {{}, {}, toQString(counted(graph.memoryGroups.size() - most, "more group")), QStringLiteral("…")});
}

QFont titleFont() {
    QFont font(QStringLiteral("sans-serif"));
    font.setPixelSize(12);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont lineFont() {
    QFont font(QStringLiteral("sans-serif"));
    font.setPixelSize(10);
    return font;
}

}  // namespace aotscope
