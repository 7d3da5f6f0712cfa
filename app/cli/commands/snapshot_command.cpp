#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "io/tables/snapshot_tables.h"
#include "io/tables/table_text.h"
#include "load/snapshot/snapshot_reader.h"
#include "support/error.h"
#include "support/joined.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <optional>

namespace aotscope {

namespace {

/// A list that --list prints.
struct SnapshotList {
    const char* name;
    Table (*table)(const MemoryStory& story);
};

constexpr std::array<SnapshotList, 5> kLists = {{{"categories", memoryCategoryTable},
                                                 {"lines", memoryLineTable},
                                                 {"blocks", memoryBlockTable},
                                                 {"curve", memoryCurveTable},
                                                 {"leaks", memoryLeakTable}}};

constexpr std::array<MemoryMoment, 3> kMoments = {MemoryMoment::peak, MemoryMoment::oom, MemoryMoment::end};

std::string tableOr(const Table& table) { return table.rows.empty() ? table.whenEmpty + "\n" : tableText(table); }

/// The first rows of a table, and how to see all.
std::string beginningText(Table table, const std::string& how) {
    constexpr std::size_t most = 20;
    const std::size_t left = keepFirst(most, table);
    return tableOr(table) + (left > 0 ? "... and " + std::to_string(left) + " more; " + how + "\n" : "");
}

class SnapshotCommand final : public Subcommand {
public:
    explicit SnapshotCommand(CLI::App& parent);

    void check(Options& options) override;
    int run(const Options& options) override;

private:
    MemoryStory read(const std::filesystem::path& file) const;
    std::size_t deviceIn(const MemorySnapshot& snapshot) const;
    void printStory(const MemoryStory& story) const;
    void printChanges(const MemoryStory& before, const MemoryStory& after) const;
    static nlohmann::json factsOf(const MemoryStory& story);

    std::filesystem::path file_, against_;
    std::optional<std::size_t> device_;
    std::string moment_, list_;
    TableFlags format_;
};

SnapshotCommand::SnapshotCommand(CLI::App& parent)
    : Subcommand(parent, "snapshot", "show what a snapshot of GPU memory holds at its peak, or where memory ran out",
                 "aotscope snapshot snapshot.pickle\n  aotscope snapshot before.pickle --against after.pickle\n  "
                 "aotscope snapshot snapshot.pickle --list curve --csv",
                 Takes::noModel) {
    app_.add_option("FILE", file_, "what torch.cuda.memory._dump_snapshot has written")->required();
    app_.add_option("--against", against_, "print how another snapshot differs")->type_name("OTHER");
    app_.add_option("--gpu", device_, "of this GPU; default: the one with most memory")->type_name("N");
    std::vector<std::string> moments, lists;
    for (const MemoryMoment moment : kMoments) moments.emplace_back(name(moment));
    app_.add_option("--moment", moment_, "at this moment; default: where memory ran out, or else at the peak")
        ->check(CLI::IsMember(moments));
    for (const SnapshotList& list : kLists) lists.emplace_back(list.name);
    app_.add_option("--list", list_, "print this list")->check(CLI::IsMember(lists));
    format_.addTo(app_);
}

void SnapshotCommand::check(Options& /*options*/) {
    if (!against_.empty() && !list_.empty()) throw UsageError("--against prints differences; use it without --list");
}

int SnapshotCommand::run(const Options& options) {
    requireUsed(options, {"--against", "--gpu", "--moment", "--list", "--json", "--csv"});
    const MemoryStory story = read(file_);
    if (against_.empty()) printStory(story);
    else printChanges(story, read(against_));
    return kFine;
}

MemoryStory SnapshotCommand::read(const std::filesystem::path& file) const {
    auto snapshot = readMemorySnapshot(file, {});
    const std::size_t device = deviceIn(*snapshot);
    std::optional<MemoryMoment> moment;
    for (const MemoryMoment each : kMoments)
        if (name(each) == moment_) moment = each;
    return tellMemory(std::move(snapshot), device, moment);
}

std::size_t SnapshotCommand::deviceIn(const MemorySnapshot& snapshot) const {
    const auto devices = devicesOf(snapshot);
    if (!device_) return devices.empty() ? 0 : devices.front();
    if (std::ranges::find(devices, *device_) != devices.end()) return *device_;
    throw UsageError("--gpu " + std::to_string(*device_) + ": the snapshot has " +
                     (devices.empty() ? "no memory of any device"
                                      : "memory of device " + joined(devices, ", ", [](std::size_t device) {
                                            return std::to_string(device);
                                        })));
}

nlohmann::json SnapshotCommand::factsOf(const MemoryStory& story) {
    nlohmann::json facts = {{"device", story.device},
                            {"moment", name(story.moment)},
                            {"event", story.position},
                            {"events", story.replay.end()},
                            {"steps", story.phases.steps.size()},
                            {"allocated_bytes", story.allocated()},
                            {"reserved_bytes", story.reserved()},
                            {"largest_free_bytes", story.largestFree}};
    if (const MemoryEvent* const failure = story.failure()) facts["requested_bytes"] = failure->size;
    return facts;
}

void SnapshotCommand::printStory(const MemoryStory& story) const {
    const auto list = std::ranges::find(kLists, list_, &SnapshotList::name);
    nlohmann::json facts = factsOf(story);
    facts["schema"] = 1;
    if (list != kLists.end()) {
        const Table table = list->table(story);
        if (format_.text()) std::cout << tableOr(table);
        else format_.print(table, facts);
    } else if (format_.text()) {
        std::cout << memoryMomentText(story) << "\n"
                  << tableText(memoryCategoryTable(story)) << "\n"
                  << beginningText(memoryLineTable(story), "--list lines prints all of them") << "\n"
                  << beginningText(memoryLeakTable(story), "--list leaks prints all of them");
    } else {
        facts["categories"] = tableJson(memoryCategoryTable(story));
        facts["leaks"] = tableJson(memoryLeakTable(story));
        format_.print(memoryLineTable(story), facts);
    }
}

void SnapshotCommand::printChanges(const MemoryStory& before, const MemoryStory& after) const {
    const Table changes = memoryChangeTable(before, after);
    if (format_.text())
        std::cout << "before: " << memoryMomentText(before) << "\nafter: " << memoryMomentText(after) << "\n"
                  << beginningText(changes, "--csv prints all of them");
    else format_.print(changes, {{"schema", 1}, {"before", factsOf(before)}, {"after", factsOf(after)}});
}

}  // namespace

std::unique_ptr<Subcommand> makeSnapshotCommand(CLI::App& parent) { return std::make_unique<SnapshotCommand>(parent); }

}  // namespace aotscope
