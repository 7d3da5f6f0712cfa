#pragma once

#include "io/session/packed.h"
#include "io/session/record_fields.h"
#include "remote/connection.h"
#include "remote/result_fields.h"
#include "session/engine.h"
#include "session/remote/remote_logs.h"
#include "session/remote/session_remote.h"

/// The contents of requests to an engine, and of its answers: a request has what it is about in "about", and its answer
/// a value in "value", the bytes of a file in "file".
namespace aotscope::session_format {

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
AOTSCOPE_FIELDS(LoweredGraph, graph, became, origin, rewrites)
AOTSCOPE_FIELDS(IrLevel, name, lowered)
AOTSCOPE_FIELDS(RemoteEntry, name, folder, bytes)
AOTSCOPE_FIELDS(RemoteFolder, path, entries)
AOTSCOPE_FIELDS(RemoteLog, name, path, bytes, written)
AOTSCOPE_FIELDS(RankJob, values, timing, training, check)
AOTSCOPE_FIELDS(RankRun, check, timing, training)

/// What a session says, besides its content.
struct SessionFacts {
    bool saved = false;  ///< it is a session file, unchanged
    std::vector<std::string> compileIds = {};
    std::filesystem::path log = {};  ///< there, of its TORCH_TRACE log; empty: it is from something else
    std::string rank = {}, whyNotCompiled = {}, whyNotExecutable = {}, whyNoOtherInputs = {};
};
AOTSCOPE_FIELDS(SessionFacts, saved, compileIds, log, rank, whyNotCompiled, whyNotExecutable, whyNoOtherInputs)

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
