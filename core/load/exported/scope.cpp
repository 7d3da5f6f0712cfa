#include "load/exported/scope.h"

#include "support/error.h"
#include "support/quoted.h"

#include <utility>

namespace aotscope {

namespace {

using ExportedArgument = exported::Argument;

struct ArgumentMaker {
    const std::unordered_map<std::string, Argument>& values;

    Argument operator()(const ExportedArgument::Reference& v) const {
        const auto it = values.find(v.name);
        if (it == values.end()) throw Error("it uses " + inQuotes(v.name) + ", which is not defined before");
        return it->second;
    }
    Argument operator()(const ExportedArgument::List& v) const {
        Argument::List list;
        for (const auto& element : v) list.push_back(std::visit(*this, element.value));
        return list;
    }
    Argument operator()(const std::shared_ptr<const exported::Graph>&) const {
        throw Error("expected a value, found a graph");
    }
    Argument operator()(const ExportedArgument::Operator& v) const {
        throw Error("it takes the operator " + inQuotes(v.target) + ", which is not supported");
    }
    Argument operator()(const ExportedArgument::Foreign& v) const {
        throw Error("it takes " + v.what + ", which exists in Python only; export the model without it");
    }
    Argument operator()(std::monostate) const { return {}; }
    template <typename Plain>
    Argument operator()(const Plain& v) const {
        return v;
    }
};

}  // namespace

void ExportedScope::define(const std::string& name, Argument value) {
    if (!values_.emplace(name, std::move(value)).second)
        throw Error(inQuotes(name) + " is defined twice in the exported program; save the model again");
    if (inBatch()) batches_.back().push_back(name);
}

const Node* ExportedScope::nodeOf(const std::string& name) const {
    const auto it = values_.find(name);
    return it == values_.end() ? nullptr : it->second.node();
}

Argument ExportedScope::convert(const ExportedArgument& argument) const {
    return std::visit(ArgumentMaker{values_}, argument.value);
}

Argument ExportedScope::convert(const exported::NamedArgument& argument) const {
    try {
        return convert(argument.value);
    } catch (const Error& e) {
        if (argument.name.empty()) throw;
        throw Error("argument " + inQuotes(argument.name) + ": " + e.what());
    }
}

ExportedScope::Batch ExportedScope::takeBatch() {
    Batch last = std::move(batches_.back());
    batches_.pop_back();
    return last;
}

void ExportedScope::leaveBatch() {
    for (const auto& name : takeBatch()) values_.erase(name);
}

}  // namespace aotscope
