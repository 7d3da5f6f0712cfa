#include "verify/values_file.h"

#include "aten/loadable.h"
#include "aten/random_state.h"
#include "verify/run_io.h"

#include <torch/csrc/jit/serialization/pickle.h>

namespace aotscope {

std::string valuesFile(const ModelRun& modelRun, const CompiledFunction& function, const Options& options) {
    const RandomStateGuard kept;
    RunIO values = recordRunIO(modelRun, options, {}, [&](const auto& leaves) { return function(leaves); });
    LoadableTensors loadable;
    std::vector<c10::IValue> gradients;
    for (const at::Tensor& gradient : values.gradients) gradients.push_back(loadable.of(gradient));
    for (c10::IValue& output : values.outputs)
        if (output.isTensor()) output = loadable.of(output.toTensor());
    std::vector<c10::IValue> parts = {c10::ivalue::Tuple::create(std::move(values.outputs)),
                                      c10::ivalue::Tuple::create(std::move(gradients))};
    const std::vector<char> bytes = torch::jit::pickle_save(c10::ivalue::Tuple::create(std::move(parts)));
    return {bytes.begin(), bytes.end()};
}

}  // namespace aotscope
