#include "load/exported/functionalized.h"

#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>
#include <utility>

namespace aotscope::exported {

namespace {

constexpr std::string_view kFunctionalized = "torch.ops.higher_order.auto_functionalized_v2";

Argument reference(std::string name) { return {Argument::Reference{std::move(name)}}; }

/// An argument that the operator writes to, as a view of one of the bases.
struct Written {
    std::string argument;
    bool inList = false;  ///< an element of a list argument
    std::size_t base = 0;
    const char* view = nullptr;      ///< the operator that computes it, "slice.Tensor"; null: it is the base itself
    const char* scatter = nullptr;   ///< the operator that writes a new value into the base
    std::vector<NamedArgument> how;  ///< their other arguments
};

/// Parses a call, which encodes everything in argument names: "_x_base_index", "_x_slice_dim".
class Call {
public:
    explicit Call(const Node& node) {
        if (node.inputs.empty() || !std::holds_alternative<Argument::Operator>(node.inputs[0].value.value))
            throw Error("its operator is missing");
        target = std::get<Argument::Operator>(node.inputs[0].value.value).target;
        for (std::size_t i = 1; i < node.inputs.size(); ++i) given_.emplace(node.inputs[i].name, &node.inputs[i].value);
        taken("_only_clone_these_bases");
        if (const Argument* list = taken("_all_bases")) readBases(*list);
        for (std::size_t i = 1; i < node.inputs.size(); ++i) readWritten(node.inputs[i].name);
        for (std::size_t i = 1; i < node.inputs.size(); ++i)
            if (!taken_.contains(node.inputs[i].name)) plain.push_back(node.inputs[i]);
        if (node.outputs.size() < bases.size()) throw Error("it returns fewer values than it copies");
        const auto copies = node.outputs.end() - std::ssize(bases);
        newBases.assign(copies, node.outputs.end());
        std::copy_if(node.outputs.begin(), copies, std::back_inserter(results),
                     [](const Argument& output) { return !std::holds_alternative<std::monostate>(output.value); });
    }

    std::string target;
    std::vector<std::string> bases;
    std::vector<Written> written;      ///< in the order of the operator's arguments
    std::vector<NamedArgument> plain;  ///< the other arguments, and those that are None
    std::vector<Argument> results, newBases;

private:
    /// Null if there is no such argument; otherwise removes it from the operator's own arguments.
    const Argument* taken(const std::string& name) {
        const auto it = given_.find(name);
        if (it == given_.end()) return nullptr;
        taken_.insert(name);
        return it->second;
    }

    void readBases(const Argument& given) {
        const auto* list = given.list();
        if (!list) throw Error("its tensors are not a list");
        for (const Argument& base : *list) {
            if (!base.reference()) throw Error("one of its tensors is not a tensor");
            bases.push_back(base.reference()->name);
        }
    }

    void readWritten(const std::string& name) {
        if (!name.starts_with('_') || taken_.contains(name)) return;
        const auto prefixBefore = [&](std::string_view ending) {
            return name.size() > ending.size() + 1 && name.ends_with(ending)
                       ? name.substr(0, name.size() - ending.size())
                       : std::string();
        };
        if (const auto prefix = prefixBefore("_length"); !prefix.empty()) readList(prefix, *taken(name));
        else if (const auto other = prefixBefore("_base_index"); !other.empty())
            readView(other, other.substr(1), false);
    }

    void readList(const std::string& prefix, const Argument& length) {
        const auto* count = std::get_if<std::int64_t>(&length.value);
        if (!count) return plain.push_back({prefix.substr(1), {}, false});
        for (std::int64_t i = 0; i < *count; ++i) readView(prefix + "_" + std::to_string(i), prefix.substr(1), true);
    }

