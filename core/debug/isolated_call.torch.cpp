#include "debug/isolated_call.h"

#include "aten/convert.h"
#include "aten/find_operator.h"
#include "aten/tensors.h"
#include "debug/measure.h"
#include "io/python/call.h"
#include "io/python/literal.h"
#include "support/formatted.h"
#include "support/joined.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace aotscope {

namespace {

constexpr int kMostCalls = 200;
constexpr std::int64_t kWritten = 256;  ///< elements of a tensor that are written out

/// Operations besides those tagged pointwise whose kernels check sizes against each other.
constexpr std::array<std::string_view, 12> kChecked = {
    "aten.mm.default",      "aten.bmm.default",       "aten.addmm.default",
    "aten.baddbmm.default", "aten._softmax.default",  "aten._log_softmax.default",
    "aten.sum.default",     "aten.sum.dim_IntList",   "aten.mean.default",
    "aten.mean.dim",        "aten.logsumexp.default", "aten.prod.default"};

bool checksSizes(const std::string& op) {
    if (std::ranges::count(kChecked, op) > 0) return true;
    const auto found = findOperator(op);
    return found && found->hasTag(at::Tag::pointwise);
}

/// A dimension of an operand.
struct Axis {
    std::size_t operand = 0;
    std::int64_t dimension = 0;
};
using Axes = std::vector<Axis>;

std::int64_t sizeOf(const IsolatedCall& call, const Axis& axis) {
    return call.operands[axis.operand].value.toTensor().size(axis.dimension);
}

/// Dimensions that may be cut together: those that broadcasting aligns, those of equal size, and each by itself.
std::vector<Axes> axesOf(const IsolatedCall& call) {
    std::map<std::pair<std::int64_t, std::int64_t>, Axes> byPlace;
    std::map<std::int64_t, Axes> bySize;
    std::vector<Axes> single, all;
    for (std::size_t i = 0; i < call.operands.size(); ++i) {
        if (!isTensor(call.operands[i].value)) continue;
        const std::int64_t rank = call.operands[i].value.toTensor().dim();
        for (std::int64_t d = 0; d < rank; ++d) {
            const Axis axis{i, d};
            const std::int64_t size = sizeOf(call, axis);
            if (size < 2) continue;
            byPlace[{rank - d, size}].push_back(axis);
            bySize[size].push_back(axis);
            single.push_back({axis});
        }
    }
    for (const auto& [place, axes] : byPlace) all.push_back(axes);
    for (const auto& [size, axes] : bySize) all.push_back(axes);
    all.insert(all.end(), single.begin(), single.end());
    return all;
}

IsolatedCall narrowed(const IsolatedCall& call, const Axes& axes, std::int64_t start, std::int64_t length) {
    IsolatedCall smaller = call;
    smaller.cut = true;
    for (const Axis& axis : axes) {
        c10::IValue& value = smaller.operands[axis.operand].value;
        value = value.toTensor().narrow(axis.dimension, start, length);
    }
    return smaller;
}

// --- as Python ---

std::string realText(double value, bool single) {
    return single ? exactReal(static_cast<float>(value)) : exactReal(value);
}

/// The elements in row-major order.
std::vector<std::string> elementsOf(const at::Tensor& tensor) {
    std::vector<std::string> texts;
    const at::Tensor flat = tensor.detach().to(at::kCPU).contiguous().view({-1});
    const bool single = tensor.scalar_type() != at::kDouble && tensor.scalar_type() != at::kComplexDouble;
    for (std::int64_t i = 0; i < flat.numel(); ++i) {
        const c10::Scalar element = flat[i].item();
        if (element.isBoolean()) texts.emplace_back(element.toBool() ? "True" : "False");
        else if (element.isIntegral(false)) texts.push_back(std::to_string(element.toLong()));
        else if (element.isComplex())
            texts.push_back("complex(" + realText(element.toComplexDouble().real(), single) + ", " +
                            realText(element.toComplexDouble().imag(), single) + ")");
        else texts.push_back(realText(element.toDouble(), single));
    }
    return texts;
}

std::string sizesText(const at::Tensor& tensor) {
    std::string text;
    for (const std::int64_t size : tensor.sizes()) text += std::to_string(size) + ", ";
    if (tensor.dim() > 1) text.resize(text.size() - 2);
    else if (tensor.dim() == 1) text.pop_back();
    return "(" + text + ")";
}

/// A random tensor of the same type with elements from the same range.
std::string drawnText(const at::Tensor& tensor, const ValueFacts& facts, const std::string& dtype) {
    const std::string sizes = sizesText(tensor);
    if (tensor.is_floating_point() && facts.finite())
        return "torch.empty(" + sizes + ", dtype=" + dtype + ").uniform_(" + exactReal(facts.min) + ", " +
               exactReal(facts.max) + ")";
    if (tensor.is_complex() || !facts.finite()) return "torch.randn(" + sizes + ", dtype=" + dtype + ")";
    return "torch.randint(" + std::to_string(static_cast<std::int64_t>(facts.min)) + ", " +
           std::to_string(static_cast<std::int64_t>(facts.max) + 1) + ", " + sizes + ").to(" + dtype + ")";
}

std::string tensorText(const at::Tensor& tensor) {
    const std::string dtype = "torch." + std::string(longName(toDType(tensor.scalar_type())));
    const std::string device = tensor.is_cpu() ? "" : ".to(" + std::string("\"") + tensor.device().str() + "\")";
    if (tensor.numel() == 0) return "torch.empty(" + sizesText(tensor) + ", dtype=" + dtype + ")" + device;
    if (tensor.numel() > kWritten) {
        const ValueFacts facts = factsOf(tensor);
        return drawnText(tensor, facts, dtype) + device +
               "  # other elements than those of the run: " + describe(facts);
    }
    const bool shaped = tensor.dim() != 1;
    return "torch.tensor([" + joined(elementsOf(tensor), ", ") + "], dtype=" + dtype + ")" +
           (shaped ? ".view(" + sizesText(tensor) + ")" : "") + device;
}

/// The variable name for a node's value; avoids the names that the code imports.
std::string variableOf(const Node& node) {
    const std::string name = pythonName(node.name());
    constexpr std::array<std::string_view, 4> imported = {"torch", "device", "inf", "nan"};
    return std::ranges::count(imported, name) > 0 ? name + "_" : name;
}

std::string valueText(const c10::IValue& value) {
    if (isTensor(value)) return tensorText(value.toTensor());
    if (value.isBool()) return value.toBool() ? "True" : "False";
    if (value.isInt()) return std::to_string(value.toInt());
    return value.isDouble() ? exactReal(value.toDouble()) : "None";
}

bool runsGraphs(const Node& node) {
    const auto isGraph = [](const Argument& argument) { return argument.subgraph() != nullptr; };
    return std::ranges::any_of(node.args(), isGraph);
}

}  // namespace

