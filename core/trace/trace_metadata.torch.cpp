#include "aten/convert.h"
#include "aten/tensors.h"
#include "ir/output_names.h"
#include "support/error.h"
#include "trace/analyze_inputs.h"
#include "trace/analyze_outputs.h"
#include "trace/function_recording.h"
#include "trace/views/synthetic_bases.h"
#include "trace/views/view_chain.h"

#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/SequenceNumber.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace aotscope {

namespace {

/// Tangents have the strides of their outputs; for an output that overlaps itself, the tangent is contiguous.
TensorType tangentType(const at::Tensor& output) {
    TensorType type = typeOf(output);
    if (!output.is_non_overlapping_and_dense()) type.strides = contiguousStrides(type.sizes);
    type.storageOffset = 0;
    type.storageBytes = type.bytes();
    return type;
}

void decideAutograd(FunctionMetadata& metadata, bool gradMode) {
    const bool anyInput =
        std::any_of(metadata.inputs.begin(), metadata.inputs.end(), [](const InputInfo& i) { return i.requiresGrad; });
    if (!gradMode) metadata.whyAutograd = "inference graph: gradients are switched off (--inference)";
    else if (!anyInput) metadata.whyAutograd = "inference graph: no input requires a gradient";
    if (!gradMode || !anyInput) return;
    for (std::size_t i = 0; i < metadata.outputs.size(); ++i) {
        const OutputInfo& output = metadata.outputs[i];
        const bool regenerated =
            output.aliasesInput() && !output.ownHistory && metadata.inputs[*output.base].requiresGrad;
        if (!output.requiresGrad || regenerated) continue;
        metadata.needsAutograd = true;
        metadata.whyAutograd = "joint graph: " + outputText(metadata, i) + " requires a gradient";
        return;
    }
    for (const InputInfo& input : metadata.inputs) {
        if (!input.requiresGrad || !input.mutatesData || input.mutationsUnderNoGrad ||
            input.mutationsHiddenFromAutograd)
            continue;
        metadata.needsAutograd = true;
        metadata.whyAutograd = "joint graph: input '" + input.name + "' requires a gradient and is mutated";
        return;
    }
    metadata.whyAutograd = "inference graph: no output requires a gradient of its own";
}

bool replaysViews(const OutputInfo& info, const std::vector<InputInfo>& inputs) {
    if (info.type == OutputType::aliasOfInput) return !inputs[*info.base].mutatesMetadata;
    return info.isTensor && !info.sameAsBase && info.isAlias() && info.type != OutputType::isInput;
}

/// Intermediate values that the graph returns because several outputs are views of them.
std::size_t countBases(const std::vector<OutputInfo>& outputs) {
    return static_cast<std::size_t>(std::count_if(outputs.begin(), outputs.end(), [](const OutputInfo& o) {
        return o.type == OutputType::aliasOfIntermediateSaveAsOutput;
    }));
}

/// A view of an input has its layout in the program.
void noteViewLayout(OutputInfo& output, const std::optional<TensorType>& asWritten) {
    if (!asWritten || output.type != OutputType::aliasOfInput) return;
    output.tensor->strides = asWritten->strides;
    output.tensor->storageOffset = asWritten->storageOffset;
}

bool liesWithin(const TensorType& view, const TensorType& input) {
    const bool gaps = input.end() - input.storageOffset != input.numel();
    return !gaps && view.storageOffset >= input.storageOffset && view.end() <= input.end();
}

/// In eager, such a view is first of the input, which has no gradient outside its elements, and of the input's base
/// after a write to that.
void refuseViewsBeside(const FunctionMetadata& metadata, const ForwardTrace& asWritten) {
    for (std::size_t i = 0; i < metadata.outputs.size(); ++i) {
        const OutputInfo& output = metadata.outputs[i];
        if (!asWritten.overtaken[i] || output.type != OutputType::aliasOfInput || !output.requiresGradForBackward)
            continue;
        const InputInfo& input = metadata.inputs[*output.base];
        if (input.isLeaf || liesWithin(*asWritten.results[i], *input.tensor)) continue;
        throw Error(outputText(metadata, i) + " is an as_strided view of memory outside of input '" + input.name +
                    "' that is written to later, so that eager's gradients reach that memory; take the view of a "
                    "tensor that covers all of it");
    }
}

/// Functional values have different layouts. `value`: what the graph returns.
void noteLayout(OutputInfo& output, const std::optional<TensorType>& asWritten, const Node* value) {
    output.asWritten = std::nullopt;
    const TensorType* found = value ? value->type.tensor() : nullptr;
    if (!asWritten || !found || output.isAlias() || asWritten->sizes != found->sizes) return;
    for (std::size_t i = 0; i < asWritten->sizes.size(); ++i)
        if (asWritten->sizes[i] > 1 && asWritten->strides[i] != found->strides[i]) output.asWritten = asWritten;
}

/// Outputs that share memory with one whose layout changes must change together; so must outputs that share memory
/// although their functional values do not, as after a write through a lazily conjugated view.
void noteSharedLayouts(std::vector<OutputInfo>& outputs, const std::vector<std::optional<TensorType>>& asWritten,
                       const std::vector<const Node*>& values) {
    const auto shares = [&](std::size_t i) {
        return asWritten[i] && asWritten[i]->storage >= 0 && outputs[i].tensor && !outputs[i].isAlias();
    };
    std::set<std::int64_t> anew;
    std::map<std::int64_t, std::int64_t> memory;  // of the first value, by storage in the program
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (!shares(i)) continue;
        const TensorType* found = values[i] ? values[i]->type.tensor() : nullptr;
        const auto [first, isFirst] = memory.try_emplace(asWritten[i]->storage, found ? found->storage : -1);
        if (outputs[i].asWritten || (found && first->second != found->storage)) anew.insert(asWritten[i]->storage);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (shares(i) && anew.contains(asWritten[i]->storage)) outputs[i].asWritten = asWritten[i];
}

/// One functionalized run on fake tensors, and its results.
class FunctionalRun {
public:
    FunctionalRun(const GraphFunction& function, DataDependentValues& dataValues, const TraceOptions& options,
                  const std::vector<std::optional<TensorType>>& after)
        : function_(function),
          after_(function.ofInputs(after)),
          options_(options),
          run_(std::make_shared<ForwardRun>(function, "functional", dataValues)) {}

