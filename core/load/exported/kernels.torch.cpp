#include "load/exported/kernels.h"

#include "aten/convert.h"
#include "aten/dense_strides.h"
#include "aten/tensors.h"
#include "support/error.h"

#include <ATen/core/grad_mode.h>

#include <set>
#include <utility>

namespace aotscope {

namespace {

thread_local const RecordedSizes* recordedSizes = nullptr;

/// Checks of values that were fixed at export; they compute nothing.
bool isCheck(const Node& node) {
    static const std::set<std::string> checks = {"aten._assert_tensor_metadata.default",
                                                 "aten.sym_constrain_range.default",
                                                 "aten.sym_constrain_range_for_size.default"};
    return checks.contains(node.op());
}

bool copiesOntoItself(const at::Tensor& self, const at::Tensor& source) {
    if (self.is_same(source)) return true;
    const auto* memory = storageOf(self);
    const bool differentiable = c10::GradMode::is_enabled() && (self.requires_grad() || source.requires_grad());
    return memory && memory == storageOf(source) && !differentiable && self.layout() == source.layout() &&
           self.scalar_type() == source.scalar_type() && self.sizes() == source.sizes() &&
           self.strides() == source.strides() && self.storage_offset() == source.storage_offset() &&
           self.is_conj() == source.is_conj() && self.is_neg() == source.is_neg();
}

class Copy final : public StepKernel {
public:
    void call(torch::jit::Stack& stack) const override {
        static const auto copy = c10::Dispatcher::singleton().findSchemaOrThrow("aten::copy_", "");
        if (copiesOntoItself(stack[0].toTensor(), stack[1].toTensor())) stack.resize(1);
        else copy.callBoxed(stack);
    }
};

class Assertion final : public StepKernel {
public:
    void call(torch::jit::Stack& stack) const override {
        const c10::IValue& condition = stack[0];
        const bool holds = condition.isBool() ? condition.toBool() : !condition.isInt() || condition.toInt() != 0;
        if (!holds) throw Error("a condition of the exported program does not hold: " + stack[1].toStringRef());
        stack.clear();
    }
};

/// Updates the running statistics in place, and returns them as the new ones.
class BatchNorm final : public StepKernel {
public:
    void call(torch::jit::Stack& stack) const override {
        static const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("aten::native_batch_norm", "");
        const c10::IValue mean = stack[3], variance = stack[4];
        op.callBoxed(stack);
        stack.insert(stack.end(), {mean, variance});
    }
};

/// An operator that no library has registered.
class ForeignCall final : public StepKernel {
public:
    ForeignCall(const ForeignOperator& foreign, const std::vector<exported::TensorMeta>& types)
        : op_(foreign.op), definition_(foreign.definition), types_(types) {}

    std::optional<c10::OperatorHandle> op() const override { return op_; }
    void call(torch::jit::Stack& stack) const override {
        const std::string& name = op_.operator_name().name;
        if (definition_ && definitionOf(op_.operator_name()) != definition_)
            throw Error("operator '" + name + "' has been redefined since this model was opened; open the model again");
        if (types_.empty() || definedToDependOnData(op_.operator_name())) return op_.callBoxed(stack);
        std::optional<RecordedSizes> none;
        const RecordedSizes* sizes = RecordedSizes::current();
        if (!sizes) sizes = &none.emplace(std::map<std::string, SymbolPlace>(), std::vector<c10::IValue>());
        std::vector<KnownResult> results;
        for (const auto& type : types_) results.push_back(sizes->resultOf(type, name));
        const KnownResultsScope known(results);
        op_.callBoxed(stack);
    }

private:
    c10::OperatorHandle op_;
    std::shared_ptr<const OperatorDefinition> definition_;
    std::vector<exported::TensorMeta> types_;
};

std::shared_ptr<const StepKernel> kernelOf(const Node& node, const ExportedGraph& graph,
                                           const ForeignOperators& foreign) {
    if (node.isCall("aten.copy_.default")) return std::make_shared<Copy>();
    if (node.isCall("aten._assert_scalar.default")) return std::make_shared<Assertion>();
    if (graph.batchNorms.contains(&node)) return std::make_shared<BatchNorm>();
    const ForeignOperator* op = foreign.find(std::string(exported::kOperators) + node.op());
    if (!op) return nullptr;
    const auto types = graph.types.find(&node);
    return std::make_shared<ForeignCall>(
        *op, types == graph.types.end() ? std::vector<exported::TensorMeta>() : types->second);
}

}  // namespace

PlanRules rulesOf(const ExportedGraph& graph, const ForeignOperators& foreign, c10::Device device) {
    PlanRules rules;
    rules.kernel = [&](const Node& node) { return kernelOf(node, graph, foreign); };
    rules.asModel = true;
    rules.skips = isCheck;
    rules.device = device;
    rules.place = [](const Node& node) {
        return placeInProgram(node.name(), std::string(exported::kOperators) + node.op());
    };
    return rules;
}

void copyInto(const at::Tensor& target, const at::Tensor& source) {
    if (!copiesOntoItself(target, source)) target.copy_(source);
}

RecordedSizes::RecordedSizes(const std::map<std::string, SymbolPlace>& symbols, const std::vector<c10::IValue>& leaves)
    : around_(std::exchange(recordedSizes, this)) {
    for (const auto& [symbol, place] : symbols) {
        const c10::IValue& value = leaves.at(place.leaf);
        if (!value.isTensor() || place.dimension >= value.toTensor().dim()) continue;
        const std::int64_t size = value.toTensor().size(place.dimension);
        values_[symbol] = size;
        asExported_ = asExported_ && size == place.exported;
    }
}

RecordedSizes::~RecordedSizes() { recordedSizes = around_; }

const RecordedSizes* RecordedSizes::current() { return recordedSizes; }

KnownResult RecordedSizes::resultOf(const exported::TensorMeta& type, const std::string& op) const {
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

std::int64_t RecordedSizes::sizeOf(const exported::Integer& size, const std::string& op) const {
    if (!size.symbolic) return size.value;
    if (const auto it = values_.find(size.symbol); it != values_.end()) return it->second;
    if (size.known && asExported_) return size.value;
    throw Error("a size of the result of operator '" + op +
                "' depends on others in a way that only its library knows; define its shapes with --define, or use "
                "inputs of the sizes that the program was exported with");
}

}  // namespace aotscope
