#include "load/exported/plan.h"

#include "aten/autocast.h"
#include "aten/convert.h"
#include "aten/dense_strides.h"
#include "aten/tensors.h"
#include "program/location_sink.h"
#include "program/subgraph_function.h"
#include "support/budget.h"
#include "support/error.h"
#include "support/names.h"

#include <ATen/ScalarOps.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/scalar_tensor.h>

#include <algorithm>
#include <filesystem>

namespace aotscope {

namespace {

using Slots = std::vector<c10::IValue>;

const c10::IValue& valueOf(const Operand& operand, const Slots& slots) {
    return operand.isConstant() ? operand.constant : slots[operand.slot];
}

at::Tensor wrappedValue(const c10::IValue& number) {
    at::Tensor tensor = c10::scalar_to_tensor(number.toScalar());
    tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
    return tensor;
}

/// What a graph returns that an operator such as cond runs: a number as a tensor, of which the program reads it again.
at::Tensor returnedTensor(const c10::IValue& value) {
    if (value.isTensor()) return value.toTensor();
    if (!value.isScalar())
        throw Error("a graph of the exported program returns something that is neither a tensor nor a number");
    const c10::Scalar number = value.toScalar();
    return at::scalar_tensor(number, at::TensorOptions(number.type()));
}

/// A number that such a graph reads of a tensor is a tensor while it is traced.
void requireKnown(const c10::IValue& number) {
    if (number.isTensor() && number.toTensor().unsafeGetTensorImpl()->is_wrapped_number())
        throw Error(
            "a graph that an operator such as cond runs computes with a number that it reads from a tensor, or has a "
            "size that follows from it; compute with the tensor, or outside of that graph");
}

template <typename T>
c10::IValue typedList(const std::vector<Operand>& elements, const Slots& slots) {
    c10::List<T> list;
    list.reserve(elements.size());
    for (const Operand& element : elements) {
        requireKnown(valueOf(element, slots));
        list.push_back(valueOf(element, slots).to<T>());
    }
    return list;
}

c10::IValue tensorList(const std::vector<Operand>& elements, const Slots& slots) {
    c10::List<at::Tensor> list;
    for (const Operand& element : elements) list.push_back(valueOf(element, slots).toTensor());
    return list;
}

c10::IValue optionalTensorList(const std::vector<Operand>& elements, const Slots& slots) {
    c10::List<std::optional<at::Tensor>> list;
    for (const Operand& element : elements) {
        const c10::IValue& value = valueOf(element, slots);
        list.push_back(value.isTensor() ? std::optional(value.toTensor()) : std::nullopt);
    }
    return list;
}

c10::IValue typedList(const std::vector<Operand>& elements, const c10::TypePtr& type, const Slots& slots) {
    switch (type->kind()) {
        case c10::TypeKind::TensorType: return tensorList(elements, slots);
        case c10::TypeKind::OptionalType: return optionalTensorList(elements, slots);
        case c10::TypeKind::IntType:
        case c10::TypeKind::SymIntType: return typedList<int64_t>(elements, slots);
        case c10::TypeKind::FloatType: return typedList<double>(elements, slots);
        case c10::TypeKind::BoolType: return typedList<bool>(elements, slots);
        default: {
            c10::impl::GenericList list(type);
            for (const Operand& element : elements) list.push_back(valueOf(element, slots));
            return list;
        }
    }
}

/// Sizes that the file has for tensors, for the inputs of one run.
class RecordedSizes {
public:
    RecordedSizes(const std::map<std::string, SymbolPlace>& symbols, const Slots& slots) {
        for (const auto& [symbol, place] : symbols) {
            const c10::IValue& value = slots[place.slot];
            if (!value.isTensor() || place.dimension >= value.toTensor().dim()) continue;
            const std::int64_t size = value.toTensor().size(place.dimension);
            values_[symbol] = size;
            asExported_ = asExported_ && size == place.exported;
        }
    }

    KnownResult resultOf(const exported::TensorMeta& type, const std::string& op) const {
        KnownResult result{{}, {}, toScalarType(type.dtype)};
        bool symbolic = false;
        for (const auto& size : type.sizes) {
            result.sizes.push_back(sizeOf(size, op));
            symbolic = symbolic || size.symbolic;
        }
        for (const auto& stride : type.strides) result.strides.push_back(stride.value);
        if (symbolic && !asExported_) result.strides = denseStridesLike(result.strides, result.sizes);
        return result;
    }

private:
    std::int64_t sizeOf(const exported::Integer& size, const std::string& op) const {
        if (!size.symbolic) return size.value;
        if (const auto it = values_.find(size.symbol); it != values_.end()) return it->second;
        if (size.known && asExported_) return size.value;
        throw Error("a size of the result of operator '" + op +
                    "' follows from others in a way that only its library knows; define its shapes with --define, or "
                    "use inputs of the sizes that the program was exported with");
    }

