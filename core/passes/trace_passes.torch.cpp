#include "ir/runtime_steps.h"
#include "passes/overwritten_value.h"
#include "passes/pipeline_state.h"
#include "passes/step_partition.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

void noteFallbacks(Pipeline& p, PassRecord& pass, const std::map<std::string, int>& fallbacks) {
    for (const auto& [op, count] : fallbacks) {
        auto& known = p.record.fallbacks[op];
        known = std::max(known, count);
        pass.log.push_back(op + " has no shape rule: its real kernel ran " +
                           counted(static_cast<std::size_t>(count), "time") + " on zeros");
    }
}

void collectGuards(Pipeline& p, PassRecord& pass, const std::vector<TracedReading>& readings) {
    if (readings.empty()) return;
    p.guards = std::make_shared<GuardSet>(*p.tail.graph, p.constants, readings, *makeInterpreter());
    p.record.guards = p.guards->list();
    p.record.dataKernels = p.dataValues.kernels();
    pass.log.push_back("the model reads data, for which it ran once on the example inputs: " +
                       counted(p.record.dataKernels, "real kernel"));
    for (const Guard& guard : p.record.guards) pass.log.push_back("guard: " + guard.text);
}

/// Decompositions may change the layout of results.
void noteGraphLayouts(Pipeline& p, PassRecord& pass) {
    noteLayouts(p.metadata, *p.tail.graph);
    if (p.tracing.decompositions) p.noteMetadata(pass);
}

void noteRuntimeSteps(const Pipeline& p, PassRecord& pass) {
    for (const RuntimeStep& step : describeRuntime(p.metadata.metadata, p.metadata.graphMetadata))
        if (step.when != RuntimeStep::When::graph)
            pass.log.push_back(std::string(name(step.when)) + " the graph: " + step.text);
}

void noteRewrites(Pipeline& p, PassRecord& pass, std::vector<Rewrite> rewrites) {
    for (const auto& [what, count] : countRewrites(rewrites))
        pass.log.push_back(what.first + ": replaced " + counted(static_cast<std::size_t>(count), "time") +
                           " by the rule " + what.second);
    p.record.rewrites = std::move(rewrites);
}

}  // namespace

void Pipeline::noteMetadata(PassRecord& pass) {
    pass.metadata = record.metadata = std::make_shared<FunctionMetadata>(metadata.metadata);
    record.graphMetadata = metadata.metadata.convention.isPlain()
                               ? record.metadata
                               : std::make_shared<FunctionMetadata>(metadata.graphMetadata);
}

void passes::traceAsWritten(Pipeline& p, PassRecord& pass) {
    p.asWritten = traceForward(p.function, p.dataValues);
    noteFallbacks(p, pass, p.asWritten.fallbacks);
    p.named.preFunctionalization = std::move(p.asWritten.constants);
    p.keep(pass, GraphKind::preFunctionalization, std::move(p.asWritten.graph));
    pass.changed = !sameStructure(*p.graph(GraphKind::source), *p.graph(GraphKind::preFunctionalization));
}

void passes::functionalize(Pipeline& p, PassRecord& pass) {
    p.metadata = traceMetadata(p.function, p.dataValues, p.tracing, p.asWritten);
    noteFallbacks(p, pass, p.metadata.functional.fallbacks);
    p.keep(pass, GraphKind::functional, std::move(p.metadata.functional.graph));
    p.noteMetadata(pass);
    if (p.metadata.takesOtherInputs()) p.record.graphMetadata = p.record.metadata;  // as long as it takes the same
    pass.changed = !sameStructure(*p.graph(GraphKind::preFunctionalization), *p.graph(GraphKind::functional));
    pass.log.push_back(p.metadata.metadata.whyAutograd);
    if (!p.metadata.takesOtherInputs()) noteRuntimeSteps(p, pass);
}

void passes::arrangeArguments(Pipeline& p, PassRecord& pass) {
    traceWithGraphInputs(p.function, p.dataValues, p.tracing, p.metadata);
    const auto before = p.graph(GraphKind::functional);
    p.keep(pass, GraphKind::functional, std::move(p.metadata.functional.graph));
    p.noteMetadata(pass);
    pass.changed = !sameStructure(*before, *p.graph(GraphKind::functional));
    noteRuntimeSteps(p, pass);
}

void passes::traceForwardAndBackward(Pipeline& p, PassRecord& pass) {
    JointTrace trace = traceJoint(p.function, p.dataValues, p.tracing, p.metadata, StepPartitioner(p.tracing.dialect));
    p.metadata.metadata.undifferentiableTangents = p.metadata.graphMetadata.undifferentiableTangents =
        trace.undifferentiableTangents;
    for (std::size_t i = 0; i < trace.refusals.size(); ++i) {
        const std::string what = overwrittenValue(*p.graph(GraphKind::preFunctionalization), trace.refusals[i]);
        p.record.warnings.push_back("no gradient can flow back through tangents_" +
                                    std::to_string(trace.undifferentiableTangents[i] + 1) +
                                    ": the model overwrites what its backward needs" +
                                    (what.empty() ? "" : " (" + what + ")") + "; eager fails, too: write into a copy");
    }
    noteFallbacks(p, pass, trace.fallbacks);
    noteRewrites(p, pass, std::move(trace.rewrites));
    p.constants = std::move(trace.constants);
    p.tail.graph = std::move(trace.graph);
    noteGraphLayouts(p, pass);
    collectGuards(p, pass, trace.readings);
    p.keep(pass, GraphKind::joint, p.tail.graph);
    pass.changed = true;
}

void passes::takeFunctional(Pipeline& p, PassRecord& pass) {
    p.constants = p.metadata.functional.constants;
    std::unique_ptr<Graph> graph = p.graph(GraphKind::functional)->clone();
    graph->rename("inference");
    p.tail.graph = std::move(graph);
    p.tail.kind = GraphKind::inference;
    collectGuards(p, pass, p.metadata.functional.readings);
    if (p.tracing.decompositions) {
        Trace decomposed = traceInference(p.function, p.dataValues, p.tracing, p.metadata);
        noteFallbacks(p, pass, decomposed.fallbacks);
        p.constants = std::move(decomposed.constants);
        decomposed.graph->rename("inference");
        p.tail.graph = std::move(decomposed.graph);
        noteGraphLayouts(p, pass);
        noteRewrites(p, pass, std::move(decomposed.rewrites));
        pass.lineage = MatchBy::structure;
        pass.changed = true;
    }
    p.keep(pass, GraphKind::inference, p.tail.graph);
    pass.log.push_back(p.metadata.metadata.whyAutograd);
}

}  // namespace aotscope
