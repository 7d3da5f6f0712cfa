#include "record/assumptions.h"

#include "ir/metadata.h"
#include "ir/printer.h"
#include "support/enumerators.h"

#include <algorithm>

namespace aotscope {

namespace {

using Kind = Assumption::Kind;

/// Null if it is not a separate input.
const Node* placeholderOf(const Graph& graph, const std::string& label) {
    const auto nodes = graph.placeholders();
    const auto found = std::ranges::find(nodes, label, &Node::label);
    return found == nodes.end() ? nullptr : *found;
}

class AssumptionList {
public:
    explicit AssumptionList(const CompileRecord& record) : record_(record), metadata_(*record.metadata) {}

    std::vector<Assumption> take() {
        for (const InputInfo& input : metadata_.inputs)
            if (input.role == Role::userInput) input.tensor ? addTensor(input) : addNumber(input);
        if (metadata_.mutatesInputs()) addAliasing();
        addModes();
        return std::move(list_);
    }

private:
    void add(Kind kind, std::string text, std::string reason) {
        list_.push_back({kind, std::move(text), std::move(reason)});
    }

    void addTensor(const InputInfo& input) {
        const TensorType& type = *input.tensor;
        const bool cpu = type.device.name == "cpu";  // otherwise, the type names it
        add(Kind::tensor, input.name + " is " + printTensorType(type) + (cpu ? " on cpu" : ""),
            "the graphs are made for its dtype, sizes, strides and device");
        if (!type.requiresGrad && metadata_.gradMode && takesGradients(type.dtype))
            add(Kind::gradient, input.name + " requires no gradient", "the graphs compute none for it");
    }

    void addNumber(const InputInfo& input) {
        const auto graph = record_.graph(GraphKind::functional);
        const Node* node = graph ? placeholderOf(*graph, input.name) : nullptr;
        const bool known = node && (node->type.scalar() || node->type.other());
        const bool varies = known && node->type.scalar() && node->type.scalar()->expression;
        add(Kind::number, input.name + " is " + (known ? printType(node->type) : "what it is in the example"),
            varies ? "an integer in the range of its symbol"
                   : "inputs that are no tensors are constants of the graphs");
    }

    void addAliasing() {
        const CallingConvention& convention = metadata_.convention;
        const std::string reason = "the program writes into " + written();
        for (std::size_t i = 0; i < convention.duplicateOf.size(); ++i)
            if (convention.isDuplicate(i))
                add(Kind::aliasing, inputName(i) + " is the same tensor as " + inputName(convention.duplicateOf[i]),
                    reason);
        for (const GraphInput& input : convention.inputs)
            if (input.syntheticBase)
                add(Kind::aliasing, namesOf(input.arguments) + " share memory as in the example", reason);
        add(Kind::aliasing,
            convention.isPlain() ? "no input shares memory with what is written" : "no other inputs share memory",
            reason);
    }

    void addModes() {
        if (metadata_.needsAutograd) add(Kind::mode, "gradients are enabled", "the forward saves for a backward");
        else if (!metadata_.gradMode)
            add(Kind::mode, "gradients are disabled, or no input requires one", "there is no backward");
        add(Kind::mode, "autocast is " + record_.autocast,
            record_.autocast == "off" ? "it would change the dtypes of operations"
                                      : "the casts that it makes are operations of the graphs");
    }

    const std::string& inputName(std::size_t i) const { return metadata_.inputs[i].name; }

    std::string namesOf(const std::vector<std::size_t>& inputs) const {
        std::string names;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            names += (i == 0 ? "" : i + 1 == inputs.size() ? " and " : ", ") + inputName(inputs[i]);
        return names;
    }

    std::string written() const {
        std::vector<std::size_t> inputs;
        for (std::size_t i = 0; i < metadata_.inputs.size(); ++i)
            if (metadata_.inputs[i].mutation != MutationType::notMutated) inputs.push_back(i);
        return inputs.size() <= 3 ? namesOf(inputs) : std::to_string(inputs.size()) + " inputs";
    }

    const CompileRecord& record_;
    const FunctionMetadata& metadata_;
    std::vector<Assumption> list_;
};

}  // namespace

std::string_view name(Assumption::Kind kind) { return spelled(kind); }

std::vector<Assumption> assumptionsOf(const CompileRecord& record) {
    return record.metadata ? AssumptionList(record).take() : std::vector<Assumption>();
}

}  // namespace aotscope
