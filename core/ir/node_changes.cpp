#include "ir/node_changes.h"

#include "ir/printer.h"
#include "ir/subgraphs.h"
#include "support/enumerators.h"

#include <algorithm>
#include <unordered_set>

namespace aotscope {

namespace {

constexpr std::size_t kLongArguments = 160;  ///< characters: for longer ones, only the differences are shown
constexpr std::size_t kShownArguments = 4;   ///< of these differences
constexpr std::size_t kShownSubgraphNodes = 3;

template <typename Range>
std::string printedExpressions(const Range& range) {
    std::string text;
    for (const SymExpr& e : range) text += e.text() + ",";
    return text;
}

bool sameSizes(const TensorType& a, const TensorType& b) {
    if (!a.symbolic && !b.symbolic) return a.sizes == b.sizes;
    return a.symbolic && b.symbolic && printedExpressions(a.symbolic->sizes) == printedExpressions(b.symbolic->sizes);
}

/// Strides of dimensions of size 1 are not printed, so only exact types have them.
bool sameStrides(const TensorType& a, const TensorType& b, bool exact) {
    if (!exact && a.isContiguous() && b.isContiguous()) return true;
    if (!a.symbolic || !b.symbolic) return a.strides == b.strides && (!exact || a.storageOffset == b.storageOffset);
    return printedExpressions(a.symbolic->strides) == printedExpressions(b.symbolic->strides) &&
           (!exact || a.symbolic->storageOffset.text() == b.symbolic->storageOffset.text());
}

AspectSet differingScalars(const ScalarType& a, const ScalarType& b) {
    if (a.kind != b.kind) return {Aspect::dtypes};
    const auto textOf = [](const ScalarType& s) { return s.expression ? s.expression->text() : std::string(); };
    if (textOf(a) != textOf(b)) return {Aspect::shapes};
    const bool sameHint = a.expression || a.hint == b.hint || (a.hint != a.hint && b.hint != b.hint);
    if (sameHint) return {};
    return a.kind == ScalarType::Kind::integer ? AspectSet{Aspect::shapes} : AspectSet{Aspect::constants};
}

/// Differences not printed with types: "strides [4, 1] -> [1, 1]", "offset 0 -> 4", "requires_grad False -> True".
std::string unprintedChange(const ValueType& before, const ValueType& after) {
    return "type " + printType(before, Detail::full) + " -> " + printType(after, Detail::full);
}

/// Whether an argument can be a size; an expression of dynamic sizes is text.
bool maySize(const Argument& a) { return a.integer() || std::holds_alternative<std::string>(a.value); }

std::string tagText(const CheckpointTag& tag) {
    std::string text(name(tag.policy));
    if (text.empty()) text = "none";
    return tag.region < 0 ? text : text + " in region " + std::to_string(tag.region);
}

const std::vector<const TensorType*> tensorsOf(const ValueType& type) {
    std::vector<const TensorType*> tensors;
    if (const TensorType* own = type.tensor()) tensors.push_back(own);
    if (const TupleType* tuple = type.tuple())
        for (const ValueType& element : *tuple) tensors.push_back(element.tensor());
    return tensors;
}

}  // namespace

AspectSet differingAspects(const TensorType& before, const TensorType& after, bool exact) {
    AspectSet aspects;
    if (before.dtype != after.dtype) aspects.add(Aspect::dtypes);
    if (before.device != after.device) aspects.add(Aspect::devices);
    if (exact && before.requiresGrad != after.requiresGrad) aspects.add(Aspect::metadata);
    const bool resized = !sameSizes(before, after);
    if (resized) aspects.add(Aspect::shapes);
    // Strides follow from sizes.
    const bool restrided = resized ? before.isContiguous() != after.isContiguous() : !sameStrides(before, after, exact);
    if (restrided) aspects.add(Aspect::strides);
    return aspects;
}

AspectSet differingAspects(const ValueType& before, const ValueType& after, bool exact) {
    const bool unprinted = before.other() || after.other();  // Python prints no type for None
    if (!before.known() || !after.known())
        return before.known() == after.known() || unprinted ? AspectSet{} : AspectSet{Aspect::dtypes};
    if (unprinted) return before == after ? AspectSet{} : AspectSet{Aspect::dtypes};
    if (before.data.index() != after.data.index()) return {Aspect::dtypes};
    if (before.tensor()) return differingAspects(*before.tensor(), *after.tensor(), exact);
    if (before.scalar()) return differingScalars(*before.scalar(), *after.scalar());
    const TupleType &was = *before.tuple(), &is = *after.tuple();
    if (was.size() != is.size()) return {Aspect::dtypes};
    AspectSet aspects;
    for (std::size_t i = 0; i < was.size(); ++i) aspects = aspects | differingAspects(was[i], is[i], exact);
    return aspects;
}

/// The result of comparing one node.
class NodeComparer::Finding {
public:
    explicit Finding(const Compared& compared) : compared_(compared) {}

