#include "io/tables/profile_table.h"

#include "record/model_places.h"
#include "record/results/statistics.h"

#include <algorithm>
#include <map>

namespace aotscope {

namespace {

/// The times of a step are those after the warm-up.
std::optional<Spread> spreadIn(const ProfileRow& row, const JoinedProfile& profile) {
    if (row.stepMs.size() < profile.warmUps + 2) return std::nullopt;
    return spreadOf({row.stepMs.begin() + static_cast<std::ptrdiff_t>(profile.warmUps), row.stepMs.end()});
}

double shareOf(const ProfileRow& row, const JoinedProfile& profile) {
    return profile.kernelMs > 0 ? row.ms / profile.kernelMs : 0;
}

/// "layers.0" for "layers.0.fc1" and "layers.0.fc2".
std::string commonModule(const std::string& a, const std::string& b) {
    std::size_t common = 0;
    for (std::size_t i = 0; i <= std::min(a.size(), b.size()); ++i) {
        const bool aEnds = i == a.size() || a[i] == '.', bEnds = i == b.size() || b[i] == '.';
        if (aEnds && bEnds) common = i;
        if (i == a.size() || i == b.size() || a[i] != b[i]) break;
    }
    return a.substr(0, common);
}

/// Places of nodes, for all rows.
class RowPlaces {
public:
    explicit RowPlaces(const CompileRecord& record) : record_(record) {}

    struct Place {
        std::vector<std::string> names;
        std::optional<std::string> module;  ///< what the modules of all nodes have in common
        std::string source;                 ///< "model.py:12, model.py:14"
    };
    Place of(const ProfileRow& row) {
        Place place;
        const auto graph = record_.graph(row.graph);
        if (!graph) return place;
        const auto known = places_.try_emplace(row.graph, placesIn(*graph, row.graph, record_)).first;
        std::vector<std::string> lines;
        for (const NodeId id : row.nodes) {
            if (const Node* node = graph->findById(id)) place.names.push_back(node->name());
            if (const SourceInfo* source = known->second.of(id)) add(*source, place, lines);
        }
        for (std::size_t i = 0; i < lines.size(); ++i) place.source += (i ? ", " : "") + lines[i];
        return place;
    }

private:
    static void add(const SourceInfo& source, Place& place, std::vector<std::string>& lines) {
        place.module = place.module ? commonModule(*place.module, source.module) : source.module;
        if (source.file.empty()) return;
        std::string line = source.file + ":" + std::to_string(source.line);
        if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
    }

    const CompileRecord& record_;
    std::map<GraphKind, ModelPlaces> places_;
};

/// A kernel's name has kilobytes of template arguments.
std::string shownKernel(const std::string& name) {
    constexpr std::size_t kShown = 48;
    return name.size() <= kShown ? name : name.substr(0, kShown - 3) + "...";
}

Table::Cell nodeCell(const std::vector<std::string>& names) {
    if (names.empty()) return {};
    const std::string last = "%" + names.back();
    return {names.back(), names.size() == 1 ? last : last + " and " + std::to_string(names.size() - 1) + " more"};
}

}  // namespace

Table profileTable(const JoinedProfile& profile, const CompileRecord& record) {
    constexpr bool forAll = false, summed = true;
    Table table{"rows",
                {{"name", "Kernel", "the kernel, or on a CPU the operation"},
                 {"ms", "Time", "of all calls", TableUnit::milliseconds, forAll, summed},
                 {"share", "Share", "of the time of all kernels, from 0 to 1", TableUnit::share},
                 {"calls", "Calls", "in the whole file", TableUnit::none, forAll, summed},
                 {"median_ms", "Step", "median over the steps, without warm-ups", TableUnit::milliseconds},
                 {"lower_ms", "", "first quartile over the steps", TableUnit::milliseconds},
                 {"upper_ms", "", "third quartile over the steps", TableUnit::milliseconds},
                 {"graph", "Graph", "forward, backward or inference graph"},
                 {"node", "Node", "that it computes; of a group, the last one"},
                 {"group", "", "all nodes of a group, whose time is not divided"},
                 {"module", "Module", "the module that the nodes belong to"},
                 {"source", "Source", "the lines of the model"},
                 {"by", "Joined By", "the evidence: provenance, order, sequence, enclosing, kernel name"}}};
    RowPlaces places(record);
    for (const ProfileRow& row : profile.rows) {
        const RowPlaces::Place place = places.of(row);
        const auto spread = spreadIn(row, profile);
        Table::Row& added = table.add(
            Table::Cell(row.name, shownKernel(row.name)), row.ms, shareOf(row, profile), row.calls,
            spread ? Table::Cell(spread->median) : Table::Cell(), spread ? Table::Cell(spread->lower) : Table::Cell(),
            spread ? Table::Cell(spread->upper) : Table::Cell(), name(row.graph), nodeCell(place.names),
            place.names.size() > 1 ? Table::Cell(place.names) : Table::Cell(), Table::given(place.module),
            Table::given(place.source), name(row.by));
        added.node = row.nodes.back();
        added.graph = row.graph;
    }
    return table;
}

Table unjoinedTable(const JoinedProfile& profile) {
    constexpr bool forAll = false, summed = true;
    Table table{"unjoined",
                {{"name", "Not Joined", "the kernel, or on a CPU the operation"},
                 {"ms", "Time", "of all calls", TableUnit::milliseconds, forAll, summed},
                 {"share", "Share", "of the time of all kernels, from 0 to 1", TableUnit::share},
                 {"calls", "Calls", "in the whole file", TableUnit::none, forAll, summed},
                 {"node", "", "always empty"},
                 {"module", "", "always empty"},
                 {"source", "", "always empty"},
                 {"reason", "Reason", "why it stands for no node"}}};
    for (const ProfileRow& row : profile.unjoined)
        table.add(Table::Cell(row.name, shownKernel(row.name)), row.ms, shareOf(row, profile), row.calls, Table::Cell(),
                  Table::Cell(), Table::Cell(), row.reason);
    return table;
}

}  // namespace aotscope
