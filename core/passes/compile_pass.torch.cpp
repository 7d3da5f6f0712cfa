#include "aten/autocast.h"
#include "compile/captured_graph.h"
#include "compile/compilers.h"
#include "cost/copies_saved.h"
#include "passes/pipeline_state.h"
#include "record/options/option_use.h"

namespace aotscope {

namespace {

GraphCompilers compilersOf(const Pipeline& p) {
    const CompilerChoice& choice = p.options.compilers;
    useCompilers(p.options, p.training());
    if (!p.training()) return {makeCompiler(choice.ofInference(), choice), nullptr};
    return {makeCompiler(choice.forward, choice), makeCompiler(choice.ofBackward(), choice)};
}

}  // namespace

void passes::compile(Pipeline& p, PassRecord& pass) {
    const GraphKind first = p.training() ? GraphKind::forward : GraphKind::inference;
    CompiledParts parts{p.metadata.metadata,
                        p.metadata.graphMetadata,
                        p.metadata.outputViews,
                        p.constants,
                        compilersOf(p),
                        first,
                        p.graph(first),
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
    pass.graphs.emplace_back(first, p.graph(first));
    if (p.training()) pass.graphs.emplace_back(GraphKind::backward, p.graph(GraphKind::backward));
    p.record.autocast = AutocastState::current().text();
    p.compiled = CompiledFunction::make(std::move(parts));
    p.record.compilers = p.compiled->compilers();
    for (const CompilerUse& use : p.record.compilers)
        if (!use.note.empty()) pass.log.push_back(use.note);
    warnOfCopies(p.record);
}

}  // namespace aotscope
