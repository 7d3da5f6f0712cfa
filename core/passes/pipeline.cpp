#include "passes/pipeline.h"

#include "compile/captured_graph.h"
#include "compile/compilers.h"
#include "ir/runtime_steps.h"
#include "passes/pass_names.h"
#include "passes/tail.h"
#include "support/elapsed.h"
#include "support/names.h"
#include "trace/cross_check.h"
#include "trace/synthetic_bases.h"
#include "trace/trace.h"
#include "trace/trace_errors.h"

#include <array>
#include <chrono>
#include <functional>

namespace aotscope {

namespace {

using Clock = std::chrono::steady_clock;

/// State that the passes hand on to each other.
struct Pipeline {
    const FlatFunction& function;
    const Options& options;
    const DynamicShapes& dynamic;
    const Progress& progress;
    CompileRecord& record;
    TraceOptions tracing;
    DataDependentValues dataValues;
    ForwardTrace asWritten = {};
    MetadataTrace metadata = {};
    Tail tail;  ///< has the graph in work
    ConstantTable constants = {};
    std::vector<SymbolBinding> bindings = {};  ///< of the symbols that vary after all
    std::vector<SizeCondition> conditions = {};
    std::shared_ptr<const GuardSet> guards = nullptr;
    std::shared_ptr<const CompiledFunction> compiled = nullptr;
    GraphConstants named = {};

    bool training() const { return metadata.metadata.needsAutograd; }
    /// Without gradients and decompositions the functional graph is the one to compile.
    bool compilesFunctional() const { return !training() && !tracing.decompositions; }
    std::shared_ptr<const Graph> graph(GraphKind kind) const { return record.graph(kind); }

