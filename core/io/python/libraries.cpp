#include "io/python/libraries.h"

#include "io/python/literal.h"
#include "ir/subgraphs.h"

#include <algorithm>
#include <array>
#include <set>

namespace aotscope {

namespace {

/// Namespaces that `import torch` registers, and that Dynamo's graphs call.
constexpr std::array<std::string_view, 34> kSpacesOfPyTorch = {"Tensor",
                                                               "_c10d_functional",
                                                               "_c10d_functional_autograd",
                                                               "_dtensor",
                                                               "_nn",
                                                               "_quantized",
                                                               "aten",
                                                               "builtins",
                                                               "c10d",
                                                               "export",
                                                               "functional",
                                                               "higher_order",
                                                               "inductor",
                                                               "inductor_prims",
                                                               "math",
                                                               "mkl",
                                                               "mkldnn",
                                                               "mkldnn_prepacked",
                                                               "module",
                                                               "onednn",
                                                               "operator",
                                                               "prepacked",
                                                               "prim",
                                                               "prims",
                                                               "profiler",
                                                               "quantization",
                                                               "quantized",
                                                               "rngprims",
                                                               "sparse",
                                                               "static_runtime",
                                                               "symm_mem",
                                                               "torch",
                                                               "torch_function",
                                                               "xnnpack"};

/// The module that registers the operators of a namespace, if its name differs.
struct Registering {
    std::string_view space, module;
};
constexpr std::array<Registering, 5> kRegistering = {{{"fbgemm", "fbgemm_gpu"},
                                                      {"pyg", "pyg_lib"},
                                                      {"quantized_decomposed", "torch.ao.quantization.fx._decomposed"},
                                                      {"transformers", "transformers.integrations.moe"},
                                                      {"xformers", "xformers.ops"}}};

std::string moduleOf(std::string_view space) {
    const auto row = std::ranges::find(kRegistering, space, &Registering::space);
    return row == kRegistering.end() ? pythonName(space) : std::string(row->module);
}

/// "torchvision.nms" of "torchvision.nms.default".
void addForeign(const Graph& graph, std::set<std::string>& operators) {
    for (const Node* node : graph.nodes()) {
        if (node->kind() != NodeKind::call) continue;
        const std::string_view op = node->op();
        const auto dot = op.find('.');
        if (dot == std::string_view::npos || std::ranges::count(kSpacesOfPyTorch, op.substr(0, dot)) > 0) continue;
        operators.insert(std::string(op.substr(0, op.find('.', dot + 1))));
    }
}

constexpr const char* kCheck = R"PY(
for operator_name in OPERATORS:
    space, name = operator_name.split(".", 1)
    if not hasattr(getattr(torch.ops, space), name):
        sys.exit(
            f"it calls {space}::{name} of a library which this Python does not have: install it, or import what "
            "registers it at the top of this program"
        )
)PY";

}  // namespace

std::string pythonLibraries(const std::vector<const Graph*>& graphs) {
    std::set<std::string> operators, modules;
    for (const Graph* graph : graphs) {
        addForeign(*graph, operators);
        for (const auto& inner : subgraphsWithin(*graph)) addForeign(*inner, operators);
    }
    if (operators.empty()) return {};
    for (const std::string& name : operators) modules.insert(moduleOf(name.substr(0, name.find('.'))));
    std::string text = "\n# Operators of other libraries, and what is thought to register them.\nOPERATORS = [\n";
    for (const std::string& name : operators) text += "    " + pythonString(pythonDottedName(name)) + ",\n";
    text += "]\n";
    for (const std::string& module : modules)
        text += "with contextlib.suppress(ImportError):\n    import " + module + "\n";
    return text + kCheck;
}

}  // namespace aotscope
