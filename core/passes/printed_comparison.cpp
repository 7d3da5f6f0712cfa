#include "passes/printed_comparison.h"

#include "load/printed/syntax/python_faults.h"
#include "support/names.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <unordered_set>

namespace aotscope {

namespace {

constexpr std::array kHalves = {GraphKind::forward, GraphKind::backward};

/// Operations whose numbers differ between the graphs: "aten.mm.default 3 and 2".
std::string differentOperations(const Graph& ours, const Graph& printed) {
    auto a = opHistogram(ours), b = opHistogram(printed);
    std::string text;
    for (const auto& [op, count] : b) a.try_emplace(op, 0);
    for (const auto& [op, count] : a)
        if (count != b[op])
            text += (text.empty() ? "" : ", ") + op + " " + std::to_string(count) + " and " + std::to_string(b[op]);
    return text;
}

std::string joinedNames(const std::set<std::string>& names) {
    constexpr std::size_t most = 12;
    std::string text;
    std::size_t count = 0;
    for (const std::string& name : names) {
        if (count++ == most) return text + " and " + std::to_string(names.size() - most) + " more";
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

std::set<std::string> without(const std::set<std::string>& names, const std::set<std::string>& others) {
    std::set<std::string> rest;
    std::ranges::set_difference(names, others, std::inserter(rest, rest.end()));
    return rest;
}

class Comparison {
public:
    Comparison(const CompileRecord& record, const PrintedFamily& family) : record_(record), family_(family) {
        if (const auto backward = printed(GraphKind::backward))
            for (const Node* node : backward->placeholders()) {
                if (node->role == Role::savedSymint) savedSizes_.insert(node->name());
                if (node->role == Role::savedSymint || node->role == Role::saved) savedThere_.insert(node->name());
            }
        if (record.partition)
            for (const SavedValue& value : record.partition->saved) savedHere_.insert(value.name);
    }

    PrintedComparison run() {
        for (const GraphKind kind : kHalves) compareOperations(kind);
        compareSaved();
        explainRewriting();
        if (found_.different.empty()) return std::move(found_);
        explainRunningStatistics();
        explainCopies();
        explainSizes();
        explainRandomStates();
        return std::move(found_);
    }

private:
    const Graph* printed(GraphKind kind) const {
        const auto it = family_.graphs.find(kind);
        return it == family_.graphs.end() ? nullptr : it->second.get();
    }

    void compareOperations(GraphKind kind) {
        const Graph* theirs = printed(kind);
        const auto ours = record_.graph(kind);
        if (!theirs || !ours) return;
        const auto difference = differentOperations(*ours, *theirs);
        (difference.empty() ? found_.equal : found_.different)
            .push_back(std::string(name(kind)) + ": " + counted(ours->callCount(), "operation") + " here, " +
                       std::to_string(theirs->callCount()) + " in the printed one; " +
                       (difference.empty() ? "the same operations" : "different (here and there): " + difference));
    }

    void compareSaved() {
        if (!printed(GraphKind::backward) || !record_.partition) return;
        const auto here = without(savedHere_, savedThere_), there = without(savedThere_, savedHere_);
        std::string text = "saved for backward: " + counted(savedHere_.size(), "value") + " here, " +
                           std::to_string(savedThere_.size()) + " in the printed graphs; ";
        if (here.empty() && there.empty()) text += "the same values";
        if (!here.empty()) text += "only here: " + joinedNames(here);
        if (!there.empty()) text += std::string(here.empty() ? "" : "; ") + "only there: " + joinedNames(there);
        (here.empty() && there.empty() ? found_.equal : found_.different).push_back(std::move(text));
    }

    /// Inductor rewrites the joint graph after it was printed.
    void explainRewriting() {
        const std::string why =
            "Inductor rewrites the joint graph before it partitions it, and does not print the "
            "result; its partition cannot be the same";
        if (const auto added = addedOperations(); !added.empty())
            found_.different.push_back(
                "the printed halves have operations that the printed joint graph does not have (" + joinedNames(added) +
                "): " + why);
        else if (const auto removed = removedOperations(); !found_.different.empty() && !removed.empty())
            found_.different.push_back("the printed halves lack operations of the printed joint graph (" +
                                       joinedNames(removed) + "): " + why);
    }

    std::set<std::string> addedOperations() const {
        const auto known = opHistogram(*printed(GraphKind::joint));
        std::set<std::string> added;
        for (const GraphKind kind : kHalves)
            if (const Graph* half = printed(kind))
                for (const auto& [op, count] : opHistogram(*half))
                    if (!known.contains(op) && !op.starts_with("higher_order.run_")) added.insert(op);
        return added;
    }

    /// Those removed from the joint graph as dead code and common subexpressions; a partition has all of them.
    std::set<std::string> removedOperations() const {
        const auto joint = record_.graph(GraphKind::joint);
        const bool decomposed = std::ranges::count(record_.passes, PassId::decompose, &PassRecord::id) > 0;
        if (!joint || !printed(GraphKind::forward) || !printed(GraphKind::backward) || decomposed || repeatsDraws())
            return {};
        std::unordered_set<NodeId> kept;
        for (const GraphKind kind : kHalves)
            for (const Node* node : printed(kind)->nodes()) kept.insert(node->id());
        std::set<std::string> removed;
        for (const Node* node : joint->nodes())
            if (node->kind() == NodeKind::call && !kept.contains(node->id())) removed.insert(node->op());
        return removed;
    }

    /// They are arguments of batch norm's backward, which reads those of the batch in training mode.
    void explainRunningStatistics() {
        std::set<std::string> values;
        for (const Node* node : printed(GraphKind::joint)->nodes())
            for (const Node* input : node->inputs())
                if (takesUnread(*node, *input)) values.insert(input->name());
        if (!values.empty())
            found_.different.push_back("Python's backward takes the running statistics of batch norm (" +
                                       joinedNames(values) +
                                       "), which it does not read in training; here it does without them");
    }

    /// Copies are saved for inputs that the forward itself overwrites.
    void explainCopies() {
        const auto forward = record_.graph(GraphKind::forward), joint = record_.graph(GraphKind::joint);
        std::set<std::string> inputs;
        for (const Argument& output : forward ? forward->outputs() : std::vector<Argument>()) {
            const Node* node = output.node();
            if (node && node->isCall("aten.clone.default") && !joint->findById(node->id()) && node->args()[0].node())
                inputs.insert(node->args()[0].node()->name());
        }
        if (!inputs.empty())
            found_.different.push_back(
                "Python saves inputs that its forward overwrites afterwards (" + joinedNames(inputs) +
                "), so that its backward reads the new values; here copies from before are saved");
    }

    void explainSizes() {
        const auto sizes = without(savedSizes_, savedHere_);
        if (!sizes.empty())
            found_.different.push_back("Python saves the sizes of saved tensors (" + joinedNames(sizes) +
                                       ") for code that is generated later; here the backward does not need them");
    }

    /// Python wraps random operations that the backward repeats.
    bool repeatsDraws() const {
        const Graph* forward = printed(GraphKind::forward);
        return forward && opHistogram(*forward).contains("higher_order.run_and_save_rng_state");
    }

    void explainRandomStates() {
        if (repeatsDraws())
            found_.different.push_back(
                "Python runs a random operation that the backward repeats within run_and_save_rng_state; here its RNG "
                "state is a node of its own, rng_state");
    }

    const CompileRecord& record_;
    const PrintedFamily& family_;
    std::set<std::string> savedHere_, savedThere_, savedSizes_;
    PrintedComparison found_;
};

}  // namespace

PrintedComparison compareWithPrinted(const CompileRecord& record, const PrintedFamily& family) {
    return Comparison(record, family).run();
}

}  // namespace aotscope
