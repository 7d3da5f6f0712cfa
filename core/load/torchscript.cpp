#include "load/torchscript.h"

#include "load/lowering.h"
#include "load/source_graph.h"
#include "support/error.h"

#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/runtime/custom_operator.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/csrc/jit/runtime/operator.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/csrc/jit/serialization/import_read.h>

#include <fstream>

namespace aotscope {

namespace {

namespace jit = torch::jit;
namespace fs = std::filesystem;

/// Carries a LocationSink through TorchScript values.
struct SinkCapsule final : torch::CustomClassHolder {
    explicit SinkCapsule(LocationSink* s) : sink(s) {}
    LocationSink* sink;
};

/// aotscope::location(Any sink, int index) tells the sink which operation comes next.
void registerLocationOperator() {
    static const jit::RegisterOperators registered({jit::Operator(
        "aotscope::location(Any sink, int index) -> ()",
        [](jit::Stack& stack) {
            const auto index = jit::pop(stack).toInt();
            const auto capsule = jit::pop(stack).toCapsule();
            static_cast<SinkCapsule&>(*capsule).sink->enter(static_cast<std::size_t>(index));
        },
        c10::AliasAnalysisKind::CONSERVATIVE)});
}

/// Puts a location operator in front of every node that has a place in the source.
void insertLocations(const LoweredMethod& lowered) {
    jit::Graph& graph = *lowered.graph;
    jit::Value* sink = graph.addInput("sink");
    sink->setType(c10::AnyType::get());
    static const auto location = c10::Symbol::fromQualString("aotscope::location");
    for (auto [node, index] : lowered.locationOf) {
        auto* target = const_cast<jit::Node*>(node);
        const jit::WithInsertPoint insert(target);
        jit::Value* number = graph.insertConstant(static_cast<int64_t>(index));
        graph.insertNode(graph.create(location, {sink, number}, 0));
    }
}

class TorchScriptProgram final : public Program {
public:
    TorchScriptProgram(LoweredMethod lowered, const jit::Method& method)
        : unit_(method.owner()._ivalue()->compilation_unit()) {
        registerLocationOperator();
        const auto& declared = method.function().getSchema().arguments();  // the first one is the module itself
        for (std::size_t i = 1; i < declared.size(); ++i)
            inputs_.push_back({declared[i].name(), declared[i].type(), declared[i].default_value()});
        source_ = sourceGraph(lowered);
        plain_ = jit::Code(lowered.graph->copy(), method.name());
        insertLocations(lowered);
        located_ = jit::Code(lowered.graph, method.name());
        state_ = std::move(lowered.state);
        locations_ = std::move(lowered.locations);
    }

    c10::IValue call(const std::vector<c10::IValue>& state, const std::vector<c10::IValue>& inputs,
                     LocationSink* sink) const override {
        jit::Stack stack(state);
        stack.insert(stack.end(), inputs.begin(), inputs.end());
        if (sink) stack.push_back(c10::IValue::make_capsule(c10::make_intrusive<SinkCapsule>(sink)));
        jit::InterpreterState(sink ? located_ : plain_).run(stack);
        if (stack.empty()) return {};
        return stack.back();
    }

private:
    std::shared_ptr<jit::CompilationUnit> unit_;  ///< owns the classes and functions that were not inlined (no_grad)
    jit::Code plain_, located_;                   ///< without and with location operators
};

}  // namespace

std::shared_ptr<const Program> programOf(jit::Module module, ModuleMode mode, const std::string& method) {
    module.train(mode == ModuleMode::train);
    LoweredMethod lowered = lowerMethod(module, method);
    return std::make_shared<TorchScriptProgram>(std::move(lowered), module.get_method(method));
}

jit::Module readTorchScript(const fs::path& path) {
    std::error_code failure;
    const std::string name = "'" + path.string() + "'";
    if (!fs::exists(path, failure)) throw Error("cannot open " + name + ": no such file; check the path");
    if (fs::is_directory(path, failure))
        throw Error("cannot open " + name + ": it is a folder, a TorchScript file is expected");
    std::array<char, 4> magic{};
    std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
    if (std::string_view(magic.data(), 4) != std::string_view("PK\x03\x04", 4))
        throw Error("cannot open " + name + ": it is not a zip archive; a file saved by torch.jit.save is expected");
    try {
        caffe2::serialize::PyTorchStreamReader reader(path.string());
        if (!reader.hasRecord("constants.pkl") || !reader.hasRecord("data.pkl"))
            throw Error("cannot open " + name +
                        ": the archive holds no TorchScript module (constants.pkl or data.pkl is missing); "
                        "save the model again with torch.jit.save");
        return jit::load(path.string(), at::kCPU);
    } catch (const Error&) {
        throw;
    } catch (const std::exception& e) {
        throw Error("cannot open " + name + ": the TorchScript archive is damaged (" + firstSentence(e.what()) +
                    "); save the model again");
    }
}

std::vector<c10::IValue> tracedInputs(const fs::path& path) {
    caffe2::serialize::PyTorchStreamReader reader(path.string());
    if (!reader.hasRecord("traced_inputs.pkl")) return {};
    const c10::IValue record =
        jit::readArchiveAndTensors("traced_inputs", "", "traced_inputs/", std::nullopt, std::nullopt, at::kCPU, reader);
    if (!record.isGenericDict()) return {};
    const auto methods = record.toGenericDict();
    const auto forward = methods.find("forward");
    if (forward == methods.end() || !forward->value().isList()) return {};
    return forward->value().toListRef().vec();
}

}  // namespace aotscope
