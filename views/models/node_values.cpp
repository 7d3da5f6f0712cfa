#include "models/node_values.h"

#include "cost/live_memory.h"
#include "cost/node_cost.h"
#include "models/words/pass_titles.h"
#include "models/words/to_qstring.h"
#include "query/facts.h"
#include "record/level_map.h"
#include "record/model_places.h"
#include "support/enumerators.h"
#include "support/error.h"
#include "support/names.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace aotscope {

namespace {

void addTypes(const Graph& graph, NodeValues& values) {
    for (const Node* node : graph.nodes()) {
        const auto* tensor = node->type.tensor();
        if (const auto* tuple = node->type.tuple(); !tensor && tuple)
            for (const ValueType& element : *tuple)
                if (!tensor) tensor = element.tensor();
        if (tensor) values.words[node->id()] = toQString(longName(tensor->dtype));
        else if (node->type.scalar()) values.words[node->id()] = QObject::tr("a number");
    }
}

QString prefixOf(const std::string& module, int parts) { return toQString(module).section(u'.', 0, parts - 1); }

/// By the shortest prefixes of the modules' paths that distinguish any two of them.
void addModules(const Graph& graph, GraphKind kind, const CompileRecord& record, NodeValues& values) {
    constexpr int deepest = 6;
    const ModelPlaces places = placesIn(graph, kind, record);
    std::set<std::string> modules;
    for (const Node* node : graph.nodes())
        if (const SourceInfo* place = places.of(node->id()); place && !place->module.empty())
            modules.insert(place->module);
    int parts = 1;
    for (; parts < deepest; ++parts) {
        std::set<QString> prefixes;
        for (const auto& module : modules) prefixes.insert(prefixOf(module, parts));
        if (prefixes.size() > 1) break;
    }
    for (const Node* node : graph.nodes()) {
        const SourceInfo* place = places.of(node->id());
        if (node->kind() == NodeKind::output || !place || place->module.empty()) continue;
        const QString prefix = prefixOf(place->module, parts);
        values.words[node->id()] = prefix;
        if (std::ranges::find(values.order, prefix) == values.order.end()) values.order.push_back(prefix);
    }
}

void addBytes(const Graph& graph, NodeValues& values) {
    values.unit = NodeValues::Unit::bytes;
    for (const Node* node : graph.nodes())
        if (node->type.known() && node->kind() != NodeKind::output)
            values.numbers[node->id()] = static_cast<double>(node->type.tensorBytes());
}

/// Without the caller's own memory. Where a joint graph's operation runs twice, the larger amount counts.
void addLive(GraphKind kind, const CompileRecord& record, NodeValues& values) {
    const auto memory = liveMemory(record);
    if (!memory) throw Error("live memory needs compiled graphs, and this run has none");
    values.unit = NodeValues::Unit::bytes;
    values.linear = true;  // peaks matter most
    const bool both = kind == GraphKind::joint, compiled = kind >= GraphKind::joint;
    const Stage stage = kind == GraphKind::backward ? Stage::backward : Stage::forward;
    for (const MemoryPoint& point : memory->curve) {
        if (!compiled || point.node == kNoNode || (!both && point.stage != stage)) continue;
        double& bytes = values.numbers[point.node];
        bytes = std::max(bytes, static_cast<double>(point.bytes));
    }
}

void addMeasured(GraphKind kind, const ValueSources& sources, NodeValues& values) {
    if (!sources.timing) throw Error("there are no measured times yet; run Time (Ctrl+T) first");
    values.unit = NodeValues::Unit::microseconds;
    values.numbers = microsecondsOf(*sources.timing, kind);
}

void addEstimated(const Graph& graph, const ValueSources& sources, NodeValues& values) {
    if (!sources.machine) throw Error("times cannot be estimated here: it is not known for which machine");
    values.unit = NodeValues::Unit::microseconds;
    NodeTimes times(sources.machine(), sources.record->costs);
    if (sources.timing) times.learn(*sources.timing);
    values.basis = times.basis();
    for (const Node* node : graph.nodes()) {
        if (node->kind() != NodeKind::call || isFree(*node)) continue;
        values.numbers[node->id()] = times.ms(*node) * 1000;
        values.bases[node->id()] = times.figure(*node, node->stage == Stage::backward).basis;
    }
}

/// The first graph of the run that has the node.
void addAges(const Graph& graph, GraphKind kind, const CompileRecord& record, NodeValues& values) {
    std::unordered_set<NodeId> open;
    for (const Node* node : graph.nodes())
        if (node->kind() != NodeKind::output) open.insert(node->id());
    const auto settle = [&](NodeId id, const QString& title) {
        if (open.erase(id) > 0) values.words[id] = title;
    };
    for (const PassGraph& earlier : graphsOf(record)) {
        const QString title = titleOf(record, earlier);
        values.order.push_back(title);
        const LevelMap map(record, *earlier.graph, earlier.kind, graph, kind);
        for (const auto& [before, after] : map.pairs()) settle(after, title);
        if (earlier.kind == kind && earlier.graph.get() == &graph) break;
    }
}

/// Nodes that one kernel computes together have the same word. A joint graph has the kernels of both halves.
void addKernels(GraphKind kind, const std::vector<CompilerUse>& compilers, NodeValues& values) {
    if (std::ranges::all_of(compilers, [](const CompilerUse& use) { return use.groups.empty(); }))
        throw Error(
            "every node compiled so far has a kernel of its own; choose a compiler that fuses nodes, such as fused, "
            "and "
            "run a check (F6) to compile backward");
    for (const CompilerUse& use : compilers) {
        if (kind != GraphKind::joint && use.graph != kind) continue;
        for (std::size_t i = 0; i < use.groups.size(); ++i) {
            const QString word = QObject::tr("%1 %2 (%3)")
                                     .arg(toQString(name(use.graph)))
                                     .arg(i + 1)
                                     .arg(toQString(counted(use.groups[i].size(), "node")));
            values.order.push_back(word);
            for (const NodeId node : use.groups[i]) values.words.emplace(node, word);
        }
    }
}

void addOverlay(const Graph& graph, GraphKind kind, const Overlay& overlay, NodeValues& values) {
    values.title = toQString(overlay.title);
    values.suffix = toQString(overlay.unit);
    bool words = false;
    for (const Node* node : graph.nodes())
        if (const auto* value = overlay.find(kind, node->name())) words |= std::holds_alternative<std::string>(*value);
    for (const Node* node : graph.nodes()) {
        const auto* value = overlay.find(kind, node->name());
        if (!value) continue;
        const auto* number = std::get_if<double>(value);
        if (!words) values.numbers[node->id()] = *number;
        else values.words[node->id()] = number ? QString::number(*number) : toQString(std::get<std::string>(*value));
    }
}

struct Given {
    const Graph& graph;
    GraphKind kind;
    const ValueSources& sources;
};

struct ColourRow {
    ColourBy by;
    ColourEntry entry;
    void (*add)(const Given&, NodeValues&) = nullptr;  ///< null: no values
};

constexpr ColourRow kColours[] = {
    {ColourBy::stage, {"&Part: Forward, Backward, Recomputed", "P", "part (forward, backward, recomputed)", ""}},
    {ColourBy::placement, {"&Fate: Saved, Recomputed, Neither", "T", "fate (saved, recomputed, neither)", ""}},
    {ColourBy::family, {"&Operation Family", "O", "family (of operations)", ""}},
    {ColourBy::mutation, {"&Mutation and Aliasing", "M", "mutation (and aliasing)", ""}},
    {ColourBy::dtype,
     {"&Dtype", "Shift+Y", "dtype", "Dtype"},
     [](const Given& g, NodeValues& values) { addTypes(g.graph, values); }},
    {ColourBy::module,
     {"Mod&ule", "", "module", "Module"},
     [](const Given& g, NodeValues& values) { addModules(g.graph, g.kind, *g.sources.record, values); }},
    {ColourBy::bytes,
     {"&Size", "Shift+X", "bytes", "Size"},
     [](const Given& g, NodeValues& values) { addBytes(g.graph, values); }},
    {ColourBy::live,
     {"&Live Memory", "Shift+V", "live (memory during the run)", "Live memory"},
     [](const Given& g, NodeValues& values) { addLive(g.kind, *g.sources.record, values); }},
    {ColourBy::measured,
     {"Measured &Time", "Shift+T", "", "Measured time"},
     [](const Given& g, NodeValues& values) { addMeasured(g.kind, g.sources, values); }},
    {ColourBy::estimated,
     {"&Estimated Time", "", "estimated (time)", "Estimated time"},
     [](const Given& g, NodeValues& values) { addEstimated(g.graph, g.sources, values); }},
    {ColourBy::age,
     {"Pass of Ori&gin", "", "age (pass that introduced the node)", "Pass of origin"},
     [](const Given& g, NodeValues& values) { addAges(g.graph, g.kind, *g.sources.record, values); }},
    {ColourBy::kernel,
     {"Fused &Kernel", "Shift+J", "kernel (nodes computed together)", "Fused kernel"},
     [](const Given& g, NodeValues& values) { addKernels(g.kind, g.sources.compilers, values); }},
    {ColourBy::overlay,
     {"O&verlay from File…", "", "", "Overlay"},
     [](const Given& g, NodeValues& values) {
         if (!g.sources.overlay) throw Error("no overlay is open; open one with File > Open Overlay…");
         addOverlay(g.graph, g.kind, *g.sources.overlay, values);
     }},
};
static_assert(std::size(kColours) == kEnumerators<ColourBy>.size());

const ColourRow& rowOf(ColourBy by) { return *std::ranges::find(kColours, by, &ColourRow::by); }

}  // namespace

QString name(ColourBy by) {
    return toQString(by == ColourBy::stage ? "part" : by == ColourBy::placement ? "fate" : spelled(by));
}

std::optional<ColourBy> colourByFromName(const QString& text) { return enumeratorNamed<ColourBy>(text); }

const ColourEntry& entryOf(ColourBy by) { return rowOf(by).entry; }

NodeValues valuesOf(ColourBy by, const Graph& graph, GraphKind kind, const ValueSources& sources) {
    NodeValues values;
    values.title = QObject::tr(entryOf(by).title);
    rowOf(by).add({graph, kind, sources}, values);
    return values;
}

}  // namespace aotscope
