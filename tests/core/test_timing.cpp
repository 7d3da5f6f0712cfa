// Timing: statistics, iterations, steps and modules, interleaved variants, and written files.

#include "cost/node_cost.h"
#include "io/report.h"
#include "io/tables/step_table.h"
#include "io/tables/table_text.h"
#include "io/timing_json.h"
#include "io/timing_text.h"
#include "io/trace/chrome_trace.h"
#include "ir/printer.h"
#include "ops/op_table.h"
#include "record/results/graph_times.h"
#include "record/results/module_times.h"
#include "session/session.h"
#include "support/json/json_text.h"
#include "support/test_program.h"
#include "support/text.h"
#include "verify/device_timer.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/equal.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <random>

namespace aotscope::test::timing_test {

using nlohmann::json;

namespace {

std::shared_ptr<const Session> sessionOf(const std::string& sample, bool inference = false, double budget = 1) {
    return Session::open({.model = "sample:" + sample, .inference = inference, .partition = {.memoryBudget = budget}},
                         {});
}

/// Synthetic times: every step of a graph takes one microsecond longer than the previous one; overhead is 5 µs.
TimingResult steadyTimes(const CompileRecord& record) {
    TimingResult timing;
    timing.iterations = 3;
    for (const GraphKind kind : {GraphKind::forward, GraphKind::backward}) {
        GraphTime total{kind, {}, {}, 0, {}, {}};
        std::size_t index = 0;
        for (const Node* node : record.graph(kind)->nodes()) {
            if (node->kind() != NodeKind::call || isGetitem(*node)) continue;
            const double us = static_cast<double>(++index) + 0.25;
            timing.steps.push_back({total.graph, index - 1, node->id(), node->name(), node->op(), us,
                                    node->type.tensorBytes(), 1000, us - 0.25, us + 0.5});
            total.stepsMs += us / 1000;
        }
        (kind == GraphKind::backward ? timing.compiledBackwardMs : timing.compiledForwardMs) =
            spreadOf({total.stepsMs + 0.005});
        timing.graphs.push_back(total);
    }
    timing.backward = true;
    return timing;
}

/// Rows of cells, as RFC 4180 has them.
std::vector<std::vector<std::string>> readCsv(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> row(1);
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') row.back() += text[++i];
        else if (c == '"') quoted = !quoted;
        else if (!quoted && c == ',') row.emplace_back();
        else if (!quoted && c == '\r') continue;
        else if (!quoted && c == '\n') rows.push_back(std::exchange(row, {""}));
        else row.back() += c;
    }
    return rows;
}

struct Slice {
    std::int64_t start, end;  // nanoseconds
    std::string name, category;
};

std::int64_t nanoseconds(const json& us) { return std::llround(us.get<double>() * 1000); }

}  // namespace

