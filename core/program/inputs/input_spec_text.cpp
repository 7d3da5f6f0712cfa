#include "program/inputs/input_spec.h"

#include "support/enumerators.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

using nlohmann::json;

json printFill(const Fill& fill, json& leaf) {
    struct Printer {
        json& leaf;
        void operator()(Fill::Plain p) const {
            if (p != Fill::Plain::randn) leaf["fill"] = spelled(p);
        }
        void operator()(const Fill::Randint& r) const { leaf["fill"] = {{"randint", {r.low, r.high}}}; }
        void operator()(const Fill::Pattern& p) const { leaf["pattern"] = {p.mul, p.mod, p.off, p.scale}; }
        void operator()(const Fill::File& f) const { leaf["file"] = f.path; }
    };
    std::visit(Printer{leaf}, fill.how);
    return leaf;
}

/// Sizes, or names where they have one.
json printSizes(const std::vector<std::int64_t>& sizes, const std::vector<std::string>& names) {
    json list = json::array();
    for (std::size_t i = 0; i < sizes.size(); ++i)
        list.push_back(i < names.size() && !names[i].empty() ? json(names[i]) : json(sizes[i]));
    return list;
}

json printLeaf(const LeafSpec& spec) {
    json leaf = json::object();
    if (!spec.shapeOfFile) leaf["shape"] = printSizes(spec.shape, spec.dimNames);
    if (!spec.dtypeOfFile) leaf["dtype"] = longName(spec.dtype);
    if (spec.requiresGrad) leaf["requires_grad"] = true;
    if (!spec.device.empty()) leaf["device"] = spec.device;
    return printFill(spec.fill, leaf);
}

json printValue(const ValueSpec& value) {
    if (const auto* leaf = std::get_if<LeafSpec>(&value)) return {{"leaf", printLeaf(*leaf)}};
    const auto& derived = std::get<DerivedSpec>(value);
    json args = json::array();
    for (std::size_t i = 0; i < derived.args.size(); ++i) {
        if (const auto* list = std::get_if<std::vector<std::int64_t>>(&derived.args[i]))
            args.push_back(
                printSizes(*list, i < derived.argNames.size() ? derived.argNames[i] : std::vector<std::string>()));
        else std::visit([&](const auto& v) { args.push_back(v); }, derived.args[i]);
    }
    return {{"op", derived.op}, {"of", derived.of}, {"args", args}};
}

json printItem(const InputItem& item) {
    struct Printer {
        json operator()(InputItem::None) const { return {{"none", true}}; }
        json operator()(InputItem::TensorRef t) const { return {{"tensor", t.value}}; }
        json operator()(std::int64_t v) const { return {{"int", v}}; }
        json operator()(double v) const { return {{"float", v}}; }
        json operator()(bool v) const { return {{"bool", v}}; }
        json operator()(const InputItem::List& list) const {
            json j = json::array();
            for (const auto& element : list) j.push_back(printItem(element));
            return j;
        }
        json operator()(const InputItem::Dict& dict) const {
            json j = json::object();
            for (const auto& [key, element] : dict) j[key] = printItem(element);
            return j;
        }
    };
    return std::visit(Printer{}, item.data);
}

json printDimensions(const std::vector<NamedDimension>& dims) {
    json document = json::object();
    for (const auto& dimension : dims) {
        json& entry = document[dimension.name] = {{"hint", dimension.hint}};
        if (dimension.min != NamedDimension().min) entry["min"] = dimension.min;
        if (dimension.max != NamedDimension().max) entry["max"] = dimension.max;
    }
    return document;
}

bool fitsShortForm(const InputSpec& spec) {
    if (!spec.dims.empty() || spec.values.size() != spec.inputs.size()) return false;
    for (std::size_t i = 0; i < spec.values.size(); ++i) {
        const auto* ref = std::get_if<InputItem::TensorRef>(&spec.inputs[i].data);
        if (!std::holds_alternative<LeafSpec>(spec.values[i]) || !ref || ref->value != i) return false;
    }
    return true;
}

}  // namespace

std::string printInputSpec(const InputSpec& spec) {
    json document;
    if (fitsShortForm(spec)) {
        document = json::array();
        for (const auto& value : spec.values) document.push_back(printLeaf(std::get<LeafSpec>(value)));
    } else {
        document = {{"values", json::array()}, {"inputs", json::array()}};
        if (!spec.dims.empty()) document["dims"] = printDimensions(spec.dims);
        for (const auto& value : spec.values) document["values"].push_back(printValue(value));
        for (const auto& input : spec.inputs) document["inputs"].push_back(printItem(input));
    }
    return document.dump(1);
}

}  // namespace aotscope