    std::map<std::string, std::int64_t> values_;
    bool asExported_ = true;
};

/// What an operator such as cond runs.
class ExportedSubgraph final : public SubgraphFunction {
public:
    /// `numbers`: its inputs that are numbers.
    explicit ExportedSubgraph(std::shared_ptr<const SubgraphPlan> plan, Slots numbers = {})
        : plan_(std::move(plan)), numbers_(std::move(numbers)) {}

    c10::IValue with(Slots numbers) const {
        return toIValue(c10::make_intrusive<ExportedSubgraph>(plan_, std::move(numbers)));
    }

    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const override { return *plan_->locations; }

    std::vector<at::Tensor> run(const std::vector<at::Tensor>& operands, LocationSink* sink) const override;

private:
    std::shared_ptr<const SubgraphPlan> plan_;
    Slots numbers_;
};

/// Whether `copy_` would write into a tensor what it has: the end of "self.steps += 1" and "x[1:] += 1", which write in
/// place first. All that such a copy changes is the version by which autograd finds overwritten values, so that the
/// backward would fail where Python's, which assigns a name or runs the copy in eager only, does not.
bool copiesOntoItself(const at::Tensor& self, const at::Tensor& source) {
    if (self.is_same(source)) return true;
    const auto* memory = storageOf(self);
    const bool differentiable = c10::GradMode::is_enabled() && (self.requires_grad() || source.requires_grad());
    return memory && memory == storageOf(source) && !differentiable && self.layout() == source.layout() &&
           self.scalar_type() == source.scalar_type() && self.sizes() == source.sizes() &&
           self.strides() == source.strides() && self.storage_offset() == source.storage_offset() &&
           self.is_conj() == source.is_conj() && self.is_neg() == source.is_neg();
}

/// Executes the steps of one run.
class Runner {
public:
    using Locations = std::vector<std::shared_ptr<const SourceInfo>>;

    /// `symbols` may be in the sizes of results that have types of the file.
    Runner(const std::map<std::string, SymbolPlace>& symbols, const Locations& locations, Slots& slots,
           LocationSink* sink)
        : sizes_(symbols, slots), locations_(locations), slots_(slots), sink_(sink) {}

    void run(const Block& block) {
        const Budget* budget = BudgetScope::current();
        for (const Step& step : block.steps) {
            if (budget) budget->checkCancelled();
            if (sink_ && step.location) sink_->enter(*step.location);
            else if (sink_) sink_->leave();
            try {
                std::visit([&](const auto& what) { perform(what, step); }, step.what);
            } catch (c10::Error& e) {
                if (e.context().empty()) e.add_context(placeOf(step));
                throw;
            }
            for (const std::size_t slot : step.lastUses) slots_[slot] = c10::IValue();
        }
    }

private:
    /// For LibTorch's errors: "in aten::sub_, model.py line 63".
    std::string placeOf(const Step& step) const {
        const auto* call = std::get_if<CallStep>(&step.what);
        const SourceInfo* source = step.location ? locations_.at(*step.location).get() : nullptr;
        std::string place = call ? "in " + call->op.operator_name().name : "in an operation";
        if (source && !source->file.empty())
            place += ", " + std::filesystem::path(source->file).filename().string() + " line " +
                     std::to_string(source->line);
        return place;
    }

    void loadArguments(const Step& step) {
        stack_.clear();
        for (const ArgumentPlan& argument : step.arguments) stack_.push_back(argument.value(slots_));
    }

    void perform(const CallStep& call, const Step& step) {
        loadArguments(step);
        if (!call.numbers.empty()) giveNumbers(call.numbers);
        callOperator(call);
        for (std::size_t i = 0; i < step.results.size(); ++i) keep(step, i, std::move(stack_[i]));
        stack_.clear();
    }

    /// To the graphs among the arguments.
    void giveNumbers(const std::vector<Operand>& numbers) {
        Slots values;
        for (const Operand& number : numbers) values.push_back(valueOf(number, slots_));
        for (c10::IValue& argument : stack_)
            if (const auto function = subgraphFunction(argument))
                argument = dynamic_cast<const ExportedSubgraph&>(*function).with(values);
    }

