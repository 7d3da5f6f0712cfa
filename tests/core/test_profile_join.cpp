// Profiles on graphs: what belongs to which node, and what is left out.

#include "cost/profile/alignment.h"
#include "cost/profile/fused_kernels.h"
#include "cost/profile/join_profile.h"
#include "io/profile_text.h"
#include "load/profile/profile_reader.h"
#include "support/test_program.h"
#include "support/text.h"
#include "support/written_profile.h"

#include <algorithm>
#include <map>
#include <random>

namespace aotscope::test::profile_join_test {
namespace {

using Json = nlohmann::json;

constexpr const char* kForward =
    "graph forward\n"
    "  %w1 : f32[8, 8] = placeholder(parameter)\n"
    "  %w2 : f32[8, 4] = placeholder(parameter)\n"
    "  %x : f32[5, 8] = placeholder(input)\n"
    "  %mm : f32[5, 8] = aten.mm.default(%x, %w1)\n"
    "  %relu : f32[5, 8] = aten.relu.default(%mm)\n"
    "  %add : f32[5, 8] = aten.add.Tensor(%relu, %x)\n"
    "  %mm_1 : f32[5, 4] = aten.mm.default(%add, %w2)\n"
    "  %relu_1 : f32[5, 4] = aten.relu.default(%mm_1)\n"
    "  return [%relu_1 : output, %relu : saved, %relu_1 : saved]\n";
constexpr const char* kBackward =
    "graph backward\n"
    "  %relu : f32[5, 8] = placeholder(saved)\n"
    "  %relu_1 : f32[5, 4] = placeholder(saved)\n"
    "  %tangents_1 : f32[5, 4] = placeholder(tangent)\n"
    "  %threshold_backward : f32[5, 4] = aten.threshold_backward.default(%tangents_1, %relu_1, 0)\n"
    "  %sum : f32[1, 4] = aten.sum.dim_IntList(%threshold_backward, [0], True)\n"
    "  %threshold_backward_1 : f32[5, 8] = aten.threshold_backward.default(%relu, %relu, 0)\n"
    "  return [%sum : gradient, %threshold_backward_1 : gradient]\n";

std::shared_ptr<const Graph> withPlaces(const char* text, const std::map<std::string, std::string>& modules) {
    std::shared_ptr<Graph> graph = parseSound(text);
    for (const auto& [name, module] : modules) {
        auto place = std::make_shared<SourceInfo>();
        place->module = module;
        place->moduleType = "Linear";
        place->file = "model.py";
        place->line = static_cast<std::int32_t>(3 + module.size());
        graph->findByName(name)->source = std::move(place);
    }
    return graph;
}

CompileRecord inference() {
    CompileRecord record;
    record.graphs[GraphKind::inference] =
        withPlaces(kForward, {{"mm", "a.fc"}, {"relu", "a.act"}, {"add", ""}, {"mm_1", "b"}, {"relu_1", "b"}});
    return record;
}

CompileRecord training() {
    CompileRecord record = inference();
    record.graphs[GraphKind::forward] = record.graphs.extract(GraphKind::inference).mapped();
    record.graphs[GraphKind::joint] = record.graph(GraphKind::forward);  // for the places of the nodes
    std::shared_ptr<Graph> backward = parseSound(kBackward);
    for (Node* node : backward->nodes()) backward->setIdentity(node, node->id() + 100);
    const auto link = [&](const char* node, const char* forward) {
        backward->findByName(node)->autograd.forward = record.graph(GraphKind::forward)->findByName(forward)->id();
    };
    link("threshold_backward", "relu_1");
    link("sum", "mm_1");
    link("threshold_backward_1", "relu");
    record.graphs[GraphKind::backward] = std::move(backward);
    return record;
}

const Json kMm = Json::array({{5, 8}, {8, 8}}), kMm1 = Json::array({{5, 8}, {8, 4}}), kWide = Json::array({{5, 8}}),
           kNarrow = Json::array({{5, 4}}), kAdd = Json::array({{5, 8}, {5, 8}});

/// The calls of the graph from `start` on, each of 10 microseconds.
WrittenProfile& run(WrittenProfile& written, double start) {
    return written.sized("aten::mm", start, 10, kMm)
        .sized("aten::relu", start + 10, 10, kWide)
        .sized("aten::add", start + 20, 10, kAdd)
        .sized("aten::mm", start + 30, 10, kMm1)
        .sized("aten::relu", start + 40, 10, kNarrow);
}

Json joined(const WrittenProfile& written, const CompileRecord& record, const std::vector<GeneratedCode>& code = {}) {
    const Profile profile = parseProfile(written.text(), "profile");
    return profileJson(joinProfile(profile, record, code), record);
}

/// "mm 0.02, relu 0.01" of the rows, or of those that were not joined.
QString rowsIn(const Json& report, const char* list = "rows", const char* key = "node") {
    std::map<std::string, double> times;
    for (const Json& row : report.at(list)) times[row.at(key)] += row.at("ms").get<double>();
    QStringList texts;
    for (const auto& [name, ms] : times) texts << q(name) + u" "_s + QString::number(ms, 'g', 3);
    return texts.join(u", "_s);
}

QString reasonOf(const Json& report, const char* name) {
    for (const Json& row : report.at("unjoined"))
        if (row.at("name") == name) return q(row.at("reason").get<std::string>());
    return {};
}

}  // namespace

class TestProfileJoin : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void operationsInTheOrderOfTheGraphAreItsNodes() {
        WrittenProfile written;
        const Json report = joined(run(run(written, 0), 100), inference());
        QCOMPARE(rowsIn(report), u"add 0.02, mm 0.02, mm_1 0.02, relu 0.02, relu_1 0.02"_s);
        QCOMPARE(report.at("steps"), 2);
        QCOMPARE(report.at("kernel_ms"), report.at("joined_ms"));
        const Json& row = report.at("rows").at(0);
        QCOMPARE(row.at("name"), "aten::mm");
        QCOMPARE(row.at("module"), "a.fc");
        QCOMPARE(row.at("source"), "model.py:7");
        QCOMPARE(row.at("calls"), 2);
        QCOMPARE(row.at("median_ms").get<double>(), 0.01);
        QVERIFY(report.at("unjoined").empty());
    }

