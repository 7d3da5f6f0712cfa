#include "verify/printed/printed_run.h"

#include "aten/convert.h"
#include "compile/captured_graph.h"
#include "compile/compilers.h"
#include "ir/output_names.h"
#include "ir/printer.h"
#include "load/printed/printed_metadata.h"
#include "ops/functional_graph.h"
#include "ops/operator_policy.h"
#include "program/inputs/saved_inputs.h"
#include "program/joint_function.h"
#include "support/names.h"
#include "verify/printed/printed_inputs.h"

#include <ATen/core/jit_type.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>

#include <algorithm>

namespace aotscope {

namespace {

/// The result of earlier stages of the pipeline for a model.
class PrintedProgram final : public Program {
public:
    PrintedProgram(std::vector<InputDeclaration> inputs, std::shared_ptr<const Graph> source,
                   std::shared_ptr<const CompiledFunction> function)
        : function_(std::move(function)) {
        inputs_ = std::move(inputs);
        source_ = std::move(source);
    }

    c10::IValue call(const std::vector<c10::IValue>& /*state*/, const std::vector<c10::IValue>& inputs,
                     LocationSink* /*sink*/) const override {
        return c10::ivalue::Tuple::create(function_->run(inputs, {}));
    }

private:
    std::shared_ptr<const CompiledFunction> function_;
};

c10::TypePtr declaredType(const ValueType& type) {
    const ScalarType* scalar = type.scalar();
    if (!type.known() || type.other()) return c10::OptionalType::create(c10::TensorType::get());  // unused: None
    if (!scalar) return c10::TensorType::get();
    switch (scalar->kind) {
        case ScalarType::Kind::boolean: return c10::BoolType::get();
        case ScalarType::Kind::real: return c10::FloatType::get();
        default: return c10::IntType::get();
    }
}

std::vector<InputDeclaration> declarationsOf(const Graph& graph) {
    std::vector<InputDeclaration> inputs;
    const auto names = printedInputNames(graph);
    const auto placeholders = graph.placeholders();
    for (std::size_t i = 0; i < placeholders.size(); ++i)
        inputs.push_back({names[i], declaredType(placeholders[i]->type), std::nullopt});
    return inputs;
}

FunctionMetadata metadataOf(const RunnableGraphs& graphs) {
    FunctionMetadata metadata;
    const auto inputs = graphs.forward->placeholders();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        InputInfo info;
        info.name = nameInProgram(*inputs[i]);
        if (inputs[i]->type.tensor()) info.tensor = *inputs[i]->type.tensor();
        info.requiresGrad = graphs.differentiable[i];
        if (info.tensor) info.tensor->requiresGrad = info.requiresGrad;
        info.mutatesData =
            std::ranges::any_of(inputs[i]->users(), [&](const Node* user) { return writesInto(*user, *inputs[i]); });
        if (info.mutatesData) info.mutation = MutationType::inGraph;
        metadata.inputs.push_back(std::move(info));
    }
    metadata.convention = CallingConvention::plain(inputs.size());
    for (std::size_t i = 0; i < graphs.tangentMask.size(); ++i) {
        OutputInfo info;
        const Node* node = graphs.forward->outputs()[i].node();
        info.name = outputName(graphs.forward->outputSlots()[i]);
        info.isTensor = node && !node->type.scalar();
        if (node && node->type.tensor()) info.tensor = *node->type.tensor();
        info.requiresGrad = info.requiresGradForBackward = graphs.tangentMask[i];
        metadata.outputs.push_back(std::move(info));
    }
    if (!graphs.backward) return metadata;
    metadata.needsAutograd = true;
    for (const Node* tangent : tangentsOf(*graphs.backward))
        if (const TensorType* type = tangent->type.tensor()) metadata.tangents.push_back(*type);
    return metadata;
}

/// Values that are not printed are zeros, which are valid indices.
void addConstants(const Graph& graph, ConstantTable& constants) {
    for (const Node* node : graph.nodes()) {
        if (node->kind() != NodeKind::constant) continue;
        if (!node->type.tensor())
            throw Error("the constant '" + node->name() +
                        "' is not a tensor of a known type, so no value can be made for it");
        const TensorType& type = *node->type.tensor();
        constants.emplace(
            node->op(),
            at::empty(type.sizes, at::TensorOptions(c10::Device(type.device.name)).dtype(toScalarType(type.dtype)))
                .zero_());
    }
}

/// `tensor` with the strides of the graph's input, which a copy of the input may not have.
at::Tensor laidOut(const at::Tensor& tensor, const TensorType* type) {
    if (!type || tensor.sizes() != c10::IntArrayRef(type->sizes) || tensor.strides() == c10::IntArrayRef(type->strides))
        return tensor;
    for (std::size_t i = 0; i < type->sizes.size(); ++i)
        if (type->sizes[i] > 1 && type->strides[i] == 0) return tensor;  // elements share memory
    return at::empty_strided(type->sizes, type->strides, tensor.options()).copy_(tensor);
}

class Maker {
public:
    Maker(const CompileRecord& record, const Options& options)
        : record_(record), options_(options), graphs_(runnableGraphs(record, options.device)) {}

