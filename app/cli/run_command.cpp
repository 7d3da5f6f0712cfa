#include "cli/command_line.h"
#include "compile/compilers.h"
#include "export/export_graph.h"
#include "io/chrome_trace.h"
#include "io/coverage_text.h"
#include "io/report.h"
#include "io/session/model_reference.h"
#include "io/session/session_file.h"
#include "io/text_report.h"
#include "io/timing_text.h"
#include "cli/pareto_command.h"
#include "cli/partition_command.h"
#include "session/session.h"
#include "session/session_printed.h"
#include "support/file.h"
#include "cli/train_command.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace aotscope {

namespace {

constexpr std::size_t kLargestSaved = 10, kSlowestSteps = 10;

void requireCompiled(const Session& session) {
    if (!session.record()->error.empty()) throw Error(session.record()->error);
}

void save(const Command& command, const Session& session, const std::optional<CheckResult>& check,
          const std::optional<BisectResult>& bisected, const std::optional<TimingResult>& timing) {
    SessionContent content = session.content();
    content.check = check;
    content.bisect = bisected;
    content.timing = timing;
    if (command.embed) embedModel(content);
    writeSessionFile(command.save, content);
}

VariantTiming timeVariants(const Command& command, const std::shared_ptr<const Session>& session) {
    const auto other = Session::open(*command.against, {}, session);
    requireCompiled(*other);
    VariantTiming timing = session->timeAgainst(*other, {command.timeIterations, command.warmUps}, {});
    timing.first = "this";
    timing.second = command.againstText;
    return timing;
}

/// Times of steps as files for other programs.
void exportTimes(const Command& command, const CompileRecord& record, const std::optional<TimingResult>& timing) {
    for (const auto& [option, file] : {std::pair{"--trace", command.trace}, std::pair{"--csv", command.csv}})
        if (!file.empty() && !timing)
            throw UsageError(std::string(option) + " " + file.string() +
                             ": there are no times to write; add --time N, or give a session that has them");
    if (!command.trace.empty()) writeFileAtomically(command.trace, jsonText(chromeTrace(*timing, record)));
    if (!command.csv.empty()) writeFileAtomically(command.csv, timingCsv(*timing, record));
}

int run(const Command& command) {
    const auto session = Session::open(command.options, {});
    const CompileRecord& record = *session->record();
    std::optional<CheckResult> check;
    std::optional<BisectResult> bisected;
    std::optional<TimingResult> timing;
    std::optional<VariantTiming> against;
    if (!session->whyNotExecutable().empty() && (command.check || command.timeIterations > 0))
        throw Error((command.check ? "--check: " : "--time: ") + session->whyNotExecutable());
    if (const SessionContent* saved = session->saved())
        check = saved->check, bisected = saved->bisect, timing = saved->timing;
    if (record.error.empty() && command.check) check = session->check({});
    if (command.check && command.bisect) bisected = session->bisect({});
    if (record.error.empty() && command.timeIterations > 0)
        timing = session->time({command.timeIterations, command.warmUps}, {});
    if (record.error.empty() && command.against) against = timeVariants(command, session);
    if (!command.report.empty())
        writeFileAtomically(
            command.report,
            jsonText(makeReport(session->options(), record, check ? &*check : nullptr, timing ? &*timing : nullptr,
                                bisected ? &*bisected : nullptr, against ? &*against : nullptr)));
    if (!command.save.empty()) save(command, *session, check, bisected, timing);
    requireCompiled(*session);
    exportTimes(command, record, timing);

    std::cout << summaryText(record);
    if (record.crossCheck) std::cout << "\n" << crossCheckText(*record.crossCheck);
    if (record.partition) std::cout << "\n" << partitionText(*record.partition, kLargestSaved);
    if (check) std::cout << "\n" << checkText(*check);
    if (bisected) std::cout << bisectText(*bisected);
    if (timing) std::cout << "\n" << timingText(*timing, record, kSlowestSteps);
    if (against) std::cout << "\n" << variantTimingText(*against);
    const auto& compilers = compilersIn(record, check ? &*check : nullptr, timing ? &*timing : nullptr);
    if (!compilers.empty()) std::cout << "\n" << compilersText(compilers);
    if (!command.save.empty()) std::cout << "\nsession written to " << command.save.string() << "\n";
    return command.check && !check->ok ? kDifference : kFine;
}

int exportOne(const Command& command) {
    const auto session = Session::open(command.options, {});
    const GraphKind kind = *graphKindFromName(command.graph);
    const auto graph = session->record()->graph(kind);
    if (!graph) {
        requireCompiled(*session);
        std::string available;
        for (const auto& [k, unused] : session->record()->graphs)
            available += (available.empty() ? "" : ", ") + std::string(name(k));
        const auto& metadata = session->record()->metadata;
        throw Error("this run has no " + command.graph + " graph" +
                    (metadata ? " (" + metadata->whyAutograd + ")" : std::string()) + "; it has " + available);
    }
    std::cout << exportGraph(*graph, kind, *session->record(), session.get(), command.format, command.output,
                             command.picture)
              << "\n";
    return kFine;
}

int passes(const Command& command) {
    const auto session = Session::open(command.options, {});
    std::cout << passesText(*session->record());
    if (session->record()->crossCheck) std::cout << "\n" << crossCheckText(*session->record()->crossCheck);
    requireCompiled(*session);
    return kFine;
}

int listSamples() {
    std::vector<std::vector<std::string>> rows = {{"sample", ""}};
    for (const auto& sample : sampleList()) rows.push_back({"sample:" + sample.name, sample.help});
    std::cout << textTable(rows);
    return kFine;
}

int listCompiles(const Command& command) {
    std::vector<std::vector<std::string>> rows = {{"compile", "graph", "operations", ""}};
    for (const auto& compile : summarizePrinted(command.options.model, {})) {
        std::string id = compile.id;
        for (const auto& [graph, calls] : compile.graphs) {
            rows.push_back({id, graph, std::to_string(calls), ""});
            id.clear();
        }
        if (!compile.error.empty()) rows.push_back({id, "", "", compile.error});
    }
    std::cout << textTable(rows);
    return kFine;
}

int listCompilers(const Command& command) {
    std::cout << compilerListText(compilerList(command.options.compilers.plugins));
    return kFine;
}

int listOperators(const Command& command) {
    if (const auto& table = command.options.decompositions) {
        std::cout << (command.json ? decompositionJson(*table, command.pattern).dump(1) + "\n"
                                   : decompositionText(*table, command.pattern));
        return kFine;
    }
    const auto operators = selectOperators(operatorCoverage(), command.pattern, command.uncovered);
    if (operators.empty() && !command.pattern.empty())
        throw Error("no operator" + std::string(command.uncovered ? " without a shape rule" : "") +
                    " has a name that contains '" + command.pattern + "'; see 'aotscope ops'");
    std::cout << (command.json ? coverageJson(operators).dump(1) + "\n" : coverageText(operators));
    return kFine;
}

int dispatch(const Command& command) {
    switch (command.kind) {
        case Command::Kind::run: return run(command);
        case Command::Kind::exportGraph: return exportOne(command);
        case Command::Kind::passes: return passes(command);
        case Command::Kind::compiles: return listCompiles(command);
        case Command::Kind::compilers: return listCompilers(command);
        case Command::Kind::ops: return listOperators(command);
        case Command::Kind::partition: return showPartition(command);
        case Command::Kind::diff: return showDifference(command);
        case Command::Kind::pareto: return showPareto(command);
        case Command::Kind::debug: return debugModel(command.options, command.script, command.json);
        case Command::Kind::train: return trainModel(command);
        default: return listSamples();
    }
}

}  // namespace

int runCommand(const Command& command) {
    const auto dumping = [&]() noexcept { return dispatch(command); };  // an error ends with the system's full dump
    return command.debug ? dumping() : dispatch(command);
}

}  // namespace aotscope
