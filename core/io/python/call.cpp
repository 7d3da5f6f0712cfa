#include "io/python/call.h"

#include "io/python/literal.h"
#include "ops/python_operators.h"
#include "ops/repeated_draws.h"
#include "support/formatted.h"
#include "support/joined.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace aotscope {

namespace {

template <std::size_t N>
std::string_view signOf(const std::array<PythonOperator, N>& operators, std::string_view name) {
    const auto found = std::ranges::find(operators, name, &PythonOperator::name);
    return found == operators.end() ? std::string_view() : found->sign;
}

std::string complexText(const std::complex<double>& value) {
    const std::string imaginary = exactReal(value.imag());
    if (!std::isfinite(value.real()) || !std::isfinite(value.imag()))
        return "complex(" + exactReal(value.real()) + ", " + imaginary + ")";
    return "(" + exactReal(value.real()) + (imaginary[0] == '-' ? "" : "+") + imaginary + "j)";
}

/// The elements of `list`; a single one is followed by a comma in a tuple.
std::string elementsOf(const Argument::List& list, const PythonNaming& naming, bool tuple) {
    const std::string text =
        joined(list, ", ", [&](const Argument& element) { return pythonArgument(element, naming); });
    return tuple ? "(" + text + (list.size() == 1 ? ",)" : ")") : "[" + text + "]";
}

struct ArgumentWriter {
    const PythonNaming& naming;

    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(const Node* node) const { return naming.node(node); }
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const { return exactReal(v); }
    std::string operator()(bool v) const { return v ? "True" : "False"; }
    std::string operator()(const std::string& v) const { return pythonString(v); }
    std::string operator()(DType v) const { return "torch." + std::string(longName(v)); }
    std::string operator()(const Device& v) const { return pythonDevice(v.name); }
    std::string operator()(Layout v) const { return "torch." + std::string(name(v)); }
    std::string operator()(MemoryFormat v) const { return "torch." + std::string(name(v)); }
    std::string operator()(const std::complex<double>& v) const { return complexText(v); }
    std::string operator()(const Argument::List& v) const { return elementsOf(v, naming, false); }
    std::string operator()(const Argument::Subgraph& v) const { return naming.subgraph(v.get()); }
};

/// The arguments of a call from `first` on, without parentheses.
std::string argumentsOf(const Node& node, const PythonNaming& naming, std::size_t first = 0) {
    // The operands of higher-order operators are tuples in Python.
    const bool tuples = node.op().starts_with("higher_order.");
    std::string text;
    const auto add = [&](const std::string& argument) { text += (text.empty() ? "" : ", ") + argument; };
    for (std::size_t i = first; i < node.args().size(); ++i) {
        const Argument& argument = node.args()[i];
        const auto* list = tuples ? argument.list() : nullptr;
        add(list ? elementsOf(*list, naming, true) : pythonArgument(argument, naming));
    }
    for (const auto& [key, value] : node.kwargs())
        if (isPythonKeyword(key)) add("**{" + pythonString(key) + ": " + pythonArgument(value, naming) + "}");
        else add(pythonName(key) + " = " + pythonArgument(value, naming));
    return text;
}

/// A negative number before an operator needs parentheses.
std::string operand(const Argument& argument, const PythonNaming& naming) {
    std::string text = pythonArgument(argument, naming);
    return text.starts_with('-') ? "(" + text + ")" : text;
}

/// Functions of Python's operator module, as operators where possible.
std::string operatorCall(const Node& node, std::string_view function, const PythonNaming& naming) {
    const auto& args = node.args();
    if (args.size() == 2 && node.kwargs().empty()) {
        if (function == "getitem") return operand(args[0], naming) + "[" + pythonArgument(args[1], naming) + "]";
        if (const auto sign = signOf(kBinaryOperators, function); !sign.empty())
            return operand(args[0], naming) + " " + std::string(sign) + " " + operand(args[1], naming);
    }
    if (const auto sign = signOf(kUnaryOperators, function); !sign.empty() && args.size() == 1 && node.kwargs().empty())
        return std::string(sign) + operand(args[0], naming);
    return "operator." + pythonName(function) + "(" + argumentsOf(node, naming) + ")";
}

/// Calls in graphs printed by Dynamo: methods, attributes and functions of Python. Nothing for other operations.
std::optional<std::string> dynamoCall(const Node& node, std::string_view space, std::string_view function,
                                      const PythonNaming& naming) {
    const auto& args = node.args();
    const auto call = [&](const std::string& callee, std::size_t first = 0) {
        return callee + "(" + argumentsOf(node, naming, first) + ")";
    };
    if (space == "Tensor" && !args.empty())
        return call(operand(args[0], naming) + "." + std::string(pythonName(function)), 1);
    if (space == "module") return call("self." + pythonName(function));
    if (space == "builtins" && function == "getattr" && args.size() == 2)
        if (const auto* attribute = std::get_if<std::string>(&args[1].value))
            return operand(args[0], naming) + "." + pythonName(*attribute);
    if (space == "builtins") return call(pythonName(function));
    if (space == "math" || space == "torch") return call(std::string(space) + "." + pythonDottedName(function));
    if (space == "functional") return call("torch.nn.functional." + pythonDottedName(function));
    if (space == "_nn") return call("torch._C._nn." + pythonDottedName(function));
    return std::nullopt;
}

/// The state of the default generator of the device in the argument.
std::string rngStateCall(const Node& node, const PythonNaming& naming) {
    const auto* device = node.args().empty() ? nullptr : std::get_if<Device>(&node.args()[0].value);
    if (!device || device->name == "cpu") return "torch.get_rng_state()";
    return "torch.cuda.get_rng_state(" + argumentsOf(node, naming) + ")";
}

/// The operation is an argument, given by name.
std::string drawnAgainCall(const Node& node, const PythonNaming& naming) {
    Argument::List rest(node.args().begin() + 2, node.args().end());
    std::string text = "torch.ops." + pythonDottedName(node.op()) + "(" + pythonArgument(node.args()[0], naming) +
                       ", torch.ops." + pythonDottedName(operationOf(node));
    for (const Argument& argument : rest) text += ", " + pythonArgument(argument, naming);
    for (const auto& [key, value] : node.kwargs())
        text += ", " + pythonName(key) + " = " + pythonArgument(value, naming);
    return text + ")";
}

}  // namespace

std::string pythonTuple(const Argument::List& elements, const PythonNaming& naming) {
    return elementsOf(elements, naming, true);
}

std::string pythonArgument(const Argument& argument, const PythonNaming& naming) {
    return std::visit(ArgumentWriter{naming}, argument.value);
}

std::string pythonCall(const Node& node, const PythonNaming& naming) {
    const std::string_view op = node.op();
    const auto dot = op.find('.');
    const std::string_view space = op.substr(0, dot);
    const std::string_view function = dot == std::string_view::npos ? std::string_view() : op.substr(dot + 1);
    if (space == "operator") return operatorCall(node, function, naming);
    if (op == kRngState) return rngStateCall(node, naming);
    if (op == kRunWithRngState && node.args().size() > 1) return drawnAgainCall(node, naming);
    if (const auto call = dynamoCall(node, space, function, naming)) return *call;
    return "torch.ops." + pythonDottedName(op) + "(" + argumentsOf(node, naming) + ")";
}

}  // namespace aotscope
