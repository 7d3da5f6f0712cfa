#include "trace/subgraph_trace.h"

#include "aten/fake_tensor.h"
#include "support/budget.h"
#include "support/error.h"
#include "trace/fake_inputs.h"

#include <ATen/core/grad_mode.h>

namespace aotscope {

namespace {

std::vector<at::Tensor> addInputs(Recorder& recorder, const std::vector<TensorShape>& inputs) {
    std::vector<at::Tensor> fakes;
    for (const TensorShape& input : inputs) {
        const PlainKernelScope plain;
        fakes.push_back(makeFake(emptyMeta(input.sizes, input.strides, input.dtype), input.device));
        recorder.addPlaceholder("arg" + std::to_string(fakes.size() - 1) + "_1", fakes.back(), Role::none, {});
    }
    return fakes;
}

/// `owner`: a Recorder, or a dialect.
template <typename Owner>
SubgraphTrace trace(const SubgraphFunction& function, const std::vector<TensorShape>& inputs, const std::string& name,
                    const Owner& owner) {
    LocationSink location(function.locations());
    Recorder recorder(name, location, owner);
    const std::vector<at::Tensor> fakes = addInputs(recorder, inputs);
    std::vector<at::Tensor> operands;
    for (const at::Tensor& fake : fakes) operands.push_back(wrapFunctional(fake, false, true));
    const DispatchScope dispatch(recorder);
    const FunctionalizationScope functionalization;
    const at::AutoGradMode grad(false);
    SubgraphTrace result;
    std::vector<c10::IValue> outputs;
    std::vector<OutputSlot> slots;
    for (const at::Tensor& output : runStep(function, operands, &location)) {
        outputs.push_back(unwrapFunctional(output));
        slots.push_back({Role::userOutput, {}});
        result.outputs.push_back(shapeOf(outputs.back().toTensor()));
    }
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (!unwrapFunctional(operands[i]).toTensor().is_same(fakes[i]))
            throw Error("graph '" + name + "' writes into its input " + std::to_string(i) +
                        "; what an operator runs may not change its operands: return the new value instead");
    static_cast<Trace&>(result) = recorder.finish(outputs, std::move(slots));
    return result;
}

template <typename Owner>
SubgraphTrace traceOnThread(const SubgraphFunction& function, const std::vector<TensorShape>& inputs,
                            const std::string& name, const Owner& owner) {
    SubgraphTrace result;
    runTraceThread([&] {
        ForeignRun run("running the model's code", function.locations().size());
        try {
            result = trace(function, inputs, name, owner);
        } catch (const std::exception&) {
            run.rethrow();
            throw;
        }
    });
    return result;
}

}  // namespace

SubgraphTrace traceSubgraph(const SubgraphFunction& function, const std::vector<TensorShape>& inputs,
                            const std::string& name, const Recorder& owner) {
    return traceOnThread(function, inputs, name, owner);
}

SubgraphTrace traceSubgraph(const SubgraphFunction& function, const std::vector<TensorShape>& inputs,
                            const std::string& name, Dialect dialect) {
    return traceOnThread(function, inputs, name, dialect);
}

}  // namespace aotscope