    void keep(PassRecord& pass, GraphKind kind, std::shared_ptr<const Graph> graph) {
        keepGraph(record, pass, kind, std::move(graph));
    }
    void noteFallbacks(PassRecord& pass, const std::map<std::string, int>& fallbacks) {
        for (const auto& [op, count] : fallbacks) {
            auto& known = record.fallbacks[op];
            known = std::max(known, count);
            pass.log.push_back(op + " has no shape rule: its real kernel ran " +
                               counted(static_cast<std::size_t>(count), "time") + " on zeros");
        }
    }
};

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

void traceAsWritten(Pipeline& p, PassRecord& pass) {
    p.asWritten = traceForward(p.function, p.dataValues);
    p.noteFallbacks(pass, p.asWritten.fallbacks);
    p.named.forwardTraced = std::move(p.asWritten.constants);
    p.keep(pass, GraphKind::forwardTraced, std::move(p.asWritten.graph));
    pass.changed = !sameStructure(*p.graph(GraphKind::source), *p.graph(GraphKind::forwardTraced));
}

void collectGuards(Pipeline& p, PassRecord& pass, const std::vector<TracedReading>& readings) {
    if (readings.empty()) return;
    p.guards = std::make_shared<GuardSet>(*p.tail.graph, p.constants, readings, *makeInterpreter());
    p.record.guards = p.guards->list();
    for (const Guard& guard : p.record.guards) pass.log.push_back("guard: " + guard.text);
}

void noteMetadata(Pipeline& p, PassRecord& pass) {
    pass.metadata = p.record.metadata = std::make_shared<FunctionMetadata>(p.metadata.metadata);
    p.record.graphMetadata = p.metadata.metadata.convention.isPlain()
                                 ? p.record.metadata
                                 : std::make_shared<FunctionMetadata>(p.metadata.graphMetadata);
}

/// Decompositions lay results out in their own way.
void noteGraphLayouts(Pipeline& p, PassRecord& pass) {
    noteLayouts(p.metadata, *p.tail.graph);
    if (p.tracing.decompositions) noteMetadata(p, pass);
}

void noteRuntimeSteps(const Pipeline& p, PassRecord& pass) {
    for (const RuntimeStep& step : describeRuntime(p.metadata.metadata, p.metadata.graphMetadata))
        if (step.when != RuntimeStep::When::graph)
            pass.log.push_back(std::string(name(step.when)) + " the graph: " + step.text);
}

void functionalize(Pipeline& p, PassRecord& pass) {
    p.metadata = traceMetadata(p.function, p.dataValues, p.tracing, p.asWritten);
    p.noteFallbacks(pass, p.metadata.functional.fallbacks);
    p.keep(pass, GraphKind::functional, std::move(p.metadata.functional.graph));
    noteMetadata(p, pass);
    pass.changed = !sameStructure(*p.graph(GraphKind::forwardTraced), *p.graph(GraphKind::functional));
    pass.log.push_back(p.metadata.metadata.whyAutograd);
    if (!p.metadata.takesOtherInputs()) noteRuntimeSteps(p, pass);
}

void arrangeArguments(Pipeline& p, PassRecord& pass) {
    traceWithGraphInputs(p.function, p.dataValues, p.tracing, p.metadata);
    const auto before = p.graph(GraphKind::functional);
    p.keep(pass, GraphKind::functional, std::move(p.metadata.functional.graph));
    noteMetadata(p, pass);
    pass.changed = !sameStructure(*before, *p.graph(GraphKind::functional));
    noteRuntimeSteps(p, pass);
}

void noteRewrites(Pipeline& p, PassRecord& pass, std::vector<Rewrite> rewrites) {
    for (const auto& [what, count] : countRewrites(rewrites))
        pass.log.push_back(what.first + ": replaced " + counted(static_cast<std::size_t>(count), "time") +
                           " by the rule " + what.second);
    p.record.rewrites = std::move(rewrites);
}

void traceForwardAndBackward(Pipeline& p, PassRecord& pass) {
    JointTrace trace = traceJoint(p.function, p.dataValues, p.tracing, p.metadata);
    p.metadata.metadata.undifferentiableTangents = p.metadata.graphMetadata.undifferentiableTangents =
        trace.undifferentiableTangents;
    for (const std::size_t i : trace.undifferentiableTangents)
        p.record.warnings.push_back("no gradient can flow back through tangents_" + std::to_string(i + 1) +
                                    ": the model overwrites what its backward needs; eager fails, too");
    p.noteFallbacks(pass, trace.fallbacks);
    noteRewrites(p, pass, std::move(trace.rewrites));
    p.constants = std::move(trace.constants);
    p.tail.graph = std::move(trace.graph);
    noteGraphLayouts(p, pass);
    collectGuards(p, pass, trace.readings);
    p.keep(pass, GraphKind::joint, p.tail.graph->clone());
    pass.changed = true;
}

void takeFunctional(Pipeline& p, PassRecord& pass) {
    p.constants = p.metadata.functional.constants;
    p.tail.graph = p.graph(GraphKind::functional)->clone();
    p.tail.kind = GraphKind::inference;
    p.tail.graph->rename("inference");
    collectGuards(p, pass, p.metadata.functional.readings);
    if (p.tracing.decompositions) {
        Trace decomposed = traceInference(p.function, p.dataValues, p.tracing, p.metadata);
        p.noteFallbacks(pass, decomposed.fallbacks);
        p.constants = std::move(decomposed.constants);
        p.tail.graph = std::move(decomposed.graph);
        p.tail.graph->rename("inference");
        noteGraphLayouts(p, pass);
        noteRewrites(p, pass, std::move(decomposed.rewrites));
        pass.lineage = MatchBy::structure;
        pass.changed = true;
    }
    p.keep(pass, GraphKind::inference, p.tail.graph->clone());
    pass.log.push_back(p.metadata.metadata.whyAutograd);
}

/// Rewrites every graph so far, and the metadata, for all sizes of the exploration.
void generalize(Pipeline& p, PassRecord& pass, const ShapeExploration& exploration) {
    Generalizer generalizer(exploration.symbols(), p.bindings, exploration.samples());
    const auto others = [&](std::shared_ptr<const Graph> TracedProgram::*which) {
        std::vector<const Graph*> graphs;
        for (const TracedProgram* trace : exploration.traces()) graphs.push_back((trace->*which).get());
        return graphs;
    };
    const auto rewritten = [&](GraphKind kind, std::shared_ptr<const Graph> TracedProgram::*which) {
        std::shared_ptr<Graph> graph = p.graph(kind)->clone();
        generalizer.apply(*graph, others(which));
        return graph;
    };
    const auto forwardTraced = rewritten(GraphKind::forwardTraced, &TracedProgram::forwardTraced);
    const auto functional = rewritten(GraphKind::functional, &TracedProgram::functional);
    const std::shared_ptr<Graph> work = p.tail.graph->clone();
    generalizer.apply(*work, others(p.compilesFunctional() ? &TracedProgram::functional : &TracedProgram::joint),
                      exploration.numbers());
    const auto generalized = [&](FunctionMetadata metadata, FunctionMetadata TracedProgram::*which) {
        std::vector<const FunctionMetadata*> traced;
        for (const TracedProgram* trace : exploration.traces()) traced.push_back(&(trace->*which));
        generalizer.apply(metadata, traced);
        return metadata;
    };
    FunctionMetadata metadata = generalized(p.metadata.metadata, &TracedProgram::metadata);
    FunctionMetadata graphMetadata = generalized(p.metadata.graphMetadata, &TracedProgram::graphMetadata);

    // Nothing above has changed the pipeline's state: a number without an expression leaves it as it was.
    p.record.graphs[GraphKind::forwardTraced] = forwardTraced;
    p.record.graphs[GraphKind::functional] = functional;
    p.tail.graph = work;
    p.metadata.metadata = std::move(metadata);
    p.metadata.graphMetadata = std::move(graphMetadata);
    p.record.symbols = exploration.symbols();
    noteMetadata(p, pass);
}

void expressSizes(Pipeline& p, PassRecord& pass) {
    TracedProgram example{p.graph(GraphKind::forwardTraced),
                          p.graph(GraphKind::functional),
                          p.compilesFunctional() ? nullptr : p.tail.graph,
                          p.constants,
                          p.metadata.metadata,
                          p.metadata.graphMetadata};
    ShapeExploration exploration(p.dynamic, p.function.program(), std::move(example), p.tracing, p.progress);
    try {
        exploration.run();
        p.bindings = exploration.bindings();
        if (!exploration.symbols().empty()) generalize(p, pass, exploration);
        p.conditions = exploration.conditions();
        p.record.guards.insert(p.record.guards.end(), exploration.guards().begin(), exploration.guards().end());
    } catch (const Error& e) {
        p.bindings.clear();
        p.record.warnings.push_back("all sizes are specialised to those of the example: " + std::string(e.what()));
    }
    for (const Guard& guard : exploration.guards())
        pass.log.push_back("guard: " + guard.text + " (" + guard.reason + ")");
    pass.changed = !p.record.symbols.empty();
    p.keep(pass, p.tail.kind, p.tail.graph->clone());
}

GraphCompilers compilersOf(const Pipeline& p) {
    const CompilerChoice& choice = p.options.compilers;
    if (!p.training()) return {makeCompiler(choice.ofInference(), choice), nullptr};
    return {makeCompiler(choice.forward, choice), makeCompiler(choice.ofBackward(), choice)};
}

void compile(Pipeline& p, PassRecord& pass) {
    CompiledParts parts{p.metadata.metadata,
                        p.metadata.graphMetadata,
                        p.metadata.outputViews,
                        p.constants,
                        compilersOf(p),
                        p.graph(p.training() ? GraphKind::forward : GraphKind::inference),
                        p.graph(GraphKind::backward),
                        std::make_shared<SizeGuards>(p.metadata.metadata, p.function.exampleLeaves(), p.record.symbols,
                                                     p.bindings, p.conditions),
                        p.guards,
                        AutocastState::current()};
    if (p.options.deviceGraphs) {
        for (auto* compiler : {&parts.compilers.forward, &parts.compilers.backward})
            if (*compiler) *compiler = capturing(std::move(*compiler), c10::Device(p.options.device));
        pass.log.push_back("each graph is captured on " + p.options.device +
                           " after two runs, and replayed from then on");
    }
    pass.log.push_back("compiler: " + parts.compilers.forward->name());
    if (p.training())
        pass.log.push_back("compiler of the backward, at its first use: " + parts.compilers.backward->name());
    for (const auto kind :
         p.training() ? std::vector{GraphKind::forward, GraphKind::backward} : std::vector{GraphKind::inference})
        pass.graphs.emplace_back(kind, p.graph(kind));
    p.compiled = CompiledFunction::make(std::move(parts));
    p.record.compilers = p.compiled->compilers();
    for (const CompilerUse& use : p.record.compilers)
        if (!use.note.empty()) pass.log.push_back(use.note);
}

template <const TailPass& pass>
constexpr Pass ofTail() {
    return {pass.id, pass.help, MatchBy::id, [](const Pipeline& p) { return pass.applies(p.tail); },
            [](Pipeline& p, PassRecord& record) { pass.run(p.tail, record); }};
}

constexpr std::array kPasses = {
    Pass{PassId::forwardTraced,
         "run the program on fake tensors as written: operations below autograd, mutations in place",
         MatchBy::structure, always, traceAsWritten},
    Pass{PassId::functional, "run it functionalized; learn what is mutated and how outputs alias (metadata)",
         MatchBy::structure, always, functionalize},
    Pass{PassId::arguments, "pass duplicates once, and one base for inputs that share mutated memory (synthetic bases)",
         MatchBy::structure, whenOtherInputs, arrangeArguments},
    Pass{PassId::inference, "no gradients: the functional forward is the graph to compile", MatchBy::id, whenInference,
         takeFunctional},
    Pass{PassId::joint, "run forward and autograd's backward into one graph", MatchBy::structure, whenTraining,
         traceForwardAndBackward},
    Pass{PassId::dynamicShapes, "trace at other sizes; express by symbols what varies, find the sizes that work",
         MatchBy::id, whenDynamic, expressSizes},
    ofTail<kDeadCode>(),
    ofTail<kCommonSubexpressions>(),
    ofTail<kPartition>(),
    Pass{PassId::compile, "make the graphs executable", MatchBy::id, always, compile},
};

void addSource(const FlatFunction& function, CompileRecord& record) {
    PassRecord pass;
    pass.id = PassId::source;
    pass.help = "the program as loaded, calls inlined, parameters and buffers as inputs";
    keepGraph(record, pass, GraphKind::source, function.program().source());
    addPass(record, std::move(pass), /*verify=*/false);
}

/// What the cross-check has found so far; also of a pipeline that failed.
void noteCrossCheck(CompileRecord& record, const CrossCheck& check) {
    record.crossCheck = check.report();
    for (const FakeMismatch& m : check.report().mismatches)
        record.warnings.push_back("fake result of " + m.op + " differs from the real kernel's: " + m.found +
                                  ", expected " + m.expected + " (" +
                                  counted(static_cast<std::size_t>(m.count), "time") + ")");
}

/// Hands the graphs that a pass has made to `hook`, and what it makes of them to the next pass.
void applyHook(const GraphHook& hook, Pipeline& p, PassRecord& entry) {
    if (!hook || p.compiled) return;
    for (auto& [kind, graph] : entry.graphs) {
        const std::shared_ptr<Graph> changed = graph->clone();
        hook(entry.id, kind, *changed);
        graph = p.record.graphs[kind] = changed;
        if (kind == GraphKind::joint || kind == GraphKind::inference) p.tail.graph = changed->clone();
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
    addPass(pipeline.record, std::move(entry), pipeline.options.verify);
}

}  // namespace

Compilation compileFunction(const FlatFunction& function, const Options& options, const DynamicShapes& dynamic,
                            const Progress& progress, const GraphHook& hook, PassObserver* observer) {
    Compilation result;
    const auto made = std::make_shared<CompileRecord>();
    result.record = made;
    CompileRecord& record = *made;
    addSource(function, record);
    auto start = Clock::now();
    // What an observer takes is nobody's time.
    const auto observe = [&](std::optional<PassId> next) {
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
                          .tracing = {!options.inference, options.keepInputMutations, options.decompositions},
                          .dataValues = DataDependentValues(function, !options.inference),
                          .tail = {record, options.partition, options.device}};
        pipeline.dataValues.setCrossCheck(crossCheck);
        for (const Pass& pass : kPasses) {
            current = name(pass.id);
            if (!pass.applies(pipeline)) continue;
            observe(pass.id);
            runPass(pass, pipeline, progress, hook);
        }
        observe(std::nullopt);
        record.times.total = msSince(start);
        result.function = pipeline.compiled;
        result.outputStructure = std::move(pipeline.metadata.outputStructure);
        result.constants = std::move(pipeline.named);
        result.constants.functional = std::move(pipeline.metadata.functional.constants);
        result.constants.working = std::move(pipeline.constants);
    } catch (const Cancelled&) {
        throw;
    } catch (const UnboundedCut& e) {
        record.error = "pass '" + current + "' failed: " + e.what();
        record.offendingPath = e.path;
    } catch (const std::exception& e) {
        record.error = "pass '" + current + "' failed: " + explainTraceError(e.what());
    }
    if (crossCheck) noteCrossCheck(record, *crossCheck);
    return result;
}

std::vector<std::string> passNames() {
    std::vector<std::string> names;
    for (const Pass& pass : kPasses) names.emplace_back(name(pass.id));
    return names;
}

std::vector<std::pair<std::string, std::string>> passList() {
    std::vector<std::pair<std::string, std::string>> list;
    for (const Pass& pass : kPasses) list.emplace_back(name(pass.id), pass.help);
    return list;
}

}  // namespace aotscope
