#pragma once

#include <QColor>

#include <cstdint>

namespace aotscope {

/// The variant of the colours: on a light or on a dark background, for everyone or for colour-blind people.
struct ColourScheme {
    bool dark = false, colourBlind = false;
    bool operator==(const ColourScheme&) const = default;
};

/// The meaning of a fill: of boxes, of lines of text, of fields. Those that can be in one legend are in one paragraph.
enum class Meaning : std::uint8_t {
    input,
    output,
    forward,
    backward,
    recomputed,
    saved,

    matmul,  // in the order of OpFamily
    convolution,
    normalization,
    attention,
    reduction,
    pointwise,
    view,
    random,
    indexing,
    communication,
    otherFamily,

    notMutated,  // in the order of InputEffect
    mutatedInGraph,
    metadataMutated,
    dataMutated,
    dataAndMetadataMutated,
    storageMutated,
    ownMemory,  // in the order of OutputType
    viewOfInput,
    inputItself,
    viewOfIntermediate,
    viewOfKnownBase,
    viewOfOutput,
    unsafeView,
    customFunctionView,
    intermediateBase,
    unmarked,

    step1,  // from low to high
    step2,
    step3,
    step4,
    step5,
    step6,
    noValue,

    word1,
    word2,
    word3,
    word4,
    word5,
    word6,
    word7,
    word8,

    added,
    removed,
    replaced,
    changed,
    moved,
    same,
    unchanged,
    absent,
};
constexpr std::size_t kMeanings = static_cast<std::size_t>(Meaning::absent) + 1;
/// The meaning `offset` places after `first`.
constexpr Meaning after(Meaning first, std::size_t offset) {
    return static_cast<Meaning>(static_cast<std::size_t>(first) + offset);
}

struct NodeColours {
    QColor fill, border, text;
    QColor lines;  ///< of the smaller lines below the title
};
/// Text and lines are readable on the fill.
const NodeColours& coloursOf(Meaning meaning, ColourScheme scheme);

/// For lines, marks and text on the background of the canvas and of charts.
struct LineColours {
    QColor background, text, faintText, flow, rung, recomputedRung, selection, hit, savedBorder, change, current;
    QColor grid, estimated, measured, forwardCurve, backwardCurve;
};
const LineColours& lineColours(ColourScheme scheme);

/// For equal, different and failed items, as text on the background of tables; distinguishable for everyone.
QColor verdictColour(bool good, bool dark);

/// From 1 to 21 (WCAG 2.1).
double contrastRatio(const QColor& a, const QColor& b);
constexpr double kReadableContrast = 4.5;
/// A readable text colour on `fill`: the usual one of `scheme`, else white or black.
QColor textOn(const QColor& fill, ColourScheme scheme);
/// For differing words in a line filled with `fill`.
QColor emphasized(const QColor& fill, ColourScheme scheme);
/// A blend of `b` over `a`.
QColor blended(const QColor& a, const QColor& b, double share);

}  // namespace aotscope
