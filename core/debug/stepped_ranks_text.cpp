#include "debug/stepped_ranks_text.h"

#include "debug/debugger.h"
#include "io/tables/text_table.h"
#include "support/names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace aotscope {

namespace {

bool sameNumber(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// "[1, 2]" of a row-major element.
std::string elementText(std::size_t element, const std::vector<std::int64_t>& sizes) {
    std::vector<std::string> indices;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        const auto size = static_cast<std::size_t>(std::max<std::int64_t>(sizes[i], 1));
        indices.push_back(std::to_string(element % size));
        element /= size;
    }
    std::string text = "[";
    for (std::size_t i = indices.size(); i-- > 0;) text += indices[i] + (i > 0 ? ", " : "");
    return text + "]";
}

/// The index of the first of the leading elements that differs; their number if none does.
std::size_t firstDifferent(const ValueFacts& first, const ValueFacts& own) {
    const std::size_t count = std::min(first.first.size(), own.first.size());
    for (std::size_t i = 0; i < count; ++i)
        if (!sameNumber(first.first[i], own.first[i])) return i;
    return count;
}

std::vector<const ValueFacts*> pointersTo(const std::vector<std::optional<ValueFacts>>& values) {
    std::vector<const ValueFacts*> pointers;
    for (const auto& value : values) pointers.push_back(value ? &*value : nullptr);
    return pointers;
}

}  // namespace

std::string stopText(const DebugStop& stop) {
    const std::string reason(name(stop.reason));
    return stop.text.starts_with(reason + " ") ? stop.text : reason + ": " + stop.text;
}

std::string positionText(const DebugPosition& position, const CompileRecord& record) {
    const std::string graph(name(position.graph));
    if (position.ended()) return "the " + graph + " has ended";
    return graph + ", step " + std::to_string(position.step + 1) + " of " + std::to_string(position.steps) + ", %" +
           record.graph(position.graph)->findById(position.node)->name() + " is next";
}

std::string positionsText(const Debugger& run) {
    std::map<std::string, std::string> ranks;
    std::vector<std::string> order;
    for (std::size_t i = 0; i < run.ranks(); ++i) {
        std::string text = positionText(run.state().ranks[i].position, run.record(i));
        if (!run.state().ranks[i].waits.empty()) text += ", which waits for other ranks";
        if (!ranks.contains(text)) order.push_back(text);
        ranks[text] += (ranks[text].empty() ? "" : ", ") + std::to_string(i);
    }
    std::string all;
    for (const std::string& text : order)
        all += "rank" + std::string(ranks[text].find(',') == std::string::npos ? " " : "s ") + ranks[text] + ": " +
               text + "\n";
    return all;
}

const ValueFacts* firstKnown(const std::vector<const ValueFacts*>& values) {
    const auto found = std::ranges::find_if(values, [](const ValueFacts* value) { return value != nullptr; });
    return found == values.end() ? nullptr : *found;
}

bool sameValue(const ValueFacts& first, const ValueFacts& own) {
    return first.type == own.type && firstDifferent(first, own) == std::min(first.first.size(), own.first.size()) &&
           first.nans == own.nans && first.infs == own.infs && first.zeros == own.zeros &&
           sameNumber(first.min, own.min) && sameNumber(first.max, own.max) && sameNumber(first.mean, own.mean) &&
           sameNumber(first.deviation, own.deviation);
}

std::string valueDifference(const ValueFacts& first, const ValueFacts& own) {
    if (sameValue(first, own)) return "equal";
    if (first.type != own.type) return own.type + ", not " + first.type;
    const std::size_t i = firstDifferent(first, own);
    if (i < std::min(first.first.size(), own.first.size()))
        return (own.sizes.empty() ? std::string() : elementText(i, own.sizes) + " ") + "is " +
               numberText(own.first[i]) + ", not " + numberText(first.first[i]);
    return "behind the first " + counted(first.first.size(), "element");
}

std::string rankValuesText(const std::vector<std::optional<ValueFacts>>& values) {
    std::vector<std::vector<std::string>> rows = {{"rank", "type", "min", "max", "mean", "deviation", "differs"}};
    const ValueFacts* first = firstKnown(pointersTo(values));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i]) {
            rows.push_back({std::to_string(i), "no value yet", "", "", "", "", ""});
            continue;
        }
        const ValueFacts& own = *values[i];
        std::string difference = &own == first ? "" : valueDifference(*first, own);
        if (own.nans > 0) difference += (difference.empty() ? "" : "; ") + std::to_string(own.nans) + " NaN";
        if (own.infs > 0) difference += (difference.empty() ? "" : "; ") + std::to_string(own.infs) + " infinite";
        rows.push_back({std::to_string(i), own.type, numberText(own.min), numberText(own.max), numberText(own.mean),
                        numberText(own.deviation), difference});
    }
    return textTable(rows);
}

std::string steppedRanksText(const Debugger& run, const std::vector<std::pair<GraphKind, std::string>>& nodes) {
    std::string text = stopText(run.lastStop()) + "\n" + positionsText(run);
    for (const auto& [graph, node] : nodes)
        text += "\n" + std::string(name(graph)) + " %" + node + "\n" + rankValuesText(run.values(graph, node));
    return text;
}

nlohmann::json steppedRanksJson(const Debugger& run, const std::vector<std::pair<GraphKind, std::string>>& nodes) {
    nlohmann::json ranks = nlohmann::json::array(), values = nlohmann::json::array();
    for (std::size_t i = 0; i < run.ranks(); ++i) {
        const auto& [at, waits] = run.state().ranks[i];
        const Node* next = at.ended() ? nullptr : run.record(i).graph(at.graph)->findById(at.node);
        ranks.push_back({{"graph", name(at.graph)},
                         {"step", at.step},
                         {"steps", at.steps},
                         {"node", next ? nlohmann::json(next->name()) : nlohmann::json()},
                         {"waits_for", waits}});
    }
    for (const auto& [graph, node] : nodes) {
        const auto found = run.values(graph, node);
        const ValueFacts* first = firstKnown(pointersTo(found));
        nlohmann::json each = nlohmann::json::array();
        for (const auto& value : found)
            each.push_back(!value ? nlohmann::json()
                                  : nlohmann::json{{"type", value->type},
                                                   {"min", value->min},
                                                   {"max", value->max},
                                                   {"mean", value->mean},
                                                   {"std", value->deviation},
                                                   {"nans", value->nans},
                                                   {"infs", value->infs},
                                                   {"first", value->first},
                                                   {"differs", valueDifference(*first, *value)}});
        values.push_back({{"graph", name(graph)}, {"node", node}, {"ranks", std::move(each)}});
    }
    return {
        {"schema", 1},
        {"stop",
         {{"reason", name(run.lastStop().reason)}, {"text", run.lastStop().text}, {"ranks", run.state().stoppedBy}}},
        {"positions", std::move(ranks)},
        {"values", std::move(values)}};
}

}  // namespace aotscope
