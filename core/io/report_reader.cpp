#include "io/report_reader.h"

#include "ir/parser.h"
#include "record/options/plan_file.h"
#include "support/error.h"
#include "support/json/bounded_json.h"
#include "support/quoted.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

using nlohmann::json;

std::shared_ptr<const Graph> graphOf(const std::string& kind, const std::string& text) {
    try {
        return parseGraph(text);
    } catch (const Error& e) {
        throw Error("its graph " + inQuotes(kind) + ": " + e.what());
    }
}

void readGraphs(const json& graphs, CompileRecord& record, ReportedRun& run) {
    for (const auto& [kind, content] : graphs.items()) {
        const auto known = graphKindFromName(kind);
        const auto exact = content.find("full_text"), text = content.find("text");
        const bool isExact = exact != content.end();
        if (!isExact) run.exact = false;
        if (!isExact && text == content.end()) {
            if (!content.contains("ops"))
                throw Error("its graph " + inQuotes(kind) + " has neither a text nor operations");
            run.hasNodes = false;
        } else if (known) {
            try {
                record.graphs[*known] = graphOf(kind, (isExact ? *exact : *text).get<std::string>());
            } catch (const Error& e) {
                run.unread.emplace_back(e.what());
            }
        }
    }
}

/// The value in the graph that was split, or in the forward; null if it is in neither.
const Node* valueNamed(const CompileRecord& record, const std::string& name) {
    for (const GraphKind kind : {GraphKind::joint, GraphKind::forward})
        if (const auto graph = record.graph(kind))
            if (const Node* node = graph->findByName(name)) return node;
    return nullptr;
}

std::shared_ptr<const Partition> partitionOf(const json& partition, const CompileRecord& record) {
    auto read = std::make_shared<Partition>();
    for (const json& value : partition.at("saved")) {
        SavedValue& saved = read->saved.emplace_back();
        saved.name = value.at("name").get<std::string>();
        saved.op = value.value("op", std::string());
        saved.reason = value.value("reason", std::string());
        if (const Node* node = valueNamed(record, saved.name)) {
            saved.node = node->id();
            if (const TensorType* type = node->type.tensor()) saved.type = *type;
        }
    }
    for (const json& value : partition.value("recomputed", json::array())) {
        RecomputedValue& again = read->recomputed.emplace_back();
        again.name = value.at("name").get<std::string>();
        again.op = value.value("op", std::string());
        again.bytes = value.value("bytes", std::int64_t{0});
        if (const Node* node = valueNamed(record, again.name)) again.node = node->id();
    }
    return read;
}

}  // namespace

ReportedRun readReport(const json& report, const std::string& where) {
    requireKnownSchema(report, kReportSchema, "the report '" + where + "': ");
    const auto record = std::make_shared<CompileRecord>();
    ReportedRun run{record};
    try {
        readGraphs(report.at("graphs"), *record, run);
        if (const auto model = report.find("model"); model != report.end())
            record->model.name = model->value("name", std::string());
        record->model.torchVersion = report.value("torch", std::string());
        for (const auto& symbol : report.value("symbols", json::array())) {
            Symbol& read = record->symbols.emplace_back();
            read.name = symbol.at("name").get<std::string>();
            read.hint = symbol.at("hint").get<std::int64_t>();
        }
        if (const auto found = report.find("partition"); found != report.end())
            record->partition = partitionOf(*found, *record);
        return run;
    } catch (const json::exception&) {
        throw Error("'" + where + "' is not a report; expected a file written by 'aotscope run MODEL --report FILE'");
    } catch (const Error& e) {
        throw Error("the report '" + where + "': " + e.what());
    }
}

}  // namespace aotscope
