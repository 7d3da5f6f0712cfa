#include "ir/runtime_steps.h"

#include "ir/output_names.h"
#include "support/enumerators.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

using When = RuntimeStep::When;

class Describer {
public:
    Describer(const FunctionMetadata& function, const FunctionMetadata& graph) : function_(function), graph_(graph) {}

    std::vector<RuntimeStep> run() {
        before();
        theGraph();
        writeInputsBack();
        for (std::size_t i = 0; i < function_.outputs.size(); ++i) output(i);
        return std::move(steps_);
    }

private:
    void step(When when, std::string text, std::optional<std::size_t> input = {},
              std::optional<std::size_t> output = {}) {
        steps_.push_back({when, std::move(text), input, output});
    }
    std::string argument(std::size_t i) const { return "'" + function_.inputs[i].name + "'"; }

    void before() {
        const CallingConvention& convention = function_.convention;
        for (std::size_t i = 0; i < convention.duplicateOf.size(); ++i)
            if (convention.isDuplicate(i))
                step(When::before,
                     "remove duplicate " + argument(i) + ": it is the same tensor as " +
                         argument(convention.duplicateOf[i]),
                     i);
        for (std::size_t i = 0; i < function_.inputs.size(); ++i)
            if (function_.inputs[i].turnsDifferentiable())
                step(When::before, "call requires_grad_() on " + argument(i) + ", as the program does", i);
        for (const GraphInput& input : convention.inputs) {
            if (!input.syntheticBase) continue;
            std::vector<std::string> names;
            for (const std::size_t i : input.arguments) names.push_back(function_.inputs[i].name);
            step(When::before,
                 std::string("pass ") +
                     (input.wholeStorage ? "the memory that they share" : "the base that they are views of") +
                     " in place of " + quotedNames(names),
                 input.arguments.front());
        }
    }

    void theGraph() {
        const std::string returns = counted(graph_.mutatedInputIndices().size(), "updated input") + ", " +
                                    counted(graph_.outputs.size(), "output") + ", " +
                                    counted(graph_.intermediateBases, "intermediate base");
        step(When::graph, std::string("run the ") + (graph_.needsAutograd ? "forward" : "inference") + " graph on " +
                              counted(graph_.inputs.size(), "input") + "; it returns " + returns +
                              (graph_.needsAutograd ? " and the saved tensors" : ""));
        for (const std::size_t i : graph_.inputsMutatedInGraph())
            step(When::graph, "in it, '" + graph_.inputs[i].name + "' is overwritten", argumentOf(i));
    }

    /// The argument of the function behind a graph input; the first one for a synthetic base.
    std::size_t argumentOf(std::size_t graphInput) const {
        const auto& inputs = function_.convention.inputs;
        return inputs.empty() ? graphInput : inputs[graphInput].arguments.front();
    }

    void writeInputsBack() {
        for (const std::size_t i : graph_.mutatedInputIndices()) {
            const InputInfo& input = graph_.inputs[i];
            const std::size_t shown = argumentOf(i);
            const std::string name = "'" + input.name + "'";
            if (input.mutatesStorageMetadata) {
                step(When::after, "give " + name + " its new storage: set_(updated value)", shown);
                continue;
            }
            if (input.growsStorage) step(When::after, "enlarge " + name + ": resize_(...)", shown);
            else if (input.mutatesMetadata)
                step(When::after, "give " + name + " its new sizes and strides: as_strided_(...)", shown);
            if (!input.mutatesData) continue;
            const bool detached = input.requiresGrad && !input.mutationIsDifferentiable();
            step(When::after, "write the updated value back: " + name + (detached ? ".detach()" : "") + ".copy_(...)",
                 shown);
        }
        for (const GraphInput& input : function_.convention.inputs)
            for (const std::size_t i : input.arguments)
                if (input.syntheticBase && function_.inputs[i].mutatesMetadata)
                    step(When::after, "give " + argument(i) + " its new sizes and strides: as_strided_(...)", i);
    }

    void output(std::size_t i) {
        const OutputInfo& output = function_.outputs[i];
        if (output.asWritten && !output.repeats)
            return step(When::after, "give " + outputText(function_, i) + " the strides that it has in the program",
                        std::nullopt, i);
        if (!output.isAlias() && !output.repeats) return;
        const std::string what = outputText(function_, i);
        if (output.repeats)
            return step(When::after, "return " + outputText(function_, *output.repeats) + " again as " + what,
                        std::nullopt, i);
        if (output.type == OutputType::isInput)
            return step(When::after, "return input " + argument(*output.base) + " itself as " + what, output.base, i);
        if (output.ownHistory)
            return step(When::after,
                        "return a detached alias of " + base(output) + " as " + what +
                            ", with the gradient of the graph's value: copy_(...)",
                        output.base, i);
        step(When::after, "regenerate " + what + " from " + base(output) + how(output),
             output.aliasesInput() ? output.base : std::nullopt, i);
    }

    std::string base(const OutputInfo& output) const {
        const std::string number = output.base ? std::to_string(*output.base) : "?";
        if (output.type == OutputType::aliasOfInput) return "input " + argument(*output.base);
        if (output.type == OutputType::aliasOfIntermediateBaseIsUserOutput)
            return outputText(function_, output.base.value_or(0));
        return "intermediate base " + number;
    }

    static std::string how(const OutputInfo& output) {
        if (output.sameAsBase) return " as an alias";
        if (!output.replaysViews) return " by as_strided";
        std::string chain;
        for (const std::string& view : output.views) chain += "." + view;
        return chain.empty() ? " by replaying its views" : " by replaying its views: " + chain;
    }

    const FunctionMetadata& function_;
    const FunctionMetadata& graph_;
    std::vector<RuntimeStep> steps_;
};

}  // namespace

std::string_view name(RuntimeStep::When when) { return spelled(when); }

std::string differentiableReturns(const FunctionMetadata& graph) {
    const std::vector<bool> mask = graph.tangentMask();
    const auto count = [&](std::size_t from, std::size_t size) {
        const auto first = mask.begin() + static_cast<std::ptrdiff_t>(from);
        return static_cast<std::size_t>(std::count(first, first + static_cast<std::ptrdiff_t>(size), true));
    };
    const std::size_t inputs = graph.mutatedInputIndices().size(), outputs = graph.outputs.size();
    return counted(count(0, inputs), "updated input") + ", " + counted(count(inputs, outputs), "output") + " and " +
           counted(count(inputs + outputs, graph.intermediateBases), "intermediate base");
}

std::vector<RuntimeStep> describeRuntime(const FunctionMetadata& function, const FunctionMetadata& graph) {
    return Describer(function, graph).run();
}

}  // namespace aotscope