    void readView(const std::string& prefix, const std::string& argument, bool inList) {
        const Argument* index = taken(prefix + "_base_index");
        if (!index) throw Error("an element of argument " + inQuotes(argument) + " is missing");
        if (std::holds_alternative<std::monostate>(index->value)) {
            if (inList)
                throw Error("an element of argument " + inQuotes(argument) + " is None, which is not supported");
            return plain.push_back({argument, {}, false});
        }
        const auto* base = std::get_if<std::int64_t>(&index->value);
        if (!base || *base < 0 || *base >= std::ssize(bases))
            throw Error("argument " + inQuotes(argument) + " is a view of a tensor that it does not have");
        Written view{argument, inList, static_cast<std::size_t>(*base), nullptr, nullptr, {}};
        const auto take = [&](const char* name, const char* part) {
            const Argument* value = taken(prefix + part);
            if (!value) throw Error("it does not say of which part argument " + inQuotes(argument) + " is a view");
            view.how.push_back({name, *value, false});
        };
        taken(prefix + "_alias");
        if (given_.contains(prefix + "_slice_dim")) {
            view.view = "slice.Tensor", view.scatter = "slice_scatter.default";
            take("dim", "_slice_dim"), take("start", "_slice_start"), take("end", "_slice_end");
        } else if (given_.contains(prefix + "_storage_offset")) {
            view.view = "as_strided.default", view.scatter = "as_strided_scatter.default";
            take("size", "_size"), take("stride", "_stride"), take("storage_offset", "_storage_offset");
        }
        written.push_back(std::move(view));
    }

    std::unordered_map<std::string, const Argument*> given_;
    std::set<std::string> taken_;
};

std::int64_t numberIn(const Argument& argument) {
    const auto* number = std::get_if<std::int64_t>(&argument.value);
    if (!number) throw Error("it writes to a view whose sizes vary, which is not supported");
    return *number;
}

std::vector<Integer> numbersIn(const Argument& argument) {
    const auto* list = argument.list();
    if (!list) throw Error("the sizes or strides of a view are not a list");
    std::vector<Integer> numbers;
    for (const Argument& element : *list) numbers.push_back({numberIn(element)});
    return numbers;
}

/// The type of a view of a tensor with the type `base`.
TensorMeta writtenType(const Written& view, TensorMeta base) {
    if (!view.view) return base;
    if (view.how[0].name == "size") {
        base.sizes = numbersIn(view.how[0].value), base.strides = numbersIn(view.how[1].value);
        base.storageOffset = {numberIn(view.how[2].value)};
        return base;
    }
    const std::int64_t dim = numberIn(view.how[0].value);
    if (dim < 0 || dim >= std::ssize(base.sizes))
        throw Error("it writes to a slice along a dimension that its tensor does not have");
    Integer& size = base.sizes[static_cast<std::size_t>(dim)];
    const std::int64_t end = std::min(numberIn(view.how[2].value), size.value), start = numberIn(view.how[1].value);
    size = {std::max<std::int64_t>(end - std::max<std::int64_t>(start, 0), 0)};
    return base;
}

class Rewriter {
public:
    Rewriter(Graph& graph, const std::function<bool(const std::string&)>& isKnown) : graph_(graph), isKnown_(isKnown) {}

    void run() {
        std::vector<Node> nodes = std::exchange(graph_.nodes, {});
        for (Node& node : nodes) {
            for (NamedArgument& input : node.inputs) rewriteRegion(input.value);
            if (node.target != kFunctionalized) {
                graph_.nodes.push_back(std::move(node));
                continue;
            }
            try {
                origin_ = &node;
                add(Call(node));
            } catch (const Error& e) {
                throw Error("operation " + inQuotes(node.name) + " (" + node.target +
                            ") of the exported program: " + e.what());
            }
        }
    }

private:
    void rewriteRegion(Argument& argument) const {
        auto* region = std::get_if<std::shared_ptr<const Graph>>(&argument.value);
        if (!region) return;
        auto copy = std::make_shared<Graph>(**region);
        Rewriter(*copy, isKnown_).run();
        *region = std::move(copy);
    }

    void add(const Call& call) { isKnown_(call.target) ? addOnCopies(call) : addFunctional(call); }

    void addOnCopies(const Call& call) {
        std::vector<std::string> copies;
        for (std::size_t i = 0; i < call.bases.size(); ++i) {
            const auto* named = call.newBases[i].reference();
            copies.push_back(named ? named->name : newTensor(call.bases[i] + "_copy", typeOfTensor(call.bases[i])));
            addNode("torch.ops.aten.clone.default", {{"self", reference(call.bases[i]), false}},
                    {reference(copies.back())});
        }
        addNode(call.target, argumentsOf(call, copies), call.results);
    }

