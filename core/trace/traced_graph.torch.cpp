#include "trace/traced_graph.h"

#include "aten/convert.h"
#include "aten/dispatch_mode.h"
#include "aten/fake_tensor.h"
#include "aten/tensors.h"
#include "ir/printer.h"
#include "support/error.h"

#include <algorithm>
#include <sstream>

namespace aotscope {

namespace {

bool isDefault(const c10::Argument& argument, const c10::IValue& value) {
    if (!argument.default_value()) return false;
    const c10::IValue& standard = *argument.default_value();
    if (standard.isNone()) return value.isNone() || (value.isTensor() && !value.toTensor().defined());
    if (value.isTensor() || value.isTensorList() || value.isNone()) return false;
    if (standard.isScalar() && value.isScalar()) {
        return standard.tagKind() == value.tagKind() && standard == value;
    }
    return standard == value;
}

/// For a value that is not a tensor.
ValueType typeOfPlain(const c10::IValue& value) {
    if (value.isInt()) return {ScalarType{ScalarType::Kind::integer, static_cast<double>(value.toInt())}};
    if (value.isDouble()) return {ScalarType{ScalarType::Kind::real, value.toDouble()}};
    if (value.isBool()) return {ScalarType{ScalarType::Kind::boolean, value.toBool() ? 1.0 : 0.0}};
    if (value.isNone() || value.isTensor()) return {OtherType::none};
    if (value.isString()) return {OtherType::text};
    if (value.isDevice()) return {OtherType::device};
    return {};
}

/// Identifies constants: few elements are written out, more are hashed. Empty if they cannot be read here.
std::string valuesText(const at::Tensor& value) {
    constexpr std::int64_t few = 8, most = std::int64_t{1} << 24;
    const bool plainMemory = value.device().is_cpu() && value.layout() == at::kStrided && !value.is_quantized();
    if (!plainMemory || value.numel() > most) return {};
    const PlainKernelScope plain;
    const at::Tensor flat = value.detach().resolve_conj().resolve_neg().contiguous().flatten();
    if (flat.numel() <= few && !flat.is_complex()) {
        const at::Tensor numbers = flat.to(at::kDouble);
        std::string text;
        for (std::int64_t i = 0; i < numbers.numel(); ++i)
            text += (i > 0 ? ", " : "") + printArgument(numbers.const_data_ptr<double>()[i]);
        return text;
    }
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    const auto* bytes = static_cast<const unsigned char*>(flat.const_data_ptr());
    for (std::size_t i = 0; i < flat.nbytes(); ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
    std::ostringstream text;
    text << "#" << std::hex << hash;
    return text.str();
}

template <typename Map>
void mapStorages(ValueType& type, const Map& map) {
    if (TensorType* tensor = type.tensor()) tensor->storage = map(tensor->storage);
    else if (auto* elements = std::get_if<TupleType>(&type.data))
        for (ValueType& element : *elements) mapStorages(element, map);
}

}  // namespace

Node* TracedGraph::addPlaceholder(std::string_view name, const at::Tensor& fake, Role role, std::string label) {
    Node* node = graph_->addPlaceholder(name, {typeOfFake(fake)}, role, std::move(label));
    bind(node, fake);
    return node;
}

Node* TracedGraph::addValuePlaceholder(std::string_view name, const c10::IValue& value, std::string label) {
    return graph_->addPlaceholder(name, typeOfPlain(value), Role::userInput, std::move(label));
}

void TracedGraph::addConstant(const std::string& name, const at::Tensor& fake, std::string label) {
    Node* node = graph_->addConstant(name, {typeOfFake(fake)});
    node->label = std::move(label);
    bind(node, fake);
}

TracedGraph::CallArguments TracedGraph::callArguments(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) {
    const auto& declared = op.schema().arguments();
    // As in PyTorch's printed calls, trailing positional defaults and default keywords are omitted.
    std::size_t positional = 0;
    for (std::size_t i = 0; i < args.size(); ++i)
        if (!declared[i].kwarg_only() && !isDefault(declared[i], args[i])) positional = i + 1;

    std::vector<Argument> values;
    KeywordArguments keywords;
    const auto node = [this](const at::Tensor& t) { return valueOf(t); };
    for (std::size_t i = 0; i < args.size(); ++i) {
        const auto& type = *declared[i].real_type();
        if (i < positional && !declared[i].kwarg_only()) values.push_back(toArgument(args[i], type, node));
        else if (declared[i].kwarg_only() && !isDefault(declared[i], args[i]))
            keywords.emplace_back(declared[i].name(), toArgument(args[i], type, node));
    }
    return {std::move(values), std::move(keywords)};
}

Node* TracedGraph::addCall(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) {
    constexpr std::size_t kMostNodes = 1'000'000;
    if (graph_->size() >= kMostNodes)
        throw Error("the trace has reached " + std::to_string(kMostNodes) +
                    " operations; loops are unrolled, make them shorter");
    auto [values, keywords] = callArguments(op, args);
    return graph_->addCall(graphName(op.operator_name()), std::move(values), std::move(keywords), {});
}

Node* TracedGraph::addCall(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args,
                           std::vector<std::shared_ptr<const Graph>> subgraphs) {
    Node* call = addCall(op, args);
    std::vector<Argument> values = call->args();
    std::size_t next = 0;
    for (std::size_t i = 0; i < args.size(); ++i)
        if (args[i].isCapsule()) values.at(i) = Argument::Subgraph(std::move(subgraphs.at(next++)));
    graph_->setArguments(call, std::move(values));
    return call;
}

at::Tensor TracedGraph::addNumber(const at::Tensor& fake) {
    static const auto read = c10::Dispatcher::singleton().findSchemaOrThrow("aten::_local_scalar_dense", "");
    const auto dtype = fake.scalar_type();
    const auto kind = at::isFloatingType(dtype) ? at::kDouble : dtype == at::kBool ? at::kBool : at::kLong;
    const PlainKernelScope plain;
    const at::Tensor meta = emptyMeta({}, {}, kind);
    at::Tensor number = makeFake(meta, c10::kCPU);
    for (const at::Tensor& tensor : {meta, number}) tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
    Node* node = addCall(read, {c10::IValue(fake)});
    node->type = {ScalarType{kind == at::kDouble ? ScalarType::Kind::real
                             : kind == at::kBool ? ScalarType::Kind::boolean
                                                 : ScalarType::Kind::integer}};
    bind(node, number);
    return number;
}

void TracedGraph::bindResults(Node* call, c10::ArrayRef<c10::IValue> results) {
    if (results.size() == 1 && results[0].isTensor()) {
        const at::Tensor& fake = results[0].toTensor();
        if (!fake.defined()) return;
        call->type.data = typeOfFake(fake);
        return bind(call, fake);
    }
    if (results.size() == 1 && results[0].isScalar()) {
        call->type = typeOfPlain(results[0]);
        return;
    }
    // A tuple of results, or a list of tensors as the only result: one getitem for each defined tensor.
    std::vector<at::Tensor> elements;
    TupleType types;
    const auto add = [&](const at::Tensor& t) {
        elements.push_back(t);
        types.push_back(t.defined() ? ValueType{typeOfFake(t)} : ValueType{OtherType::none});
    };
    for (const auto& result : results) {
        if (result.isTensorList()) {
            check(results.size() == 1, "an operation returns a list among other results");
            for (const at::Tensor& t : result.toTensorVector()) add(t);
        } else {
            add(result.isTensor() ? result.toTensor() : at::Tensor());
            if (!result.isTensor() && !result.isNone()) types.back() = {};  // a number that may depend on sizes
        }
    }
    call->type.data = std::move(types);
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (elements[i].defined()) bind(addItem(call, static_cast<std::int64_t>(i), elements[i]), elements[i]);
}

Node* TracedGraph::nodeOf(const c10::IValue& value) const {
    if (!isTensor(value)) return nullptr;
    const auto it = nodes_.find(valueKey(value.toTensor()));
    return it == nodes_.end() ? nullptr : it->second;
}

Argument TracedGraph::valueOf(const at::Tensor& tensor) {
    const auto it = nodes_.find(valueKey(tensor));
    if (it != nodes_.end()) return it->second;
    check(!asFake(tensor), "a traced tensor without a node");
    if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) {
        const PlainKernelScope plain;
        const c10::Scalar scalar = tensor.item();
        return toArgument(c10::IValue(scalar), *c10::NumberType::get(), {});
    }
    Node* node = addConstant(tensor, typeOf(tensor));
    bind(node, tensor);
    return node;
}

Node* TracedGraph::addConstant(const at::Tensor& value, TensorType type) {
    const std::string name = constantPrefix_ + "_tensor_constant" + std::to_string(constants_.size());
    constants_.emplace(name, value);
    Node* node = graph_->addConstant(name, {std::move(type)});
    node->label = valuesText(value);
    return node;
}

at::Tensor TracedGraph::constantOn(c10::Device device, const at::Tensor& value) {
    const at::Tensor fake = makeFake(emptyMeta(value.sizes(), value.strides(), value.scalar_type()), device);
    bind(addConstant(value, typeOfFake(fake)), fake);
    return fake;
}

void TracedGraph::writeBack(const at::Tensor& input, const at::Tensor& updated, bool storage) {
    const Argument value = valueOf(updated);
    Node* placeholder = valueOf(input).node();
    Node* write = graph_->addCall(storage ? "aten.set_.source_Tensor" : "aten.copy_.default", {placeholder, value}, {},
                                  placeholder->type);
    write->stage = Stage::forward;
    if (const Node* made = value.node()) write->source = made->source;
}

std::vector<Argument> TracedGraph::valuesOf(const std::vector<c10::IValue>& outputs) {
    std::vector<Argument> values;
    const auto& any = *c10::AnyType::get();
    for (const auto& output : outputs)
        values.push_back(toArgument(output, any, [this](const at::Tensor& t) { return valueOf(t); }));
    return values;
}

std::unique_ptr<Graph> TracedGraph::finish(const std::vector<c10::IValue>& outputs, std::vector<OutputSlot> slots) {
    graph_->setOutput(valuesOf(outputs), std::move(slots));
    return std::move(graph_);
}

std::unique_ptr<Graph> TracedGraph::snapshot(const std::vector<c10::IValue>& outputs, std::vector<OutputSlot> slots) {
    std::vector<Argument> values = valuesOf(outputs);
    std::unique_ptr<Graph> copy = graph_->clone();
    for (Argument& value : values)
        value = mapNodes(value, [&](const Node* node) { return Argument(copy->findById(node->id())); });
    copy->setOutput(std::move(values), std::move(slots));
    return copy;
}

void TracedGraph::goOnAs(std::string name, std::size_t inputs, std::size_t count) {
    graph_->rename(std::move(name));
    const std::vector<Node*> nodes = graph_->nodes();
    std::vector<Node*> order = nodes;
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(inputs);
    std::rotate(first, order.end() - static_cast<std::ptrdiff_t>(count), order.end());
    std::vector<NodeId> ids;
    for (const Node* node : nodes) ids.push_back(node->id());
    for (std::size_t i = 0; i < order.size(); ++i) graph_->setIdentity(order[i], ids[i]);
    graph_->reorder(order);
    raiseStorages(order, inputs, count);
}

void TracedGraph::raiseStorages(const std::vector<Node*>& order, std::size_t inputs, std::size_t count) {
    const auto all = static_cast<std::int64_t>(storages_.size());
    std::int64_t ofInputs = 0, before = all;  // the number of the inputs' storages, and of those recorded first
    for (std::size_t i = 0; i < inputs + count; ++i) {
        const TensorType* type = order[i]->type.tensor();
        if (!type || type->storage < 0) continue;
        if (i < inputs) ofInputs = std::max(ofInputs, type->storage + 1);
        else before = std::min(before, type->storage);
    }
    const auto raised = [&](std::int64_t storage) {
        if (storage < ofInputs) return storage;
        return storage < before ? storage + (all - before) : storage - (before - ofInputs);
    };
    for (Node* node : order) mapStorages(node->type, raised);
    for (auto& [memory, storage] : storages_) storage = raised(storage);
}

void TracedGraph::bind(Node* node, const at::Tensor& fake) {
    nodes_[valueKey(fake)] = node;
    keepAlive_.push_back(fake);
    if (const auto* impl = asFake(fake)) keepAlive_.push_back(impl->meta());
}

Node* TracedGraph::addItem(Node* tuple, std::int64_t index, const at::Tensor& fake) {
    Node* item = graph_->addCall("operator.getitem", {tuple, index}, {}, {typeOfFake(fake)});
    item->stage = tuple->stage;
    item->source = tuple->source;
    item->autograd = tuple->autograd;
    item->checkpoint = tuple->checkpoint;
    return item;
}

TensorType TracedGraph::typeOfFake(const at::Tensor& fake) {
    TensorType type = typeOf(fake);
    if (fake.layout() == at::kStrided) {
        const auto [it, isNew] = storages_.emplace(storageOf(fake), static_cast<std::int64_t>(storages_.size()));
        if (isNew) keptStorages_.push_back(fake.storage());
        type.storage = it->second;
    }
    return type;
}

}  // namespace aotscope
