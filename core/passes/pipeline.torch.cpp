#include "passes/pipeline.h"

#include "aten/convert.h"
#include "aten/tensors.h"
#include "cost/book/known_operators.h"
#include "partition/plan_function.h"
#include "passes/pass_names.h"
#include "passes/pipeline_state.h"
#include "passes/sizes/source_sizes.h"
#include "record/graph_options.h"
#include "record/pass_failure.h"
#include "support/elapsed.h"
#include "support/error.h"
#include "support/names.h"
#include "trace/cross_check.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace aotscope {

namespace {

using Clock = std::chrono::steady_clock;

struct Pass {
    PassId id;
    const char* help;
    MatchBy lineage;
    bool (*applies)(const Pipeline&);
    void (*run)(Pipeline&, PassRecord&);
};

bool always(const Pipeline&) { return true; }
bool whenTraining(const Pipeline& p) { return p.training(); }
bool whenInference(const Pipeline& p) { return !p.training(); }
bool whenOtherInputs(const Pipeline& p) { return p.metadata.takesOtherInputs(); }
bool whenDynamic(const Pipeline& p) { return !p.dynamic.empty(); }

template <const TailPass& pass>
constexpr Pass ofTail() {
    return {pass.id, pass.help, MatchBy::id, [](const Pipeline& p) { return pass.applies(p.tail); },
            [](Pipeline& p, PassRecord& record) { pass.run(p.tail, record); }};
}

constexpr std::array kPasses = {
    Pass{PassId::preFunctionalization,
         "run the program on fake tensors as written: operations below autograd, mutations in place",
         MatchBy::structure, always, passes::traceAsWritten},
    Pass{PassId::functional, "run it functionalized; learn what is mutated and how outputs alias (metadata)",
         MatchBy::structure, always, passes::functionalize},
    Pass{PassId::syntheticBases,
         "pass duplicates once, and one base for inputs that share mutated memory (synthetic bases)",
         MatchBy::structure, whenOtherInputs, passes::arrangeArguments},
    Pass{PassId::inference, "no gradients: the functional forward is the graph to compile", MatchBy::id, whenInference,
         passes::takeFunctional},
    Pass{PassId::joint, "run forward and autograd's backward into one graph", MatchBy::structure, whenTraining,
         passes::traceForwardAndBackward},
    Pass{PassId::dynamicShapes, "trace at other sizes; express by symbols what varies, find the sizes that work",
         MatchBy::id, whenDynamic, passes::expressSizes},
    ofTail<kDeadCode>(),
    ofTail<kCommonSubexpressions>(),
    ofTail<kDropCopies>(),
    ofTail<kPartition>(),
    ofTail<kOrder>(),
    ofTail<kCollectives>(),
    Pass{PassId::compile, "make the graphs executable", MatchBy::id, always, passes::compile},
};
static_assert(std::ranges::equal(kPasses, kPipelinePasses, {}, &Pass::id), "list the pass in pass_names.h, too");

/// For the user's inputs; errors in them are reported by the trace.
std::vector<InputInfo> exampleInputs(const FlatFunction& function) {
    std::vector<InputInfo> inputs;
    for (std::size_t i = function.stateCount(); i < function.exampleLeaves().size(); ++i) {
        const c10::IValue& leaf = function.exampleLeaves()[i];
        if (!isTensor(leaf) || leaf.toTensor().layout() != at::kStrided || leaf.toTensor().is_quantized()) continue;
        InputInfo& input = inputs.emplace_back();
        input.name = function.leafNames()[i];
        TensorType& type = input.tensor.emplace(typeOf(leaf.toTensor()));
        // Inputs without memory are on the CPU.
        if (const auto& device = function.assumedDevice()) type.device = {device->str()};
        else if (leaf.toTensor().is_meta()) type.device = Device();
        type.requiresGrad = leaf.toTensor().requires_grad();
    }
    return inputs;
}

void addSource(const FlatFunction& function, CompileRecord& record) {
    PassRecord pass;
    pass.id = PassId::source;
    pass.help = "the program as loaded, calls inlined, parameters and buffers as inputs";
    keepGraph(record, pass, GraphKind::source, sourceAt(function.program().source(), exampleInputs(function), {}));
    addPass(record, std::move(pass), /*verify=*/false);
}

/// The results of the cross-check so far, even if the pipeline failed.
void noteCrossCheck(CompileRecord& record, const CrossCheck& check) {
    record.crossCheck = check.report();
    for (const FakeMismatch& m : check.report().mismatches)
        record.warnings.push_back("fake result of " + m.op + " differs from the real kernel's: " + m.found +
                                  ", expected " + m.expected + " (" +
                                  counted(static_cast<std::size_t>(m.count), "time") + ")");
}

/// Passes the graphs of a pass to `hook`, and the results to the next pass.
void applyHook(const GraphHook& hook, Pipeline& p, PassRecord& entry) {
    if (!hook || p.compiled) return;
    for (auto& [kind, graph] : entry.graphs) {
        const std::shared_ptr<Graph> changed = graph->clone();
        hook(entry.id, kind, *changed);
        graph = p.record.graphs[kind] = changed;
        if (kind == GraphKind::joint || kind == GraphKind::inference) p.tail.graph = changed;
    }
}

void runPass(const Pass& pass, Pipeline& pipeline, const Progress& progress, const GraphHook& hook) {
    progress.enter(name(pass.id));
    PassRecord entry;
    entry.id = pass.id;
    entry.help = pass.help;
    entry.lineage = pass.lineage;
    const auto start = Clock::now();
    pass.run(pipeline, entry);
    applyHook(hook, pipeline, entry);
    entry.ms = msSince(start);
    addPass(pipeline.record, std::move(entry), pipeline.options.verify || hook);
}

}  // namespace

