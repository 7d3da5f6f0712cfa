#include "io/history_text.h"

#include "io/tables/table_text.h"
#include "support/error.h"
#include "support/names.h"

namespace aotscope {

namespace {

using State = HistoryStep::State;

std::string passIn(const CompileRecord& record, const HistoryStep& step) {
    return step.where.pass < record.passes.size() ? std::string(name(record.passes[step.where.pass]))
                                                  : std::string(name(step.where.kind));
}

/// Accepts "%add_3" with or without the sign, or the name of an input in the program.
const Node* nodeNamed(const Graph& graph, std::string_view wanted) {
    for (std::size_t i = 0; i < graph.size(); ++i)
        if (graph.at(i)->name() == wanted || (!wanted.empty() && graph.at(i)->label == wanted)) return graph.at(i);
    return nullptr;
}

}  // namespace

Table historyTable(const CompileRecord& record, const std::vector<HistoryStep>& steps) {
    Table table{"history",
                {{"pass", "pass", "that made the graph"},
                 {"graph", "graph", "which of the graphs of a run"},
                 {"state", "state", "what happened to the node"},
                 {"node", "node", "as the graph has it"},
                 {"change", "", "what the pass changed in it"}}};
    for (const HistoryStep& step : steps) {
        if (step.state == State::absent) continue;
        const std::string both = step.change + (step.change.empty() || step.text.empty() ? "" : "; ") + step.text;
        table.add(passIn(record, step), name(step.where.kind), name(step.state), Table::Cell(step.text, both),
                  step.change);
    }
    return table;
}

std::string historyText(const CompileRecord& record, const std::vector<HistoryStep>& steps) {
    std::vector<HistoryStep> told;
    std::string introduced;
    std::size_t unchanged = 0;
    for (const HistoryStep& step : steps) {
        if (step.state == State::absent) continue;
        if (step.state == State::unchanged) {
            ++unchanged;
            continue;
        }
        if (step.state == State::appears && introduced.empty())
            introduced = step.where.pass == 0 ? "there from the start" : "introduced by " + passIn(record, step);
        told.push_back(step);
        if (step.state == State::gone) break;
    }
    std::string text = tableText(historyTable(record, told)) + introduced;
    if (unchanged > 0) text += "; left unchanged in " + counted(unchanged, "other graph");
    return text + "\n";
}

std::vector<HistoryStep> historyOfName(const std::shared_ptr<const CompileRecord>& record, const std::string& node) {
    const std::string wanted = node.starts_with('%') ? node.substr(1) : node;
    const auto graphs = graphsOf(*record);
    for (const PassGraph& where : graphs)
        if (const Node* found = nodeNamed(*where.graph, wanted)) {
            NodeFollower follower(record);
            return historyOf(follower, where.graph, where.kind, found->id());
        }
    std::vector<std::string> names;
    for (const PassGraph& where : graphs)
        if (names.empty() || where.graph == graphs.back().graph)
            for (const Node* known : where.graph->nodes()) names.push_back(known->name());
    const auto similar = similarNames(wanted, names);
    throw UsageError("--node " + node + ": no graph of this run has such a node" +
                     (similar.empty() ? "" : "; similar names are " + quotedNames(similar)));
}

}  // namespace aotscope
