#include "io/ranks/rank_comparison.h"

#include "io/ranks/rank_collectives.h"
#include "io/ranks/rank_nodes.h"
#include "io/report_reader.h"
#include "ir/printer.h"
#include "support/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace aotscope {

namespace {

constexpr std::size_t kMostUnshared = 12, kLongestNode = 300;

std::string nodeText(const Node& node) {
    std::string text = node.kind() == NodeKind::output ? "return (" + printArguments(node) + ")" : printNode(node);
    if (text.size() > kLongestNode) text = text.substr(0, kLongestNode) + "...";
    return text;
}

class RecordsOfRanks {
public:
    RecordsOfRanks(const std::vector<ComparedRank>& ranks, const std::string& compile)
        : ranks_(ranks), compile_(compile) {}

    std::vector<RankDifference> compare(RankGraphs which) {
        const bool logged = which == RankGraphs::logged;
        if (logged) compareGraphs({GraphKind::source});
        const bool any =
            compareGraphs({GraphKind::joint, GraphKind::forward, GraphKind::backward, GraphKind::inference});
        if (!any && !logged) compareGraphs({GraphKind::source, GraphKind::preFunctionalization, GraphKind::functional});
        if (logged)
            for (const GraphKind kind : {GraphKind::forward, GraphKind::backward, GraphKind::inference})
                compareGraph(kind, graphsOf(kind, PassId::postGrad), /*postGrad=*/true);
        for (RankDifference& difference : unlikeCollectives(ranks_)) found_.push_back(std::move(difference));
        compareSaved();
        compareSymbols();
        for (RankDifference& difference : found_) difference.compile = compile_;
        return std::move(found_);
    }

private:
    /// False if no rank has any of these graphs.
    bool compareGraphs(const std::vector<GraphKind>& kinds) {
        bool any = false;
        for (const GraphKind kind : kinds) any = compareGraph(kind, graphsOf(kind, std::nullopt)) || any;
        return any;
    }

    /// The graph after a pass, or the final one; null on ranks without it.
    std::vector<const Graph*> graphsOf(GraphKind kind, std::optional<PassId> pass) const {
        std::vector<const Graph*> graphs;
        for (const ComparedRank& rank : ranks_) {
            graphs.push_back(pass ? nullptr : rank.record->graph(kind).get());
            for (const PassRecord& each : rank.record->passes)
                for (const auto& [own, graph] : each.graphs)
                    if (each.id == pass && own == kind) graphs.back() = graph.get();
        }
        return graphs;
    }

    bool compareGraph(GraphKind kind, const std::vector<const Graph*>& graphs, bool postGrad = false) {
        if (std::ranges::none_of(graphs, [](const Graph* graph) { return graph != nullptr; })) return false;
        if (std::ranges::find(graphs, nullptr) != graphs.end()) {
            RankDifference difference{RankDifference::Kind::graph, {}, kind, {}, {}, {}, postGrad};
            for (const Graph* graph : graphs) difference.each.push_back({graph ? "has it" : ""});
            addFirst(std::move(difference));
            return true;
        }
        UnlikePlaces first;
        const auto earlier = [](std::optional<std::size_t>& place, std::optional<std::size_t> other) {
            if (other && (!place || *other < *place)) place = other;
        };
        for (std::size_t i = 1; i < graphs.size(); ++i) {
            const UnlikePlaces found = compareNodes(*graphs[0], *graphs[i]);
            earlier(first.structure, found.structure);
            earlier(first.sizes, found.sizes);
            earlier(first.values, found.values);
        }
        const auto noteAt = [&](RankDifference::Kind what, std::optional<std::size_t> place) {
            if (place) note({what, {}, kind, {}, {}, {}, postGrad}, graphs, *place);
        };
        noteAt(RankDifference::Kind::graph, first.structure);
        noteAt(RankDifference::Kind::sizes, first.sizes);
        noteAt(RankDifference::Kind::values, first.values);
        return true;
    }

    void note(RankDifference difference, const std::vector<const Graph*>& graphs, std::size_t place) {
        for (const Graph* graph : graphs) {
            const Node* node = place < graph->size() ? graph->at(place) : nullptr;
            difference.each.push_back(node ? RankDifference::Place{nodeText(*node), node->id(), *difference.graph}
                                           : RankDifference::Place());
            if (node && difference.node.empty())
                difference.node = node->kind() == NodeKind::output ? "the outputs" : "%" + node->name();
        }
        addFirst(std::move(difference));
    }

    /// Graphs that derive from one another differ in the same way: only the first is shown.
    void addFirst(RankDifference difference) {
        if (std::ranges::none_of(found_, [&](const auto& known) { return known.kind == difference.kind; }))
            found_.push_back(std::move(difference));
    }

    void compareSaved() {
        std::vector<std::set<std::string>> sets;
        for (const ComparedRank& rank : ranks_) {
            std::set<std::string> names;
            if (rank.record->partition)
                for (const SavedValue& value : rank.record->partition->saved) names.insert(value.name);
            sets.push_back(std::move(names));
        }
        const auto inAll = [&](const std::string& name) {
            return std::ranges::all_of(sets, [&](const auto& set) { return set.contains(name); });
        };
        RankDifference difference{RankDifference::Kind::saved, {}, {}, {}, {}};
        bool any = false;
        for (const auto& set : sets) {
            std::string own;
            std::size_t count = 0;
            for (const std::string& name : set)
                if (!inAll(name) && ++count <= kMostUnshared) own += (own.empty() ? "%" : ", %") + name;
            if (count > kMostUnshared) own += ", ...";
            any = any || count > 0;
            difference.each.push_back({std::move(own)});
        }
        if (any) found_.push_back(std::move(difference));
    }

    void compareSymbols() {
        for (const Symbol& symbol : ranks_.front().record->symbols) {
            RankDifference difference{RankDifference::Kind::values, {}, {}, symbol.name, {}};
            for (const ComparedRank& rank : ranks_) {
                const auto& symbols = rank.record->symbols;
                const auto own = std::ranges::find(symbols, symbol.name, &Symbol::name);
                difference.each.push_back(
                    {own == symbols.end() ? "" : symbol.name + " = " + std::to_string(own->hint)});
            }
            if (std::ranges::all_of(difference.each,
                                    [&](const auto& place) { return place.text == difference.each[0].text; }))
                continue;
            return addFirst(std::move(difference));
        }
    }

    const std::vector<ComparedRank>& ranks_;
    const std::string& compile_;
    std::vector<RankDifference> found_;
};

}  // namespace

std::vector<RankDifference> differencesOf(const std::vector<ComparedRank>& ranks, RankGraphs graphs,
                                          const std::string& compile) {
    if (ranks.size() < 2) return {};
    return RecordsOfRanks(ranks, compile).compare(graphs);
}

ComparedRank rankOfReport(const nlohmann::json& report, const std::string& where) {
    const ReportedRun run = readReport(report, where);
    if (!run.unread.empty()) throw Error("the report '" + where + "': " + run.unread.front());
    WorldShape world;
    try {
        if (const auto found = report.find("communication"); found != report.end())
            world = {found->at("world_size").get<std::uint64_t>(), found->at("rank").get<std::uint64_t>(), {}};
        requireSound(world);
    } catch (const nlohmann::json::exception&) {
        throw Error("'" + where + "' is not a report; expected a file written by 'aotscope run MODEL --report FILE'");
    } catch (const Error& e) {
        throw Error("the report '" + where + "': " + e.what());
    }
    return {{}, world, run.record};
}

}  // namespace aotscope