    /// What an operation calls is its own time; what calls joined operations is that of the group.
    void nestedOperations() {
        WrittenProfile written;
        run(written, 0);
        WrittenProfile nested;
        nested.sized("aten::linear", 0, 22, Json::array({{5, 8}, {8, 8}}))
            .sized("aten::mm", 0.5, 10, kMm)
            .operation("aten::copy_", 2, 5)
            .sized("aten::relu", 11, 10, kWide)
            .sized("aten::add", 30, 10, kAdd)
            .sized("aten::mm", 40, 10, kMm1)
            .sized("aten::relu", 50, 10, kNarrow);
        const Json report = joined(nested, inference());
        for (const Json& row : report.at("rows")) {
            if (row.at("name") == "aten::mm" && row.at("node") == "mm") QCOMPARE(row.at("ms").get<double>(), 0.01);
            if (row.at("name") != "aten::linear") continue;
            QCOMPARE(row.at("ms").get<double>(), 0.002);
            QVERIFY((row.at("group") == Json{"mm", "relu"}));
            QCOMPARE(row.at("module"), "a");
        }
        QVERIFY(report.at("unjoined").empty());
    }

    void whatTheGraphDoesNotHaveIsListed() {
        WrittenProfile written;
        run(written, 0)
            .operation("aten::sleepy", 60, 500)
            .sized("aten::relu", 600, 70, Json::array({{9, 9}}))
            .annotation("Optimizer.step#SGD.step", 700, 100)
            .sized("aten::add", 710, 10, kAdd);
        const Json report = joined(written, inference());
        QCOMPARE(rowsIn(report), u"add 0.01, mm 0.01, mm_1 0.01, relu 0.01, relu_1 0.01"_s);
        QCOMPARE(rowsIn(report, "unjoined", "name"), u"aten::add 0.01, aten::relu 0.07, aten::sleepy 0.5"_s);
        QVERIFY(reasonOf(report, "aten::sleepy").contains(u"no such operation"_s));
        QVERIFY(reasonOf(report, "aten::relu").contains(u"with these sizes"_s));
        QVERIFY(reasonOf(report, "aten::add").contains(u"optimizer"_s));
        QVERIFY(report.at("unjoined").at(0).at("node").is_null());
    }

