#include "passes/pipeline_state.h"
#include "passes/sizes/generalize.h"
#include "passes/sizes/source_sizes.h"
#include "support/error.h"

namespace aotscope {

namespace {

/// Rewrites every graph so far, and the metadata, for all sizes of the exploration.
void generalize(Pipeline& p, PassRecord& pass, const ShapeExploration& exploration) {
    Generalizer generalizer(exploration.symbols(), exploration.bindings(), exploration.samples(),
                            exploration.distinguishing());
    const auto others = [&](std::shared_ptr<const Graph> TracedProgram::*which) {
        std::vector<const Graph*> graphs;
        for (const TracedProgram* trace : exploration.traces()) graphs.push_back((trace->*which).get());
        return graphs;
    };
    const auto rewritten = [&](GraphKind kind, const std::vector<const Graph*>& traced) {
        std::shared_ptr<Graph> graph = p.graph(kind)->clone();
        generalizer.apply(*graph, traced);
        return graph;
    };
    const auto preFunctionalization = rewritten(GraphKind::preFunctionalization, exploration.asWritten());
    const auto functional = rewritten(GraphKind::functional, others(&TracedProgram::functional));
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
    const auto source = sourceAt(p.function.program().source(), metadata.inputs, exploration.symbols());

    // The pipeline's state is unchanged so far: a number without an expression leaves it as it was.
    p.record.graphs[GraphKind::preFunctionalization] = preFunctionalization;
    p.record.graphs[GraphKind::functional] = functional;
    p.record.graphs[GraphKind::source] = source;
    p.bindings = exploration.bindings();
    p.tail.graph = work;
    p.metadata.metadata = std::move(metadata);
    p.metadata.graphMetadata = std::move(graphMetadata);
    p.record.symbols = exploration.symbols();
    p.noteMetadata(pass);
}

/// Takes more samples until they tell what every number is, and specializes symbols that graphs cannot express, one by
/// one, until the others can be expressed.
void expressWhatCanBe(Pipeline& p, PassRecord& pass, ShapeExploration& exploration) {
    while (!exploration.symbols().empty()) {
        try {
            exploration.takeSamples();
            if (!exploration.symbols().empty()) generalize(p, pass, exploration);
            return;
        } catch (const Ambiguous& e) {
            exploration.takeMore(e);
        } catch (const Inexpressible& e) {
            exploration.fix(e.symbol(), e.what());
        }
    }
}

/// Sizes requested as dynamic that cannot be.
void warnOfFixed(Pipeline& p, const ShapeExploration& exploration) {
    std::string fixed;
    for (const Symbol& symbol : exploration.fixed())
        fixed += (fixed.empty() ? "" : " and ") + symbol.origin + " stays " + std::to_string(symbol.hint);
    if (!fixed.empty())
        p.record.warnings.push_back("sizes could not be made dynamic: " + fixed + "; see the guards of the run");
}

}  // namespace

void passes::expressSizes(Pipeline& p, PassRecord& pass) {
    const TracedProgram example{p.graph(GraphKind::preFunctionalization),
                                p.graph(GraphKind::functional),
                                p.compilesFunctional() ? nullptr : p.tail.graph,
                                p.constants,
                                p.metadata.metadata,
                                p.metadata.graphMetadata};
    ShapeExploration exploration(p.dynamic, p.function.program(), example, p.tracing, p.progress);
    try {
        exploration.run();
        expressWhatCanBe(p, pass, exploration);
        p.conditions = exploration.conditions();
        p.record.guards.insert(p.record.guards.end(), exploration.guards().begin(), exploration.guards().end());
        warnOfFixed(p, exploration);
    } catch (const Error& e) {
        p.record.fellBack.push_back("all sizes are specialised to those of the example: " + std::string(e.what()));
    }
    for (const Guard& guard : exploration.guards())
        pass.log.push_back("guard: " + guard.text + " (" + guard.reason + ")");
    pass.changed = !p.record.symbols.empty();
    p.keep(pass, p.tail.kind, p.tail.graph);
}

}  // namespace aotscope