    PrintedRun run() {
        for (const auto& graph : {graphs_.forward, graphs_.backward, graphs_.reference})
            if (graph) allow(*graph);
        for (const RunnablePass& pass : graphs_.passes)
            if (pass.graph) allow(*pass.graph);
        metadata_ = metadataOf(graphs_);
        PrintedRun run;
        run.options = plainOptions();
        Model model;
        model.name = record_.model.name;
        model.path = record_.model.path;
        model.kind = record_.model.kind;
        giveInputs(model, run.options);
        model.program = std::make_shared<PrintedProgram>(
            declarationsOf(*graphs_.forward), graphs_.reference ? graphs_.reference : graphs_.forward, eager());
        run.modelRun = std::make_shared<const ModelRun>(std::move(model), run.options);
        requireFit(run.modelRun->function().exampleLeaves());
        compile(run);
        return run;
    }

private:
    void allow(const Graph& graph) {
        requireAllowed(graph, options_.allow);
        addConstants(graph, constants_);
    }

    /// Sizes, autocast and mutations are already in the graphs.
    Options plainOptions() const {
        Options options = options_;
        options.dynamic.clear();
        options.checkSizes.clear();
        options.staticShapes = true;
        options.autocast = Autocast::off;
        options.inference = graphs_.backward == nullptr;
        options.recompileLimit = 0;
        options.given = nullptr;  // see useForPrintedRun()
        return options;
    }

    void giveInputs(Model& model, Options& options) {
        if (const auto* file = std::get_if<std::filesystem::path>(&options.inputs)) {
            takeFile(model, *file);
            options.inputs = std::monostate();
        } else if (auto* spec = std::get_if<InputSpec>(&options.inputs)) {
            requireCount(spec->inputs.size(), false);
            for (std::size_t i = 0; i < spec->inputs.size(); ++i)
                if (const auto* tensor = std::get_if<InputItem::TensorRef>(&spec->inputs[i].data))
                    if (auto* leaf = std::get_if<LeafSpec>(&spec->values[tensor->value]))
                        leaf->requiresGrad = graphs_.differentiable[i];
        } else {
            model.sampleSpec = printedInputs(graphs_);
        }
    }

    void takeFile(Model& model, const std::filesystem::path& file) {
        std::vector<InputDeclaration> declared = declarationsOf(*graphs_.forward);
        const std::size_t count = declared.size();
        if (graphs_.backward)
            for (const Node* tangent : tangentsOf(*graphs_.backward))
                declared.push_back({tangent->name(), c10::TensorType::get(), c10::IValue()});
        model.recordedInputs = readSavedInputs(file, declared);
        requireCount(model.recordedInputs.size(), true);
        for (std::size_t i = count; i < model.recordedInputs.size(); ++i)
            model.tangents.push_back(model.recordedInputs[i].toTensor().detach());
        model.recordedInputs.resize(count);
        const auto placeholders = graphs_.forward->placeholders();
        for (std::size_t i = 0; i < count; ++i) {
            c10::IValue& input = model.recordedInputs[i];
            if (!input.isTensor()) continue;
            const at::Tensor tensor = laidOut(input.toTensor().detach(), placeholders[i]->type.tensor());
            input = tensor.set_requires_grad(graphs_.differentiable[i] && isDifferentiable(tensor));
        }
    }

    void requireFit(const std::vector<c10::IValue>& inputs) const {
        const auto placeholders = graphs_.forward->placeholders();
        for (std::size_t i = 0; i < placeholders.size(); ++i) {
            const TensorType* expected = placeholders[i]->type.tensor();
            const bool tensor = i < inputs.size() && inputs[i].isTensor() && inputs[i].toTensor().defined();
            if (!expected || !tensor) continue;
            const TensorType found = typeOf(inputs[i].toTensor());
            if (found.sizes == expected->sizes && found.dtype == expected->dtype) continue;
            throw Error("--inputs: '" + nameInProgram(*placeholders[i]) + "' is " + printTensorType(found) +
                        ", the printed graph takes " + printTensorType(*expected));
        }
    }

    void requireCount(std::size_t given, bool mayHaveTangents) const {
        const std::size_t inputs = graphs_.forward->placeholders().size();
        const std::size_t tangents = graphs_.backward ? metadata_.tangents.size() : 0;
        if (given == inputs || (mayHaveTangents && given == inputs + tangents)) return;
        std::string expected = counted(inputs, "input");
        if (mayHaveTangents && tangents) expected += ", or these and " + counted(tangents, "tangent");
        throw Error("--inputs: the printed graph takes " + expected + "; given are " + std::to_string(given));
    }

