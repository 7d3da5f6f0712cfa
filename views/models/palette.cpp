#include "models/palette.h"

#include <QLatin1String>

#include <algorithm>
#include <array>
#include <cmath>

namespace aotscope {

namespace {

constexpr const char* kDerived = nullptr;  ///< the border is the fill, further from the background

/// Fill and border on light and on dark; then the fills for colour-blind people, which differ in lightness, too.
struct PaletteRow {
    const char *light, *lightBorder, *dark, *darkBorder, *safeLight, *safeDark;
};

/// By Meaning. Most hues are those of Okabe and Ito.
constexpr std::array<PaletteRow, kMeanings> kPalette = {{
    {"#f1f1ee", "#8a8a84", "#3a3a38", "#8a8a84", "#bfb8b2", "#53524d"},  // input
    {"#e2efe0", "#5a8f55", "#2b3d29", "#5a8f55", "#6a955c", "#a1c95c"},  // output
    {"#dfeafa", "#3f6fb0", "#20354f", "#3f6fb0", "#b4d3f8", "#204a81"},  // forward
    {"#fce6d4", "#c2702a", "#4d3320", "#c2702a", "#ffbf6d", "#a86219"},  // backward
    {"#eedcf3", "#8f4fa3", "#412a49", "#8f4fa3", "#8f50a2", "#c18fd7"},  // recomputed
    {"#bfe8d2", "#1f7a53", "#17503a", "#52c793", "#276f53", "#48d4b0"},  // saved
    {"#cfe3f6", "#0072b2", "#17364d", "#0072b2", "#1975b4", "#0076ce"},  // matrix product
    {"#fbdcc4", "#d55e00", "#4d2b12", "#d55e00", "#db6409", "#dc6306"},  // convolution
    {"#d5efe4", "#009e73", "#143f33", "#009e73", "#878f84", "#1ea374"},  // normalization
    {"#f6d9e6", "#b0487f", "#472338", "#b0487f", "#ae467c", "#ab528f"},  // attention
    {"#fbeebb", "#b8960b", "#44390f", "#b8960b", "#9fc7d5", "#ffea39"},  // reduction
    {"#e8e8e8", "#777777", "#3a3a3a", "#777777", "#f1e7d9", "#737370"},  // pointwise
    {"#f6f6f6", "#b0b0b0", "#2e2e2e", "#b0b0b0", "#f2f7fe", "#2d2e2f"},  // view
    {"#ffe0e0", "#cc3a3a", "#4a2020", "#cc3a3a", "#c0292b", "#ca0f1c"},  // random
    {"#e0ddf5", "#5b4fa8", "#2b2750", "#5b4fa8", "#444094", "#4c4099"},  // indexing
    {"#cdeff3", "#0b8493", "#123f46", "#22a5b5", "#3ca2ca", "#22fbef"},  // communication
    {"#eeeae2", "#8c7a5b", "#38322a", "#8c7a5b", "#cfb18b", "#7c6b4c"},  // other family
    {"#f1f1ee", "#8a8a84", "#3a3a38", "#8a8a84", "#d5d1ca", "#555551"},  // not mutated
    {"#c4ecdd", "#009e73", "#0f5540", "#009e73", "#029e72", "#029e72"},  // mutated in the graph
    {"#cfeafa", "#3a9bd0", "#154a66", "#3a9bd0", "#15b0ee", "#4489dd"},  // metadata
    {"#fce3ae", "#c98500", "#664710", "#c98500", "#f0ab25", "#ebab33"},  // data
    {"#fbc7a6", "#d55e00", "#78370a", "#d55e00", "#9e6647", "#903d04"},  // both
    {"#f3cfe2", "#b0487f", "#642a4a", "#b0487f", "#ba3a7d", "#af477e"},  // storage
    {"#ffffff", "#8a8a84", "#2a2c2f", "#8a8a84", "#fffdf8", "#37393d"},  // own memory
    {"#c3daf0", "#0062a3", "#12395c", "#3f8fd0", "#0d88f1", "#60a9ff"},  // view of an input
    {"#9dbfe3", "#00457a", "#0a4f8c", "#7fbdf5", "#024277", "#0a559d"},  // an input itself
    {"#f7ef9e", "#978a00", "#4e4808", "#b5a800", "#f5e843", "#f1e541"},  // view of an intermediate
    {"#fbf8d0", "#978a00", "#302d0c", "#978a00", "#c5be73", "#c2bd78"},  // view of a known base
    {"#e6dfb8", "#6f6520", "#4a4528", "#6f6520", "#6b6118", "#78703a"},  // view of another output
    {"#ececec", "#555555", "#3f4246", "#555555", "#8c8d8f", "#8b8c8e"},  // unsafe view
    {"#e2d8f2", "#5b4fa8", "#3a2f66", "#5b4fa8", "#5b4fa7", "#292d7c"},  // custom function
    {"#efe264", "#6f6500", "#6e6600", "#f0e442", "#9f8900", "#a08a03"},  // intermediate base
    {"#fbfbfb", "#c4c6ca", "#26282b", "#55595f", "#dde5ee", "#1f1e1c"},  // unmarked
    {"#dfebf7", kDerived, "#1f3146", kDerived, "#d6e6f6", "#1f3146"},    // step 1
    {"#c2daef", kDerived, "#234a6d", kDerived, "#a8cbec", "#234a6d"},    // step 2
    {"#94c2e1", kDerived, "#2b6899", kDerived, "#75addf", "#2b6899"},    // step 3
    {"#5aa2cf", kDerived, "#4189bd", kDerived, "#4489c8", "#4189bd"},    // step 4
    {"#2d7dbb", kDerived, "#7fb5dc", kDerived, "#205fa0", "#7fb5dc"},    // step 5
    {"#0b4d94", kDerived, "#cfe3f4", kDerived, "#0a356b", "#cfe3f4"},    // step 6
    {"#ffffff", kDerived, "#26282b", kDerived, "#ffffff", "#26282b"},    // no value
    {"#bfdcf2", kDerived, "#12456b", kDerived, "#0c6adf", "#1e87f4"},    // word 1
    {"#f8d3b4", kDerived, "#6b3410", kDerived, "#c05200", "#c34f01"},    // word 2
    {"#bfe6d6", kDerived, "#0f5540", kDerived, "#319c6d", "#2a825d"},    // word 3
    {"#f3cfe0", kDerived, "#5e2d47", kDerived, "#b8709d", "#c368a0"},    // word 4
    {"#f7efa8", kDerived, "#595211", kDerived, "#faee4d", "#f5e944"},    // word 5
    {"#d6e9f9", kDerived, "#2a5f85", kDerived, "#56b8f1", "#3fc2ff"},    // word 6
    {"#f9dfa6", kDerived, "#63480c", kDerived, "#e29e20", "#d2a320"},    // word 7
    {"#d5cff0", kDerived, "#383070", kDerived, "#423d8e", "#5b4fa6"},    // word 8
    {"#b5e3cb", kDerived, "#17553c", kDerived, "#75c59c", "#096a4c"},    // added
    {"#f9cdbb", kDerived, "#66301f", kDerived, "#ee9557", "#8a3904"},    // removed
    {"#e3d3f0", kDerived, "#4a2f61", kDerived, "#cb9ed4", "#7b4a81"},    // replaced
    {"#fae8a0", kDerived, "#5a4c12", kDerived, "#fae26b", "#9e8521"},    // changed
    {"#c6dff6", kDerived, "#1a3f61", kDerived, "#4989ff", "#0072cb"},    // moved
    {"#f4f4f2", kDerived, "#2d2f33", kDerived, "#f4f4f2", "#2d2f33"},    // same
    {"#ffffff", kDerived, "#3a3e44", kDerived, "#ffffff", "#43474e"},    // unchanged
    {"#ddddda", kDerived, "#222427", kDerived, "#cecec9", "#16181a"},    // absent
}};

QColor named(const char* name) { return QColor(QLatin1String(name)); }

NodeColours coloursOn(const QColor& fill, const char* border, ColourScheme scheme) {
    const QColor text = textOn(fill, scheme), faint = lineColours(scheme).faintText;
    const QColor derived = scheme.colourBlind ? blended(fill, lineColours(scheme).text, 0.45)
                           : scheme.dark      ? fill.lighter(190)
                                              : fill.darker(165);
    const bool readable = contrastRatio(faint, fill) >= kReadableContrast;
    return {fill, border == kDerived ? derived : named(border), text, readable ? faint : text};
}

std::array<NodeColours, kMeanings> allColours(ColourScheme scheme) {
    std::array<NodeColours, kMeanings> all;
    std::ranges::transform(kPalette, all.begin(), [scheme](const PaletteRow& row) {
        if (scheme.colourBlind) return coloursOn(named(scheme.dark ? row.safeDark : row.safeLight), kDerived, scheme);
        return coloursOn(named(scheme.dark ? row.dark : row.light), scheme.dark ? row.darkBorder : row.lightBorder,
                         scheme);
    });
    return all;
}

/// One for each scheme: on light and on dark, then the same for colour-blind people.
template <typename T>
using OfSchemes = std::array<T, 4>;
std::size_t schemeIndex(ColourScheme scheme) { return (scheme.colourBlind ? 2U : 0U) + (scheme.dark ? 1U : 0U); }

double luminance(const QColor& colour) {
    const auto linear = [](double part) {
        return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

/// In the order of OfSchemes.
struct LineRow {
    QColor LineColours::*line;
    OfSchemes<const char*> colours;
};

constexpr std::array<LineRow, 16> kLines = {{
    {&LineColours::background, {"#ffffff", "#1d1f22", "#ffffff", "#1d1f22"}},
    {&LineColours::text, {"#1c1c1c", "#eaeaea", "#1c1c1c", "#eaeaea"}},
    {&LineColours::faintText, {"#5c6066", "#bac0c8", "#5c6066", "#bac0c8"}},
    {&LineColours::flow, {"#7d8692", "#8a939e", "#818791", "#627590"}},
    {&LineColours::rung, {"#2a8f62", "#52c793", "#01765a", "#64d3b6"}},
    {&LineColours::savedBorder, {"#2a8f62", "#52c793", "#01765a", "#64d3b6"}},
    {&LineColours::recomputedRung, {"#8f4fa3", "#c48fd6", "#905691", "#eec7ff"}},
    {&LineColours::selection, {"#d42a5b", "#ff6a93", "#d3275a", "#ff6789"}},
    {&LineColours::hit, {"#0057e7", "#7aa8ff", "#035bf2", "#7fa3c0"}},
    {&LineColours::change, {"#c98500", "#f0b43c", "#ca8500", "#efb440"}},
    {&LineColours::current, {"#6a2bd9", "#b79cff", "#4e10b1", "#a183ff"}},
    {&LineColours::grid, {"#e4e5e7", "#383b40", "#e4e5e7", "#383b40"}},
    {&LineColours::estimated, {"#0072b2", "#56b4e9", "#006ab0", "#366ebe"}},
    {&LineColours::measured, {"#d55e00", "#f0884a", "#764000", "#f2ff2e"}},
    {&LineColours::forwardCurve, {"#56a0d8", "#3f7fb5", "#56a0d8", "#55a0d7"}},
    {&LineColours::backwardCurve, {"#e8a35c", "#b9752f", "#e8a35c", "#eda962"}},
}};
static_assert(sizeof(LineColours) == kLines.size() * sizeof(QColor), "every member has a row");

LineColours linesOf(std::size_t scheme) {
    LineColours all;
    for (const LineRow& row : kLines) all.*row.line = named(row.colours[scheme]);
    return all;
}

}  // namespace

const NodeColours& coloursOf(Meaning meaning, ColourScheme scheme) {
    static const OfSchemes<std::array<NodeColours, kMeanings>> all = {
        allColours({false, false}), allColours({true, false}), allColours({false, true}), allColours({true, true})};
    return all[schemeIndex(scheme)][static_cast<std::size_t>(meaning)];
}

const LineColours& lineColours(ColourScheme scheme) {
    static const OfSchemes<LineColours> all = {linesOf(0), linesOf(1), linesOf(2), linesOf(3)};
    return all[schemeIndex(scheme)];
}

QColor verdictColour(bool good, bool dark) {
    if (good) return named(dark ? "#6fd6c0" : "#00695c");
    return named(dark ? "#ff9a8d" : "#b3261e");
}

double contrastRatio(const QColor& a, const QColor& b) {
    const double one = luminance(a), other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

QColor textOn(const QColor& fill, ColourScheme scheme) {
    for (const QColor& text : {lineColours(scheme).text, QColor(Qt::white)})
        if (contrastRatio(text, fill) >= kReadableContrast) return text;
    return Qt::black;
}

/// Darker, on dark lighter; the opposite if the line's text would become unreadable.
QColor emphasized(const QColor& fill, ColourScheme scheme) {
    const QColor further = scheme.dark ? fill.lighter(170) : fill.darker(122);
    if (contrastRatio(further, textOn(fill, scheme)) >= kReadableContrast) return further;
    return blended(fill, scheme.dark ? Qt::black : Qt::white, 0.45);
}

QColor blended(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

}  // namespace aotscope