    void add(AspectSet aspects, const std::string& text) {
        const AspectSet counted = aspects.without(compared_.ignored);
        if (counted.empty()) return;
        change_.what += (change_.what.empty() ? "" : "; ") + text;
        change_.aspects = change_.aspects | counted;
    }
    void add(Aspect aspect, std::string_view what, const std::string& before, const std::string& after) {
        if (before == after) return;
        const auto shown = [](const std::string& text) { return text.empty() ? std::string("none") : text; };
        add({aspect}, std::string(what) + " " + shown(before) + " -> " + shown(after));
    }
    NodeChange take() { return std::move(change_); }

private:
    const Compared& compared_;
    NodeChange change_;
};

namespace {

/// Walks two lists of arguments, and records their differences.
class ArgumentWalk {
public:
    ArgumentWalk(const Corresponds& corresponds, bool resized) : corresponds_(corresponds), resized_(resized) {}

    void compare(const Node& before, const Node& after) {
        compareLists(before.args(), after.args(), "");
        const auto &was = before.kwargs(), &is = after.kwargs();
        for (const auto& [key, value] : was) compareNamed(key, &value, valueOf(is, key));
        for (const auto& [key, value] : is)
            if (!valueOf(was, key)) compareNamed(key, nullptr, &value);
    }

    AspectSet aspects() const { return aspects_; }
    /// "[3] %a -> %b, [5] %c -> %d and 7 more".
    std::string places() const {
        std::string text = shown_;
        if (differing_ > kShownArguments) text += " and " + std::to_string(differing_ - kShownArguments) + " more";
        return text;
    }

private:
    static const Argument* valueOf(const KeywordArguments& list, const std::string& key) {
        const auto it = std::ranges::find(list, key, [](const auto& entry) { return entry.first; });
        return it == list.end() ? nullptr : &it->second;
    }

    static bool hasNodes(const Argument& argument) {
        bool any = false;
        forEachNode(argument, [&](const Node*) { any = true; });
        return any;
    }

    void compareNamed(const std::string& key, const Argument* before, const Argument* after) {
        if (before && after) return compareArgument(*before, *after, key);
        const Argument& only = before ? *before : *after;
        note(hasNodes(only) ? Aspect::arguments : Aspect::constants, key, before ? printArgument(only) : "none",
             after ? printArgument(only) : "none");
    }

    void compareLists(const Argument::List& before, const Argument::List& after, const std::string& place) {
        const std::size_t common = std::min(before.size(), after.size());
        for (std::size_t i = 0; i < common; ++i)
            compareArgument(before[i], after[i], place + "[" + std::to_string(i) + "]");
        const Argument::List& longer = before.size() > common ? before : after;
        for (std::size_t i = common; i < longer.size(); ++i) {
            const bool was = before.size() > common;
            note(hasNodes(longer[i]) ? Aspect::arguments : literal(longer[i]), place + "[" + std::to_string(i) + "]",
                 was ? printArgument(longer[i]) : "none", was ? "none" : printArgument(longer[i]));
        }
    }

    void compareArgument(const Argument& before, const Argument& after, const std::string& place) {
        if (before.node() && after.node()) {
            if (!corresponds_(*before.node(), *after.node()))
                note(Aspect::arguments, place, printArgument(before), printArgument(after));
        } else if (before.list() && after.list()) {
            compareLists(*before.list(), *after.list(), place);
        } else if (before.subgraph() && after.subgraph()) {
            if ((*before.subgraph())->name() != (*after.subgraph())->name())
                note(Aspect::names, place, printArgument(before), printArgument(after));
        } else if (!(before == after)) {
            compareLiterals(before, after, place);
        }
    }

    void compareLiterals(const Argument& before, const Argument& after, const std::string& place) {
        const std::string was = printArgument(before), is = printArgument(after);
        if (was == is && before.value.index() == after.value.index()) return;  // NaN equals itself
        const bool edge = hasNodes(before) || hasNodes(after);
        note(edge                                          ? Aspect::arguments
             : before.value.index() == after.value.index() ? literal(before)
                                                           : Aspect::constants,
             place, was, is);
    }

    Aspect literal(const Argument& argument) const {
        if (std::holds_alternative<Device>(argument.value)) return Aspect::devices;
        if (std::holds_alternative<DType>(argument.value)) return Aspect::dtypes;
        return resized_ && maySize(argument) ? Aspect::shapes : Aspect::constants;
    }

