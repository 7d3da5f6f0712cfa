#include "record/graph_options.h"

#include "ops/collectives.h"
#include "record/options/option_use.h"

#include <algorithm>

namespace aotscope {

namespace {

bool exchange(const CompileRecord& record) {
    return std::ranges::any_of(record.graphs, [](const auto& graph) {
        return std::ranges::any_of(graph.second->nodes(), [](const Node* node) { return communicates(node->op()); });
    });
}

std::string whyNotPartitioned(const CompileRecord& record) {
    const std::string why = record.metadata ? record.metadata->whyAutograd : std::string();
    return "there is no backward to partition for" + (why.empty() ? "" : " (" + why + ")") + "; leave it out";
}

}  // namespace

void useForGraphs(const Options& options, const CompileRecord& record) {
    if (!options.given) return;
    const bool ranks = exchange(record), partition = record.partition != nullptr;
    const bool estimates = options.plans(GivenOptions::Purpose::estimate);
    for (const OptionEntry& entry : optionTable()) {
        const bool applies = !entry.needs || entry.needs(options).empty();
        if (entry.group == "Ranks" && ranks && applies && (estimates || entry.name() != "--links"))
            options.use(entry.name());
        if (entry.group == "Ranks" && !ranks)
            options.given->explain(entry.name(), "the graphs have no collectives; leave it out");
        if (entry.group != "Partition") continue;
        const bool ofAnyGraph = !entry.needs;
        if ((partition || ofAnyGraph) && applies) options.use(entry.name());
        if (!partition && !ofAnyGraph) options.given->explain(entry.name(), whyNotPartitioned(record));
    }
}

void useForPrintedRun(const Options& options, const CompileRecord& record) {
    if (!options.plans(GivenOptions::Purpose::run)) {
        for (const OptionEntry& entry : optionTable())
            if (entry.ofExecution || entry.name() == "--inputs" || entry.name() == "--plugin")
                options.given->explain(entry.name(), "it is for runs, and nothing runs here; leave it out");
        return;
    }
    options.use({"--inputs", "--seed"});
    useCompilers(options, executedGraphs(record).size() > 1);
}

}  // namespace aotscope