IsolatedCall cutDown(IsolatedCall call, const std::function<bool(const IsolatedCall& smaller)>& stillSo,
                     const Progress& progress) {
    if (!checksSizes(call.node->op())) return call;
    int calls = 0;
    const auto half = [&] {
        for (const Axes& axes : axesOf(call)) {
            const std::int64_t size = sizeOf(call, axes.front()), length = (size + 1) / 2;
            for (const std::int64_t start : {std::int64_t{0}, size - length}) {
                if (++calls > kMostCalls) return false;
                progress.throwIfCancelled();
                if (IsolatedCall smaller = narrowed(call, axes, start, length); stillSo(smaller)) {
                    call = std::move(smaller);
                    return true;
                }
            }
        }
        return false;
    };
    while (half()) {}
    return call;
}

std::string callAsPython(const IsolatedCall& call) {
    if (!findOperator(call.node->op()) || runsGraphs(*call.node)) return {};
    const PythonNaming naming{[](const Node* node) { return variableOf(*node); }, {}};
    std::string operands;
    for (const auto& [node, value] : call.operands) operands += variableOf(*node) + " = " + valueText(value) + "\n";
    const std::string how = call.cut ? ", on the parts of its operands that matter" : "";
    return "# the operation by itself" + how + "\nimport torch\nfrom torch import device, inf, nan\n\n" + operands +
           "print(" + pythonCall(*call.node, naming) + ")\n";
}

}  // namespace aotscope