    void note(Aspect aspect, const std::string& place, const std::string& before, const std::string& after) {
        aspects_.add(aspect);
        if (++differing_ > kShownArguments) return;
        shown_ += (shown_.empty() ? "" : ", ") + place + " " + before + " -> " + after;
    }

    const Corresponds& corresponds_;
    bool resized_;
    AspectSet aspects_;
    std::string shown_;
    std::size_t differing_ = 0;
};

/// The differences within a subgraph; only the first nodes are named.
class ManyChanges {
public:
    explicit ManyChanges(const Compared& compared) : compared_(compared) {}

    void add(AspectSet aspects, const std::string& text) {
        const AspectSet counted = aspects.without(compared_.ignored);
        if (counted.empty()) return;
        all_.aspects = all_.aspects | counted;
        if (++found_ <= kShownSubgraphNodes) all_.what += (all_.what.empty() ? "" : ", ") + text;
    }
    NodeChange take() {
        if (found_ > kShownSubgraphNodes) all_.what += " and " + std::to_string(found_ - kShownSubgraphNodes) + " more";
        return std::move(all_);
    }

private:
    const Compared& compared_;
    NodeChange all_;
    std::size_t found_ = 0;
};

bool sameOrder(const std::vector<std::pair<const Node*, const Node*>>& pairs, const Graph& after) {
    std::unordered_map<const Node*, std::size_t> places;
    for (std::size_t i = 0; i < after.size(); ++i) places[after.at(i)] = i;
    return std::ranges::is_sorted(pairs, {}, [&](const auto& pair) { return places.at(pair.second); });
}

bool isResized(const Node& before, const Node& after) {
    return differingAspects(before.type, after.type, false).has(Aspect::shapes);
}

/// Numbers among the arguments may depend on the sizes of the result or of an operand.
bool isOfOtherSizes(const Node& before, const Node& after) {
    const auto was = before.inputs(), is = after.inputs();
    bool any = isResized(before, after);
    for (std::size_t i = 0; !any && i < std::min(was.size(), is.size()); ++i) any = isResized(*was[i], *is[i]);
    return any;
}

}  // namespace

NodeComparer::NodeComparer(const Graph* before, const Graph* after, Corresponds corresponds, Compared compared)
    : before_(before),
      after_(after),
      corresponds_(std::move(corresponds)),
      compared_(compared),
      ownersBefore_(ownersIn(before)),
      ownersAfter_(ownersIn(after)) {}

NodeComparer::Owners NodeComparer::ownersIn(const Graph* graph) {
    Owners owners;
    for (std::size_t i = 0; graph && i < graph->size(); ++i) {
        const auto tensors = tensorsOf(graph->at(i)->type);
        for (std::size_t k = 0; k < tensors.size(); ++k)
            if (tensors[k] && tensors[k]->storage >= 0) owners.try_emplace(tensors[k]->storage, graph->at(i), k);
    }
    return owners;
}

NodeChange NodeComparer::compare(const Node& before, const Node& after) const {
    Finding finding(compared_);
    finding.add(Aspect::operations, "op", before.op(), after.op());
    const bool bothKnown = before.type.known() && after.type.known();
    if (const AspectSet aspects = differingAspects(before.type, after.type, compared_.exact);
        compared_.counts(aspects) && (bothKnown || compared_.unknownTypes)) {
        const std::string was = printType(before.type), is = printType(after.type);
        finding.add(aspects, was != is ? "type " + was + " -> " + is : unprintedChange(before.type, after.type));
    }
    compareArguments(before, after, isOfOtherSizes(before, after), finding);
    compareSubgraphs(before, after, finding);
    if (compared_.exact) {
        compareAliasing(before, after, finding);
        finding.add(Aspect::metadata, "role", std::string(name(before.role)), std::string(name(after.role)));
        const bool computed = before.kind() != NodeKind::output;  // for outputs, texts only have the returned values
        if (computed)
            finding.add(Aspect::metadata, "half", std::string(name(before.stage)), std::string(name(after.stage)));
        finding.add(Aspect::metadata, "checkpoint tag", tagText(before.checkpoint), tagText(after.checkpoint));
        finding.add(Aspect::metadata, "autograd function", before.autograd.function, after.autograd.function);
        finding.add(Aspect::metadata, "kept by autograd", std::string(spelled(before.autograd.savedOutput)),
                    std::string(spelled(after.autograd.savedOutput)));
        if (before.kind() == NodeKind::placeholder) finding.add(Aspect::names, "label", before.label, after.label);
        const bool known = before.kind() == NodeKind::constant && !before.label.empty() && !after.label.empty();
        if (known) finding.add(Aspect::constants, "value", before.label, after.label);
        compareSlots(before, after, finding);
    }
    if (before.kind() != NodeKind::output) finding.add(Aspect::names, "name", "%" + before.name(), "%" + after.name());
    return finding.take();
}

void NodeComparer::compareArguments(const Node& before, const Node& after, bool resized, Finding& finding) const {
    ArgumentWalk walk(corresponds_, resized);
    walk.compare(before, after);
    if (!compared_.counts(walk.aspects())) return;
    const std::string was = printArguments(before), is = printArguments(after);
    if (was.size() + is.size() > kLongArguments) finding.add(walk.aspects(), "arguments " + walk.places());
    else finding.add(walk.aspects(), "arguments (" + was + ") -> (" + is + ")");
}

/// Storage numbers are meaningless outside of their graph: compares the first value in the same memory.
void NodeComparer::compareAliasing(const Node& before, const Node& after, Finding& finding) const {
    if (!before_ || !after_ || compared_.ignored.has(Aspect::aliasing)) return;
    const auto was = tensorsOf(before.type), is = tensorsOf(after.type);
    for (std::size_t i = 0; i < std::min(was.size(), is.size()); ++i) {
        if (!was[i] || !is[i] || was[i]->storage < 0 || is[i]->storage < 0) continue;
        const Place own = ownersBefore_.at(was[i]->storage), other = ownersAfter_.at(is[i]->storage);
        const bool first = own == Place(&before, i), firstNow = other == Place(&after, i);
        const bool same = first || firstNow ? first == firstNow
                                            : own.second == other.second && corresponds_(*own.first, *other.first);
        const auto textOf = [](bool isFirst, const Place& place) {
            return isFirst ? std::string("memory of its own") : "the memory of %" + place.first->name();
        };
        if (same) continue;
        return finding.add({Aspect::aliasing}, "in " + textOf(first, own) + " -> " + textOf(firstNow, other));
    }
}

void NodeComparer::compareSlots(const Node& before, const Node& after, Finding& finding) const {
    if (!before_ || !after_ || before.kind() != NodeKind::output || after.kind() != NodeKind::output) return;
    const auto &was = before_->outputSlots(), &is = after_->outputSlots();
    for (std::size_t i = 0; i < std::min(was.size(), is.size()); ++i) {
        const std::string place = "output " + std::to_string(i);
        finding.add(Aspect::metadata, "role of " + place, std::string(name(was[i].role)),
                    std::string(name(is[i].role)));
        finding.add(Aspect::names, "label of " + place, was[i].label, is[i].label);
    }
}

void NodeComparer::compareSubgraphs(const Node& before, const Node& after, Finding& finding) const {
    const Subgraphs was = subgraphsOf(before), is = subgraphsOf(after);
    for (std::size_t i = 0; i < std::min(was.size(), is.size()); ++i) {
        if (was[i] == is[i]) continue;
        const NodeChange& change = subgraphChange(*was[i], *is[i]);
        if (!change.what.empty()) finding.add(change.aspects, "in @" + is[i]->name() + " " + change.what);
    }
}

const NodeChange& NodeComparer::subgraphChange(const Graph& before, const Graph& after) const {
    const auto [it, isNew] = subgraphs_->try_emplace({&before, &after});
    if (!isNew) return it->second;
    NodeChange all = changeWithin(before, after);
    return subgraphs_->insert_or_assign({&before, &after}, std::move(all)).first->second;
}

NodeChange NodeComparer::changeWithin(const Graph& before, const Graph& after) const {
    std::unordered_map<const Node*, const Node*> twins;
    std::unordered_set<const Node*> paired;
    std::vector<std::pair<const Node*, const Node*>> pairs;
    for (const auto& [left, right] : matchByContent(before, after)) {
        pairs.emplace_back(before.findById(left), after.findById(right));
        twins.emplace(pairs.back());
        paired.insert(pairs.back().second);
    }
    const auto corresponds = [&twins](const Node& a, const Node& b) {
        const auto twin = twins.find(&a);
        return twin != twins.end() && twin->second == &b;
    };
    NodeComparer inner(&before, &after, corresponds, compared_);
    inner.subgraphs_ = subgraphs_;
    ManyChanges all(compared_);
    for (const Node* node : before.nodes())
        if (!twins.contains(node)) all.add({Aspect::operations}, "%" + node->name() + " removed");
    for (const auto& [was, is] : pairs) {
        const NodeChange change = inner.compare(*was, *is);
        const std::string subject = is->kind() == NodeKind::output ? "return" : "%" + is->name();
        if (!change.what.empty()) all.add(change.aspects, subject + ": " + change.what);
    }
    for (const Node* node : after.nodes())
        if (!paired.contains(node)) all.add({Aspect::operations}, "%" + node->name() + " added");
    if (!sameOrder(pairs, after)) all.add({Aspect::order}, "other order of operations");
    return all.take();
}

}  // namespace aotscope
