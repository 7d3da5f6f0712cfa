#include "session/ranks/compared_ranks.h"

#include "io/ranks/compare_logs.h"
#include "io/ranks/rank_comparison.h"
#include "io/session/session_file.h"
#include "load/trace_log/rank_logs.h"
#include "session/log_finder.h"
#include "support/error.h"
#include "support/file.h"
#include "support/input_file.h"
#include "support/json/bounded_json.h"

#include <algorithm>
#include <set>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestRankReport = std::uintmax_t{1} << 30;

bool isReport(const std::string& file) {
    return fs::path(file).extension() == ".json" || specialFileAt(file) == "a FIFO";
}

/// Including those of a report on all ranks of a run.
std::vector<ComparedRank> ranksOfReport(const std::string& file) {
    const std::string text = readInput(file, kLargestRankReport);
    nlohmann::json report;
    try {
        report = parseBounded(text);
    } catch (const Error& e) {
        throw Error("the report '" + file + "' " + e.what());
    } catch (const nlohmann::json::exception&) {
        throw Error("the report '" + file + "' is not JSON; expected a file written by 'aotscope run MODEL --report'");
    }
    std::vector<ComparedRank> ranks;
    const bool several = report.is_object() && report.contains("ranks") && report["ranks"].is_array();
    for (const nlohmann::json& each : several ? report["ranks"] : nlohmann::json::array({report})) {
        ranks.push_back(rankOfReport(each, file));
        ranks.back().name = fs::path(file).filename().string();
    }
    return ranks;
}

class FilesOfRanks {
public:
    FilesOfRanks(const Options& options, const Engine& engine, const Progress& progress)
        : options_(options), engine_(engine), progress_(progress) {}

    RankComparison compare(const std::vector<std::string>& files) {
        if (const auto logs = logsAt(files); logs.size() > 1) return compareLogs(logs, logs.size() > files.size());
        for (const std::string& file : files) {
            if (isReport(file)) addReport(file);
            else addSession(file);
        }
        if (sources_.size() < 2)
            throw UsageError("'" + files.front() +
                             "' is one rank; expected at least two to compare, or {rank} in the name and --ranks N");
        RankComparison comparison{namesOf(compared(std::string())), {}};
        for (const std::string& id : compilations()) {
            progress_.throwIfCancelled();
            auto found = differencesOf(compared(id), RankGraphs::compiled, id);
            std::ranges::move(found, std::back_inserter(comparison.differences));
        }
        return comparison;
    }

private:
    struct Source {
        ComparedRank rank;
        std::shared_ptr<const Session> session;  ///< null: a report
        Options options;
    };

    /// The logs of TORCH_TRACE at these places; none if one of them is something else.
    std::vector<FoundLog> logsAt(const std::vector<std::string>& places) const {
        LogFinder finder(engine_);
        std::vector<FoundLog> logs;
        for (const std::string& place : places) {
            auto found = finder.at(place, progress_);
            if (found.empty()) return {};
            std::ranges::move(found, std::back_inserter(logs));
        }
        return logs;
    }

    RankComparison compareLogs(const std::vector<FoundLog>& found, bool folder) const {
        RankLogs ranks;
        for (const FoundLog& log : found) ranks.logs.push_back(log.files->readLog(log.path, progress_));
        // Files given by the user are ranks; other files in a folder may not be.
        if (folder) ranks = ranksAmong(ranks.logs);
        if (ranks.logs.size() < 2)
            throw UsageError("these logs are of one rank, that of " + ranks.logs.front()->path.filename().string() +
                             "; expected at least two to compare; " + ranks.leftOut);
        options_.use("--compile-id");
        auto differences = compareRankLogs(ranks.logs, progress_);
        if (!options_.compileId.empty())
            std::erase_if(differences, [&](const auto& each) { return each.compile != options_.compileId; });
        return {logNames(ranks.logs), std::move(differences), std::move(ranks.leftOut)};
    }

    void addReport(const std::string& file) {
        for (ComparedRank& rank : ranksOfReport(file)) sources_.push_back({std::move(rank), nullptr, {}});
    }

    void addSession(const std::string& file) {
        Source source;
        source.options = options_;
        source.options.model = file;
        if (options_.world.size > 0) source.options.world.rank = sources_.size() % options_.world.size;
        source.session = engine_.open(source.options, progress_);
        const Options& own = source.session->options();
        source.rank = {fs::path(file).filename().string(), own.world, source.session->record()};
        sources_.push_back(std::move(source));
    }

    /// A single unnamed one if no file has several.
    std::vector<std::string> compilations() const {
        std::vector<std::string> ids;
        std::set<std::string> known;
        bool several = false;
        if (options_.compileId.empty())
            for (const Source& source : sources_) {
                if (!source.session) continue;
                const auto own = source.session->compileIds();
                several = several || own.size() > 1;
                for (const std::string& id : own)
                    if (known.insert(id).second) ids.push_back(id);
            }
        return several ? ids : std::vector<std::string>{std::string()};
    }

    /// The ranks with compilation `id`, or with the one that they show if it is empty.
    std::vector<ComparedRank> compared(const std::string& id) {
        std::vector<ComparedRank> ranks;
        for (Source& source : sources_) {
            ranks.push_back(source.rank);
            if (!id.empty() && source.session) ranks.back().record = recordOf(source, id);
            if (const std::string& error = ranks.back().record->error; !error.empty())
                throw Error("'" + source.rank.name + "': " + error);
        }
        return ranks;
    }

    /// Without graphs if the log does not have it.
    std::shared_ptr<const CompileRecord> recordOf(Source& source, const std::string& id) const {
        const auto ids = source.session->compileIds();
        if (std::ranges::find(ids, id) == ids.end()) return std::make_shared<const CompileRecord>();
        source.options.compileId = id;
        source.session = engine_.open(source.options, progress_, source.session);
        return source.session->record();
    }

    /// Their numbers if they differ, otherwise their files, as far as these identify them.
    static std::vector<std::string> namesOf(const std::vector<ComparedRank>& ranks) {
        std::set<std::uint64_t> numbers;
        std::set<std::string> files;
        bool known = true;
        for (const ComparedRank& rank : ranks) {
            known = known && rank.world.size > 0 && numbers.insert(rank.world.rank).second;
            files.insert(rank.name);
        }
        std::vector<std::string> names;
        for (std::size_t i = 0; i < ranks.size(); ++i)
            names.push_back(known                          ? "rank " + std::to_string(ranks[i].world.rank)
                            : files.size() == ranks.size() ? ranks[i].name
                                                           : "rank " + std::to_string(i));
        return names;
    }

    const Options& options_;
    const Engine& engine_;
    const Progress& progress_;
    std::vector<Source> sources_;
};

}  // namespace

RankComparison compareRankFiles(const std::vector<std::string>& files, const Options& options, const Engine& engine,
                                const Progress& progress) {
    return FilesOfRanks(options, engine, progress).compare(files);
}

RankComparison compareRankRuns(const std::vector<RankRun>& runs) {
    std::vector<ComparedRank> ranks;
    RankComparison comparison;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        comparison.ranks.push_back("rank " + std::to_string(i));
        ranks.push_back({comparison.ranks.back(), runs[i].options.world, runs[i].session->record()});
    }
    comparison.differences = differencesOf(ranks);
    return comparison;
}

}  // namespace aotscope
