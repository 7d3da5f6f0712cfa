#include "cli/exit_code.h"
#include "cli/graph_names.h"
#include "cli/options_in_text.h"
#include "cli/pass_range.h"
#include "cli/picture_flags.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "export/export_graph.h"
#include "io/differences/difference_table.h"
#include "io/differences/graph_difference_text.h"
#include "io/differences/run_difference_text.h"
#include "io/report.h"
#include "record/options/option_use.h"
#include "session/engine.h"
#include "support/file.h"
#include "support/input_file.h"
#include "support/joined.h"
#include "support/json/bounded_json.h"
#include "support/json/json_text.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <optional>
#include <sstream>

namespace aotscope {

namespace {

constexpr std::uintmax_t kLargestReport = std::uintmax_t{1} << 30;

constexpr const char* kReports = "reports are compared as they are; give the model or a saved session";

/// One side of the comparison: a run, or its report.
struct Operand {
    std::string name;  ///< without a folder
    ComparedRun run;
    std::shared_ptr<const Session> session;  ///< null: a report
};

/// Null if the file is not JSON.
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

/// A report if the name ends like one, otherwise a model, compiled with the options of the command line.
Operand read(const std::string& operand, Options options, const Engine& engine) {
    const std::filesystem::path path(operand);
    if (path.extension() == ".json" || operand == "-" || specialFileAt(path) == "a FIFO")
        return {path.filename().string(), comparedReport(parsedReport(path), operand)};
    options.model = operand;
    const auto session = engine.open(options, {});
    const auto record = session->record();
    if (!record->error.empty()) throw Error("'" + operand + "': " + record->error);
    return {path.filename().string(), comparedRun(session->options(), record), session};
}

/// The graph to draw if none was named: the partitioned one, or what exists instead.
GraphKind mainGraph(const CompileRecord& record) {
    return record.graph(GraphKind::joint) ? GraphKind::joint : GraphKind::inference;
}

std::string aspectNames() {
    return joined(aspects(), ", ", [](const AspectInfo& info) { return info.name; });
}

/// "names,order".
AspectSet aspectsIn(const std::vector<std::string>& texts) {
    AspectSet set;
    for (const std::string& text : texts) {
        std::istringstream words(text);
        for (std::string word; std::getline(words, word, ',');) {
            const auto aspect = aspectFromName(word);
            if (!aspect) throw UsageError("--ignore " + word + ": expected one of " + aspectNames());
            set.add(*aspect);
        }
    }
    return set;
}

class DiffCommand final : public Subcommand {
public:
    explicit DiffCommand(CLI::App& parent);

    void check(Options& options) override;
    std::vector<NamedFile> otherFilesRead() const override;
    std::vector<NamedFile> filesWritten() const override { return {{"--output", output_}}; }
    int run(const Options& options) override;

private:
    int compareModels(const Options& options) const;
    int comparePasses(const Options& options) const;
    std::string draw(const std::string& title, const ComparedGraphs& graphs) const;
    std::string drawRuns(const RunDifference& difference, const Operand& before, const Operand& after) const;
    /// Prints a difference of either kind. `drawn`: a line about the picture; empty: no picture.
    int answer(const auto& difference, const std::string& drawn) const;

