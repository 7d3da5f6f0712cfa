#include "canvas/theme.h"

#include "canvas/placements.h"
#include "support/names.h"

#include <algorithm>
#include <array>
#include <set>

namespace aotscope {

namespace {

/// "#rrggbb", read when the program is compiled: pictures ask for the colours of 100,000 boxes.
class Shade {
public:
    constexpr Shade(const char* text) {
        for (++text; *text != 0; ++text)
            rgb_ = rgb_ * 16 + static_cast<QRgb>(*text <= '9' ? *text - '0' : *text - 'a' + 10);
    }
    operator QColor() const { return QColor::fromRgb(rgb_); }

private:
    QRgb rgb_ = 0;
};

/// Fill and border on a light background; hues that stay apart for colour-blind eyes (after Okabe and Ito).
struct Hue {
    Shade fill, border, darkFill;
    std::optional<Shade> darkBorder = {};  ///< none: the same as on a light background

    QColor fillOn(bool dark) const { return dark ? darkFill : fill; }
    QColor borderOn(bool dark) const { return dark ? darkBorder.value_or(border) : border; }
};

constexpr Hue kForward = {"#dfeafa", "#3f6fb0", "#20354f"};
constexpr Hue kBackward = {"#fce6d4", "#c2702a", "#4d3320"};
constexpr Hue kRecomputed = {"#eedcf3", "#8f4fa3", "#412a49"};
constexpr Hue kSaved = {"#bfe8d2", "#1f7a53", "#17503a", "#52c793"};
constexpr Hue kInput = {"#f1f1ee", "#8a8a84", "#3a3a38"};
constexpr Hue kOutput = {"#e2efe0", "#5a8f55", "#2b3d29"};

constexpr std::array<Hue, 10> kFamilies = {{
    {"#cfe3f6", "#0072b2", "#17364d"},  // matrix product
    {"#fbdcc4", "#d55e00", "#4d2b12"},  // convolution
    {"#d5efe4", "#009e73", "#143f33"},  // normalization
    {"#f6d9e6", "#b0487f", "#472338"},  // attention
    {"#fbeebb", "#b8960b", "#44390f"},  // reduction
    {"#e8e8e8", "#777777", "#3a3a3a"},  // pointwise
    {"#f6f6f6", "#b0b0b0", "#2e2e2e"},  // view
    {"#ffe0e0", "#cc3a3a", "#4a2020"},  // random
    {"#e0ddf5", "#5b4fa8", "#2b2750"},  // indexing
    {"#eeeae2", "#8c7a5b", "#38322a"},  // other
}};

/// By InputEffect: what is done to an input, and by the box that computes its new value.
constexpr std::array<Hue, 6> kEffects = {{
    {"#f1f1ee", "#8a8a84", "#3a3a38"},  // not mutated
    {"#c4ecdd", "#009e73", "#0f5540"},  // in the graph
    {"#cfeafa", "#3a9bd0", "#154a66"},  // metadata
    {"#fce3ae", "#c98500", "#664710"},  // data
    {"#fbc7a6", "#d55e00", "#78370a"},  // both
    {"#f3cfe2", "#b0487f", "#642a4a"},  // storage
}};

/// By OutputType.
constexpr std::array<Hue, 8> kOutputTypes = {{
    {"#ffffff", "#8a8a84", "#2a2c2f"},             // own memory
    {"#c3daf0", "#0062a3", "#12395c", "#3f8fd0"},  // view of an input
    {"#9dbfe3", "#00457a", "#0a4f8c", "#7fbdf5"},  // an input itself
    {"#f7ef9e", "#978a00", "#4e4808", "#b5a800"},  // view of an intermediate, with its base
    {"#fbf8d0", "#978a00", "#302d0c", "#978a00"},  // view of such a base
    {"#e6dfb8", "#6f6520", "#4a4528"},             // view of another output
    {"#ececec", "#555555", "#3f4246"},             // unsafe view
    {"#e2d8f2", "#5b4fa8", "#3a2f66"},             // custom function
}};

constexpr Hue kIntermediateBase = {"#efe264", "#6f6500", "#6e6600", "#f0e442"};
constexpr Hue kUnmarked = {"#fbfbfb", "#c4c6ca", "#26282b", "#55595f"};

const Hue& mutationHue(const DrawnNode& node) {
    if (node.aliasing.returnedAs) return kOutputTypes.at(static_cast<std::size_t>(*node.aliasing.returnedAs));
    if (node.aliasing.effect) return kEffects.at(static_cast<std::size_t>(*node.aliasing.effect));
    return node.aliasing.intermediateBase ? kIntermediateBase : kUnmarked;
}

QString mutationMeaning(const DrawnNode& node) {
    if (node.aliasing.returnedAs) return describe(*node.aliasing.returnedAs);
    if (node.aliasing.effect && *node.aliasing.effect == InputEffect::none && node.kind == DrawnNode::Kind::input)
        return QStringLiteral("input, not mutated");
    if (node.aliasing.effect) return describe(*node.aliasing.effect);
    return node.aliasing.intermediateBase ? QStringLiteral("intermediate base") : QStringLiteral("neither");
}

/// In which part of the legend a box comes: inputs and what updates them, bases, outputs, all else.
int mutationRank(const DrawnNode& node) {
    return node.aliasing.effect ? 0 : node.aliasing.intermediateBase ? 1 : node.aliasing.returnedAs ? 2 : 3;
}

/// What the partition makes of a value. Inputs are there anyway, unless the backward needs them.
const Hue& placementHue(const DrawnNode& node) {
    if (node.kind == DrawnNode::Kind::output) return kOutput;
    if (node.placement.recomputed) return kRecomputed;
    if (node.placement.saved) return kSaved;
    if (node.kind == DrawnNode::Kind::input) return kInput;
    if (!node.placement.decided) return node.stage == Stage::backward ? kBackward : kForward;
    return *node.placement.decided == ValueDecision::Placement::backwardOnly ? kBackward : kForward;
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

const Hue& sideHue(const DrawnNode& node) {
    return node.kind != DrawnNode::Kind::call ? kInput
           : *node.cut.side == CutSide::cut   ? kSaved
           : *node.cut.side == CutSide::sink  ? kRecomputed
                                              : kForward;
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

const Hue& stageHue(const DrawnNode& node) {
    return node.kind == DrawnNode::Kind::input    ? kInput
           : node.kind == DrawnNode::Kind::output ? kOutput
           : node.placement.recomputed            ? kRecomputed
           : node.stage == Stage::backward        ? kBackward
                                                  : kForward;
}

}  // namespace

Theme Theme::light() {
    Theme t;
    t.background = QColor(0xff, 0xff, 0xff);
    t.text = QColor(0x1c, 0x1c, 0x1c);
    t.faintText = QColor(0x5c, 0x60, 0x66);
    t.flow = QColor(0x7d, 0x86, 0x92);
    t.rung = QColor(0x2a, 0x8f, 0x62);
    t.recomputedRung = QColor(0x8f, 0x4f, 0xa3);
    t.change = QColor(0xc9, 0x85, 0x00);
    t.selection = QColor(0xd4, 0x2a, 0x5b);
    t.hit = QColor(0x00, 0x57, 0xe7);
    t.current = QColor(0x6a, 0x2b, 0xd9);
    t.savedBorder = QColor(0x2a, 0x8f, 0x62);
    return t;
}

Theme Theme::dark() {
    Theme t;
    t.background = QColor(0x1d, 0x1f, 0x22);
    t.text = QColor(0xea, 0xea, 0xea);
    t.faintText = QColor(0xba, 0xc0, 0xc8);
    t.flow = QColor(0x8a, 0x93, 0x9e);
    t.rung = QColor(0x52, 0xc7, 0x93);
    t.recomputedRung = QColor(0xc4, 0x8f, 0xd6);
    t.change = QColor(0xf0, 0xb4, 0x3c);
    t.selection = QColor(0xff, 0x6a, 0x93);
    t.hit = QColor(0x7a, 0xa8, 0xff);
    t.current = QColor(0xb7, 0x9c, 0xff);
    t.savedBorder = QColor(0x52, 0xc7, 0x93);
    t.dark_ = true;
    return t;
}

NodeColours Theme::colours(const DrawnNode& node, ColourBy by) const {
    if (node.tint) return tinted(node);
    const bool byFamily = by == ColourBy::family && node.kind == DrawnNode::Kind::call;
    const Hue& hue = node.kind == DrawnNode::Kind::group ? stageHue(node)
                     : node.cut.side                     ? sideHue(node)
                     : by == ColourBy::mutation          ? mutationHue(node)
                     : by == ColourBy::placement         ? placementHue(node)
                     : byFamily                          ? kFamilies.at(static_cast<std::size_t>(node.family))
                                                         : stageHue(node);
    const bool saved = node.placement.saved && by != ColourBy::mutation && by != ColourBy::placement;
    if (node.cut.saturated) return {hue.fillOn(dark_), change, text, faintText};
    return {hue.fillOn(dark_), saved ? savedBorder : hue.borderOn(dark_), text, faintText};
}

NodeColours Theme::colours(FateMark mark) const {
    const Hue& hue = mark == FateMark::saved        ? kSaved
                     : mark == FateMark::recomputed ? kRecomputed
                     : mark == FateMark::kept       ? kInput
                                                    : kForward;
    const bool saved = mark == FateMark::saved || mark == FateMark::kept;
    return {hue.fillOn(dark_), saved ? savedBorder : QColor(hue.border), text, faintText};
}

/// The border is the fill, further from the background.
NodeColours Theme::tinted(const DrawnNode& node) const {
    const QColor fill = dark_ ? node.tint->dark : node.tint->light;
    const QColor border = dark_ ? fill.lighter(190) : fill.darker(165);
    const double luminance = 0.299 * fill.redF() + 0.587 * fill.greenF() + 0.114 * fill.blueF();
    const QColor readable = luminance > 0.55 ? QColor(0x1c, 0x1c, 0x1c) : QColor(0xea, 0xea, 0xea);
    const auto between = [](int strong, int weak) { return (strong * 4 + weak) / 5; };
    const QColor faded(between(readable.red(), fill.red()), between(readable.green(), fill.green()),
                       between(readable.blue(), fill.blue()));
    return {fill, node.placement.saved && !node.ghost ? savedBorder : border, readable, faded};
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
            DrawnNode box;
            box.tint = meaning.tint;
            const NodeColours c = tinted(box);
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
        else add(node, node.stage == Stage::backward ? QStringLiteral("backward") : QStringLiteral("forward"));
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

QString name(ColourBy by) {
    constexpr std::array<const char*, 4> names = {"part", "family", "mutation", "fate"};
    return QString::fromLatin1(names.at(static_cast<std::size_t>(by)));
}

std::optional<ColourBy> colourByFromName(const QString& text) {
    for (const ColourBy by : {ColourBy::stage, ColourBy::family, ColourBy::mutation, ColourBy::placement})
        if (name(by) == text) return by;
    return std::nullopt;
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
