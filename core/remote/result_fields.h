#pragma once

#include "io/session/record_fields.h"
#include "record/results/minify_result.h"
#include "record/results/train_result.h"

/// The fields of results that session files do not contain, and of requests.
namespace aotscope::session_format {

AOTSCOPE_FIELDS(TimingOptions, iterations, warmUps)
AOTSCOPE_FIELDS(VariantTiming::Part, firstMs, secondMs, ratio)
AOTSCOPE_FIELDS(VariantTiming, first, second, iterations, warmUps, backward, forwardPart, backwardPart, step,
                firstPeakBytes, secondPeakBytes, load)
AOTSCOPE_FIELDS(TrainOptions, steps, rate, optimizer, data)
AOTSCOPE_FIELDS(TrainIteration, loss, ms, peakBytes, liveBytes, liveBlocks)
AOTSCOPE_FIELDS(TrainStep, eager, compiled, residentBytes)
AOTSCOPE_FIELDS(TrainResult, options, loss, steps, recompilations, compilers)
AOTSCOPE_FIELDS(MinifyOptions, condition, graph)
AOTSCOPE_FIELDS(GraphSize, operations, inputs, outputs)

/// A number in a sketch: an integer, a real or complex number, or a boolean.
struct SketchedNumber {
    std::optional<std::int64_t> integer;
    std::optional<bool> truth;
    double real = 0, imaginary = 0;
    bool isComplex = false;
};
template <>
inline constexpr bool kAsRow<SketchedNumber> = true;

AOTSCOPE_FIELDS(SketchedNumber, integer, truth, real, imaginary, isComplex)

SketchedNumber sketchedNumber(const Argument& element);
Argument elementFrom(const SketchedNumber& number);

template <typename Io, Is<ValueSketch> T>
void fields(Io& io, T& v) {
    std::vector<SketchedNumber> elements;
    for (const Argument& element : v.elements) elements.push_back(sketchedNumber(element));
    io("elements", elements), io("measured", v.measured), io("mean", v.mean), io("deviation", v.deviation);
    io("low", v.low), io("high", v.high), io("kept", v.kept);
    if constexpr (!std::is_const_v<T>) {
        v.elements.clear();
        for (const SketchedNumber& number : elements) v.elements.push_back(elementFrom(number));
    }
}

/// All except the values, which are a separate file.
AOTSCOPE_FIELDS(GraphExample, inputs, constants, seed, values, leftOut, whyNone)
AOTSCOPE_FIELDS(MinifyResult, graph, kind, found, before, after, tried, ms, example)

}  // namespace aotscope::session_format
