#include "load/torchscript/torchscript.h"

#include "aten/convert.h"
#include "aten/dispatch_mode.h"
#include "aten/fake_tensor.h"
#include "device/device.h"
#include "load/pickle/archive_pickles.h"
#include "load/pickle/foreign_file.h"
#include "load/torchscript/archive_code.h"
#include "load/torchscript/interrupts.h"
#include "load/torchscript/lowering.h"
#include "load/torchscript/script_graph_check.h"
#include "load/torchscript/source_graph.h"
#include "program/files/archive.h"
#include "program/files/memory_reader.h"
#include "program/pytree.h"
#include "support/error.h"
#include "support/quoted.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty_strided.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/custom_operator.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/csrc/jit/runtime/operator.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/csrc/jit/serialization/import_read.h>

#include <mutex>
#include <utility>

namespace aotscope {

namespace {

namespace jit = torch::jit;

/// Carries a LocationSink through TorchScript values.
struct SinkCapsule final : torch::CustomClassHolder {
    explicit SinkCapsule(LocationSink* s) : sink(s) {}
    LocationSink* sink;
};

c10::Symbol plainTwin(c10::Symbol symbol) {
    return c10::Symbol::fromQualString(std::string("aotscope::") + symbol.toUnqualString());
}

/// Whether `node` is an operator of TorchScript's interpreter that accesses tensor memory without the dispatcher: it
/// must not get a fake tensor.
bool touchesMemory(const jit::Node& node) {
    if (node.kind() == c10::aten::tensor || node.kind() == c10::aten::as_tensor)
        return node.input(0)->type()->kind() != c10::TypeKind::TensorType;
    return node.kind() == c10::prim::tolist || node.kind() == c10::aten::format || node.kind() == c10::aten::str;
}

/// tensor and as_tensor of numbers: their memory is filled on the CPU; a trace sees the copy to another device.
void onCpuFirst(c10::Symbol symbol, jit::Operation& run, jit::Stack& stack) {
    const std::size_t behind = symbol == c10::aten::tensor ? 1 : 0;  // requires_grad
    const c10::IValue device = std::exchange(stack.end()[-1 - static_cast<std::ptrdiff_t>(behind)], c10::IValue());
    {
        const PlainKernelScope scope;
        run(stack);
    }
    if (!device.isNone()) stack.back() = stack.back().toTensor().to(device.toDevice());
}

/// The elements of `tensor` as nested lists, read one by one so that a trace records each.
c10::IValue listFrom(const at::Tensor& tensor, const c10::Type& type) {
    if (type.kind() != c10::TypeKind::ListType) {
        const c10::Scalar element = tensor.item();
        return type.kind() == c10::TypeKind::FloatType ? c10::IValue(element.toDouble()) : c10::IValue(element);
    }
    const c10::TypePtr element = type.castRaw<c10::ListType>()->getElementType();
    c10::impl::GenericList list(element);
    for (int64_t i = 0; i < tensor.size(0); ++i) list.push_back(listFrom(tensor.select(0, i), *element));
    return list;
}

/// prim::tolist: `dim` nested lists of integers, floats, booleans or complex numbers, by TorchScript's numbers for
/// these types.
void tensorToList(jit::Stack& stack) {
    const auto code = jit::pop(stack).toInt();
    const auto dim = jit::pop(stack).toInt();
    const at::Tensor tensor = jit::pop(stack).toTensor();
    TORCH_CHECK(tensor.dim() == dim, "tolist() is annotated as ", dim, " nested lists, the tensor has ", tensor.dim(),
                " dimensions");
    const std::array<c10::TypePtr, 4> types = {c10::IntType::get(), c10::FloatType::get(), c10::BoolType::get(),
                                               c10::ComplexType::get()};
    c10::TypePtr type = types.at(static_cast<std::size_t>(code));
    for (int64_t i = 0; i < dim; ++i) type = c10::ListType::create(type);
    stack.push_back(listFrom(tensor, *type));
}

/// aten::format and aten::str write elements of tensors, which fake tensors do not have.
jit::Operation refusingFakes(jit::Operation format) {
    return [format = std::move(format)](jit::Stack& stack) mutable {
        for (const c10::IValue& value : stack)
            if (value.isTensor() && value.toTensor().defined() && asFake(value.toTensor()))
                throw Error(
                    "the model formats a tensor as text, but its elements do not exist while tracing; remove the text "
                    "or build it from the tensor's sizes");
        format(stack);
    };
}

/// Registers `wrap` of aten's own operators with this name as their variants.
template <typename Wrap>
void addTwins(std::vector<std::optional<jit::Operator>>& operators, c10::Symbol symbol, Wrap&& wrap) {
    constexpr auto conservative = c10::AliasAnalysisKind::CONSERVATIVE;
    const std::string name = plainTwin(symbol).toQualString();
    for (const auto& original : jit::getAllOperatorsFor(symbol)) {
        const c10::FunctionSchema& schema = original->schema();
        jit::Operation run = wrap(original->getOperation());
        if (schema.is_vararg())
            operators.emplace_back(
                jit::Operator(name + c10::str(schema).substr(schema.name().size()), std::move(run), conservative));
        else
            operators.emplace_back(jit::Operator(name, schema.overload_name(), schema.arguments(), schema.returns(),
                                                 std::move(run), conservative));
    }
}

/// Operators that only our programs call: aotscope::location(Any sink, int index) tells the sink which operation comes
/// next; the others are variants of TorchScript's own that support fake tensors.
void registerProgramOperators() {
    [[maybe_unused]] static const jit::RegisterOperators registered = [] {
        constexpr auto conservative = c10::AliasAnalysisKind::CONSERVATIVE;
        std::vector<std::optional<jit::Operator>> operators;
        const auto location = [](jit::Stack& stack) {
            const auto index = jit::pop(stack).toInt();
            const auto capsule = jit::pop(stack).toCapsule();
            static_cast<SinkCapsule&>(*capsule).sink->enter(static_cast<std::size_t>(index));
        };
        operators.emplace_back(jit::Operator("aotscope::location(Any sink, int index) -> ()", location, conservative));
        operators.emplace_back(
            jit::Operator("aotscope::tolist(Tensor x, int dim, int type) -> Any", tensorToList, conservative));
        for (c10::Symbol symbol : {c10::aten::tensor, c10::aten::as_tensor})
            addTwins(operators, symbol, [symbol](jit::Operation run) -> jit::Operation {
                return [run = std::move(run), symbol](jit::Stack& stack) mutable { onCpuFirst(symbol, run, stack); };
            });
        for (c10::Symbol symbol : {c10::aten::format, c10::aten::str}) addTwins(operators, symbol, refusingFakes);
        return jit::RegisterOperators(std::move(operators));
    }();
}

/// Inserts a location operator before every node with a source location, and replaces operators that would access the
/// memory of fake tensors by our variants.
void prepareForTracing(const LoweredMethod& lowered) {
    jit::Graph& graph = *lowered.graph;
    jit::Value* sink = graph.addInput("sink");
    sink->setType(c10::AnyType::get());
    static const auto location = c10::Symbol::fromQualString("aotscope::location");
    for (auto [node, index] : lowered.locationOf) {
        auto* target = const_cast<jit::Node*>(node);
        const jit::WithInsertPoint insert(target);
        jit::Value* number = graph.insertConstant(static_cast<int64_t>(index));
        graph.insertNode(graph.create(location, {sink, number}, 0));
        if (!touchesMemory(*target)) continue;
        target->replaceWithNewSymbol(plainTwin(target->kind()));
        target->destroy();
    }
}

/// Adds the size of `recorded` to `bytes`; false if that exceeds anything realistic.
bool fits(const at::Tensor& recorded, std::int64_t& bytes) {
    constexpr std::int64_t most = std::int64_t{128} << 20;
    std::int64_t last = 0;
    for (int64_t i = 0; i < recorded.dim(); ++i) {
        std::int64_t extent = 0;
        if (recorded.size(i) == 0) return true;
        if (__builtin_mul_overflow(recorded.size(i) - 1, recorded.stride(i), &extent) ||
            __builtin_add_overflow(last, extent, &last) || last > most)
            return false;
    }
    bytes += (last + 1) * static_cast<std::int64_t>(recorded.itemsize());
    return bytes <= most;
}

class TorchScriptProgram final : public Program {
public:
    TorchScriptProgram(LoweredMethod lowered, const jit::Method& method, std::function<void()> fillState)
        : unit_(method.owner()._ivalue()->compilation_unit()), fillState_(std::move(fillState)) {
        registerProgramOperators();
        const auto& declared = method.function().getSchema().arguments();  // the first one is the module itself
        for (std::size_t i = 1; i < declared.size(); ++i)
            inputs_.push_back({declared[i].name(), declared[i].type(), declared[i].default_value()});
        source_ = sourceGraph(lowered);
        interruptLoops(*lowered.graph);
        interruptFunctions(*unit_);
        plain_ = jit::Code(lowered.graph->copy(), method.name());
        prepareForTracing(lowered);
        located_ = jit::Code(lowered.graph, method.name());
        state_ = std::move(lowered.state);
        locations_ = std::move(lowered.locations);
    }

