#pragma once

#include "io/session/record_fields.h"
#include "record/minify_result.h"
#include "record/train_result.h"

/// The fields of results that no session file holds, and of what is asked for.
namespace aotscope::session_format {

template <typename Io, Is<TimingOptions> T>
void fields(Io& io, T& v) {
    io("iterations", v.iterations), io("warmUps", v.warmUps);
}

template <typename Io, Is<VariantTiming::Part> T>
void fields(Io& io, T& v) {
    io("firstMs", v.firstMs), io("secondMs", v.secondMs), io("ratio", v.ratio);
}

template <typename Io, Is<VariantTiming> T>
void fields(Io& io, T& v) {
    io("first", v.first), io("second", v.second), io("iterations", v.iterations), io("warmUps", v.warmUps);
    io("backward", v.backward), io("forwardPart", v.forwardPart), io("backwardPart", v.backwardPart);
    io("step", v.step), io("firstPeakBytes", v.firstPeakBytes), io("secondPeakBytes", v.secondPeakBytes);
}

template <typename Io, Is<TrainOptions> T>
void fields(Io& io, T& v) {
    io("steps", v.steps), io("rate", v.rate), io("optimizer", v.optimizer), io("data", v.data);
}

template <typename Io, Is<TrainIteration> T>
void fields(Io& io, T& v) {
    io("loss", v.loss), io("ms", v.ms), io("peakBytes", v.peakBytes), io("liveBytes", v.liveBytes);
    io("liveBlocks", v.liveBlocks);
}

template <typename Io, Is<TrainStep> T>
void fields(Io& io, T& v) {
    io("eager", v.eager), io("compiled", v.compiled), io("residentBytes", v.residentBytes);
}

template <typename Io, Is<TrainResult> T>
void fields(Io& io, T& v) {
    io("options", v.options), io("loss", v.loss), io("steps", v.steps), io("recompilations", v.recompilations);
    io("compilers", v.compilers);
}

template <typename Io, Is<MinifyOptions> T>
void fields(Io& io, T& v) {
    io("condition", v.condition), io("graph", v.graph);
}

template <typename Io, Is<GraphSize> T>
void fields(Io& io, T& v) {
    io("operations", v.operations), io("inputs", v.inputs), io("outputs", v.outputs);
}

/// A number of a sketch: an element is a whole number, a real or complex one, or a truth value.
struct SketchedNumber {
    std::optional<std::int64_t> integer;
    std::optional<bool> truth;
    double real = 0, imaginary = 0;
    bool isComplex = false;
};
template <>
inline constexpr bool kAsRow<SketchedNumber> = true;

template <typename Io, Is<SketchedNumber> T>
void fields(Io& io, T& v) {
    io("integer", v.integer), io("truth", v.truth), io("real", v.real), io("imaginary", v.imaginary);
    io("isComplex", v.isComplex);
}

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

/// All but the values, which are a file of their own.
template <typename Io, Is<GraphExample> T>
void fields(Io& io, T& v) {
    io("inputs", v.inputs), io("constants", v.constants), io("seed", v.seed), io("values", v.values);
    io("leftOut", v.leftOut), io("whyNone", v.whyNone);
}

template <typename Io, Is<MinifyResult> T>
void fields(Io& io, T& v) {
    io("graph", v.graph), io("kind", v.kind), io("found", v.found), io("before", v.before), io("after", v.after);
    io("tried", v.tried), io("ms", v.ms), io("example", v.example);
}

/// A graph of a session, for what is asked about it.
struct AskedGraph {
    std::shared_ptr<const Graph> graph;
    GraphKind kind = GraphKind::forward;
};

template <typename Io, Is<AskedGraph> T>
void fields(Io& io, T& v) {
    io("graph", v.graph), io("kind", v.kind);
}

}  // namespace aotscope::session_format