Compilation compileFunction(const FlatFunction& function, const Options& options, const DynamicShapes& dynamic,
                            const Progress& progress, const GraphHook& hook, PassObserver* observer) {
    options.use(
        {"--inference", "--keep-input-mutations", "--decompose", "--dialect", "--verify", "--cross-check-fake"});
    Compilation result;
    const auto made = std::make_shared<CompileRecord>();
    result.record = made;
    CompileRecord& record = *made;
    addSource(function, record);
    auto start = Clock::now();
    // Time spent in an observer is not counted.
    const auto observe = [&](std::string_view next) {
        if (!observer) return;
        const auto from = Clock::now();
        observer->betweenPasses(record, next, progress);
        start += Clock::now() - from;
    };
    const auto crossCheck = options.crossCheckFake ? std::make_shared<CrossCheck>(function) : nullptr;
    std::string current = "fake inputs";
    try {
        Pipeline pipeline{.function = function,
                          .options = options,
                          .dynamic = dynamic,
                          .progress = progress,
                          .record = record,
                          .tracing = {!options.inference, options.keepInputMutations,
                                      ChosenDecompositions::of(options.decompositions), options.dialect},
                          .dataValues = DataDependentValues(function, !options.inference, options.dialect),
                          .tail = {.record = record,
                                   .partition = options.partition,
                                   .model = bookTimes(options.device),
                                   .plans = planByFunction,
                                   .progress = progress}};
        pipeline.tail.model.compilers = usesOf(options.compilers);
        pipeline.dataValues.setCrossCheck(crossCheck);
        for (const Pass& pass : kPasses) {
            current = name(pass.id);
            if (!pass.applies(pipeline)) continue;
            observe(current);
            runPass(pass, pipeline, progress, hook);
        }
        observe({});
        useForGraphs(options, record);
        record.times.total = msSince(start);
        result.function = pipeline.compiled;
        result.outputStructure = std::move(pipeline.metadata.outputStructure);
        result.constants = std::move(pipeline.named);
        result.constants.functional = std::move(pipeline.metadata.functional.constants);
        result.constants.working = std::move(pipeline.constants);
    } catch (const Cancelled&) {
        throw;
    } catch (const UnboundedCut& e) {
        record.error = PassFailure{current, e.what()}.text();
        record.offendingPath = e.path;
    } catch (const std::exception& e) {
        record.error = PassFailure{current, firstSentence(e.what())}.text();
    }
    if (crossCheck) noteCrossCheck(record, *crossCheck);
    return result;
}

std::vector<std::pair<std::string, std::string>> passList() {
    std::vector<std::pair<std::string, std::string>> list;
    for (const Pass& pass : kPasses) list.emplace_back(name(pass.id), pass.help);
    return list;
}

}  // namespace aotscope