    void callOperator(const CallStep& call) {
        static const auto copy = c10::Dispatcher::singleton().findSchemaOrThrow("aten::copy_", "");
        if (call.op == copy && copiesOntoItself(stack_[0].toTensor(), stack_[1].toTensor())) return stack_.resize(1);
        if (!call.definition && call.types.empty()) return call.op.callBoxed(stack_);
        const std::string& name = call.op.operator_name().name;
        if (call.definition && definitionOf(call.op.operator_name()) != call.definition)
            throw Error("operator '" + name + "' has been defined anew since this model was opened; open it again");
        if (call.types.empty() || definedToDependOnData(call.op.operator_name())) return call.op.callBoxed(stack_);
        std::vector<KnownResult> results;
        for (const auto& type : call.types) results.push_back(sizes_.resultOf(type, name));
        const KnownResultsScope known(results);
        call.op.callBoxed(stack_);
    }

    void perform(const NumberStep& number, const Step& step) {
        loadArguments(step);
        std::ranges::for_each(stack_, requireKnown);
        slots_[step.results[0][0]] = number.function(stack_);
        stack_.clear();
    }

    void perform(const AssertionStep& assertion, const Step& step) {
        const c10::IValue condition = step.arguments[0].value(slots_);
        const bool holds = condition.isBool() ? condition.toBool() : !condition.isInt() || condition.toInt() != 0;
        if (!holds) throw Error("a condition of the exported program does not hold: " + assertion.message);
    }

    void perform(const BatchingStep& batching, const Step& step) {
        loadArguments(step);
        c10::IValue result = performBatching(batching.what, stack_);
        if (!step.results.empty()) slots_[step.results[0][0]] = std::move(result);
        stack_.clear();
    }

    void perform(const RegionStep& region, const Step&) {
        const c10::AutoGradMode gradMode(region.gradMode.value_or(c10::GradMode::is_enabled()));
        std::optional<AutocastScope> autocast;
        if (region.autocast)
            autocast.emplace(region.autocast->device, region.autocast->enabled, region.autocast->dtype,
                             region.autocast->cache);
        const bool checkpoint = sink_ && region.checkpoint;
        const std::int32_t around = checkpoint ? sink_->enterRegion(*region.checkpoint) : -1;
        run(*region.body);
        if (checkpoint) sink_->enterRegion(around);
    }

    void keep(const Step& step, std::size_t result, c10::IValue value) {
        const auto& slots = step.results[result];
        if (!step.resultIsList[result]) {
            if (!slots.empty()) slots_[slots[0]] = std::move(value);
            return;
        }
        const auto elements = value.toListRef();
        if (elements.size() != slots.size())
            throw Error("an operation makes " + counted(elements.size(), "tensor") +
                        " where the exported program expects " + std::to_string(slots.size()) +
                        "; export it again for inputs of these sizes");
        for (std::size_t i = 0; i < slots.size(); ++i) slots_[slots[i]] = elements[i];
    }

    RecordedSizes sizes_;
    const Locations& locations_;
    Slots& slots_;
    LocationSink* sink_;
    torch::jit::Stack stack_;
};

}  // namespace

std::vector<at::Tensor> ExportedSubgraph::run(const std::vector<at::Tensor>& operands, LocationSink* sink) const {
    const std::size_t tensors = plan_->inputs.size() - numbers_.size();
    if (operands.size() != tensors)
        throw Error("a graph of the exported program takes " + counted(tensors, "tensor") + ", got " +
                    std::to_string(operands.size()) + "; export the model again");
    Slots slots(plan_->slots);
    auto tensor = operands.begin();
    auto number = numbers_.begin();
    for (std::size_t i = 0; i < plan_->inputs.size(); ++i) {
        if (plan_->inputs[i]) slots[i] = *number++;
        else slots[i] = *tensor++;
    }
    Runner({}, *plan_->locations, slots, sink).run(plan_->body);
    std::vector<at::Tensor> results;
    for (const Operand& output : plan_->outputs) results.push_back(returnedTensor(valueOf(output, slots)));
    return results;
}

c10::IValue subgraphValue(SubgraphPlan plan) {
    return toIValue(c10::make_intrusive<ExportedSubgraph>(std::make_shared<const SubgraphPlan>(std::move(plan))));
}

c10::IValue ArgumentPlan::value(const Slots& slots) const {
    if (convert == Convert::list) return typedList(elements, elementType, slots);
    const c10::IValue& value = valueOf(operand, slots);
    if (convert == Convert::number && value.isScalar()) return wrappedValue(value);
    if (convert == Convert::real && value.isInt()) return static_cast<double>(value.toInt());
    return value;
}

void runProgram(const ProgramPlan& plan, Slots& slots, LocationSink* sink) {
    const BatchingScope batching;
    Runner(plan.symbols, plan.locations, slots, sink).run(plan.body);
}

}  // namespace aotscope