    c10::IValue call(const std::vector<c10::IValue>& state, const std::vector<c10::IValue>& inputs,
                     LocationSink* sink) const override {
        jit::Stack stack(state);
        stack.insert(stack.end(), inputs.begin(), inputs.end());
        if (sink) sink->setTorchScript();
        if (sink) stack.push_back(c10::IValue::make_capsule(c10::make_intrusive<SinkCapsule>(sink)));
        jit::InterpreterState(sink ? located_ : plain_).run(stack);
        if (stack.empty()) return {};
        return stack.back();
    }

    void materializeState() const override {
        if (fillState_) std::call_once(filled_, fillState_);
    }

private:
    std::shared_ptr<jit::CompilationUnit> unit_;  ///< owns the classes and functions that were not inlined (no_grad)
    jit::Code plain_, located_;                   ///< without and with location operators
    std::function<void()> fillState_;
    mutable std::once_flag filled_;
};

/// The operator that LibTorch's compiler did not find; empty for other errors.
std::string unknownOperator(std::string_view message) {
    constexpr std::string_view words = "Unknown builtin op: ";
    const auto at = message.find(words);
    if (at == std::string_view::npos) return {};
    const std::string_view name = message.substr(at + words.size());
    return std::string(name.substr(0, name.find_first_of("\n ")).substr(0, name.find(".\n")));
}

void replaceDevices(jit::Block& block, c10::Device device) {
    const bool real = whyDeviceCannotRun(device.str()).empty();
    for (jit::Node* node : block.nodes()) {
        for (jit::Block* inner : node->blocks()) replaceDevices(*inner, device);
        const bool isTensor = node->kind() == c10::prim::Constant && node->hasAttribute(c10::attr::value) &&
                              node->kindOf(c10::attr::value) == jit::AttributeKind::t;
        if (isTensor && real) node->t_(c10::attr::value, node->t(c10::attr::value).to(device));
        const bool named = node->kind() == c10::prim::Constant && node->outputs().size() == 1 &&
                           node->output()->type()->kind() == c10::TypeKind::DeviceObjType;
        if (named && node->s(c10::attr::value) != "meta") node->s_(c10::attr::value, device.str());
    }
}

/// Loads an archive whose pickles and directory are sound, if all its calls are allowed and its values have the types
/// that its code assumes. Throws OperatorsRefused, naming the file by `opening`, or Error (a clause).
jit::Module loadJudged(const std::string& opening, const std::shared_ptr<MemoryReader>& bytes, ZipArchive& archive,
                       OperatorKinds allow) {
    const PickleFacts pickles = requireSoundPickles(archive);
    OperatorJudge judge(allow);
    judgeArchive(archive, judge);
    for (const std::string& name : pickles.customClasses) judge.customClass(name);
    judge.require(opening);
    requireEnumMembers(archive, pickles.enums);
    jit::Module module = jit::load(bytes, at::kCPU);
    judgeCompiledCode(module, judge);
    judge.require(opening);
    requireTypedState(module);
    return module;
}

}  // namespace

std::shared_ptr<const Program> programOf(const jit::Module& module, ModuleMode mode, const std::string& method,
                                         c10::Device device, std::function<void()> fillState) {
    if (mode != ModuleMode::asSaved) jit::Module(module).train(mode == ModuleMode::train);
    LoweredMethod lowered = lowerMethod(module, method);
    replaceDevices(*lowered.graph->block(), device);
    return std::make_shared<TorchScriptProgram>(std::move(lowered), module.get_method(method), std::move(fillState));
}

jit::Module readTorchScript(const std::shared_ptr<const MappedFile>& file, OperatorKinds allow) {
    const std::string name = "'" + file->path().string() + "'";
    if (!file->text().starts_with("PK\x03\x04")) {
        const std::string what = describeForeignFile(*file);
        throw Error("cannot open " + name + ": " +
                    (what.empty() ? "it is not a zip archive; expected a file saved by torch.jit.save" : what));
    }
    const auto damaged = [&](const std::string& why) {
        return Error("cannot open " + name + ": the TorchScript archive is damaged (" + why +
                     "); save the model again");
    };
    std::optional<ZipArchive> archive;
    try {
        archive.emplace(file->text());
    } catch (const Error& e) {
        const std::string what = describeForeignFile(*file);
        throw what.empty() ? damaged(e.what()) : Error("cannot open " + name + ": " + what);
    }
    try {
        if (!archive->contains("constants.pkl") || !archive->contains("data.pkl")) {
            const std::string what = describeForeignFile(*file);
            throw Error("cannot open " + name + ": " +
                        (what.empty()
                             ? "the archive holds no TorchScript module (constants.pkl or data.pkl is missing); "
                               "save the model again with torch.jit.save"
                             : what));
        }
        try {
            // LibTorch reads such files in a completely different way.
            if (archive->contains("model.json")) throw Error("it was saved by PyTorch 1.1 or older");
            return loadJudged("cannot open " + name, std::make_shared<MemoryReader>(file), *archive, allow);
        } catch (const OperatorsRefused&) {
            throw;
        } catch (const Error& e) {
            if (std::string_view(e.what()).find("torch.classes.quantized.") != std::string_view::npos)
                throw Error("cannot open " + name +
                            ": it has quantized layers of eager mode, whose packed weights are not supported; quantize "
                            "the model with PT2E, or open it as it was before");
            throw damaged(e.what());
        }
    } catch (const Error&) {
        throw;
    } catch (const std::exception& e) {
        if (const std::string missing = unknownOperator(e.what()); !missing.empty())
            throw Error("cannot open " + name + ": it calls the operator " + inQuotes(missing) +
                        ", which is unknown; give the library that registers it with --library");
        throw damaged(firstSentence(e.what()));
    }
}

namespace {

/// Like `shape`. With zeros, any check would pass; integers are zeros, which are valid indices.
at::Tensor withValues(const at::Tensor& shape, const at::Generator& random) {
    at::Tensor tensor = at::empty_strided(shape.sizes(), shape.strides(), shape.options()).zero_();
    if (computesReals(toDType(tensor.scalar_type())) && tensor.is_non_overlapping_and_dense())
        tensor.normal_(0, 1, random);
    return tensor;
}

}  // namespace

std::vector<c10::IValue> tracedInputs(const std::shared_ptr<const MappedFile>& file, const std::string& method) {
    caffe2::serialize::PyTorchStreamReader reader(std::make_shared<MemoryReader>(file));
    if (!reader.hasRecord("traced_inputs.pkl")) return {};
    const c10::IValue record =
        jit::readArchiveAndTensors("traced_inputs", "", "traced_inputs/", std::nullopt, std::nullopt, at::kCPU, reader);
    if (!record.isGenericDict()) return {};
    const auto methods = record.toGenericDict();
    const auto recorded = methods.find(method);
    if (recorded == methods.end() || !recorded->value().isList()) return {};
    // The archive has shapes without elements: the tensors have no memory.
    const at::Generator random = at::detail::createCPUGenerator(0);
    std::vector<c10::IValue> inputs;
    std::int64_t bytes = 0;
    for (const c10::IValue& input : recorded->value().toListRef()) {
        std::vector<c10::IValue> leaves;
        const Structure structure = flatten(input, leaves, "a recorded input");
        for (auto& leaf : leaves)
            if (leaf.isTensor() && leaf.toTensor().defined() && !fits(leaf.toTensor(), bytes)) return {};
        for (auto& leaf : leaves)
            if (leaf.isTensor() && leaf.toTensor().defined()) leaf = withValues(leaf.toTensor(), random);
        std::size_t next = 0;
        inputs.push_back(unflatten(structure, leaves, next));
    }
    return inputs;
}

}  // namespace aotscope