    /// Derives everything from the run; inputs that are the same tensor are merged.
    void analyze(MetadataTrace& result, const ForwardTrace& asWritten) {
        run(/*mergeDuplicates=*/true, [&](const std::vector<c10::IValue>& outputs, Structure structure) {
            const Extent before = extent();
            result.outputStructure = std::move(structure);
            result.duplicates = run_->fakes.anyDuplicate();
            FunctionMetadata& metadata = result.metadata;
            metadata.keepInputMutations = options_.keepInputMutations;
            metadata.gradMode = options_.gradMode;
            metadata.inputs = inspectInputs();
            for (std::size_t i = 0; i < metadata.inputs.size(); ++i)
                metadata.inputs[i].restrided = asWritten.restrided[i];
            metadata.outputs = analyzeOutputs(writtenInputs(metadata), run_->inputs, outputs, asWritten,
                                              result.outputStructure.placeNames());
            decideAutograd(metadata, options_.gradMode);
            if (metadata.needsAutograd) metadata.intermediateBases = countBases(metadata.outputs);
            for (std::size_t i = 0; i < outputs.size(); ++i)
                result.outputViews.push_back(viewsOf(metadata, i, outputs[i]));
            const bool goesOn = runsAsJoint(metadata);
            result.functional = finish(metadata, outputs, goesOn);
            if (goesOn && extent() == before) result.run = run_;
            run_->sequence = before.second;
            for (std::size_t i = 0; i < outputs.size(); ++i)
                if (metadata.outputs[i].isAlias())
                    metadata.outputs[i].views =
                        viewChain(result.functional.graph->outputs()[metadata.mutatedInputIndices().size() + i].node());
        });
    }

    /// Runs with the graph's inputs; facts about outputs do not change.
    void repeat(MetadataTrace& result) {
        run(/*mergeDuplicates=*/false, [&](const std::vector<c10::IValue>& outputs, const Structure&) {
            noteGradientsThroughBases(result.metadata, outputs);
            FunctionMetadata& metadata = result.graphMetadata;
            metadata = result.metadata;
            metadata.convention = CallingConvention::plain(function_.inputCount());
            metadata.inputs = inspectInputs();
            metadata.tangents.clear();
            for (OutputInfo& output : metadata.outputs)
                if (output.aliasesInput()) output.base = result.metadata.convention.arguments[*output.base].input;
            result.functional = finish(metadata, outputs);
        });
    }