    void addFunctional(const Call& call) {
        std::vector<const Written*> writers(call.bases.size());
        for (const Written& view : call.written) {
            if (writers[view.base])
                throw Error("operator " + inQuotes(call.target) +
                            " is unknown and writes to one tensor through two arguments; "
                            "load the library that has it with --library");
            writers[view.base] = &view;
        }
        auto inputs = argumentsOf(call, call.bases);
        std::vector<Argument> outputs = call.results;
        std::vector<std::string> values(call.bases.size());
        for (const Written& view : call.written) {
            const auto* named = call.newBases[view.base].reference();
            const std::string& base = call.bases[view.base];
            values[view.base] =
                named && !view.view ? named->name : newTensor(base + "_new", writtenType(view, typeOfTensor(base)));
            outputs.push_back(reference(values[view.base]));
        }
        const auto overload = call.target.rfind('.');
        addNode(call.target.substr(0, overload) + ".functional", std::move(inputs), std::move(outputs));
        for (const Written& view : call.written)
            if (const auto* named = call.newBases[view.base].reference(); named && view.view)
                addScatter(view, call.bases[view.base], values[view.base], named->name);
    }

    void addScatter(const Written& view, const std::string& base, const std::string& value, const std::string& result) {
        std::vector<NamedArgument> inputs = {{"self", reference(base), false}, {"src", reference(value), false}};
        inputs.insert(inputs.end(), view.how.begin(), view.how.end());
        addNode("torch.ops.aten." + std::string(view.scatter), std::move(inputs), {reference(result)});
    }

    /// All arguments of the operator; those that it writes to are views of `bases`.
    std::vector<NamedArgument> argumentsOf(const Call& call, const std::vector<std::string>& bases) {
        std::vector<NamedArgument> arguments = call.plain;
        for (const Written& view : call.written) {
            Argument value = reference(viewOf(view, bases[view.base]));
            if (!view.inList) {
                arguments.push_back({view.argument, std::move(value), false});
                continue;
            }
            const bool first = arguments.empty() || arguments.back().name != view.argument;
            if (first) arguments.push_back({view.argument, {Argument::List()}, false});
            std::get<Argument::List>(arguments.back().value.value).push_back(std::move(value));
        }
        return arguments;
    }

    std::string viewOf(const Written& view, const std::string& base) {
        if (!view.view) return base;
        std::string name = newTensor(base + "_view", writtenType(view, typeOfTensor(base)));
        std::vector<NamedArgument> inputs = {{"self", reference(base), false}};
        inputs.insert(inputs.end(), view.how.begin(), view.how.end());
        addNode("torch.ops.aten." + std::string(view.view), std::move(inputs), {reference(name)});
        return name;
    }

    void addNode(std::string target, std::vector<NamedArgument> inputs, std::vector<Argument> outputs) {
        std::string name = origin_->name;
        if (outputs.size() == 1 && outputs[0].reference()) name = outputs[0].reference()->name;
        graph_.nodes.push_back({std::move(name), std::move(target), std::move(inputs), std::move(outputs),
                                origin_->stackTrace, origin_->moduleStack});
    }

    const TensorMeta& typeOfTensor(const std::string& name) const {
        const auto it = graph_.tensors.find(name);
        if (it == graph_.tensors.end())
            throw Error("the file has no type for " + inQuotes(name) + "; save the model again");
        return it->second;
    }

    std::string newTensor(const std::string& stem, TensorMeta type) {
        std::string name;
        do name = stem + "_" + std::to_string(made_++);
        while (graph_.tensors.contains(name));
        graph_.tensors.emplace(name, std::move(type));
        return name;
    }

    Graph& graph_;
    const std::function<bool(const std::string&)>& isKnown_;
    const Node* origin_ = nullptr;  ///< the call being replaced
    std::size_t made_ = 0;          ///< number of added tensors
};

}  // namespace

Document withoutFunctionalizedCalls(Document document, const std::function<bool(const std::string&)>& isKnown) {
    Rewriter(document.graph, isKnown).run();
    return document;
}

}  // namespace aotscope::exported
