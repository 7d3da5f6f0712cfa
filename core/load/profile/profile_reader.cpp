#include "load/profile/profile_reader.h"

#include "load/profile/profile_builder.h"
#include "load/profile/profile_events.h"
#include "support/error.h"
#include "support/mapped_file.h"
#include "support/names.h"
#include "support/packed/gzip.h"
#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr const char* kProfileAdvice =
    "; expected the file that prof.export_chrome_trace(FILE) of torch.profiler writes";

bool isTensorFlow(const ProfileEvents& events) {
    return std::ranges::any_of(events.processes, [](const std::string& name) {
        return name.starts_with("/host:") || name.starts_with("/device:");
    });
}

bool isTimeline(const ProfileEvents& events) {
    return std::ranges::any_of(events.processes,
                               [](const std::string& name) { return name.ends_with(" (estimated)"); });
}

/// Throws Error, a clause, if the events are not those of one process that torch.profiler has recorded.
void requireProfile(const ProfileEvents& events) {
    if (!events.hasEvents)
        throw Error(std::string("is JSON, but ") + (events.isObject ? "has no list 'traceEvents'" : "not an object") +
                    kProfileAdvice);
    if (!events.operations.empty() || !events.activities.empty()) {
        if (events.operationProcesses.size() > 1)
            throw Error("has the operations of " + counted(events.operationProcesses.size(), "process") +
                        "; give the profile of one rank, as its process wrote it");
        return;
    }
    if (events.isOurs || isTimeline(events))
        throw Error(std::string("is a Chrome trace that aotscope wrote (--trace or --timeline), not a profile") +
                    kProfileAdvice);
    if (isTensorFlow(events)) throw Error(std::string("is a trace of TensorFlow or JAX") + kProfileAdvice);
    if (!events.isByTorch)
        throw Error("is a Chrome trace of another program: none of its " + counted(events.count, "event") +
                    " is an operation ('cpu_op') or a kernel" + kProfileAdvice);
    throw Error("has no operations among its " + counted(events.count, "event") +
                "; run the model between start and stop of the profiler, with "
                "activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]");
}

}  // namespace

Profile parseProfile(std::string_view bytes, const std::string& where, const Progress& progress) {
    try {
        ProfileBytes text(bytes);
        ProfileEvents events = readProfileEvents(text, progress);
        requireProfile(events);
        return buildProfile(std::move(events), progress);
    } catch (const Error& e) {
        throw Error(inQuotes(where) + " " + e.what());
    }
}

Profile readProfile(const std::filesystem::path& file, const Progress& progress) {
    const auto mapped = MappedFile::open(file);
    const MappedFileWatch watch;
    Profile profile = parseProfile(mapped->text(), file.string(), progress);
    watch.requireWhole();
    return profile;
}

bool looksLikeProfile(std::string_view file) {
    constexpr std::size_t kSeen = 4096;
    try {
        GzipStream packed(file);
        const std::string_view seen = (looksLikeGzip(file) ? packed.next() : file).substr(0, kSeen);
        const auto start = seen.find_first_not_of(" \t\r\n");
        return start != std::string_view::npos && seen[start] == '{' &&
               seen.find("\"schemaVersion\"") != std::string_view::npos &&
               seen.find("\"deviceProperties\"") != std::string_view::npos;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace aotscope
