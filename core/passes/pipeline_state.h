#pragma once

#include "passes/pipeline.h"
#include "passes/tail.h"
#include "trace/trace.h"

namespace aotscope {

/// State that the passes of the pipeline share.
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
    Tail tail;  ///< contains the current graph
    ConstantTable constants = {};
    std::vector<SymbolBinding> bindings = {};  ///< of the symbols that remain dynamic
    std::vector<SizeCondition> conditions = {};
    std::shared_ptr<const GuardSet> guards = nullptr;
    std::shared_ptr<const CompiledFunction> compiled = nullptr;
    GraphConstants named = {};

    bool training() const { return metadata.metadata.needsAutograd; }
    /// Without gradients and decompositions, the functional graph is compiled.
    bool compilesFunctional() const { return !training() && !tracing.decompositions; }
    std::shared_ptr<const Graph> graph(GraphKind kind) const { return record.graph(kind); }

    void keep(PassRecord& pass, GraphKind kind, std::shared_ptr<const Graph> graph) {
        keepGraph(record, pass, kind, std::move(graph));
    }
    /// Records the metadata, which `pass` has changed.
    void noteMetadata(PassRecord& pass);
};

// The passes that need the program.
namespace passes {
void traceAsWritten(Pipeline& pipeline, PassRecord& pass);
void functionalize(Pipeline& pipeline, PassRecord& pass);
void arrangeArguments(Pipeline& pipeline, PassRecord& pass);
void takeFunctional(Pipeline& pipeline, PassRecord& pass);
void traceForwardAndBackward(Pipeline& pipeline, PassRecord& pass);
void expressSizes(Pipeline& pipeline, PassRecord& pass);
void compile(Pipeline& pipeline, PassRecord& pass);
}  // namespace passes

}  // namespace aotscope
