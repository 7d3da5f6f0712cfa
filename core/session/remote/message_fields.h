#pragma once

#include "debug/debugger.h"
#include "io/session/packed.h"
#include "io/session/record_fields.h"
#include "record/results/minify_result.h"
#include "record/results/train_result.h"
#include "record/results/value_facts.h"
#include "remote/connection.h"
#include "session/engine.h"
#include "session/remote/session_remote.h"

/// The contents of requests to an engine, and of its answers: a request has what it is about in "about", and its answer
/// a value in "value", the bytes of a file in "file" or, on this machine, where "into" says. Session files have the
/// other structs.
namespace aotscope::session_format {

AOTSCOPE_FIELDS(TimingOptions, iterations, warmUps)
AOTSCOPE_FIELDS(VariantTiming::Part, firstMs, secondMs, ratio)
AOTSCOPE_FIELDS(VariantTiming, first, second, iterations, warmUps, backward, forwardPart, backwardPart, step,
                firstPeakBytes, secondPeakBytes, load)
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

// --- the debugger ---

template <>
inline constexpr bool kAsRow<DebugStep> = true;
template <>
inline constexpr bool kAsRow<Debugger::ValuePlace> = true;

AOTSCOPE_FIELDS(DebugPosition, graph, step, steps, node)
AOTSCOPE_FIELDS(DebugStep, graph, index, node, inside)
AOTSCOPE_FIELDS(Debugger::ValuePlace, graph, node, rank)
AOTSCOPE_FIELDS(RankPlace, position, waits)
AOTSCOPE_FIELDS(DebugBreakpoint, condition, hits, enabled)
AOTSCOPE_FIELDS(DebugStop, reason, text, node, graph)
AOTSCOPE_FIELDS(DebugCommand, verb, graph, node, value, breakpoints, places)
AOTSCOPE_FIELDS(DebugState, ranks, shown, stoppedBy, stop, breakpoints, hits, comparing, notes)
AOTSCOPE_FIELDS(ValueFacts, type, sizes, tensor, complex, elements, nans, infs, zeros, min, max, mean, deviation,
                absMax, histogram, first)
AOTSCOPE_FIELDS(ValueImage, rows, columns, cells)

// --- the engine ---

AOTSCOPE_FIELDS(DeviceChoice, name, help)
AOTSCOPE_FIELDS(CompilerSetting, name, standard, help, values)
AOTSCOPE_FIELDS(CompilerInfo, name, help, settings)
AOTSCOPE_FIELDS(Pace, latency, perSecond)
AOTSCOPE_FIELDS(Bandwidth, smallBytes, small, largeBytes, large)
AOTSCOPE_FIELDS(MachineModel, bytes, stridedBytes, freshBytes, matrixFlops, batchedFlops, convolutionFlops,
                convolutionBackwardFlops, attentionFlops, transcendentals, heavyFunctions, randomNumbers, reductions,
                batchNorms, windows, conversions, overhead, viewOverhead, calibrationMs, disagreement, waiting, assumed)
AOTSCOPE_FIELDS(Recalibration, machine, note)
AOTSCOPE_FIELDS(DecompositionRule, op, rule, sets)
AOTSCOPE_FIELDS(MeasuredOperators::Left, signature, why)
AOTSCOPE_FIELDS(MeasuredOperators, measured, known, left)
AOTSCOPE_FIELDS(LoweredGraph, graph, became, origin, rewrites)
AOTSCOPE_FIELDS(IrLevel, name, lowered)
AOTSCOPE_FIELDS(RemoteEntry, name, folder, bytes)
AOTSCOPE_FIELDS(RemoteFolder, path, entries)
AOTSCOPE_FIELDS(RankJob, values, timing, training, check)
AOTSCOPE_FIELDS(RankRun, check, timing, training)

/// What a session says, besides its content.
struct SessionFacts {
    bool ofSessionFile = false, saved = false;  ///< saved: unchanged
    std::vector<std::string> compileIds = {};
    std::filesystem::path log = {};  ///< there, of its TORCH_TRACE log; empty: it is from something else
    std::int64_t logWritten = 0;     ///< see TraceLog
    std::uint64_t logBytes = 0;
    std::string rank = {}, whyNotCompiled = {}, whyNotExecutable = {}, whyNoOtherInputs = {};
};
AOTSCOPE_FIELDS(SessionFacts, ofSessionFile, saved, compileIds, log, logWritten, logBytes, rank, whyNotCompiled,
                whyNotExecutable, whyNoOtherInputs)

/// A graph, and what some requests about it ask for.
struct AskedGraph {
    std::shared_ptr<const Graph> graph;
    GraphKind kind = GraphKind::joint;
    TorchScriptForm form = {};
    ExampleValues values = {};
    std::filesystem::path function = {};
};
AOTSCOPE_FIELDS(AskedGraph, graph, kind, form, values, function)

/// For the time of a request.
inline std::shared_ptr<const Graph> borrowed(const Graph& graph) { return {std::shared_ptr<const void>(), &graph}; }

template <typename T>
json about(const T& value) {
    return {{"about", packedJson(value)}};
}

/// The value in the answer of `there`. Throws Error.
template <typename T>
T valueIn(const RemoteModel& there, const json& answer) {
    return readAnswer(there, [&] { return unpackedOf<T>(answer, "value"); });
}

/// Hears of training by `there`; `listener` may be null.
inline Connection::Listener stepsTo(const RemoteModel& there, const TrainListener& listener) {
    return [&](const json& event, std::uint64_t /*id*/) {
        const auto step = readAnswer(there, [&] { return unpackedOf<TrainStep>(event, "step"); });
        if (listener) listener(step);
    };
}

}  // namespace aotscope::session_format