    /// Runs with the graph's inputs, and decomposes operations.
    Trace decompose(FunctionMetadata graphMetadata) {
        Trace result;
        run_->recorder.decomposeBy(options_.decompositions);
        run(/*mergeDuplicates=*/false, [&](const std::vector<c10::IValue>& outputs, const Structure&) {
            result = finish(graphMetadata, outputs);
        });
        return result;
    }

private:
    template <typename Use>
    void run(bool mergeDuplicates, Use&& use) {
        const bool joint = isJoint();
        run_->inputs = recordFunctionalInputs(run_->recorder, function_, run_->fakes, joint, mergeDuplicates);
        for (const auto& input : run_->inputs)
            historyBefore_.push_back(input.isTensor() ? historyOf(input.toTensor()) : nullptr);
        const DispatchScope dispatch(run_->recorder);
        const FunctionalizationScope functionalization;
        const at::AutoGradMode grad(options_.gradMode);
        if (joint) run_->edges = gradientEdges(run_->inputs);
        auto [outputs, structure] = function_(run_->inputs, &run_->location);
        run_->outputs = std::move(outputs);
        use(run_->outputs, std::move(structure));
    }

    /// The number of nodes in the graph, and autograd's current sequence number.
    using Extent = std::pair<std::size_t, std::uint64_t>;
    Extent extent() const { return {run_->recorder.graph().size(), at::sequence_number::peek()}; }

    /// Whether the inputs are primals. Others may start to require grad in the run, which does not count.
    bool isJoint() const { return options_.gradMode && run_->fakes.anyRequiresGrad(); }

    /// Whether the joint trace also runs the function on the primals themselves, with the same recording.
    bool runsAsJoint(const FunctionMetadata& metadata) const {
        return isJoint() && metadata.needsAutograd && !options_.decompositions && run_->recorder.isPlain() &&
               std::none_of(metadata.inputs.begin(), metadata.inputs.end(), takesFreshInput);
    }

    /// A view of an argument starts to require grad when another view of the same base is written to.
    static void noteGradientsThroughBases(FunctionMetadata& metadata, const std::vector<c10::IValue>& outputs) {
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            OutputInfo& output = metadata.outputs[i];
            if (output.aliasesInput() && !output.requiresGrad && outputs[i].toTensor().requires_grad())
                output.requiresGrad = output.requiresGradForBackward = true;
        }
    }

    std::vector<InputInfo> inspectInputs() const {
        return analyzeInputs(function_, {run_->fakes, run_->inputs, historyBefore_, after_},
                             options_.keepInputMutations);
    }

    /// For every input, whether one that shares its storage is written to.
    std::vector<bool> writtenInputs(const FunctionMetadata& metadata) const {
        std::set<const c10::StorageImpl*> storages;
        const auto storage = [&](std::size_t i) { return storageOf(run_->fakes.leaves[i].toTensor()); };
        for (std::size_t i = 0; i < metadata.inputs.size(); ++i)
            if (metadata.inputs[i].mutatesData) storages.insert(storage(i));
        std::vector<bool> written;
        for (std::size_t i = 0; i < metadata.inputs.size(); ++i)
            written.push_back(metadata.inputs[i].tensor && storages.contains(storage(i)));
        return written;
    }

    /// A base that is itself a view, made one in place, already includes some of its views' operations.
    static bool startsAtBase(const at::Tensor& view) {
        namespace fi = at::functionalization::impl;
        const at::Tensor base = baseOf(view);
        return !fi::isFunctionalTensor(base) || fi::unsafeGetFunctionalWrapper(base)->view_metas().empty();
    }

    /// Decides whether output `i` is regenerated by replaying views, and which.
    static ViewSequence viewsOf(FunctionMetadata& metadata, std::size_t i, const c10::IValue& output) {
        namespace fi = at::functionalization::impl;
        OutputInfo& info = metadata.outputs[i];
        info.replaysViews = replaysViews(info, metadata.inputs) && fi::isFunctionalTensor(output.toTensor()) &&
                            (info.aliasesInput() || startsAtBase(output.toTensor()));
        return info.replaysViews ? fi::unsafeGetFunctionalWrapper(output.toTensor())->view_metas() : ViewSequence{};
    }