    std::string other_;                ///< a model or a report, MODEL being the first
    std::string againstText_;          ///< as typed
    std::optional<Options> against_;   ///< of the other side; nothing: those of the first
    std::string passesText_, graph_;   ///< as typed
    std::optional<PassRange> passes_;  ///< two passes of one run instead
    std::filesystem::path output_;     ///< a picture or a program; empty: not written
    PictureStyle picture_;
    std::vector<std::string> ignoredTexts_;  ///< as typed
    AspectSet ignored_;
    TableFlags format_;
    bool failOnChange_ = false;
};

DiffCommand::DiffCommand(CLI::App& parent)
    : Subcommand(parent, "diff", "compare two models, two reports or two passes",
                 "aotscope diff before.json after.json --fail-on-change\n  aotscope diff sample:gpt2 --against "
                 "'--torch 2.15'\n  aotscope diff sample:gpt2 --passes "
                 "functional..joint --depth 2 -o diff.html",
                 Takes::model) {
    app_.add_option("OTHER", other_, "the other model, or the other report (.json)");
    CLI::Option* against =
        app_.add_option(
                "--against", againstText_,
                "options of the other model, which replace those that were given, as in '--torch 2.15'; without "
                "OTHER, it is MODEL")
            ->type_name("\"OPTIONS\"");
    app_.add_option("--passes", passesText_,
                    "compare the graphs of two passes of MODEL instead; FROM and TO: a pass (see 'aotscope passes'), "
                    "or forward, backward")
        ->type_name("FROM..TO")
        ->excludes("OTHER")
        ->excludes(against);
    app_.add_option(
            "--graph", graph_,
            "compare only the operations of this graph, and draw it; default: compare all, draw the joint graph")
        ->type_name(graphNames("|"))
        ->excludes("--passes");
    app_.add_option("-o,--output", output_,
                    "also draw both graphs as one picture that marks what is added, removed, replaced, changed or "
                    "moved; .py: write a Python program that calls both and compares their results")
        ->type_name("FILE.svg|png|pdf|html|py");
    for (CLI::Option* option : {addPalette(app_, picture_), addDepth(app_, picture_)})
        if (option) option->needs("--output");
    app_.add_option("--ignore", ignoredTexts_,
                    "do not count these as differences, separated by commas: " + aspectNames() + " (repeatable)")
        ->type_name("ASPECTS")
        ->allow_extra_args(false);
    format_.addTo(app_);
    app_.add_flag("--fail-on-change", failOnChange_, "exit with code 3 if there is a difference");
}

void DiffCommand::check(Options& options) {
    ignored_ = aspectsIn(ignoredTexts_);
    if (given("--passes")) passes_ = parsePassRange(passesText_);
    if (given("--against")) against_ = variantOptions({app_.get_parent(), &app_}, againstText_);
    if (against_ && other_.empty()) other_ = against_->model;
    else if (against_ && against_->model != options.model)
        throw UsageError("--against \"" + againstText_ + "\": the other model is '" + other_ +
                         "' already; leave one of them out");
    if (other_.empty() && !passes_)
        throw UsageError("expected a second model or report after '" + options.model +
                         "', --against OPTIONS, or --passes FROM..TO; see 'aotscope diff --help'");
    if (!graph_.empty()) requireGraphName(graph_);
}

std::vector<NamedFile> DiffCommand::otherFilesRead() const {
    std::vector<NamedFile> files = against_ ? filesRead(*against_) : std::vector<NamedFile>{};
    files.push_back({"OTHER", other_});
    return files;
}

std::string DiffCommand::draw(const std::string& title, const ComparedGraphs& graphs) const {
    return exportDifference(graphs, title, output_, picture_) + "\n";
}

std::string DiffCommand::drawRuns(const RunDifference& difference, const Operand& before, const Operand& after) const {
    for (const Operand* operand : {&before, &after})
        if (!operand->run.hasNodes)
            throw UsageError("--output " + output_.string() + ": the report '" + operand->name +
                             "' has no graphs to draw; give the model or a saved session");
    const GraphKind kind = graph_.empty() ? mainGraph(*before.run.record) : *graphKindFromName(graph_);
    for (const Operand* operand : {&before, &after})
        if (!operand->run.record->graph(kind))
            throw UsageError("--output " + output_.string() + ": '" + operand->name + "' has no " +
                             std::string(name(kind)) + " graph; choose one that both have with --graph");
    const std::string title = before.name + " and " + after.name + ": " + std::string(name(kind)) + " graphs";
    return draw(title, {*difference.of(kind), *before.run.record, *after.run.record, before.session.get(),
                        after.session.get()});
}

int DiffCommand::answer(const auto& difference, const std::string& drawn) const {
    if (format_.csv()) format_.print(differenceTable(difference), {});
    else if (format_.json()) std::cout << jsonText(differenceJson(difference));
    else std::cout << differenceText(difference) << drawn;
    return failOnChange_ && !difference.empty() ? kDifference : kFine;
}

int DiffCommand::compareModels(const Options& options) const {
    const Options& others = against_ ? *against_ : options;
    const Operand before = read(options.model, options, *engine()), after = read(other_, others, *engine());
    for (const Options* side : {&options, &others}) explainUnused(*side, kReports, kReports);
    requireUsed(options, {"--against", "--graph", "--output", "--colour-blind", "--depth", "--ignore", "--json",
                          "--csv", "--fail-on-change"});
    requireUsed(others);
    RunDifference difference = compare(before.run, after.run, ignored_, graph_);
    for (const Operand* operand : {&before, &after})
        if (const std::size_t count = operand->session ? operand->session->compileIds().size() : 0; count > 1)
            difference.notCompared.push_back("the other " + std::to_string(count - 1) + " compilations of '" +
                                             operand->name + "'; --compile-id chooses one");
    return answer(difference, output_.empty() ? "" : drawRuns(difference, before, after));
}

int DiffCommand::comparePasses(const Options& options) const {
    const auto session = open(options, {"--passes", "--output", "--colour-blind", "--depth", "--ignore", "--json",
                                        "--csv", "--fail-on-change"});
    const auto record = session->record();
    const PassGraph from = graphNamed(*record, passes_->from), to = graphNamed(*record, passes_->to);
    if (!dependsOnPartition(from.kind) && !dependsOnPartition(to.kind))
        refusePartition(options, "these graphs are the same for every partition; leave it out");
    const GraphDifference difference = compareGraphs(*record, from.graph, from.kind, to.graph, to.kind, ignored_);
    const std::string title = record->model.name + ": difference from " + passes_->from + " to " + passes_->to;
    return answer(difference,
                  output_.empty() ? "" : draw(title, {difference, *record, *record, session.get(), session.get()}));
}

int DiffCommand::run(const Options& options) {
    if (!output_.empty()) requireDifferenceFormat(output_);
    return passes_ ? comparePasses(options) : compareModels(options);
}

}  // namespace

std::unique_ptr<Subcommand> makeDiffCommand(CLI::App& parent) { return std::make_unique<DiffCommand>(parent); }

}  // namespace aotscope
