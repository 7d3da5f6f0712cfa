#include "export/export_graph.h"
#include "io/graph_difference_text.h"
#include "io/partition_text.h"
#include "io/report.h"
#include "cli/partition_command.h"
#include "session/session.h"
#include "support/bounded_json.h"
#include "support/file.h"
#include "support/input_file.h"

#include <iostream>

namespace aotscope {

namespace {

constexpr std::uintmax_t kLargestReport = std::uintmax_t{1} << 30;

/// One side of the comparison: a run, or what is left of it in a report.
struct Operand {
    std::string name;  ///< without a folder
    RunSummary summary;
    std::shared_ptr<const CompileRecord> record;  ///< null: a report
};

/// Null for what is no JSON.
nlohmann::json parsedReport(const std::filesystem::path& path) {
    const std::string text = readInput(path, kLargestReport);
    try {
        return parseBounded(text);
    } catch (const Error& e) {
        throw Error("the report '" + path.string() + "' " + e.what());
    } catch (const nlohmann::json::exception&) {
        return nullptr;
    }
}

/// A report by its name's ending, else a model, compiled with the options of the command line.
Operand read(const std::string& operand, Options options) {
    const std::filesystem::path path(operand);
    if (path.extension() == ".json" || specialFileAt(path) == "a FIFO")
        return {path.filename().string(), summaryOf(parsedReport(path), operand), nullptr};
    options.model = operand;
    const auto record = Session::open(options, {})->record();
    if (!record->error.empty()) throw Error("'" + operand + "': " + record->error);
    return {path.filename().string(), summaryOf(*record), record};
}

/// The graph that the picture is of, if none was named: what was split, or what there is instead.
GraphKind mainGraph(const CompileRecord& record) {
    return record.graph(GraphKind::joint) ? GraphKind::joint : GraphKind::inference;
}

/// Draws what was asked for and returns a line about it.
std::string draw(const Command& command, const std::string& title, const ComparedGraphs& graphs) {
    return exportDifference(graphs, title, command.output, command.picture) + "\n";
}

std::string drawRuns(const Command& command, const Operand& before, const Operand& after) {
    for (const Operand* operand : {&before, &after})
        if (!operand->record)
            throw UsageError("--output " + command.output.string() + ": the report '" + operand->name +
                             "' has no graphs to draw; give the model or a saved session");
    const GraphKind kind =
        command.onlyGraph.empty() ? mainGraph(*before.record) : *graphKindFromName(command.onlyGraph);
    const GraphDifference difference = compareRuns(*before.record, *after.record, kind);
    const std::string title = before.name + " and " + after.name + ": " + std::string(name(kind)) + " graphs";
    return draw(command, title, {difference, *before.record, *after.record});
}

/// Both kinds of difference are printed, and end the program, in one way. `drawn`: empty where nothing was.
int answer(const Command& command, const auto& difference, const std::string& drawn) {
    if (command.json) std::cout << jsonText(differenceJson(difference));
    else std::cout << differenceText(difference) << drawn;
    return command.failOnChange && !difference.empty() ? kDifference : kFine;
}

int differenceOfRuns(const Command& command) {
    const Operand before = read(command.options.model, command.options), after = read(command.other, command.options);
    const RunDifference difference = compare(before.summary, after.summary, command.onlyGraph);
    return answer(command, difference, command.output.empty() ? "" : drawRuns(command, before, after));
}

int differenceOfPasses(const Command& command) {
    const auto record = Session::open(command.options, {})->record();
    const PassGraph from = graphNamed(*record, command.passes->from), to = graphNamed(*record, command.passes->to);
    const GraphDifference difference = compareGraphs(*record, from.graph, from.kind, to.graph, to.kind);
    const std::string title =
        record->model.name + ": difference from " + command.passes->from + " to " + command.passes->to;
    return answer(command, difference,
                  command.output.empty() ? "" : draw(command, title, {difference, *record, *record}));
}

}  // namespace

int showDifference(const Command& command) {
    if (!command.output.empty()) requirePictureFormat(command.output);
    return command.passes ? differenceOfPasses(command) : differenceOfRuns(command);
}

}  // namespace aotscope