    /// The graph that returns (mutated inputs, outputs, intermediate bases) and overwrites inputs where allowed;
    /// tangents have the layout of their values. `goesOn`: the recording continues.
    Trace finish(FunctionMetadata& metadata, const std::vector<c10::IValue>& outputs, bool goesOn = false) {
        std::vector<c10::IValue> returned;
        for (auto i : metadata.mutatedInputIndices()) returned.push_back(unwrapFunctional(run_->inputs[i]));
        for (const auto& output : outputs) returned.push_back(unwrapFunctional(output));
        if (metadata.needsAutograd)
            for (std::size_t i = 0; i < outputs.size(); ++i)
                if (metadata.outputs[i].type == OutputType::aliasOfIntermediateSaveAsOutput)
                    returned.push_back(unwrapFunctional(at::Tensor(outputs[i].toTensor()._base())));
        const auto mask = metadata.tangentMask();
        for (std::size_t i = 0; i < mask.size(); ++i)
            if (mask[i] && metadata.needsAutograd) metadata.tangents.push_back(tangentType(returned[i].toTensor()));
        Recorder& recorder = run_->recorder;
        writeBackInGraph(recorder, metadata, run_->fakes, run_->inputs);
        if (goesOn) return recorder.snapshot(returned, metadata.forwardSlots());
        Trace trace = recorder.finish(returned, metadata.forwardSlots());
        if (isJoint() && !metadata.needsAutograd) nameArguments(*trace.graph);
        return trace;
    }

    /// Names inputs as in Python's inference graphs: before the run, it was unknown that there are no gradients.
    static void nameArguments(Graph& graph) {
        std::size_t i = 0;
        for (Node* input : graph.placeholders()) graph.rename(input, argumentName(i++, /*joint=*/false));
    }

    const GraphFunction& function_;
    std::vector<std::optional<TensorType>> after_;
    const TraceOptions& options_;
    const std::shared_ptr<ForwardRun> run_;
    std::vector<const torch::autograd::Node*> historyBefore_;
};

}  // namespace

MetadataTrace traceMetadata(const FlatFunction& function, DataDependentValues& dataValues, const TraceOptions& options,
                            const ForwardTrace& asWritten) {
    MetadataTrace result;
    result.after = asWritten.after;
    runTraceThread([&] {
        const GraphFunction plain(function);
        FunctionalRun(plain, dataValues, options, result.after).analyze(result, asWritten);
    });
    result.results = asWritten.results;
    for (std::size_t i = 0; i < result.metadata.outputs.size(); ++i) {
        noteViewLayout(result.metadata.outputs[i], result.results[i]);
        result.metadata.outputs[i].conjugated = asWritten.bits[i].conjugated;
        result.metadata.outputs[i].negated = asWritten.bits[i].negated;
    }
    refuseViewsBeside(result.metadata, asWritten);
    result.graphMetadata = result.metadata;
    noteLayouts(result, *result.functional.graph);
    result.graphMetadata.convention = result.metadata.convention =
        planConvention(result.metadata, function.exampleLeaves());
    if (result.takesOtherInputs()) result.run = nullptr;
    return result;
}

void noteLayouts(MetadataTrace& known, const Graph& graph) {
    const std::size_t first = known.graphMetadata.mutatedInputIndices().size();
    std::vector<OutputInfo>& outputs = known.metadata.outputs;
    std::vector<const Node*> values;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        values.push_back(graph.outputs()[first + i].node());
        noteLayout(outputs[i], known.results[i], values[i]);
    }
    noteSharedLayouts(outputs, known.results, values);
    for (std::size_t i = 0; i < outputs.size(); ++i) known.graphMetadata.outputs[i].asWritten = outputs[i].asWritten;
}

void traceWithGraphInputs(const FlatFunction& function, DataDependentValues& dataValues, const TraceOptions& options,
                          MetadataTrace& known) {
    runTraceThread([&] {
        const GraphFunction graph(function, known.metadata);
        FunctionalRun(graph, dataValues, options, known.after).repeat(known);
    });
}

Trace traceInference(const FlatFunction& function, DataDependentValues& dataValues, const TraceOptions& options,
                     const MetadataTrace& known) {
    Trace result;
    runTraceThread([&] {
        const GraphFunction graph(function, known.metadata);
        result = FunctionalRun(graph, dataValues, options, known.after).decompose(known.graphMetadata);
    });
    return result;
}

}  // namespace aotscope
