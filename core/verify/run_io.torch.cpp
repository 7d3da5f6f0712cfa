#include "verify/run_io.h"

#include "aten/copy_tensor.h"
#include "aten/tensors.h"

#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/variable.h>

namespace aotscope {

std::vector<c10::IValue> copyValues(const std::vector<c10::IValue>& values) {
    std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
    std::vector<c10::IValue> copies;
    for (const c10::IValue& value : values) {
        if (!isTensor(value)) {
            copies.push_back(value);
            continue;
        }
        const at::Tensor& t = value.toTensor();
        copies.emplace_back(copyTensor(t, storages).detach());
    }
    return copies;
}

RunIO recordRunIO(const ModelRun& modelRun, const Options& options, const SymbolValues& sizes, const Callable& function,
                  const Arithmetic& arithmetic) {
    SeededRun run(modelRun, options, sizes, arithmetic);
    const RunArguments& arguments = run.arguments();
    RunIO values;
    values.gradients.resize(arguments.leaves.size());
    // Where a gradient is read: the edge of an input before an in-place operation changes it.
    std::vector<std::size_t> differentiable;
    torch::autograd::edge_list edges;
    for (std::size_t i = 0; i < arguments.leaves.size(); ++i) {
        const c10::IValue& leaf = arguments.leaves[i];
        if (!isTensor(leaf) || !leaf.toTensor().requires_grad()) continue;
        differentiable.push_back(i);
        edges.push_back(torch::autograd::impl::gradient_edge(leaf.toTensor()));
    }
    const auto outputs = run.forward(function);
    values.outputs = copyValues(outputs);
    values.inputs = copyValues(arguments.leaves);
    const BackwardStart start = run.startOf(outputs);
    if (start.outputs.empty() || edges.empty()) return values;
    torch::autograd::edge_list roots;
    for (const at::Tensor& output : start.outputs) roots.push_back(torch::autograd::impl::gradient_edge(output));
    torch::autograd::variable_list gradients;
    run.backward([&] {
        gradients = torch::autograd::Engine::get_default_engine().execute(
            roots, start.tangents, /*keep_graph=*/false, /*create_graph=*/false, /*accumulate_grad=*/false, edges);
    });
    for (std::size_t i = 0; i < gradients.size(); ++i) values.gradients[differentiable[i]] = gradients[i];
    return values;
}

}  // namespace aotscope