    CompiledParts parts(std::shared_ptr<const Graph> forward, std::shared_ptr<const Graph> backward,
                        GraphCompilers compilers, SizeGuards guards) const {
        return {metadata_,
                metadata_,
                std::vector<ViewSequence>(metadata_.outputs.size()),
                constants_,
                std::move(compilers),
                graphs_.kinds.front(),
                std::move(forward),
                std::move(backward),
                std::make_shared<SizeGuards>(std::move(guards)),
                nullptr,
                AutocastState::current()};
    }

    static SizeGuards guardsOf(const FunctionMetadata& metadata, const std::vector<c10::IValue>& example) {
        return {metadata, example, {}, {}, {}};
    }

    /// The reference for forward and backward. Callers have already checked their guards.
    std::shared_ptr<const CompiledFunction> eager() const {
        SplitJoint halves{graphs_.forward, graphs_.backward};
        if (graphs_.reference && graphs_.backward) halves = splitByTangents(*graphs_.reference);
        else if (graphs_.reference) halves.forward = graphs_.reference;
        const std::shared_ptr<const Compiler> interpreter = makeInterpreter();
        const GraphCompilers compilers{interpreter, halves.backward ? interpreter : nullptr};
        return CompiledFunction::make(parts(halves.forward, halves.backward, compilers, guardsOf({}, {})));
    }

    void compile(PrintedRun& run) {
        const CompilerChoice& choice = options_.compilers;
        GraphCompilers compilers =
            graphs_.backward
                ? GraphCompilers{makeCompiler(choice.forward, choice), makeCompiler(choice.ofBackward(), choice)}
                : GraphCompilers{makeCompiler(choice.ofInference(), choice), nullptr};
        if (options_.deviceGraphs)
            for (auto* compiler : {&compilers.forward, &compilers.backward})
                if (*compiler) *compiler = capturing(std::move(*compiler), c10::Device(options_.device));
        run.compilation.function =
            CompiledFunction::make(parts(graphs_.forward, graphs_.backward, std::move(compilers),
                                         guardsOf(metadata_, run.modelRun->function().exampleLeaves())));
        run.compilation.constants = {constants_, constants_, constants_};
        auto record = std::make_shared<CompileRecord>(record_);
        record->metadata = record->graphMetadata = std::make_shared<FunctionMetadata>(metadata_);
        record->graphs[graphs_.kinds.front()] = graphs_.forward;
        if (graphs_.backward) record->graphs[graphs_.kinds.back()] = graphs_.backward;
        if (graphs_.reference && graphs_.backward) record->graphs[GraphKind::joint] = graphs_.reference;
        record->symbols.clear();
        record->compilers = run.compilation.function->compilers();
        record->passes = passesOf();
        run.compilation.record = std::move(record);
    }

    /// The passes for a search for the first wrong one: after the source, the joint graph and its forward and backward,
    /// or the graphs of a sequence.
    std::vector<PassRecord> passesOf() const {
        std::vector<PassRecord> passes(1);
        const auto add = [&](PassId id, std::vector<std::pair<GraphKind, std::shared_ptr<const Graph>>> graphs) {
            passes.emplace_back();
            passes.back().id = id;
            passes.back().graphs = std::move(graphs);
        };
        std::vector<std::pair<GraphKind, std::shared_ptr<const Graph>>> run = {
            {graphs_.kinds.front(), graphs_.forward}};
        for (std::size_t i = 0; i < graphs_.passes.size(); ++i) {
            const auto& [graph, whyNot] = graphs_.passes[i];
            add(PassId::printed, {});
            passes.back().title = record_.passes[i].title;
            if (graph) passes.back().graphs.emplace_back(graphs_.kinds.front(), graph);
            else passes.back().log = {whyNot};
        }
        if (graphs_.reference && graphs_.backward) add(PassId::joint, {{GraphKind::joint, graphs_.reference}});
        if (graphs_.backward) {
            run.emplace_back(GraphKind::backward, graphs_.backward);
            add(PassId::partition, run);
        }
        add(PassId::compile, run);
        return passes;
    }

    const CompileRecord& record_;
    const Options& options_;
    RunnableGraphs graphs_;
    FunctionMetadata metadata_;
    ConstantTable constants_;
};

}  // namespace

InputSpec printedInputs(const RunnableGraphs& graphs) {
    return printedInputSpec(graphs.forward->placeholders(), graphs.differentiable);
}

std::set<std::size_t> heldInputs(const CompileRecord& record) {
    std::set<std::size_t> held;
    const auto inputs = record.graph(executedGraphs(record).front())->placeholders();
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i]->role == Role::parameter || inputs[i]->role == Role::buffer) held.insert(i);
    return held;
}

std::vector<std::string> printedInputNames(const Graph& graph) {
    std::vector<std::string> names;
    for (const Node* node : graph.placeholders()) names.push_back(nameInProgram(*node));
    return names;
}

PrintedRun makePrintedRun(const CompileRecord& record, const Options& options) { return Maker(record, options).run(); }

}  // namespace aotscope
