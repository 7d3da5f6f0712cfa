#pragma once

#include "io/session/fields.h"
#include "ops/decompositions/decomposition_table.h"
#include "record/compile_record.h"
#include "record/options/option_table.h"
#include "record/results/operator_costs.h"
#include "record/results/results.h"
#include "record/results/train_result.h"

/// The fields of everything in a session.
namespace aotscope::session_format {

/// In readable form.
template <>
inline constexpr auto kNamesOf<PassId> = [] {
    auto names = kEnumeratorNames<PassId>;
    std::ranges::transform(kEnumerators<PassId>, names.begin(), [](PassId pass) { return name(pass); });
    return names;
}();

template <>
inline constexpr auto kNumbered<BanReason> = [] {
    using enum BanReason;
    return std::array{primalInput,    forwardSeed,  mustSave,         clonedInput,
                      notAllowListed, randomOp,     computeIntensive, materializedInBackward,
                      reduction,      usedFarApart, longFusibleChain, tagged,
                      regionBorder,   collective,   effect,           mutationSource};
}();

template <Is<ValueDecision, CutNetwork::Vertex, CutNetwork::Edge, RecomputedValue, StepTime, Rewrite, KnownCost> T>
inline constexpr bool kAsRow<T> = true;

template <>
inline constexpr const char* kSharedIn<FunctionMetadata> = "metadata";
template <>
inline constexpr const char* kSharedIn<Partition> = "partitions";
template <>
inline constexpr const char* kSharedIn<CutNetwork> = "networks";
template <>
inline constexpr const char* kSharedIn<CompileRecord> = "records";
template <>
inline constexpr const char* kSharedIn<OperatorCosts> = "costs";
template <>
inline constexpr const char* kSharedIn<DecompositionTable> = "decompositions";

// --- metadata ---

AOTSCOPE_FIELDS(InputInfo, name, role, tensor, after, isLeaf, requiresGrad, mutatesData, mutatesMetadata,
                mutatesStorageMetadata, growsStorage, mutationsHiddenFromAutograd, mutationsUnderNoGrad, behindAutograd,
                mutation, countsAsWritten, restrided)
AOTSCOPE_FIELDS(OutputInfo, name, type, base, isTensor, requiresGrad, requiresGradForBackward, tensor, asWritten,
                conjugated, negated, repeats, severed, ownHistory, sameAsBase, replaysViews, views)
AOTSCOPE_FIELDS(GraphInput, arguments, syntheticBase, wholeStorage)
AOTSCOPE_FIELDS(ArgumentSource, input, view)
AOTSCOPE_FIELDS(CallingConvention, inputs, arguments, duplicateOf)

template <typename Io, Is<FunctionMetadata> T>
void fields(Io& io, T& v) {
    io("inputs", v.inputs), io("outputs", v.outputs), io("intermediateBases", v.intermediateBases);
    io("tangents", v.tangents), io("refusedTangents", v.undifferentiableTangents), io("needsAutograd", v.needsAutograd);
    io("whyAutograd", v.whyAutograd), io("keepInputMutations", v.keepInputMutations), io("gradMode", v.gradMode);
    io("convention", v.convention);
}

// --- partition ---

template <typename Io, Is<ValueDecision> T>
void fields(Io& io, T& v) {
    io("node", v.node), io("fate", v.placement), io("bans", v.bans), io("overruled", v.overruled);
    io("exemption", v.exemption), io("noSave", v.noSave), io("bytes", v.bytes), io("distance", v.distance);
    io("capacity", v.capacity), io("flow", v.flow), io("materialized", v.materialized);
}

AOTSCOPE_FIELDS(CutNetwork::Vertex, node, out, sinkSide)
AOTSCOPE_FIELDS(CutNetwork::Edge, from, to, kind, capacity, flow)
AOTSCOPE_FIELDS(CutNetwork, vertices, edges, flow)
AOTSCOPE_FIELDS(PathStep, node, name, reason)
AOTSCOPE_FIELDS(BudgetOutcome::Item, node, bytes, runtime, kept)
AOTSCOPE_FIELDS(BudgetOutcome, budget, cut, inputBytes, fastestBytes, savedBytes, excess, cuts, items)
AOTSCOPE_FIELDS(PeakPlan, status, limitBytes, peakBytes, keepAllBytes, recomputedMs, boundMs, msPerMegabyte,
                leastPeakBytes, leastPeakBoundBytes, seconds, tightest, moment, note)
AOTSCOPE_FIELDS(SavedValue, node, name, op, label, type, kind, reason, donated, unsized)
AOTSCOPE_FIELDS(RecomputedValue, node, name, op, bytes)
AOTSCOPE_FIELDS(Partition, algorithm, forward, backward, saved, recomputed, decisions, network, budget, plan)

// --- options ---

/// Fields from the table of options: those whose key is `prefix` and one more name. `part` finds the struct within
/// Options.
template <typename Io, typename T>
void optionFields(Io& io, T& v, const std::string& prefix, auto&& part) {
    Options options;
    *part(options) = v;
    for (const OptionEntry& entry : optionTable()) {
        const bool deeper = entry.session.find('.', prefix.size()) != std::string_view::npos;
        if (entry.session.empty() || !entry.session.starts_with(prefix) || deeper) continue;
        const char* key = entry.session.data() + prefix.size();  // null-terminated, since it is part of a literal
        std::visit([&](auto* field) { io(key, *field); }, entry.field(options));
    }
    if constexpr (!std::is_const_v<T>) v = *part(options);
}

template <typename Io, Is<MinCutOptions> T>
void fields(Io& io, T& v) {
    optionFields(io, v, "partition.cut.", [](Options& options) { return &options.partition.cut; });
}

template <typename Io, Is<CollectiveMoves> T>
void fields(Io& io, T& v) {
    optionFields(io, v, "partition.moves.", [](Options& options) { return &options.partition.moves; });
}

template <typename Io, Is<PartitionOptions> T>
void fields(Io& io, T& v) {
    optionFields(io, v, "partition.", [](Options& options) { return &options.partition; });
    io("cut", v.cut), io("moves", v.moves);
}

AOTSCOPE_FIELDS(DynamicRange, name, min, max)

/// All except the plug-ins: a file must not name code to load (see RequestedCode).
template <typename Io, Is<CompilerChoice> T>
void fields(Io& io, T& v) {
    optionFields(io, v, "compilers.", [](Options& options) { return &options.compilers; });
}

template <typename Io, Is<WorldShape> T>
void fields(Io& io, T& v) {
    optionFields(io, v, "world.", [](Options& options) { return &options.world; });
}

AOTSCOPE_FIELDS(DecompositionTable, name, base, choices)

/// All except the libraries, for the same reason, and the inputs, which are stored separately.
template <typename Io, Is<Options> T>
void fields(Io& io, T& v) {
    optionFields(io, v, "", [](Options& options) { return &options; });
    io("partition", v.partition), io("compilers", v.compilers), io("world", v.world);
    io("decompositions", v.decompositions);
}

// --- the record ---

AOTSCOPE_FIELDS(CompilerUse, graph, chosen, used, note, ms, groups)
AOTSCOPE_FIELDS(Rewrite, op, rule, before, inputs, nodes, results, parent)
AOTSCOPE_FIELDS(Guard, text, source, kind, reason)
AOTSCOPE_FIELDS(FakeMismatch, op, expected, found, count)
AOTSCOPE_FIELDS(CrossCheckReport, checked, skipped, mismatches)
AOTSCOPE_FIELDS(CompileTimes, load, metadata, joint, partition, compile, total)
AOTSCOPE_FIELDS(ModelInfo, name, path, kind, torchVersion)
AOTSCOPE_FIELDS(Symbol, name, hint, min, max, origin, equals)

template <typename Io, Is<PassRecord> T>
void fields(Io& io, T& v) {
    io("name", v.id), io("title", v.title), io("help", v.help), io("graphs", v.graphs), io("metadata", v.metadata);
    io("changed", v.changed), io("nodesBefore", v.nodesBefore), io("nodesAfter", v.nodesAfter), io("ms", v.ms);
    io("lineage", v.lineage), io("merged", v.merged), io("log", v.log);
}

AOTSCOPE_FIELDS(KnownCost, signature, us, innerBytes, time, bytes, resultBytes)
AOTSCOPE_FIELDS(OperatorCosts, known, threads)

AOTSCOPE_FIELDS(CompileRecord, model, passes, compilation, metadata, graphMetadata, graphs, partition, offendingPath,
                staticParameters, whyNotSplit, times, compilers, fallbacks, dataKernels, rewrites, guards, autocast,
                symbols, crossCheck, warnings, fellBack, notes, error, costs)

// --- results of runs ---

AOTSCOPE_FIELDS(Difference, kind, what, maxAbs, maxRel, index, expected, actual, count, total, sizes)
AOTSCOPE_FIELDS(CheckedValue, kind, index, name, what, type, maxAbs, maxRel, tolerance, equal, nans, infs, meaningless)
AOTSCOPE_FIELDS(SizeCheck, sizes, ok, recompiled, reason, refused)
AOTSCOPE_FIELDS(Recompilation, record, reason)
AOTSCOPE_FIELDS(CheckResult, ok, backwardRun, backwardError, outputsMaxError, gradsMaxError, inputsAfterOk, aliasingOk,
                differences, details, sizes, hits, misses, compilers, values, eagerMs, compiledMs, tookMs, seed,
                recompilations, compiledBackwardError, notes)

/// A pass is stored as its name, or the title of a printed one; a graph as its name on the command line.
template <typename Io, Is<BisectResult> T>
void fields(Io& io, T& v) {
    std::string pass(v.found ? passName(v) : std::string_view()), graph(v.graph ? name(*v.graph) : std::string_view());
    io("found", v.found), io("pass", pass), io("graph", graph), io("node", v.node), io("nodeName", v.nodeName);
    io("op", v.op), io("place", v.place), io("reason", v.reason), io("value", v.value), io("outputs", v.outputs);
    io("passes", v.passes), io("notes", v.notes), io("sizes", v.sizes);
    if constexpr (!std::is_const_v<T>) {
        v.pass = enumeratorNamed<PassId>(pass).value_or(PassId::printed);
        v.title = v.pass == PassId::printed ? pass : std::string();
        v.graph = graphKindFromName(graph);
    }
}

AOTSCOPE_FIELDS(Spread, min, median, max, lower, upper)
AOTSCOPE_FIELDS(Ratio, median, low, high, confidence)
AOTSCOPE_FIELDS(GraphTime, graph, ms, observedMs, stepsMs, stepsRatio, observedRatio)
AOTSCOPE_FIELDS(StepTime, graph, index, node, name, op, medianUs, bytes, liveBytes, lowerUs, upperUs, innerBytes,
                resultBytes)
AOTSCOPE_FIELDS(MachineLoad, waiting, threads, usualThreads)
AOTSCOPE_FIELDS(TimingResult, iterations, backward, eagerForwardMs, eagerBackwardMs, compiledForwardMs,
                compiledBackwardMs, steps, eagerPeakBytes, compiledPeakBytes, eagerSavedBytes, compiledSavedBytes,
                compilers, warmUps, clockUs, eagerStepMs, compiledStepMs, forwardRatio, backwardRatio, stepRatio,
                graphs, load)
AOTSCOPE_FIELDS(TrainOptions, steps, rate, optimizer, data)
AOTSCOPE_FIELDS(TrainIteration, loss, ms, peakBytes, liveBytes, liveBlocks)
AOTSCOPE_FIELDS(TrainStep, eager, compiled, residentBytes)
AOTSCOPE_FIELDS(TrainResult, options, loss, steps, recompilations, compilers)

}  // namespace aotscope::session_format
