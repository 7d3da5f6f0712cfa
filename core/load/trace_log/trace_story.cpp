#include "load/trace_log/trace_story.h"

#include "load/printed/log/section_kinds.h"
#include "load/trace_log/break_text.h"
#include "load/trace_log/cache_record.h"
#include "load/trace_log/compile_spans.h"
#include "load/trace_log/guard_tree.h"
#include "load/trace_log/metrics_record.h"
#include "load/trace_log/stack_json.h"
#include "load/trace_log/trace_reader.h"
#include "support/json/bounded_json.h"

#include <algorithm>

namespace aotscope {

namespace {

using nlohmann::json;

/// Builds a story.
class Teller {
public:
    Teller(const TraceLog& log, const TracedCompile& compile, const Progress& progress)
        : log_(log), compile_(compile), reader_(log, progress) {}

    CompileStory tell(const Progress& progress, const std::set<LogTopic>& topics) {
        for (std::size_t i = 0; i < compile_.records.size(); ++i) {
            if (i % 256 == 0) progress.throwIfCancelled();
            const LogRecord& record = compile_.records[i];
            const std::string& name = log_.nameOf(record);
            if (!topics.empty() && !topics.contains(topicOf(name))) continue;
            try {
                read(record, name);
            } catch (const json::exception&) {
                story_.problems.push_back({record.line, name + ": unexpected JSON"});
            } catch (const Error& e) {
                story_.problems.push_back({record.line, name + ": " + e.what()});
            }
        }
        story_.spans = spans_.finish();
        sortRestarts();
        noteSilentRecompilation();
        return std::move(story_);
    }

private:
    void read(const LogRecord& record, const std::string& name) {
        switch (topicOf(name)) {
            case LogTopic::recompilations: return reasons(record);
            case LogTopic::graphBreaks: return graphBreak(record);
            case LogTopic::guards: return guards(record, name);
            case LogTopic::shapes: return shapes(record, name);
            case LogTopic::caches: return cache(record, name);
            case LogTopic::partitioner: return partitioner(record, name);
            case LogTopic::collectives: return collectives(record, name);
            case LogTopic::times: return spans_.add(parseBounded(payload(record)));
            case LogTopic::metrics: return metrics(record, name);
            case LogTopic::failures: return failure(record, name);
            default: break;
        }
        if (name == "dynamo_start" && story_.stack.empty())
            story_.stack = stackIn(reader_.metadata(record), "stack", log_.sources);
    }

    std::string payload(const LogRecord& record) {
        if (!reader_.isWhole(record))
            story_.problems.push_back({record.line, log_.nameOf(record) + ": damaged: its hash does not match"});
        return reader_.payload(record);
    }

    void reasons(const LogRecord& record) {
        const std::string text = payload(record);
        if (!text.starts_with('[')) return story_.recompiledFor.push_back(readFailedGuard(text));
        for (const json& reason : parseBounded(text))
            if (reason.is_string()) story_.recompiledFor.push_back(readFailedGuard(reason.get<std::string>()));
    }

    void graphBreak(const LogRecord& record) {
        story_.breaks.push_back(readGraphBreak(payload(record)));
        story_.breaks.back().attempt = record.attempt;
    }

    void guards(const LogRecord& record, const std::string& name) {
        const std::string text = payload(record);
        story_.guards = name == "dynamo_guards" ? readGuardList(parseBounded(text)) : readGuardTree(text);
    }

    void shapes(const LogRecord& record, const std::string& name) {
        const json data = reader_.metadata(record);
        const auto users = stackIn(data, "user_stack", log_.sources);
        const CodePlace place = users.empty() ? CodePlace() : users.back();
        if (name.starts_with("create_"))
            story_.symbols.push_back(
                {textIn(data, "symbol"), textIn(data, "val"), textIn(data, "vr"), textIn(data, "source"), place});
        else if (name.starts_with("guard_added")) story_.shapeGuards.push_back({textIn(data, "expr"), place, false});
        else if (name == "symbolic_shape_specialization")
            story_.shapeGuards.push_back({specialization(data), place, true});
    }

    static std::string specialization(const json& data) {
        std::string text;
        for (const auto& source : textsIn(data, "sources")) text += (text.empty() ? "" : ", ") + source;
        const auto reason = textIn(data, "reason");
        return (text.empty() ? textIn(data, "symbol") : text) + " == " + textIn(data, "value") +
               (reason.empty() ? "" : " (" + reason + ")");
    }

    void cache(const LogRecord& record, const std::string& name) {
        CacheEvent event = readCacheEvent(name, payload(record));
        event.line = record.line;
        story_.caches.push_back(std::move(event));
    }

    void partitioner(const LogRecord& record, const std::string& name) {
        if (name == "min_cut_information") story_.minCut = readMinCut(parseBounded(payload(record)));
    }

    void collectives(const LogRecord& record, const std::string& name) {
        if (name != "inductor_collective_schedule") return;
        for (const json& each : parseBounded(payload(record)))
            story_.collectives.push_back(each.is_string() ? each.get<std::string>() : "?");
    }

    void metrics(const LogRecord& record, const std::string& name) {
        readMetrics(reader_.metadata(record), /*backward=*/name != "compilation_metrics", story_, restarts_);
    }

    void failure(const LogRecord& record, const std::string& name) {
        if (!story_.failure.empty()) return;
        const std::string text = payload(record);
        story_.failure = name == "dynamo_error" ? lastErrorIn(text) : name + ": " + text.substr(0, text.find('\n'));
    }

    /// Dynamo restarts for graph breaks, which older versions do not log elsewhere, and for internal reasons, which are
    /// classes: "<class 'torch._dynamo.exc.TensorifyScalarRestartAnalysis'>".
    void sortRestarts() {
        const bool logged = !story_.breaks.empty() || story_.countsBreaks;
        for (const std::string& reason : restarts_) {
            if (reason.starts_with("<class '") && reason.ends_with("'>")) {
                const auto start = reason.find_last_of(".'", reason.size() - 3) + 1;
                story_.restarts.push_back(reason.substr(start, reason.size() - 2 - start));
            } else if (!logged) {
                story_.breaks.push_back(readGraphBreak(reason));
            } else if (story_.breaks.empty()) {
                story_.restarts.push_back(reason.substr(0, reason.find('\n')));
            }
        }
    }

    /// Code already existed and its guards failed; PyTorch 2.4 and 2.5 log the failed guard elsewhere.
    void noteSilentRecompilation() {
        const auto had = std::ranges::find(story_.metrics, "cache_size", &std::pair<std::string, std::string>::first);
        if (had == story_.metrics.end() || !story_.recompiledFor.empty()) return;
        FailedGuard guard;
        guard.check =
            "the log does not say why; older versions of PyTorch write the failed guard with "
            "TORCH_LOGS=recompiles only";
        story_.recompiledFor.push_back(std::move(guard));
    }

    const TraceLog& log_;
    const TracedCompile& compile_;
    TraceReader reader_;
    CompileStory story_;
    SpanBuilder spans_;
    std::vector<std::string> restarts_;
};

}  // namespace

CompileStory readStory(const TraceLog& log, const TracedCompile& compile, const Progress& progress,
                       const std::set<LogTopic>& topics) {
    return Teller(log, compile, progress).tell(progress, topics);
}

std::set<LogTopic> overviewTopics() {
    return {LogTopic::recompilations, LogTopic::graphBreaks, LogTopic::caches, LogTopic::metrics, LogTopic::failures};
}

}  // namespace aotscope