    /// One of two equal calls is missing: nothing says which.
    void whatCouldBeOneOfTwoNodesIsNeither() {
        CompileRecord record;
        record.graphs[GraphKind::inference] = parseSound(
            "graph g\n"
            "  %x : f32[5, 8] = placeholder(input)\n"
            "  %sin : f32[5, 8] = aten.sin.default(%x)\n"
            "  %relu : f32[5, 8] = aten.relu.default(%sin)\n"
            "  %relu_1 : f32[5, 8] = aten.relu.default(%relu)\n"
            "  %cos : f32[5, 8] = aten.cos.default(%relu_1)\n"
            "  return [%cos : output]\n");
        WrittenProfile written;
        written.sized("aten::sin", 0, 10, kWide).sized("aten::relu", 10, 10, kWide).sized("aten::cos", 20, 10, kWide);
        const Json report = joined(written, record);
        QCOMPARE(rowsIn(report), u"cos 0.01, sin 0.01"_s);
        QVERIFY(reasonOf(report, "aten::relu").contains(u"one of several nodes"_s));
    }

    /// The numbers of autograd's nodes tell two calls of one operator apart, even in another order.
    void backwardBelongsToTheForwardThatItDifferentiates() {
        WrittenProfile written;
        written.sized("aten::mm", 0, 10, kMm, {{"Sequence number", 1}})
            .sized("aten::relu", 10, 10, kWide, {{"Sequence number", 2}})
            .sized("aten::add", 20, 10, kAdd, {{"Sequence number", 3}})
            .sized("aten::mm", 30, 10, kMm1, {{"Sequence number", 4}})
            .sized("aten::relu", 40, 10, kNarrow, {{"Sequence number", 5}})
            .sized("aten::abs", 50, 5, kNarrow, {{"Sequence number", 6}})
            .operation("autograd::engine::evaluate_function: AbsBackward0", 58, 10, {{"Sequence number", 6}})
            .operation("aten::sum", 59, 4)
            .operation("autograd::engine::evaluate_function: ReluBackward0", 70, 20, {{"Sequence number", 5}})
            .operation("aten::threshold_backward", 75, 10)
            .operation("autograd::engine::evaluate_function: MmBackward0", 100, 20, {{"Sequence number", 4}})
            .operation("aten::mv", 105, 10)
            .operation("autograd::engine::evaluate_function: ReluBackward0", 130, 20, {{"Sequence number", 2}})
            .operation("aten::threshold_backward", 135, 10);
        const Json report = joined(written, training());
        std::map<std::string, std::string> nodes;
        for (const Json& row : report.at("rows"))
            if (row.at("graph") == "backward") nodes[row.at("node")] += row.at("by").get<std::string>() + " ";
        QCOMPARE(nodes.size(), std::size_t{3});
        QCOMPARE(nodes.at("threshold_backward"), "enclosing order ");
        QCOMPARE(nodes.at("threshold_backward_1"), "enclosing order ");
        QCOMPARE(nodes.at("sum"), "sequence ");                               // with aten::mv in it
        QVERIFY(reasonOf(report, "aten::sum").contains(u"no more calls"_s));  // of what is not part of the model
        for (const Json& row : report.at("rows"))
            if (row.at("node") == "threshold_backward_1") QCOMPARE(row.at("module"), "a.act");
    }

    void kernelsOfAGpuBelongToTheOperationsThatLaunchThem() {
        WrittenProfile written;
        run(written, 0)
            .kernel("sgemm", 2, 1000, 300)
            .kernel("elementwise", 12, 1300, 20)
            .kernel("sgemm", 32, 1400, 500)
            .kernel("stray", 90, 2000, 7);
        const Json report = joined(written, inference());
        QCOMPARE(rowsIn(report), u"mm 0.3, mm_1 0.5, relu 0.02"_s);
        QCOMPARE(report.at("kernel_ms").get<double>(), 0.827);
        QCOMPARE(report.at("device"), "NVIDIA H100 80GB HBM3");
        QVERIFY(!reasonOf(report, "stray").isEmpty());
    }

    /// A fused kernel stands where its inputs and its users allow, and its time is not divided.
    void fusedKernelsAreGroups() {
        WrittenProfile written;
        written.annotation("## Call CompiledFxGraph abc", 0, 100)
            .sized("aten::mm", 0, 10, kMm)
            .kernel("triton_poi_fused_add_relu_0", 12, 1000, 30)
            .sized("aten::mm", 30, 10, kMm1)
            .kernel("triton_poi_fused_relu_1", 45, 1100, 40)
            .kernel("triton_poi_fused_sin_2", 50, 1200, 50);
        const Json report = joined(written, inference());
        QCOMPARE(rowsIn(report), u"add 0.03, relu_1 0.04"_s);
        QVERIFY((report.at("rows").at(1).at("group") == Json{"relu", "add"}));
        QCOMPARE(report.at("rows").at(1).at("by"), "kernel name");
        QCOMPARE(rowsIn(report, "unjoined", "name"), u"triton_poi_fused_sin_2 0.05"_s);
    }

