#include "io/python/script.h"

#include "io/python/graph.h"
#include "io/python/libraries.h"
#include "io/python/literal.h"
#include "io/python/values.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

namespace {

std::string slotText(const OutputSlot& slot) {
    const std::string role(name(slot.role)), label = oneLine(slot.label);
    if (label.empty() || label.starts_with(role)) return label.empty() ? role : label;
    return role + " " + label;
}

/// The source of the inputs, as comments.
std::string inputsNote(const GraphExample& example) {
    const auto kept = [](const ValueSketch& sketch) { return sketch.kept; };
    if (!example.whyNone.empty())
        return "#\n# Inputs are made of their types alone: " + oneLine(example.whyNone) + ".\n";
    std::string text;
    if (example.leftOut > 0)
        text = "#\n# " + counted(example.leftOut, "input") +
               " needed the values of the run, which are large: export with --values if it fails.\n";
    const std::string random = "Inputs are random, with the range and the spread of those of the run";
    if (example.values.empty()) return text + "#\n# " + random + ".\n";
    const std::string file = oneLine(example.values);
    if (std::ranges::all_of(example.inputs, kept))
        return text + "#\n# Inputs have the values of the run, which are in " + file + ".\n";
    return text + "#\n# " + random + ".\n# Those that random numbers cannot stand for have its values, which are in " +
           file + ".\n";
}

/// Comes before the first line of code. Quotes cannot end it: titles contain names of models.
std::string scriptHead(const std::vector<ScriptGraph>& graphs) {
    std::string text;
    for (const ScriptGraph& each : graphs) text += (text.empty() ? "# " : " and ") + oneLine(each.title);
    text +=
        ", as written by aotscope.\n#\n#     python3 FILE            calls it and prints what it returns\n"
        "#     python3 FILE inductor   calls what torch.compile makes of it with this compiler\n";
    text += inputsNote(graphs.front().example);
    std::vector<const Graph*> called;
    for (const ScriptGraph& each : graphs) called.push_back(&each.graph);
    const std::string libraries = pythonLibraries(called);
    return text + (libraries.empty() ? "\n" : "\nimport contextlib\n") +
           "import operator\nimport sys\nfrom pathlib import Path\n\nimport torch\nfrom torch import device, inf, "
           "nan\nfrom torch.utils._python_dispatch import TorchDispatchMode\nfrom torch.utils._pytree import "
           "tree_map\n" +
           libraries;
}

std::string numbered(const char* what, std::size_t graph, std::size_t graphs) {
    return graphs == 1 ? std::string(what) : what + ("_" + std::to_string(graph + 1));
}

/// The inputs and the constants of one graph, and the files of the kept ones.
std::string valueFunctions(const ScriptGraph& each, std::size_t index, std::size_t graphs) {
    const auto named = [&](const char* what) { return numbered(what, index, graphs); };
    const std::string& file = each.example.values;
    const std::string values = named("VALUES");
    // Read for each call: a graph may write to its inputs.
    const auto read = [&](const std::string& part) {
        return file.empty() ? std::string() : "    kept = " + part + "\n";
    };
    std::string text;
    if (!file.empty()) text += "\n\n" + values + " = Path(__file__).with_name(" + pythonString(file) + ")\n";
    text += "\n\ndef " + named("inputs") + "():\n    random.manual_seed(" + std::to_string(each.example.seed) + ")\n" +
            read("load(" + values + ", 0)") + pythonInputs(each.graph, each.example);
    text += "\n\ndef " + named("constants") + "():\n" + read("dict(load(" + values + ", 1))") + "    return {\n";
    for (const Node* constant : constantsWithin(each.graph))
        text += "        " + pythonString(pythonName(constant->op())) + ": " + pythonConstant(*constant, each.example) +
                ",\n";
    return text + "    }\n";
}

constexpr const char* kScriptTail = R"PY(

def module_of(kind, constants):
    """An instance of a class of graphs, with what its forward() reads: constants and the graphs within."""
    module = kind()
    vars(module).update(constants)
    for name, inner in vars(kind).items():
        if isinstance(inner, type):
            vars(module)[name] = module_of(inner, constants)
    return module


def run(kind, inputs, constants):
    module = module_of(kind, constants)
    if len(sys.argv) > 1:
        module = torch.compile(module, backend=sys.argv[1])
    torch.manual_seed(SEED)
    return module(*inputs)  # nothing requires a gradient; without grad mode kernels keep nothing for the backward


def described(value):
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(map(described, value)) + ")"
    if not isinstance(value, torch.Tensor):
        return repr(value)
    text = f"{str(value.dtype)[6:]} {list(value.shape)}"
    if value.numel() == 0 or value.is_quantized:
        return text
    wide = torch.view_as_real(value.to(torch.complex128)) if value.is_complex() else value.to(torch.float64)
    finite = wide[wide.isfinite()]
    if finite.numel():
        text += f", {finite.min():.6g} to {finite.max():.6g}"
    for what, count in (("NaN", wide.isnan().sum()), ("infinite", wide.isinf().sum())):
        if count:
            text += f", {count} {what}"
    return text


class Wide(TorchDispatchMode):
    """Computes in float64 whatever narrower dtypes a graph has: the reference for its rounding."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if torch.Tag.nondeterministic_seeded in function.tags:
            raise NotImplementedError("other random numbers")
        return tree_map(widened, function(*tree_map(widened, args), **tree_map(widened, kwargs or {})))


def widened(value):
    if isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex()):
        return value.to(torch.complex128 if value.is_complex() else torch.float64)
    return torch.float64 if isinstance(value, torch.dtype) and value.is_floating_point else value


def in_float64(kind, inputs, constants):
    """What the graph returns without rounding; None if it cannot run like this."""
    try:
        with Wide():
            return module_of(kind, tree_map(widened, constants))(*tree_map(widened, tuple(inputs)))
    except Exception:
        return None


TOLERANCES = {torch.float64: 1e-9, torch.complex128: 1e-9, torch.float32: 1e-4, torch.complex64: 1e-4}


def rms(values):
    return values.abs().square().mean().sqrt().item()


def allowed(expected, reference, largest):
    """How far an element may be off: in low precision, by what the expected values themselves are off."""
    if not (expected.is_floating_point() or expected.is_complex()):
        return 0
    if expected.dtype in TOLERANCES or not isinstance(reference, torch.Tensor):
        return TOLERANCES.get(expected.dtype, 3e-2) * largest
    lost = rms((widened(expected) - reference.cpu()).nan_to_num(0, 0, 0))
    return max(torch.finfo(expected.dtype).eps * largest, 12 * lost)


def difference(value, expected, reference=None):
    """Why the two differ; None if they are equal within rounding. The reference is in float64."""
    if isinstance(value, (tuple, list)) and isinstance(expected, tuple) and len(value) == len(expected):
        exact = reference if isinstance(reference, (tuple, list)) else [None] * len(value)
        return next(filter(None, map(difference, value, expected, exact)), None)
    if not (isinstance(value, torch.Tensor) and isinstance(expected, torch.Tensor)):
        return None if value == expected or value != value and expected != expected else f"{value} is not {expected}"
    if value.shape != expected.shape or value.dtype != expected.dtype:
        return f"{described(value)} is not {described(expected)}"
    if value.numel() == 0:
        return None
    if value.is_quantized:
        value, expected = value.dequantize(), expected.dequantize()
    wide = torch.complex128 if value.is_complex() else torch.float64
    a, b = (each.detach().cpu().to(wide) for each in (value, expected))
    finite = b[b.isfinite()].abs()
    atol = allowed(expected.detach().cpu(), reference, finite.max().item() if finite.numel() else 1)
    if torch.allclose(a, b, rtol=0, atol=atol, equal_nan=True):
        return None
    return f"differs by up to {(a - b).abs().nan_to_num(inf).max():.3g}, more than {atol:.3g}"
)PY";

constexpr const char* kOneGraph = R"PY(

def main():
    outputs = run(KIND, inputs(), constants())
    exact = in_float64(KIND, inputs(), constants()) or [None] * len(outputs) if EXPECTED else []
    found = [difference(*values) for values in zip(outputs, EXPECTED, exact)] if EXPECTED else []
    for i, value in enumerate(outputs):
        line = f"{NAMES[i]}: {described(value)}"
        if found:
            line += f": {found[i]}" if found[i] else ", as in aotscope"
        print(line)
    sys.exit(any(found))


if __name__ == "__main__":
    main()
)PY";

constexpr const char* kTwoGraphs = R"PY(

def main():
    first, second = run(KIND_1, inputs_1(), constants_1()), run(KIND_2, inputs_2(), constants_2())
    print(f"{len(first)} outputs, {len(second)} outputs")
    exact = in_float64(KIND_1, inputs_1(), constants_1()) or [None] * len(first)
    found = [difference(b, a, wide) for a, b, wide in zip(first, second, exact)]
    for i, (a, b) in enumerate(zip(first, second)):
        print(f"{NAMES[i]}: {described(a)}: {found[i] or 'equal'}")
    sys.exit(any(found))


if __name__ == "__main__":
    main()
)PY";

void replaceAll(std::string& text, std::string_view from, const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

std::string outputNames(const Graph& graph) {
    std::string names;
    for (const OutputSlot& slot : graph.outputSlots()) names += "    " + pythonString(slotText(slot)) + ",\n";
    return "\n\nNAMES = [\n" + names + "]\n";
}

std::string oneGraph(const ScriptGraph& each, const std::string& className) {
    std::string text = kOneGraph;
    replaceAll(text, "KIND", className);
    return outputNames(each.graph) + "EXPECTED = " + (each.example.values.empty() ? "()" : "load(VALUES, 2)") + "\n" +
           text;
}

std::string twoGraphs(const std::vector<ScriptGraph>& graphs, const std::vector<std::string>& classes) {
    std::string text = kTwoGraphs;
    for (std::size_t i = 0; i < 2; ++i) replaceAll(text, "KIND_" + std::to_string(i + 1), classes[i]);
    return outputNames(graphs[0].graph) + text;
}

/// Graphs with equal names get different classes, none of which clashes with names used below.
std::vector<std::string> classNames(const std::vector<ScriptGraph>& graphs) {
    PythonNames unique;
    for (const char* below : {"contextlib", "sys", "Path", "load", "random", "floats", "integers", "strided", "inputs",
                              "constants", "run", "module_of", "described", "difference", "main"})
        unique.take(below);
    std::vector<std::string> names;
    for (const ScriptGraph& each : graphs) names.push_back(unique.take(pythonClassName(each.graph)));
    return names;
}

}  // namespace

std::string pythonScript(const std::vector<ScriptGraph>& graphs) {
    const auto classes = classNames(graphs);
    std::string text = scriptHead(graphs);
    for (std::size_t i = 0; i < graphs.size(); ++i) text += "\n\n" + pythonModule(graphs[i].graph, classes[i]);
    const std::uint64_t seed = graphs.front().example.seed;
    text += "\n\n" + pythonMakers(seed);
    for (std::size_t i = 0; i < graphs.size(); ++i) text += valueFunctions(graphs[i], i, graphs.size());
    text += "\n\nSEED = " + std::to_string(seed) + "\n" + kScriptTail;
    return text + (graphs.size() == 1 ? oneGraph(graphs[0], classes[0]) : twoGraphs(graphs, classes));
}

}  // namespace aotscope
