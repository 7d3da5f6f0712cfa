#include "load/flight_recorder/flight_reader.h"

#include "load/flight_recorder/pickled_json.h"
#include "load/trace_log/rank_logs.h"
#include "program/files/pickle_decoder.h"
#include "support/enumerators.h"
#include "support/error.h"
#include "support/input_file.h"
#include "support/json/bounded_json.h"
#include "support/json/json_value.h"
#include "support/mapped_file.h"
#include "support/quoted.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSeenOfDump = 4096;
constexpr std::size_t kLargestDump = std::size_t{1} << 30;
constexpr std::size_t kMostDumps = 100'000;
constexpr std::size_t kMostFlightEntries = 1'000'000;

std::string textAt(const JsonValue& value, std::string_view key) {
    const auto found = value.find(key);
    return found && found->isText() ? found->text() : std::string();
}

/// "nccl:all_reduce" without the library.
std::string operationIn(const std::string& profilingName) {
    const auto colon = profilingName.find(':');
    return colon == std::string::npos ? profilingName : profilingName.substr(colon + 1);
}

/// Gloo does not record states: what is retired is done. For NCCL, a collective that has failed is retired, too.
CollectiveState stateOf(const JsonValue& entry, const std::string& profilingName) {
    const auto state = enumeratorNamed<CollectiveState>(textAt(entry, "state"));
    if (!state) entry["state"].fail("scheduled, started or completed");
    const auto retired = entry.find("retired");
    const bool done = !profilingName.starts_with("nccl:") && retired && retired->boolean();
    return done ? CollectiveState::completed : *state;
}

std::vector<std::vector<std::int64_t>> sizesIn(const JsonValue& entry, std::string_view key) {
    std::vector<std::vector<std::int64_t>> all;
    if (const auto list = entry.find(key))
        list->forEachElement([&](const JsonValue& sizes) {
            auto& tensor = all.emplace_back();
            sizes.forEachElement([&](const JsonValue& size) { tensor.push_back(size.integer()); });
        });
    return all;
}

bool isOfPyTorch(const std::string& file) {
    return file.find("/torch/") != std::string::npos || file.starts_with("<frozen");
}

void readPlace(const JsonValue& entry, FlightEntry& into) {
    const auto frames = entry.find("frames");
    if (!frames) return;
    bool found = false;
    frames->forEachElement([&](const JsonValue& frame) {
        std::string file = textAt(frame, "filename");
        if (found || isOfPyTorch(file)) return;
        found = true;
        into.file = std::move(file);
        into.function = textAt(frame, "name");
        into.line = frame["line"].integer();
    });
}

FlightEntry entryOf(const JsonValue& value) {
    FlightEntry entry;
    const std::string& name = value["profiling_name"].text();
    entry.operation = operationIn(name);
    if (const auto group = value.find("process_group")) {
        entry.group = (*group)[std::size_t{0}].text();
        entry.groupDescription = (*group)[1].text();
    }
    if (const auto isP2p = value.find("is_p2p")) entry.pointToPoint = isP2p->boolean();
    entry.sequence = value[entry.pointToPoint ? "p2p_seq_id" : "collective_seq_id"].integer();
    entry.state = stateOf(value, name);
    entry.inputSizes = sizesIn(value, "input_sizes");
    entry.outputSizes = sizesIn(value, "output_sizes");
    if (const auto types = value.find("input_dtypes"))
        types->forEachElement([&](const JsonValue& type) { entry.inputTypes.push_back(type.text()); });
    if (const auto created = value.find("time_created_ns")) entry.created = created->integer();
    readPlace(value, entry);
    return entry;
}

/// "[0, 1, 2]".
std::vector<int> ranksIn(const std::string& text) {
    std::vector<int> ranks;
    nlohmann::json list;
    try {
        list = parseBounded(text);
    } catch (const nlohmann::json::exception&) {
        return {};
    }
    for (const nlohmann::json& rank : list)
        if (rank.is_number_integer() && rank.get<std::int64_t>() >= 0 && rank.get<std::int64_t>() < (1 << 24))
            ranks.push_back(rank.get<int>());
    std::ranges::sort(ranks);
    return ranks;
}

/// Gloo names the default group "" there, and "0" in its entries.
void readGroups(const JsonValue& groups, FlightDump& dump) {
    groups.forEachMember([&](const std::string& key, const JsonValue& group) {
        auto ranks = ranksIn(textAt(group, "ranks"));
        if (!ranks.empty()) dump.members[key.empty() ? "0" : key] = std::move(ranks);
    });
}

/// The members of a dump, of which a pickle's entries are made one after the other.
void readMembers(const nlohmann::json& head, FlightDump& dump) {
    const JsonValue value(head, "in");
    if (const auto groups = value.find("pg_config")) readGroups(*groups, dump);
}

/// Of operations that are issued together, only the last entry, that of all of them, is kept up to date.
void completeCoalesced(std::vector<FlightEntry>& entries) {
    const FlightEntry& all = entries.back();
    for (std::size_t i = entries.size() - 1; i-- > 0;) {
        FlightEntry& entry = entries[i];
        if (entry.group != all.group || entry.pointToPoint != all.pointToPoint || entry.sequence != all.sequence) break;
        entry.state = all.state;
    }
}