    /// Inductor calls independent operators in any order: they are a group. Those that depend on each other are not.
    void compiledOperatorsOfOneSize() {
        CompileRecord record;
        record.graphs[GraphKind::inference] = parseSound(
            "graph g\n"
            "  %x : f32[8, 8] = placeholder(input)\n"
            "  %w : f32[8, 8] = placeholder(input)\n"
            "  %mm : f32[8, 8] = aten.mm.default(%x, %w)\n"
            "  %mm_1 : f32[8, 8] = aten.mm.default(%w, %x)\n"
            "  %mm_2 : f32[8, 8] = aten.mm.default(%mm, %mm_1)\n"
            "  return [%mm_2 : output]\n");
        const Json sizes = Json::array({{8, 8}, {8, 8}});
        WrittenProfile eager, compiled;
        compiled.annotation("## Call CompiledFxGraph abc", 0, 100);
        for (WrittenProfile* each : {&eager, &compiled})
            each->sized("aten::mm", 0, 10, sizes).sized("aten::mm", 20, 20, sizes).sized("aten::mm", 50, 30, sizes);
        QCOMPARE(rowsIn(joined(eager, record)), u"mm 0.01, mm_1 0.02, mm_2 0.03"_s);
        const Json report = joined(compiled, record);
        QCOMPARE(rowsIn(report), u"mm_1 0.03, mm_2 0.03"_s);
        for (const Json& row : report.at("rows"))
            if (row.at("node") == "mm_1") QVERIFY((row.at("group") == Json{"mm", "mm_1"}) && row.at("calls") == 2);
    }

    /// Where the log of the compilation says what kernels compute, names are not guessed from.
    void inductorsOwnWordCounts() {
        WrittenProfile written;
        written.annotation("## Call CompiledFxGraph abc", 0, 100)
            .sized("aten::mm", 0, 10, kMm)
            .operation("graph_0_cpp_fused_add_relu_0", 12, 30)
            .sized("aten::mm", 50, 10, kMm1)
            .operation("graph_0_cpp_fused_relu_1", 60, 40);
        const std::vector<GeneratedCode> code = {
            {"0_backward",
             1,
             "",
             {{"cpp_fused_add_relu_0(buf0)", 1, {"mm_1"}}, {"cpp_fused_relu_1(buf1)", 2, {"mm_1"}}}},
            {"0_inference",
             2,
             "",
             {{"cpp_fused_add_relu_0(buf0)", 1, {"add", "gone"}},
              {"extern_kernels.mm(buf0, out=buf1)", 2, {"mm_1"}},
              {"cpp_fused_relu_1(buf1)", 3, {"relu_1"}}}}};
        const Json report = joined(written, inference(), code);
        QCOMPARE(rowsIn(report), u"add 0.03, mm 0.01, mm_1 0.01, relu_1 0.04"_s);
        QCOMPARE(report.at("rows").at(0).at("by"), "provenance");
        // Code that calls other kernels is that of another compilation.
        const std::vector<GeneratedCode> other = {{"0_inference", 2, "", {{"cpp_fused_add_relu_0(b)", 1, {"mm"}}}}};
        QCOMPARE(joined(written, inference(), other).at("rows").at(1).at("by"), "kernel name");
    }

    void linesOfCodeBesideKernels() {
        WrittenProfile written;
        run(written.operation("Torch-Compiled Region: 0/0", 0, 200), 0)
            .kernel("triton_poi_fused_unheard_of_0", 60, 1000, 30,
                    {{"stack", {"  File \"/home/me/model.py\", line 4, in forward\n    return b(x)\n"}}})
            .kernel("triton_poi_fused_relu_1", 70, 1100, 40,
                    {{"stack", {"  File \"/home/me/model.py\", line 4, in forward\n    return b(x)\n"}}})
            .kernel("gemm", 80, 1200, 50, {{"stack", {"  File \"/home/me/other.py\", line 4, in forward\n"}}});
        const Json report = joined(written, inference());
        QCOMPARE(rowsIn(report), u"relu_1 0.07"_s);
        QCOMPARE(report.at("rows").at(0).at("module"), "b");
        QCOMPARE(rowsIn(report, "unjoined", "name"), u"gemm 0.05"_s);
    }

