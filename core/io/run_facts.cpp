#include "io/run_facts.h"

#include "io/metadata_json.h"
#include "io/partition_json.h"
#include "io/tables/guard_table.h"
#include "io/tables/pass_table.h"
#include "io/tables/table_text.h"
#include "ir/provenance.h"
#include "record/options/option_values.h"

#include <nlohmann/json.hpp>

#include <map>

namespace aotscope {

namespace {

using nlohmann::json;

/// The printed names of inputs that are tensor subclasses.
std::map<std::string, std::string> subclassesIn(const CompileRecord& record) {
    std::map<std::string, std::string> found;
    for (const auto& [kind, graph] : record.graphs)
        for (const Node* node : graph->placeholders())
            if (const std::string text = subclassOf(*node); !text.empty())
                found[node->label.empty() ? node->name() : node->label] = text;
    return found;
}

json inputsJson(const CompileRecord& record) {
    json list = json::array();
    const auto subclasses = subclassesIn(record);
    for (const auto& input : record.metadata->inputs) {
        json j = {{"name", input.name},
                  {"role", input.role == Role::userInput ? "user" : std::string(name(input.role))},
                  {"requires_grad", input.requiresGrad}};
        j["shape"] = input.tensor ? json(input.tensor->sizes) : json();
        j["dtype"] = input.tensor ? json(longName(input.tensor->dtype)) : json();
        if (const auto found = subclasses.find(input.name); found != subclasses.end()) j["subclass"] = found->second;
        list.push_back(std::move(j));
    }
    return list;
}

json symbolsJson(const CompileRecord& record) {
    json list = json::array();
    for (const Symbol& symbol : record.symbols)
        list.push_back({{"name", symbol.name},
                        {"hint", symbol.hint},
                        {"min", symbol.min},
                        {"max", symbol.max == Symbol::kNoMax ? json() : json(symbol.max)},
                        {"origin", symbol.origin}});
    return list;
}

json decompositionsJson(const CompileRecord& record) {
    json list = json::array();
    for (const auto& [what, count] : countRewrites(record.rewrites))
        list.push_back({{"op", what.first}, {"rule", what.second}, {"count", count}});
    return list;
}

}  // namespace

json factsOf(const Options& options, const CompileRecord& record) {
    Options held = options;
    held.partition = optionsOn(record, options.partition);
    json facts = {{"options", optionsJson(held)},
                  {"passes", tableJson(passTable(record))},
                  {"guards", tableJson(guardTable(record))},
                  {"symbols", symbolsJson(record)},
                  {"fallbacks", record.fallbacks},
                  {"data_kernels", record.dataKernels},
                  {"decompositions", decompositionsJson(record)}};
    if (record.metadata) {
        facts["inputs"] = inputsJson(record);
        facts["metadata"] = metadataJson(*record.metadata, *record.graphMetadata);
    }
    if (record.partition)
        facts["partition"] = partitionJson(*record.partition, record.graph(GraphKind::joint).get(), held.partition);
    if (!record.error.empty()) facts["error"] = record.error;
    return facts;
}

}  // namespace aotscope