void addEntry(const nlohmann::json& entry, FlightDump& dump) {
    if (dump.entries.size() >= kMostFlightEntries)
        throw Error("holds more than " + std::to_string(kMostFlightEntries) + " entries");
    const JsonValue value(entry, "in entry " + std::to_string(dump.entries.size()) + ",");
    if (dump.entries.empty())
        if (const auto number = value.find("record_id")) dump.beginsAt = number->integer();
    dump.entries.push_back(entryOf(value));
    if (dump.entries.back().operation.find("coalesced") != std::string::npos) completeCoalesced(dump.entries);
}

constexpr const char* kNoDump =
    "is not a dump of the flight recorder: expected a pickle or JSON with 'version' and 'entries', as PyTorch writes "
    "it "
    "when a collective times out";

void readPickle(std::string_view content, FlightDump& dump) {
    const PickledJson pickle(content);
    if (!pickle.has("version") || !pickle.has("entries")) throw Error(kNoDump);
    readMembers(pickle.without("entries"), dump);
    pickle.forEachIn("entries", [&](const nlohmann::json& entry) { addEntry(entry, dump); });
}

void readJson(std::string_view content, FlightDump& dump) {
    nlohmann::json document;
    try {
        document = parseBounded(content);
    } catch (const nlohmann::json::exception& e) {
        throw Error("is not a dump of the flight recorder: " + invalidJson(e));
    }
    if (!document.is_object() || !document.contains("version") || !document.contains("entries")) throw Error(kNoDump);
    const nlohmann::json entries = std::move(document["entries"]);
    readMembers(document, dump);
    for (const nlohmann::json& entry : entries) addEntry(entry, dump);
}

/// "trace_3", "rank3.json": the number at the end.
std::optional<int> numberAtEnd(const fs::path& path) {
    const std::string name = path.stem().string();
    const auto digits = name.find_last_not_of("0123456789") + 1;
    int number = 0;
    const auto [end, failure] = std::from_chars(name.data() + digits, name.data() + name.size(), number);
    if (digits == name.size() || failure != std::errc()) return std::nullopt;
    return number;
}

FlightDump readDumpFile(const fs::path& path) {
    const auto file = MappedFile::open(path);
    try {
        const auto rank = rankInName(path);
        const auto number = rank ? rank : numberAtEnd(path);
        if (!number) throw Error("has a name that does not end with its rank, as nccl_trace_rank_0 does; rename it");
        FlightDump dump = readFlightDump(file->text(), *number);
        dump.path = path;
        return dump;
    } catch (const Error& e) {
        throw Error("'" + path.string() + "' " + e.what());
    }
}

void addFrom(const fs::path& place, std::vector<fs::path>& files) {
    std::error_code failure;
    if (!fs::is_directory(place, failure)) {
        files.push_back(place);
        return;
    }
    for (fs::directory_iterator it(place, failure), end; !failure && it != end; it.increment(failure)) {
        if (files.size() >= kMostDumps) throw Error("'" + place.string() + "' holds too many files");
        if (it->is_regular_file(failure) && looksLikeFlightDump(beginningOf(it->path(), kSeenOfDump)))
            files.push_back(it->path());
    }
}

}  // namespace

std::string_view name(CollectiveState state) { return spelled(state); }

bool looksLikeFlightDump(std::string_view beginning) {
    if (looksLikePickle(beginning))
        return beginning.substr(0, 64).find("version") != std::string_view::npos &&
               beginning.find("pg_config") != std::string_view::npos;
    return beginning.starts_with('{') && (beginning.find("\"collective_seq_id\"") != std::string_view::npos ||
                                          beginning.find("\"pg_status\"") != std::string_view::npos);
}

FlightDump readFlightDump(std::string_view content, int rank) {
    FlightDump dump;
    dump.rank = rank;
    if (content.size() > kLargestDump) throw Error("is larger than 1 GB, more than a dump of the flight recorder");
    if (looksLikePickle(content)) readPickle(content, dump);
    else readJson(content, dump);
    return dump;
}

std::vector<FlightDump> readFlightDumps(const std::vector<fs::path>& places) {
    std::vector<fs::path> files;
    for (const fs::path& place : places) addFrom(place, files);
    if (files.empty())
        throw Error("'" + places.front().string() +
                    "' holds no dump of the flight recorder; expected files such as nccl_trace_rank_0, which PyTorch "
                    "writes when a collective times out (TORCH_NCCL_DUMP_ON_TIMEOUT=1, TORCH_FR_BUFFER_SIZE=2000)");
    std::vector<FlightDump> dumps;
    for (const fs::path& file : files) dumps.push_back(readDumpFile(file));
    std::ranges::sort(dumps, {}, [](const FlightDump& dump) { return std::pair(dump.rank, dump.path); });
    const auto same = std::ranges::adjacent_find(dumps, {}, &FlightDump::rank);
    if (same != dumps.end())
        throw Error("'" + same->path.string() + "' and '" + std::next(same)->path.string() + "' are both of rank " +
                    std::to_string(same->rank) + "; give one of them");
    return dumps;
}

}  // namespace aotscope