    void namesOfKernelsAreRead_data() {
        const auto row = columns<QString, int>("name", "operators");
        row("triton_poi_fused_add_0", 1);
        row("triton_per_fused__unsafe_view_add_native_layer_norm_12", 3);
        row("graph_0_cpp_fused_add_native_layer_norm_native_layer_norm_backward_3", 3);
        row("triton_poi_fused_add_unheard_of_0", 0);
        row("triton_mm_0", 0);
        row("fused_add_0", 0);
        row("cpp_fused__0", 0);
        row("cpp_fused_", 0);
    }
    void namesOfKernelsAreRead() {
        QFETCH(QString, name);
        QFETCH(int, operators);
        OperatorKeys keys;
        for (const char* op : {"aten.add.Tensor", "aten._unsafe_view.default", "aten.native_layer_norm.default",
                               "aten.native_layer_norm_backward.default", "aten.layer.default"})
            keys.add(op);
        QCOMPARE(static_cast<int>(operatorsInName(name.toStdString(), keys).size()), operators);
    }

    void anotherModelIsNotForced() {
        WrittenProfile written;
        for (int i = 0; i < 40; ++i) written.sized("aten::mm", 10 * i, 9, Json::array({{64, 64}, {64, 64}}));
        const Json report = joined(written.sized("aten::add", 500, 5, kAdd), inference());
        QCOMPARE(report.at("joined_ms"), 0.0);
        QVERIFY(report.at("rows").empty());
        QVERIFY(report.at("notes").dump().find("is it a profile of this model") != std::string::npos);
    }

    void warmUpsAreToldApart() {
        WrittenProfile written;
        for (int step = 0; step < 5; ++step)
            run(written.annotation("ProfilerStep#" + std::to_string(step), 1000 * step, 900), 1000 * step)
                .sized("aten::relu", 1000 * step + 60, step == 0 ? 800 : 1, Json::array({{7}}));
        const Json report = joined(written, inference());
        QCOMPARE(report.at("steps"), 5);
        QCOMPARE(report.at("warm_up_steps"), 1);
        QCOMPARE(report.at("step_ms").size(), std::size_t{5});
    }

    /// Only what all best alignments have in common is joined; they are found here by trying all.
    void onlyWhatIsCertainIsAligned() {
        std::mt19937_64 random(3);
        for (int round = 0; round < 300; ++round) {
            std::vector<int> events(random() % 6), calls(1 + random() % 6);
            for (int& each : events) each = static_cast<int>(random() % 3);
            for (int& each : calls) each = static_cast<int>(random() % 3);
            const auto weight = [&](std::size_t e, std::size_t c) { return events[e] == calls[c] ? 2 + events[e] : 0; };
            std::vector<std::vector<int>> best;
            int most = 0;
            std::vector<int> chosen(events.size(), -1);
            const std::function<void(std::size_t, std::size_t, int)> attempt = [&](std::size_t e, std::size_t c,
                                                                                   int sum) {
                if (e == events.size()) {
                    if (sum > most) best.clear();
                    most = std::max(most, sum);
                    if (sum == most) best.push_back(chosen);
                    return;
                }
                chosen[e] = -1;
                attempt(e + 1, c, sum);
                for (std::size_t next = c; next < calls.size(); ++next)
                    if (const int gain = weight(e, next)) {
                        chosen[e] = static_cast<int>(next);
                        attempt(e + 1, next + 1, sum + gain);
                        chosen[e] = -1;
                    }
            };
            attempt(0, 0, 0);
            const Alignment found = align(events.size(), calls.size(), weight, 1, {});
            if (most <= 1) continue;
            for (std::size_t e = 0; found.iterationCount == 1 && e < events.size(); ++e) {
                const auto same = [&](const auto& each) { return each[e] == best.front()[e]; };
                QCOMPARE(found.calls[e], std::ranges::all_of(best, same) ? best.front()[e] : Alignment::kAmbiguous);
            }
        }
    }
};

AOTSCOPE_TEST(TestProfileJoin)

}  // namespace aotscope::test::profile_join_test

#include "test_profile_join.moc"
