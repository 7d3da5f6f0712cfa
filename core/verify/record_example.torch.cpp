#include "verify/record_example.h"

#include "aten/loadable.h"
#include "aten/random_state.h"
#include "aten/tensors.h"
#include "ir/subgraphs.h"
#include "support/error.h"
#include "verify/graph_arguments.h"
#include "verify/judge/graph_values.h"
#include "verify/kept_values.h"
#include "verify/run_io.h"

#include <ATen/ops/view_as_real.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <algorithm>
#include <complex>
#include <set>

namespace aotscope {

namespace {

using IValues = std::vector<c10::IValue>;

constexpr std::int64_t kSmallTensor = 32;  ///< number of elements written out

Argument scalarArgument(const at::Scalar& number) {
    if (number.isBoolean()) return number.toBool();
    if (number.isComplex()) return std::complex<double>(number.toComplexDouble());
    if (number.isIntegral(false)) return std::int64_t{number.toLong()};
    return number.toDouble();
}

/// In a dtype that has min, max and the like; undefined if there are no numbers.
at::Tensor asReals(const at::Tensor& tensor) {
    if (tensor.layout() != at::kStrided || tensor.is_quantized()) return {};
    const at::Tensor dense = tensor.detach().cpu().resolve_conj().resolve_neg();
    return (dense.is_complex() ? at::view_as_real(dense.to(at::kComplexDouble)) : dense.to(at::kDouble)).reshape({-1});
}

ValueSketch sketchOfTensor(const at::Tensor& tensor) {
    ValueSketch sketch;
    const at::Tensor reals = asReals(tensor);
    if (!reals.defined()) return sketch;
    if (tensor.numel() > 0 && tensor.numel() <= kSmallTensor) {
        const at::Tensor flat = tensor.detach().cpu().reshape({-1});
        for (std::int64_t i = 0; i < flat.numel(); ++i) sketch.elements.push_back(scalarArgument(flat[i].item()));
    }
    const at::Tensor finite = reals.masked_select(reals.isfinite());
    sketch.measured = finite.numel() > 0;
    if (!sketch.measured) return sketch;
    sketch.mean = finite.mean().item<double>();
    sketch.deviation = finite.std(/*unbiased=*/false).item<double>();
    sketch.low = finite.min().item<double>();
    sketch.high = finite.max().item<double>();
    return sketch;
}

/// The arguments of this compilation's backward: saved values and tangents.
std::optional<IValues> backwardArguments(const GraphArguments& called, const Compilation& compilation,
                                         const Options& options) {
    const auto forward = compilation.record->graph(GraphKind::forward);
    if (!forward) return std::nullopt;
    const ExampleRun ahead = runExample(*forward, GraphKind::forward, called.primals, compilation, options);
    if (!ahead.error.empty()) return std::nullopt;
    IValues arguments;
    for (const std::size_t i : savedOutputs(*forward)) arguments.push_back(ahead.outputs[i]);
    arguments.insert(arguments.end(), called.tangents.begin(), called.tangents.end());
    return arguments;
}

/// Prepares the values for a file: lists become tuples, and values that torch.load does not accept are omitted.
class Packer {
public:
    c10::IValue list(c10::ArrayRef<c10::IValue> values) {
        IValues elements;
        for (const c10::IValue& value : values) elements.push_back(packed(value));
        return c10::ivalue::Tuple::create(std::move(elements));
    }

    c10::IValue packed(const c10::IValue& value) {
        if (value.isTensor()) return tensors_.of(value.toTensor());
        if (value.isList()) return list(value.toListRef());
        if (value.isTuple()) return list(value.toTupleRef().elements().asArrayRef());
        return value.isInt() || value.isDouble() || value.isBool() || value.isString() || value.isComplexDouble()
                   ? value
                   : c10::IValue();
    }

private:
    LoadableTensors tensors_;
};

void addNames(const Graph& graph, std::set<std::string>& names) {
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::constant) names.insert(node->op());
}

/// The constants that `graph` and its subgraphs read.
std::set<std::string> constantNames(const Graph& graph) {
    std::set<std::string> names;
    addNames(graph, names);
    for (const auto& subgraph : subgraphsWithin(graph)) addNames(*subgraph, names);
    return names;
}

/// Only tuples: LibTorch tags lists and dicts with types, which torch.load rejects with weights_only.
std::string packExample(const GraphExample& example, const ExampleRun& run) {
    Packer packer;
    IValues inputs(run.inputs), constants;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (!example.inputs[i].kept) inputs[i] = {};
    for (const auto& [name, sketch] : example.constants)
        if (sketch.kept)
            constants.emplace_back(
                c10::ivalue::Tuple::create({c10::IValue(name), packer.packed(run.constants->at(name))}));
    c10::IValue given = packer.list(inputs), results = packer.list(run.outputs);
    const std::vector<char> bytes = torch::jit::pickle_save(c10::ivalue::Tuple::create(
        {std::move(given), c10::ivalue::Tuple::create(std::move(constants)), std::move(results)}));
    return {bytes.begin(), bytes.end()};
}

ValueSketch sketchOf(const c10::IValue& value) {
    if (isTensor(value)) return sketchOfTensor(value.toTensor());
    ValueSketch sketch;
    if (value.isInt() || value.isDouble() || value.isBool() || value.isComplexDouble())
        sketch.elements.push_back(scalarArgument(value.toScalar()));
    return sketch;
}

}  // namespace

std::optional<IValues> argumentsOf(const Graph& graph, GraphKind kind, const ModelRun& modelRun,
                                   const Compilation& compilation, const Options& options) {
    std::optional<IValues> arguments;
    if (kind == GraphKind::source || kind == GraphKind::preFunctionalization) {
        arguments = copyValues(modelRun.arguments(/*ownState=*/true).leaves);
    } else if (compilation.function) {
        const GraphArguments called = graphArguments(modelRun, compilation, options, {});
        if (kind == GraphKind::backward) {
            arguments = backwardArguments(called, compilation, options);
        } else {
            arguments = called.primals;
            if (kind == GraphKind::joint)
                arguments->insert(arguments->end(), called.tangents.begin(), called.tangents.end());
        }
    }
    if (arguments && arguments->size() != graph.placeholders().size()) arguments.reset();
    return arguments;
}

ExampleRun runExample(const Graph& graph, GraphKind kind, IValues inputs, const Compilation& compilation,
                      const Options& options) {
    ExampleRun example;
    example.inputs = std::move(inputs);
    example.constants = &compilation.constants.of(kind);
    const RandomStateGuard kept(options.seed);
    try {
        GraphRun run = runGraph(graph, *example.constants, example.inputs, nullptr);
        example.outputs = std::move(run.outputs);
        example.error = run.error;
    } catch (const Error& e) {
        example.error = e.what();
    }
    return example;
}

GraphExample exampleOf(const Graph& graph, const ExampleRun& run, std::uint64_t seed, ExampleValues values,
                       bool readsData) {
    GraphExample example;
    example.seed = seed;
    for (const c10::IValue& input : run.inputs) example.inputs.push_back(sketchOf(input));
    for (const std::string& name : constantNames(graph))
        if (const auto found = run.constants->find(name); found != run.constants->end())
            example.constants[name] = sketchOf(found->second);
    if (values != ExampleValues::none) keepValues(example, graph, run, values == ExampleValues::all, readsData);
    if (values == ExampleValues::all || keepsAny(example)) example.packed = packExample(example, run);
    return example;
}

}  // namespace aotscope
