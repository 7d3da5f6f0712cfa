#pragma once

#include "io/session/fields.h"
#include "record/compile_record.h"
#include "record/option_table.h"
#include "record/results.h"

/// The fields of everything that a session holds.
namespace aotscope::session_format {

/// As people read them.
template <>
inline constexpr auto kNamesOf<PassId> = kPassNames;

template <>
inline constexpr auto kNumbered<BanReason> = [] {
    using enum BanReason;
    return std::array{primalInput,    forwardSeed,  mustSave,         clonedInput,
                      notAllowListed, randomOp,     computeIntensive, materializedInBackward,
                      reduction,      usedFarApart, longFusibleChain, tagged,
                      regionBorder,   collective,   effect,           mutationSource};
}();

template <>
inline constexpr bool kAsRow<ValueDecision> = true;
template <>
inline constexpr bool kAsRow<CutNetwork::Vertex> = true;
template <>
inline constexpr bool kAsRow<CutNetwork::Edge> = true;
template <>
inline constexpr bool kAsRow<RecomputedValue> = true;
template <>
inline constexpr bool kAsRow<StepTime> = true;
template <>
inline constexpr bool kAsRow<Rewrite> = true;

template <>
inline constexpr const char* kSharedIn<FunctionMetadata> = "metadata";
template <>
inline constexpr const char* kSharedIn<Partition> = "partitions";
template <>
inline constexpr const char* kSharedIn<CutNetwork> = "networks";
template <>
inline constexpr const char* kSharedIn<CompileRecord> = "records";

// --- metadata ---

template <typename Io, Is<InputInfo> T>
void fields(Io& io, T& v) {
    io("name", v.name), io("role", v.role), io("tensor", v.tensor), io("after", v.after), io("isLeaf", v.isLeaf);
    io("requiresGrad", v.requiresGrad), io("mutatesData", v.mutatesData), io("mutatesMetadata", v.mutatesMetadata);
    io("mutatesStorageMetadata", v.mutatesStorageMetadata), io("growsStorage", v.growsStorage);
    io("mutationsHiddenFromAutograd", v.mutationsHiddenFromAutograd);
    io("mutationsUnderNoGrad", v.mutationsUnderNoGrad), io("behindAutograd", v.behindAutograd);
    io("mutation", v.mutation), io("countsAsWritten", v.countsAsWritten), io("restrided", v.restrided);
}

template <typename Io, Is<OutputInfo> T>
void fields(Io& io, T& v) {
    io("name", v.name), io("type", v.type), io("base", v.base), io("isTensor", v.isTensor);
    io("requiresGrad", v.requiresGrad);
    io("requiresGradForBackward", v.requiresGradForBackward), io("tensor", v.tensor), io("asWritten", v.asWritten);
    io("conjugated", v.conjugated), io("negated", v.negated);
    io("repeats", v.repeats), io("severed", v.severed), io("ownHistory", v.ownHistory);
    io("sameAsBase", v.sameAsBase), io("replaysViews", v.replaysViews), io("views", v.views);
}

template <typename Io, Is<GraphInput> T>
void fields(Io& io, T& v) {
    io("arguments", v.arguments), io("syntheticBase", v.syntheticBase), io("wholeStorage", v.wholeStorage);
}

template <typename Io, Is<ArgumentSource> T>
void fields(Io& io, T& v) {
    io("input", v.input), io("view", v.view);
}

template <typename Io, Is<CallingConvention> T>
void fields(Io& io, T& v) {
    io("inputs", v.inputs), io("arguments", v.arguments), io("duplicateOf", v.duplicateOf);
}

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

template <typename Io, Is<CutNetwork::Vertex> T>
void fields(Io& io, T& v) {
    io("node", v.node), io("out", v.out), io("sinkSide", v.sinkSide);
}

template <typename Io, Is<CutNetwork::Edge> T>
void fields(Io& io, T& v) {
    io("from", v.from), io("to", v.to), io("kind", v.kind), io("capacity", v.capacity), io("flow", v.flow);
}

template <typename Io, Is<CutNetwork> T>
void fields(Io& io, T& v) {
    io("vertices", v.vertices), io("edges", v.edges), io("flow", v.flow);
}

template <typename Io, Is<PathStep> T>
void fields(Io& io, T& v) {
    io("node", v.node), io("name", v.name), io("reason", v.reason);
}

template <typename Io, Is<BudgetOutcome::Item> T>
void fields(Io& io, T& v) {
    io("node", v.node), io("bytes", v.bytes), io("runtime", v.runtime), io("kept", v.kept);
}

template <typename Io, Is<BudgetOutcome> T>
void fields(Io& io, T& v) {
    io("budget", v.budget), io("cut", v.cut), io("inputBytes", v.inputBytes), io("fastestBytes", v.fastestBytes);
    io("savedBytes", v.savedBytes), io("excess", v.excess), io("cuts", v.cuts), io("items", v.items);
}

template <typename Io, Is<SavedValue> T>
void fields(Io& io, T& v) {
    io("node", v.node), io("name", v.name), io("op", v.op), io("label", v.label), io("type", v.type);
    io("kind", v.kind), io("reason", v.reason), io("donated", v.donated), io("unsized", v.unsized);
}

template <typename Io, Is<RecomputedValue> T>
void fields(Io& io, T& v) {
    io("node", v.node), io("name", v.name), io("op", v.op), io("bytes", v.bytes);
}

template <typename Io, Is<Partition> T>
void fields(Io& io, T& v) {
    io("algorithm", v.algorithm), io("forward", v.forward), io("backward", v.backward), io("saved", v.saved);
    io("recomputed", v.recomputed), io("decisions", v.decisions), io("network", v.network), io("budget", v.budget);
}

// --- options ---

/// Of the table of options: those whose key is `prefix` and one name more. A struct of options is a part of Options,
/// which `part` finds.
template <typename Io, typename T>
void optionFields(Io& io, T& v, const std::string& prefix, auto&& part) {
    Options options;
    *part(options) = v;
    for (const OptionEntry& entry : optionTable()) {
        const bool deeper = entry.session.find('.', prefix.size()) != std::string_view::npos;
        if (entry.session.empty() || !entry.session.starts_with(prefix) || deeper) continue;
        const char* key = entry.session.data() + prefix.size();  // of a literal, so that it ends with a zero
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

template <typename Io, Is<DynamicRange> T>
void fields(Io& io, T& v) {
    io("name", v.name), io("min", v.min), io("max", v.max);
}

/// All but the plug-ins: no file puts anything where it would be loaded (see RequestedCode).
template <typename Io, Is<CompilerChoice> T>
void fields(Io& io, T& v) {
    optionFields(io, v, "compilers.", [](Options& options) { return &options.compilers; });
}

template <typename Io, Is<WorldShape> T>
void fields(Io& io, T& v) {
    optionFields(io, v, "world.", [](Options& options) { return &options.world; });
}

/// All but the libraries, for the same reason, and the inputs and the table of decompositions, which are kept by other
/// means.
template <typename Io, Is<Options> T>
void fields(Io& io, T& v) {
    optionFields(io, v, "", [](Options& options) { return &options; });
    io("partition", v.partition), io("compilers", v.compilers), io("world", v.world);
}

// --- the record ---

template <typename Io, Is<CompilerUse> T>
void fields(Io& io, T& v) {
    io("graph", v.graph), io("chosen", v.chosen), io("used", v.used), io("note", v.note), io("ms", v.ms);
    io("groups", v.groups);
}

template <typename Io, Is<Rewrite> T>
void fields(Io& io, T& v) {
    io("op", v.op), io("rule", v.rule), io("before", v.before), io("inputs", v.inputs), io("nodes", v.nodes);
    io("results", v.results), io("parent", v.parent);
}

template <typename Io, Is<Guard> T>
void fields(Io& io, T& v) {
    io("text", v.text), io("source", v.source), io("kind", v.kind), io("reason", v.reason);
}

template <typename Io, Is<FakeMismatch> T>
void fields(Io& io, T& v) {
    io("op", v.op), io("expected", v.expected), io("found", v.found), io("count", v.count);
}

template <typename Io, Is<CrossCheckReport> T>
void fields(Io& io, T& v) {
    io("checked", v.checked), io("skipped", v.skipped), io("mismatches", v.mismatches);
}

template <typename Io, Is<CompileTimes> T>
void fields(Io& io, T& v) {
    io("load", v.load), io("metadata", v.metadata), io("joint", v.joint), io("partition", v.partition);
    io("compile", v.compile), io("total", v.total);
}

template <typename Io, Is<ModelInfo> T>
void fields(Io& io, T& v) {
    io("name", v.name), io("path", v.path), io("kind", v.kind), io("torchVersion", v.torchVersion);
}

template <typename Io, Is<Symbol> T>
void fields(Io& io, T& v) {
    io("name", v.name), io("hint", v.hint), io("min", v.min), io("max", v.max), io("origin", v.origin);
    io("equals", v.equals);
}

template <typename Io, Is<PassRecord> T>
void fields(Io& io, T& v) {
    io("name", v.id), io("title", v.title), io("help", v.help), io("graphs", v.graphs), io("metadata", v.metadata);
    io("changed", v.changed), io("nodesBefore", v.nodesBefore), io("nodesAfter", v.nodesAfter), io("ms", v.ms);
    io("lineage", v.lineage), io("merged", v.merged), io("log", v.log);
}

template <typename Io, Is<CompileRecord> T>
void fields(Io& io, T& v) {
    io("model", v.model), io("passes", v.passes), io("compilation", v.compilation), io("metadata", v.metadata);
    io("graphMetadata", v.graphMetadata), io("graphs", v.graphs), io("partition", v.partition);
    io("offendingPath", v.offendingPath), io("staticParameters", v.staticParameters);
    io("whyNotSplit", v.whyNotSplit), io("times", v.times), io("compilers", v.compilers), io("fallbacks", v.fallbacks);
    io("dataKernels", v.dataKernels);
    io("rewrites", v.rewrites), io("guards", v.guards), io("autocast", v.autocast), io("symbols", v.symbols),
        io("crossCheck", v.crossCheck);
    io("warnings", v.warnings), io("fellBack", v.fellBack), io("notes", v.notes), io("error", v.error);
}

// --- results of runs ---

template <typename Io, Is<Difference> T>
void fields(Io& io, T& v) {
    io("kind", v.kind), io("what", v.what), io("maxAbs", v.maxAbs), io("maxRel", v.maxRel), io("index", v.index);
    io("expected", v.expected), io("actual", v.actual), io("count", v.count), io("total", v.total);
    io("sizes", v.sizes);
}

template <typename Io, Is<CheckedValue> T>
void fields(Io& io, T& v) {
    io("kind", v.kind), io("index", v.index), io("name", v.name), io("what", v.what), io("type", v.type);
    io("maxAbs", v.maxAbs), io("maxRel", v.maxRel), io("tolerance", v.tolerance), io("equal", v.equal);
    io("nans", v.nans), io("infs", v.infs), io("meaningless", v.meaningless);
}

template <typename Io, Is<SizeCheck> T>
void fields(Io& io, T& v) {
    io("sizes", v.sizes), io("ok", v.ok), io("recompiled", v.recompiled), io("reason", v.reason);
    io("refused", v.refused);
}

template <typename Io, Is<Recompilation> T>
void fields(Io& io, T& v) {
    io("record", v.record), io("reason", v.reason);
}

template <typename Io, Is<CheckResult> T>
void fields(Io& io, T& v) {
    io("ok", v.ok), io("backwardRun", v.backwardRun), io("backwardError", v.backwardError);
    io("outputsMaxError", v.outputsMaxError), io("gradsMaxError", v.gradsMaxError);
    io("inputsAfterOk", v.inputsAfterOk), io("aliasingOk", v.aliasingOk), io("differences", v.differences);
    io("details", v.details), io("sizes", v.sizes), io("hits", v.hits), io("misses", v.misses);
    io("compilers", v.compilers), io("values", v.values), io("eagerMs", v.eagerMs), io("compiledMs", v.compiledMs);
    io("tookMs", v.tookMs), io("seed", v.seed), io("recompilations", v.recompilations);
    io("compiledBackwardError", v.compiledBackwardError), io("notes", v.notes);
}

template <typename Io, Is<BisectResult> T>
void fields(Io& io, T& v) {
    io("found", v.found), io("pass", v.pass), io("graph", v.graph), io("node", v.node), io("nodeName", v.nodeName);
    io("op", v.op), io("place", v.place), io("reason", v.reason), io("value", v.value), io("outputs", v.outputs);
    io("passes", v.passes), io("notes", v.notes), io("sizes", v.sizes);
}

template <typename Io, Is<Spread> T>
void fields(Io& io, T& v) {
    io("min", v.min), io("median", v.median), io("max", v.max), io("lower", v.lower), io("upper", v.upper);
}

template <typename Io, Is<Ratio> T>
void fields(Io& io, T& v) {
    io("median", v.median), io("low", v.low), io("high", v.high), io("confidence", v.confidence);
}

template <typename Io, Is<GraphTime> T>
void fields(Io& io, T& v) {
    io("graph", v.graph), io("ms", v.ms), io("observedMs", v.observedMs), io("stepsMs", v.stepsMs);
    io("stepsRatio", v.stepsRatio), io("observedRatio", v.observedRatio);
}

template <typename Io, Is<StepTime> T>
void fields(Io& io, T& v) {
    io("graph", v.graph), io("index", v.index), io("node", v.node), io("name", v.name), io("op", v.op);
    io("medianUs", v.medianUs), io("bytes", v.bytes), io("liveBytes", v.liveBytes);
    io("lowerUs", v.lowerUs), io("upperUs", v.upperUs);
}

template <typename Io, Is<TimingResult> T>
void fields(Io& io, T& v) {
    io("iterations", v.iterations), io("backward", v.backward), io("eagerForwardMs", v.eagerForwardMs);
    io("eagerBackwardMs", v.eagerBackwardMs), io("compiledForwardMs", v.compiledForwardMs);
    io("compiledBackwardMs", v.compiledBackwardMs), io("steps", v.steps), io("eagerPeakBytes", v.eagerPeakBytes);
    io("compiledPeakBytes", v.compiledPeakBytes), io("eagerSavedBytes", v.eagerSavedBytes);
    io("compiledSavedBytes", v.compiledSavedBytes), io("compilers", v.compilers), io("warmUps", v.warmUps);
    io("clockUs", v.clockUs), io("eagerStepMs", v.eagerStepMs), io("compiledStepMs", v.compiledStepMs);
    io("forwardRatio", v.forwardRatio), io("backwardRatio", v.backwardRatio), io("stepRatio", v.stepRatio);
    io("graphs", v.graphs);
}

}  // namespace aotscope::session_format
