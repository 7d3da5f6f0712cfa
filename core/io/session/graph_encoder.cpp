#include "io/session/graph_table.h"
#include "ops/operator_facts.h"

namespace aotscope::session_format {

int GraphEncoder::Rows::add(json row) {
    key.clear();
    json::to_cbor(row, key);
    const auto [place, isNew] = places.try_emplace(std::string(key.begin(), key.end()), static_cast<int>(list.size()));
    if (isNew) list.push_back(std::move(row));
    return place->second;
}

int GraphEncoder::text(const std::string& text) {
    const auto [place, isNew] = stringPlaces_.try_emplace(text, static_cast<int>(strings_.size()));
    if (isNew) strings_.push_back(text);
    return place->second;
}

int GraphEncoder::add(const std::shared_ptr<const SourceInfo>& source) {
    if (!source) return -1;
    if (const auto known = sourcePlaces_.find(source.get()); known != sourcePlaces_.end()) return known->second;
    const int place = sources_.add(json::array(
        {text(source->module), text(source->moduleType), text(source->file), source->line, text(source->text)}));
    return sourcePlaces_[source.get()] = place;
}

json GraphEncoder::tensor(const TensorType& type) {
    json row = json::array({static_cast<int>(type.dtype), type.sizes, type.strides, type.storageOffset,
                            text(type.device.name), type.storage, type.storageBytes, type.requiresGrad});
    if (type.symbolic) {
        json sizes = json::array(), strides = json::array();
        for (const auto& size : type.symbolic->sizes) sizes.push_back(text(size.text()));
        for (const auto& stride : type.symbolic->strides) strides.push_back(text(stride.text()));
        row.push_back(json::array({std::move(sizes), std::move(strides), text(type.symbolic->storageOffset.text())}));
    }
    return row;
}

/// [] unknown, [0, tensor...], [1, kind, hint, expression], [2, type...], [3, kind].
int GraphEncoder::add(const ValueType& type) {
    json row = json::array();
    if (const auto* t = type.tensor()) {
        row.push_back(0);
        for (json& field : tensor(*t)) row.push_back(std::move(field));
    } else if (const auto* scalar = type.scalar()) {
        row = json::array({1, static_cast<int>(scalar->kind), scalar->hint});
        if (scalar->expression) row.push_back(text(scalar->expression->text()));
    } else if (const auto* tuple = type.tuple()) {
        row.push_back(2);
        for (const ValueType& element : *tuple) row.push_back(add(element));
    } else if (const auto* other = type.other()) {
        row = json::array({3, static_cast<int>(*other)});
    }
    return types_.add(std::move(row));
}

/// Numbers, booleans and null are written unchanged; everything else is [kind, ...].
json GraphEncoder::argument(const Argument& argument) {
    struct Writer {
        GraphEncoder& tables;
        json operator()(std::monostate) const { return nullptr; }
        json operator()(const Node* node) const { return json::array({0, node->id()}); }
        json operator()(std::int64_t v) const { return v; }
        json operator()(double v) const { return v; }
        json operator()(bool v) const { return v; }
        json operator()(const std::string& v) const { return json::array({1, tables.text(v)}); }
        json operator()(DType v) const { return json::array({2, static_cast<int>(v)}); }
        json operator()(const Device& v) const { return json::array({3, tables.text(v.name)}); }
        json operator()(Layout v) const { return json::array({4, static_cast<int>(v)}); }
        json operator()(MemoryFormat v) const { return json::array({5, static_cast<int>(v)}); }
        json operator()(const std::complex<double>& v) const { return json::array({6, v.real(), v.imag()}); }
        json operator()(const Argument::Subgraph& v) const { return json::array({8, tables.add(v)}); }
        json operator()(const Argument::List& v) const {
            json list = json::array({7});
            for (const Argument& element : v) list.push_back(tables.argument(element));
            return list;
        }
    };
    return std::visit(Writer{*this}, argument.value);
}

json GraphEncoder::node(const Node& node) {
    if (node.kind() == NodeKind::call)
        if (const auto row = declarationOf(node.op()); !row.empty()) operators_.insert(row);
    json args = json::array(), kwargs = json::array();
    for (const Argument& a : node.args()) args.push_back(argument(a));
    for (const auto& [key, a] : node.kwargs()) {
        kwargs.push_back(text(key));
        kwargs.push_back(argument(a));
    }
    json row =
        json::array({node.id(), static_cast<int>(node.kind()), static_cast<int>(node.stage),
                     static_cast<int>(node.role), text(node.name()), text(node.op()), add(node.type), text(node.label),
                     add(node.source), node.autograd.sequence, text(node.autograd.function), node.autograd.forward,
                     static_cast<int>(node.autograd.savedOutput), std::move(args), std::move(kwargs)});
    if (node.checkpoint.isSet()) {
        row.push_back(static_cast<int>(node.checkpoint.policy));
        row.push_back(node.checkpoint.region);
    }
    return row;
}

int GraphEncoder::add(const std::shared_ptr<const Graph>& graph) {
    if (!graph) return -1;
    if (const auto known = graphPlaces_.find(graph.get()); known != graphPlaces_.end()) return known->second;
    json nodes = json::array(), slots = json::array(), symbols = json::array();
    for (std::size_t i = 0; i < graph->size(); ++i) nodes.push_back(nodes_.add(node(*graph->at(i))));
    for (const OutputSlot& slot : graph->outputSlots())
        slots.push_back(json::array({static_cast<int>(slot.role), text(slot.label)}));
    for (const Symbol& symbol : graph->symbols())
        symbols.push_back(
            json::array({symbol.name, symbol.hint, symbol.min, symbol.max, symbol.origin, symbol.equals}));
    graphs_.push_back({{"name", graph->name()},
                       {"nodes", std::move(nodes)},
                       {"outputs", std::move(slots)},
                       {"symbols", std::move(symbols)}});
    return graphPlaces_[graph.get()] = static_cast<int>(graphs_.size()) - 1;
}

json GraphEncoder::take() {
    json tables = {{"strings", std::move(strings_)},
                   {"sources", std::move(sources_.list)},
                   {"types", std::move(types_.list)},
                   {"nodes", std::move(nodes_.list)},
                   {"graphs", std::move(graphs_)}};
    if (!operators_.empty()) tables["operators"] = std::move(operators_);
    return tables;
}

}  // namespace aotscope::session_format
