#include "load/torchscript/script_resolver.h"

#include "ir/types.h"
#include "load/torchscript/script_grad_modes.h"
#include "support/error.h"

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/error_report.h>
#include <torch/csrc/jit/frontend/sugared_value.h>

#include <optional>
#include <sstream>

namespace aotscope {

namespace {

namespace jit = torch::jit;

/// torch.ops, or ops as in archives.
struct OperatorSpaces final : jit::SugaredValue {
    std::string kind() const override { return "operators"; }
    std::shared_ptr<jit::SugaredValue> attr(const jit::SourceRange&, jit::GraphFunction&,
                                            const std::string& space) override {
        return std::make_shared<jit::BuiltinModule>(space);
    }
};

/// torch.linalg and the like, whose functions are operators with the given prefix. All functions of torch.nn.functional
/// that are TorchScript operators are also in torch.
struct FunctionSpace final : jit::SugaredValue {
    explicit FunctionSpace(std::string before) : prefix(std::move(before)) {}

    std::string kind() const override { return "functions"; }
    std::shared_ptr<jit::SugaredValue> attr(const jit::SourceRange& place, jit::GraphFunction& function,
                                            const std::string& name) override {
        return jit::BuiltinModule("aten").attr(place, function, prefix + name);
    }

    std::string prefix;
};

/// torch.nn, with only its functions.
struct NeuralNetworks final : jit::SugaredValue {
    std::string kind() const override { return "torch.nn"; }
    std::shared_ptr<jit::SugaredValue> attr(const jit::SourceRange& place, jit::GraphFunction&,
                                            const std::string& name) override {
        if (name == "functional") return std::make_shared<FunctionSpace>("");
        throw jit::ErrorReport(place) << "torch.nn." << name << " is a Python module; write torch.nn.functional";
    }
};

/// The number of torch.bool or torch.channels_last; nothing if it is neither a dtype nor a memory format.
std::optional<std::int64_t> constantCalled(const std::string& name) {
    for (int i = 0; i < 4; ++i)
        if (aotscope::name(static_cast<MemoryFormat>(i)) == name) return i;
    const auto dtype = dtypeFromName(name);
    if (!dtype || (name == shortName(*dtype) && name != longName(*dtype))) return std::nullopt;
    return static_cast<std::int64_t>(*dtype);
}

/// Context managers that users write and that are not supported.
void refuseRegion(const jit::SourceRange& place, const std::string& name) {
    if (name == "autocast")
        throw jit::ErrorReport(place) << "torch.autocast cannot be used in typed code; remove it, and run the whole "
                                         "model under autocast with --autocast";
    if (name == "inference_mode")
        throw jit::ErrorReport(place) << "torch.inference_mode cannot be used in typed code; write torch.no_grad()";
}

struct TorchModule final : jit::SugaredValue {
    explicit TorchModule(std::shared_ptr<jit::CompilationUnit> known) : unit(std::move(known)) {}

    std::string kind() const override { return "torch"; }
    std::shared_ptr<jit::SugaredValue> attr(const jit::SourceRange& place, jit::GraphFunction& function,
                                            const std::string& name) override {
        if (name == "ops") return std::make_shared<OperatorSpaces>();
        if (name == "nn") return std::make_shared<NeuralNetworks>();
        if (name == "linalg" || name == "fft" || name == "special") return std::make_shared<FunctionSpace>(name + "_");
        if (const auto constant = constantCalled(name))
            return std::make_shared<jit::SimpleValue>(function.graph()->insertConstant(*constant, place));
        if (auto mode = unit ? gradMode(*unit, name) : nullptr) return mode;
        refuseRegion(place, name);
        return jit::BuiltinModule("aten").attr(place, function, name);
    }

    std::shared_ptr<jit::CompilationUnit> unit;
};

struct ScriptResolver final : jit::Resolver {
    explicit ScriptResolver(std::shared_ptr<jit::CompilationUnit> known) : unit(std::move(known)) {}

    std::shared_ptr<jit::SugaredValue> resolveValue(const std::string& name, jit::GraphFunction&,
                                                    const jit::SourceRange&) override {
        if (name == "torch") return std::make_shared<TorchModule>(unit);
        if (name == "ops") return std::make_shared<OperatorSpaces>();
        if (name == "nn") return std::make_shared<NeuralNetworks>();
        if (name == "F") return std::make_shared<FunctionSpace>("");
        if (name == "math") return std::make_shared<jit::BuiltinModule>("aten");
        jit::Function* function = unit ? unit->find_function(c10::QualifiedName("__torch__." + name)) : nullptr;
        return function ? std::make_shared<jit::FunctionValue>(function) : nullptr;
    }

    std::shared_ptr<jit::CompilationUnit> unit;
};

}  // namespace

torch::jit::ResolverPtr scriptResolver(std::shared_ptr<torch::jit::CompilationUnit> unit) {
    return std::make_shared<ScriptResolver>(std::move(unit));
}

std::string withoutImports(const std::string& text) {
    std::istringstream lines(text);
    std::string result, line;
    while (std::getline(lines, line))
        result += (line.starts_with("import ") || line.starts_with("from ") ? "" : line) + "\n";
    return result;
}

std::string compilerMessage(const std::string& message, std::string_view record) {
    const std::string mark = "File \"" + std::string(record) + "\", line ";
    // The parser's own checks fail for invalid statements such as "retrun x".
    std::string sentence = message.find("INTERNAL ASSERT FAILED") == std::string::npos
                               ? firstSentence(message)
                               : "it is not TorchScript; expected functions, as in 'def f(x): return x.sin()'";
    const auto at = message.find(mark);
    if (at == std::string::npos) return sentence;
    const std::string rest = message.substr(at + mark.size());
    return sentence + " (line " + rest.substr(0, rest.find_first_not_of("0123456789")) + ")";
}

}  // namespace aotscope