class TestTiming : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- statistics ---

    void spreads() {
        const Spread five = spreadOf({5, 1, 4, 2, 3});
        QCOMPARE(five.min, 1.0);
        QCOMPARE(five.lower, 2.0);
        QCOMPARE(five.median, 3.0);
        QCOMPARE(five.upper, 4.0);
        QCOMPARE(five.max, 5.0);
        const Spread four = spreadOf({1, 2, 3, 4});
        QCOMPARE(four.lower, 1.75);
        QCOMPARE(four.median, 2.5);
        QCOMPARE(spreadOf({}).max, 0.0);
        QCOMPARE(spreadOf({7}).upper, 7.0);
    }

    /// From tables of the binomial distribution: the second to the ninth of 10 pairs, with 97.9 % confidence.
    void ratiosHaveTheIntervalOfTheSignTest() {
        std::vector<double> a(10, 2.0), b;
        for (int i = 1; i <= 10; ++i) b.push_back(2.0 * i);
        const Ratio ten = pairedRatio(a, b);
        QCOMPARE(ten.median, 5.5);
        QCOMPARE(ten.low, 2.0);
        QCOMPARE(ten.high, 9.0);
        QVERIFY(std::abs(ten.confidence - 0.978515625) < 1e-9);
        a.resize(5), b.resize(5);
        const Ratio five = pairedRatio(a, b);
        QCOMPARE(five.low, 1.0);
        QCOMPARE(five.high, 5.0);
        QVERIFY(std::abs(five.confidence - 0.9375) < 1e-9);
        QCOMPARE(pairedRatio({}, {}).median, 0.0);
        QCOMPARE(pairedRatio({0, 1}, {1, 3}).median, 3.0);  // a time of nothing is no time
        QCOMPARE(pairedRatio({1}, {3}).confidence, 0.0);
    }

    /// Paired measurements are independent of a machine that becomes slower.
    void driftDoesNotMatter() {
        std::vector<double> a, b;
        for (int i = 0; i < 20; ++i) {
            a.push_back(1 + i);
            b.push_back(1.5 * (1 + i));
        }
        const Ratio ratio = pairedRatio(a, b);
        for (const double value : {ratio.median, ratio.low, ratio.high}) QVERIFY(std::abs(value - 1.5) < 1e-12);
    }

    void intervalsHaveTheirCoverage() {
        std::mt19937 random(1);
        std::lognormal_distribution<double> noise(0, 0.3);  // long runs are longer than short ones are short
        constexpr int trials = 2000, pairs = 15;
        int held = 0;
        double confidence = 0;
        for (int t = 0; t < trials; ++t) {
            std::vector<double> a, b;
            for (int i = 0; i < pairs; ++i) {
                a.push_back(noise(random));
                b.push_back(1.2 * noise(random));
            }
            const Ratio ratio = pairedRatio(a, b);
            held += ratio.low <= 1.2 && 1.2 <= ratio.high;
            confidence = ratio.confidence;
        }
        const double share = static_cast<double>(held) / trials;
        QVERIFY(confidence >= 0.95);
        QVERIFY2(std::abs(share - confidence) < 0.015, qPrintable(QString::number(share)));
    }

    void deviceTimesAreReadOnce() {
        DeviceTimer timer{c10::Device(c10::kCPU)};
        QVERIFY(timer.cost() > 0);
        QVERIFY(timer.take().empty());
        for (int i = 0; i < 4; ++i) timer.mark();
        const std::vector<double> us = timer.take();
        QCOMPARE(us.size(), std::size_t{3});
        for (const double interval : us) QVERIFY(interval >= 0);
        QVERIFY(timer.take().empty());
    }

    // --- iterations ---

    void stepsAddUpToTheirGraphs() {
        const auto session = sessionOf("gpt2-tiny");
        const TimingResult timing = session->time({4, 2}, {});
        QCOMPARE(timing.iterations, 4);
        QCOMPARE(timing.warmUps, 2);
        QVERIFY(timing.backward && timing.clockUs > 0);
        QCOMPARE(timing.graphs.size(), std::size_t{2});
        std::map<GraphKind, double> sums;
        for (const StepTime& step : timing.steps) {
            QVERIFY(step.lowerUs <= step.medianUs && step.medianUs <= step.upperUs);
            sums[step.graph] += step.medianUs / 1000;
        }
        for (const GraphTime& graph : timing.graphs) {
            QVERIFY(std::abs(graph.stepsMs - sums.at(graph.graph)) < 1e-9);
            QVERIFY(graph.ms.min > 0 && graph.observedMs.min > 0);
            for (const Ratio& ratio : {graph.stepsRatio, graph.observedRatio})
                QVERIFY(0 < ratio.low && ratio.low <= ratio.median && ratio.median <= ratio.high);
        }
        // The graph is a part of the forward, and an iteration is forward and backward.
        QVERIFY(timing.graphs[0].ms.min <= timing.compiledForwardMs.min);
        QVERIFY(timing.compiledStepMs.min >= timing.compiledForwardMs.min + timing.compiledBackwardMs.min - 1e-9);
        for (const Ratio& ratio : {timing.forwardRatio, timing.backwardRatio, timing.stepRatio})
            QVERIFY(ratio.low > 0 && ratio.low <= ratio.median && ratio.median <= ratio.high);
        const double used = GraphTimes(timing).utilization();
        QVERIFY(used > 0 && used <= 1);
    }

    void timesOfGraphsAreDivided() {
        TimingResult timing;
        timing.backward = true;
        timing.compiledForwardMs = spreadOf({1, 2, 9});
        timing.compiledBackwardMs = spreadOf({4});
        QCOMPARE(graphMs(timing, false), 2.0);
        QCOMPARE(graphMs(timing, true), 4.0);
        timing.steps = {{GraphKind::forward, 0, 1, "a", "op", 500},
                        {GraphKind::forward, 1, 2, "b", "op", 1000},
                        {GraphKind::backward, 0, 3, "c", "op", 5000},
                        {GraphKind::backward, 1, 4, "d", "op", 3000}};
        const GraphTimes times(timing);
        QCOMPARE(times.totalUs(), 6000.0);
        QCOMPARE(times.stepUs(timing.steps[1]), 1000.0);
        QCOMPARE(times.overheadUs(false), 500.0);
        QCOMPARE(times.stepUs(timing.steps[2]), 2500.0);  // no longer than their graph
        QCOMPARE(times.stepUs(timing.steps[3]), 1500.0);
        QCOMPARE(times.overheadUs(true), 0.0);
        QVERIFY(std::abs(times.utilization() - 5500.0 / 6000) < 1e-12);
        QCOMPARE(GraphTimes({}).utilization(), 0.0);
    }

    void inferenceHasOneGraph() {
        const TimingResult timing = sessionOf("mlp", true)->time({2, 0}, {});
        QCOMPARE(timing.graphs.size(), std::size_t{1});
        QCOMPARE(timing.graphs[0].graph, GraphKind::inference);
        QVERIFY(timing.graphs[0].ms.min > 0 && timing.compiledBackwardMs.max == 0);
        for (const StepTime& step : timing.steps) QCOMPARE(step.graph, GraphKind::inference);
    }

    /// Dropout draws numbers in every iteration; a later run draws the same numbers as without timing.
    void rngStateIsRestored() {
        const auto session = sessionOf("gpt2-tiny");
        const auto state = [] { return at::detail::getDefaultCPUGenerator().get_state(); };
        const at::Tensor before = state();
        session->time({2}, {});
        QVERIFY(at::equal(state(), before));
        session->timeAgainst(*session, {2}, {});
        QVERIFY(at::equal(state(), before));
    }

    void impossibleNumbersAreRefused() {
        const auto session = sessionOf("mlp");
        QVERIFY(errorOf([&] { session->time({0}, {}); }).contains(u"at least 1"_s));
        QVERIFY(errorOf([&] { session->time({1, -1}, {}); }).contains(u"0 or more"_s));
    }

    // --- variants ---

    void variantsRunInterleaved() {
        const auto all = sessionOf("gpt2-tiny"), less = sessionOf("gpt2-tiny", false, 0.3);
        const VariantTiming timing = all->timeAgainst(*less, {8, 1}, {});
        QCOMPARE(timing.iterations, 8);
        QVERIFY(timing.backward);
        for (const auto* part : {&timing.forwardPart, &timing.backwardPart, &timing.step}) {
            QVERIFY(part->firstMs.min > 0 && part->secondMs.min > 0);
            QVERIFY(part->ratio.low <= part->ratio.median && part->ratio.median <= part->ratio.high);
            QVERIFY(part->ratio.confidence >= 0.95);
        }
        QVERIFY(timing.secondPeakBytes > 0 && timing.secondPeakBytes < timing.firstPeakBytes);
        QVERIFY_THROWS_EXCEPTION(Cancelled, all->timeAgainst(*less, {2}, [] {
            Progress cancelled;
            cancelled.cancel();
            return cancelled;
        }()));
    }

    // --- modules ---

    void modulesAddUp() {
        const auto session = sessionOf("gpt2-tiny");
        const TimingResult timing = steadyTimes(*session->record());
        const ModuleTime root = moduleTimes(timing, *session->record());
        QVERIFY(std::abs(root.forwardUs - 1000 * graphMs(timing, false)) < 1e-6);
        QVERIFY(std::abs(root.backwardUs - 1000 * graphMs(timing, true)) < 1e-6);
        std::set<std::size_t> seen;
        std::set<std::string> paths;
        forEachModule(root, [&](const ModuleTime& module, int) {
            double forward = module.ownForwardUs, backward = module.ownBackwardUs;
            for (const ModuleTime& part : module.parts) {
                forward += part.forwardUs, backward += part.backwardUs;
                QVERIFY(module.path.empty() || part.path.starts_with(module.path + "."));
            }
            QVERIFY(std::abs(forward - module.forwardUs) < 1e-6 && std::abs(backward - module.backwardUs) < 1e-6);
            for (const std::size_t step : module.steps) QVERIFY(seen.insert(step).second);
            QVERIFY(paths.insert(module.path).second);
        });
        QCOMPARE(seen.size(), timing.steps.size());
        QVERIFY(paths.contains("blocks.0") && paths.contains("blocks.0.fc"));
        QCOMPARE(pathsTo("h.0.attn"), (std::vector<std::string>{"h", "h.0", "h.0.attn"}));
        QVERIFY(pathsTo("").empty());
    }

    /// A backward operation belongs to the module of the forward operation that it differentiates.
    void backwardsBelongToTheirModules() {
        const auto session = sessionOf("gpt2-tiny");
        const auto record = session->record();
        const TimingResult timing = steadyTimes(*record);
        const auto modules = stepModules(timing, *record);
        std::size_t placed = 0, backwards = 0;
        for (std::size_t i = 0; i < modules.size(); ++i) {
            if (timing.steps[i].graph != GraphKind::backward) continue;
            ++backwards;
            placed += !modules[i].empty();
        }
        QVERIFY2(placed * 10 >= backwards * 9, qPrintable(u"%1 of %2"_s.arg(placed).arg(backwards)));
    }

    // --- files ---

    void tracesAreOfTheFormat_data() { rowsOf("sample", {"gpt2-tiny", "resnet18", "mlp"}); }
    void tracesAreOfTheFormat() {
        QFETCH(QString, sample);
        const auto session = sessionOf(sample.toStdString());
        const auto record = session->record();
        const TimingResult timing = steadyTimes(*record);
        const json trace = json::parse(jsonText(chromeTrace(timing, *record)));
        QVERIFY(trace.at("traceEvents").is_array());
        std::map<int, std::vector<Slice>> tracks;
        std::map<int, std::string> names;
        std::map<std::string, std::size_t> counters;
        for (const json& event : trace.at("traceEvents")) {
            for (const char* key : {"ph", "name", "pid"}) QVERIFY2(event.contains(key), event.dump().c_str());
            const std::string phase = event.at("ph");
            if (phase == "M") {
                if (event.at("name") == "thread_name")
                    names[event.at("tid").get<int>()] = event.at("args").at("name").get<std::string>();
            } else if (phase == "C") {
                QVERIFY(event.at("ts").is_number() && event.at("args").at("bytes").is_number_integer());
                ++counters[event.at("name").get<std::string>()];
            } else {
                QCOMPARE(phase, std::string("X"));
                QVERIFY(event.at("ts").get<double>() >= 0 && event.at("dur").get<double>() >= 0);
                const std::int64_t start = nanoseconds(event.at("ts"));
                tracks[event.at("tid").get<int>()].push_back(
                    {start, start + nanoseconds(event.at("dur")), event.at("name"), event.at("cat")});
                if (event.at("cat") == "operation")
                    for (const char* key : {"node", "module", "bytes", "live_bytes", "result", "inputs"})
                        QVERIFY2(event.at("args").contains(key), event.dump().c_str());
            }
        }
        QCOMPARE(names.size(), std::size_t{2});
        QCOMPARE(counters["memory, measured"], timing.steps.size());
        QCOMPARE(counters["memory, predicted"], timing.steps.size());
        std::int64_t before = 0;
        for (const auto& [track, slices] : tracks) {
            std::vector<Slice> open;
            std::int64_t operations = 0;
            std::size_t count = 0;
            for (const Slice& slice : slices) {
                QVERIFY(slice.start >= before);
                while (!open.empty() && open.back().end <= slice.start) open.pop_back();
                for (const Slice& around : open) {
                    QVERIFY(around.start <= slice.start && slice.end <= around.end);
                    QCOMPARE(around.category, std::string("module"));
                    if (slice.category == "module") QVERIFY(slice.name.starts_with(around.name + "."));
                }
                if (slice.category == "operation") operations += slice.end - slice.start, ++count;
                open.push_back(slice);
            }
            const auto graph =
                std::find_if(timing.graphs.begin(), timing.graphs.end(),
                             [&name = names.at(track)](const GraphTime& g) { return aotscope::name(g.graph) == name; });
            QVERIFY(graph != timing.graphs.end());
            QCOMPARE(operations, static_cast<std::int64_t>(std::llround(graph->stepsMs * 1e6)));
            QCOMPARE(count, static_cast<std::size_t>(
                                std::count_if(timing.steps.begin(), timing.steps.end(),
                                              [&](const StepTime& step) { return step.graph == graph->graph; })));
            for (const Slice& slice : slices) before = std::max(before, slice.end);
        }
    }

    void tablesHaveOneRowForEachStep() {
        const auto session = sessionOf("resnet18");
        const TimingResult timing = steadyTimes(*session->record());
        const auto rows = readCsv(tableCsv(stepTable(timing, *session->record(), nullptr)));
        QCOMPARE(rows.size(), timing.steps.size() + 1);
        QCOMPARE(rows[0][0], std::string("graph"));
        for (const auto& row : rows) QCOMPARE(row.size(), rows[0].size());
        for (std::size_t i = 0; i < timing.steps.size(); ++i) {
            const auto& row = rows[i + 1];
            QCOMPARE(row[2], timing.steps[i].name);
            QVERIFY(std::abs(std::stod(row[6]) - timing.steps[i].medianUs) < 1e-3);
            const auto graph = session->record()->graph(*graphKindFromName(row[0]));
            QCOMPARE(row[5], printType(graph->findById(timing.steps[i].node)->type));
        }
    }

    /// Arithmetic and memory traffic divided by the time; not for kernels of several operations.
    void stepsHaveAchievedRates() {
        const auto session = sessionOf("mlp");
        TimingResult timing = steadyTimes(*session->record());
        const auto rate = [&](const char* key, std::size_t step) -> std::optional<double> {
            const Table table = stepTable(timing, *session->record(), nullptr);
            const auto column = std::ranges::find(table.columns, key, &Table::Column::key) - table.columns.begin();
            const auto* value = std::get_if<double>(&table.rows[step].cells[static_cast<std::size_t>(column)].value);
            return value ? std::optional(*value) : std::nullopt;
        };
        std::size_t products = 0;
        for (std::size_t i = 0; i < timing.steps.size(); ++i) {
            const Node* node = session->record()->graph(timing.steps[i].graph)->findById(timing.steps[i].node);
            const NodeCost cost = costOf(*node);
            const double us = timing.steps[i].medianUs;
            QCOMPARE(rate("gflops_per_s", i).has_value(), cost.flops > 0);
            if (cost.flops > 0) QCOMPARE(*rate("gflops_per_s", i), static_cast<double>(cost.flops) / us / 1000);
            if (cost.bytes() > 0) QCOMPARE(*rate("gb_per_s", i), static_cast<double>(cost.bytes()) / us / 1000);
            products += cost.flops > 0;
        }
        QVERIFY(products >= 6);
        // A step less: another one also computes its operation.
        const auto gone = std::ranges::find_if(timing.steps, [](const StepTime& step) {
            return step.graph == GraphKind::forward && step.op.starts_with("aten.relu");
        });
        QVERIFY(gone != timing.steps.end());
        timing.steps.erase(gone);
        for (std::size_t i = 0; i < timing.steps.size(); ++i)
            if (timing.steps[i].graph == GraphKind::forward) QVERIFY(!rate("gflops_per_s", i) && !rate("gb_per_s", i));
    }

    void documentsHaveTheRatios() {
        const auto session = sessionOf("mlp");
        TimingResult timing = steadyTimes(*session->record());
        timing.graphs[1].stepsRatio = {0.97, 0.96, 0.98, 0.96};
        timing.graphs[1].observedRatio = {1.02, 1.01, 1.03, 0.96};
        const json graph = timingJson(timing, *session->record(), assumedGpu()).at("graphs").at(1);
        QCOMPARE(graph.at("graph").get<std::string>(), std::string("backward"));
        for (const auto& [key, median] : {std::pair{"steps_ratio", 0.97}, std::pair{"observed_ratio", 1.02}}) {
            QCOMPARE(graph.at(key).at("median").get<double>(), median);
            for (const char* part : {"low", "high", "confidence"}) QVERIFY(graph.at(key).contains(part));
        }
    }

    /// Times of a busy machine are not those of a quiet one, and say so.
    void timesOfABusyMachineSaySo() {
        const auto session = sessionOf("mlp");
        TimingResult timing = steadyTimes(*session->record());
        const auto text = [&] { return timingText(timing, *session->record(), 1); };
        const auto load = [&] { return timingJson(timing, *session->record(), assumedGpu()).at("load"); };
        QVERIFY(text().find("unreliable") == std::string::npos && !load().at("disturbed").get<bool>());
        timing.load = {2.5, 1, 2};
        QVERIFY2(text().find("had a core for only 40 % of the time; measured on 1 of 2 threads") != std::string::npos,
                 text().c_str());
        QVERIFY(load().at("disturbed").get<bool>());
        QCOMPARE(load().at("waiting").get<double>(), 2.5);
        VariantTiming variants;
        variants.load = timing.load;
        QVERIFY(variantTimingText(variants).find("unreliable") != std::string::npos);
        QVERIFY(variantTimingJson(variants).at("load").at("disturbed").get<bool>());
    }

    /// Nothing is slower or larger than eager in silence.
    void whatIsSlowerThanEagerIsSaid() {
        const auto session = sessionOf("mlp");
        TimingResult timing = steadyTimes(*session->record());
        const auto says = [&](const char* part) {
            return timingText(timing, *session->record(), 1).find(part) != std::string::npos;
        };
        timing.stepRatio = {1.3, 1.0, 1.5, 0.96};  // not surely
        timing.eagerPeakBytes = timing.compiledPeakBytes = 1000;
        QVERIFY(!says("note:"));
        timing.stepRatio.low = 1.2;
        timing.compilers = {{GraphKind::forward, "fused", "fused"}, {GraphKind::backward, "fused", "fused"}};
        QVERIFY(says("note: compiled by 'fused', the model takes 30 % longer than eager: ") &&
                says("% of its time is in '%"));
        QVERIFY(says("--against \"--compiler interpreter\" compares"));
        timing.compiledPeakBytes = 1100;
        QVERIFY(says("note: compiled, the model needs 10 % more memory than eager at its peak"));
        timing.steps.resize(200, timing.steps.front());
        QVERIFY(says("it runs 200 steps of"));

        VariantTiming variants;
        variants.first = "this", variants.second = "that";
        variants.forwardPart.ratio = {0.8, 0.7, 0.9, 0.96};
        QVERIFY(variantTimingText(variants).ends_with("note: that is faster: this takes 25 % longer\n"));
        variants.forwardPart.ratio = {0.8, 0.7, 1.1, 0.96};
        QVERIFY(variantTimingText(variants).find("note") == std::string::npos);
    }

    void textsGiveTheirConfidence() {
        QCOMPARE(formatRatio({1.25, 1.2, 1.3, 0.96}), std::string("1.250 (1.200 to 1.300)"));
        QCOMPARE(formatRatio({1.25, 1.2, 1.3, 0.75}), std::string("1.250 (1.200 to 1.300, 75 % sure)"));
        QCOMPARE(formatRatio({}), std::string("-"));
        GraphTime graph{GraphKind::forward, spreadOf({2}), spreadOf({2}), 1.9, {0.971, 0.96, 0.982, 0.96}, {}};
        QCOMPARE(graphTimeText(graph), std::string("forward graph: its steps add up to 97.1 % (96.0 to 98.2)"));
        graph.observedRatio = {1.018, 0.99, 1.031, 0.75};
        QCOMPARE(graphTimeText(graph), std::string("forward graph: its steps add up to 97.1 % (96.0 to 98.2), "
                                                   "timing them takes 1.8 % (-1.0 to 3.1, 75 % sure)"));
        const auto session = sessionOf("mlp");
        const QString text = q(timingText(session->time({2}, {}), *session->record(), 5));
        for (const char* part : {"95 % interval", "its steps add up to", "measured / predicted", "of a step's time"})
            QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
    }
};

AOTSCOPE_TEST(TestTiming)

}  // namespace aotscope::test::timing_test

#include "test_timing.moc"
