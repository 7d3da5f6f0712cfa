// What-if on one joint graph: overrides, differences, and how long answers take.

#include "cost/known_machines.h"
#include "partition/difference.h"
#include "partition/what_if.h"
#include "passes/passes.h"
#include "passes/repartition.h"
#include "session/session.h"
#include "support/models.h"
#include "support/processor_clock.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/ops/ones.h>

#include <functional>

namespace aotscope::test::what_if_test {
namespace {

/// Layers like those of GPT-2, with shared weights: a joint graph of any length, quickly.
std::shared_ptr<const Graph> transformerJoint(int layers) {
    const auto parameter = [](const char* name, std::initializer_list<std::int64_t> sizes) {
        return ModuleBuilder::parameter(name, learned(sizes));
    };
    const std::string methods =
        "def forward(self, x: Tensor) -> Tensor:\n"
        "    for i in range(" +
        std::to_string(layers) +
        "):\n"
        "        h = torch.layer_norm(x, [8], self.g, self.b)\n"
        "        q = torch.linear(h, self.q, self.b).view([2, 4, 2, 4]).transpose(1, 2)\n"
        "        k = torch.linear(h, self.k, self.b).view([2, 4, 2, 4]).transpose(1, 2)\n"
        "        v = torch.linear(h, self.v, self.b).view([2, 4, 2, 4]).transpose(1, 2)\n"
        "        a = torch.softmax(torch.matmul(q, k.transpose(2, 3)) / 2.0, -1)\n"
        "        o = torch.matmul(a, v).transpose(1, 2).reshape([2, 4, 8])\n"
        "        x = x + torch.linear(o, self.o, self.b)\n"
        "        h = torch.layer_norm(x, [8], self.g, self.b)\n"
        "        x = x + torch.linear(torch.gelu(torch.linear(h, self.u, self.c)), self.d, self.b)\n"
        "    return x\n";
    const auto module = moduleFrom(methods, {parameter("g", {8}), parameter("b", {8}), parameter("c", {32}),
                                             parameter("q", {8, 8}), parameter("k", {8, 8}), parameter("v", {8, 8}),
                                             parameter("o", {8, 8}), parameter("u", {32, 8}), parameter("d", {8, 32})});
    return compile(module, R"([{"shape": [2, 4, 8]}])").record().graph(GraphKind::joint);
}

constexpr const char* kSinCos = R"g(graph joint
  %x : f32[4]<0, 0, 16> = placeholder(input) ; label="layer.x"
  %t : f32[4]<1, 0, 16> = placeholder(tangent)
  %sin : f32[4]<2, 0, 16> = aten.sin.default(%x)
  %cos : f32[4]<3, 0, 16> = aten.cos.default(%sin)
  %rand : f32[4]<4, 0, 16> = aten.rand_like.default(%x)
  %max : (f32[4]<5, 0, 16>, i64[4]<6, 0, 32>) = aten.max.dim(%cos, 0)
  %getitem : f32[4]<5, 0, 16> = operator.getitem(%max, 0)
  %mul : f32[4]<7, 0, 16> = aten.mul.Tensor(%getitem, %rand)
  %sin_1 : f32[4]<8, 0, 16> = aten.sin.default(%sin)
  %neg : f32[4]<9, 0, 16> = aten.neg.default(%sin_1)
  %a : f32[4]<10, 0, 16> = aten.mul.Tensor(%t, %neg) ; stage=backward
  %b : f32[4]<11, 0, 16> = aten.mul.Tensor(%a, %rand) ; stage=backward
  return [%mul : output, %b : gradient "x"]
)g";

std::shared_ptr<const Graph> sinCos() { return std::shared_ptr<const Graph>(parseSound(kSinCos)); }

PartitionOptions overrides(std::vector<std::string> save, std::vector<std::string> recompute) {
    return {.save = std::move(save), .recompute = std::move(recompute)};
}

QStringList savedIn(const Partition& partition) {
    QStringList names;
    for (const auto& value : partition.saved) names << q(value.name);
    return names;
}

/// All contents of a partition.
QString textOf(const Partition& partition) {
    QString text = q(printGraph(*partition.forward)) + q(printGraph(*partition.backward));
    for (const SavedValue& value : partition.saved) text += q(value.name + " " + value.reason + "\n");
    for (const RecomputedValue& value : partition.recomputed) text += q(value.name + "\n");
    return text;
}

QString firstDifference(const QString& a, const QString& b) {
    const QStringList left = a.split(u'\n'), right = b.split(u'\n');
    for (qsizetype i = 0; i < std::min(left.size(), right.size()); ++i)
        if (left[i] != right[i]) return u"\n%1\n%2"_s.arg(left[i], right[i]);
    return u"\n%1 lines and %2"_s.arg(left.size()).arg(right.size());
}

/// Budgets, rules, algorithms, and every few operations saved or recomputed, by number and by name.
std::vector<std::pair<QString, PartitionOptions>> askedOf(const Graph& joint) {
    std::vector<std::pair<QString, PartitionOptions>> asked;
    const auto add = [&](const QString& name, const std::function<void(PartitionOptions&)>& edit) {
        edit(asked.emplace_back(name, PartitionOptions()).second);
    };
    add(u"nothing"_s, [](PartitionOptions&) {});
    add(u"default"_s, [](auto& o) { o.algorithm = PartitionAlgorithm::defaultPartition; });
    for (const double budget : {0.0, 0.4}) add(u"budget %1"_s.arg(budget), [&](auto& o) { o.memoryBudget = budget; });
    add(u"roofline"_s, [](auto& o) {
        o.memoryBudget = 0.5;
        o.estimator = RuntimeEstimator::roofline;
    });
    add(u"static parameters"_s, [](auto& o) { o.cut.staticParameters = true; });
    add(u"views"_s, [](auto& o) { o.cut.recomputeViews = true; });
    std::vector<const Node*> calls;
    for (const Node* node : joint.nodes())
        if (node->kind() == NodeKind::call && node->stage == Stage::forward) calls.push_back(node);
    for (std::size_t i = 0; i < calls.size(); i += calls.size() / 3 + 1) {
        const Node& node = *calls[i];
        add(u"save "_s + q(node.name()), [&](auto& o) { o.cut.mustSave.insert(node.id()); });
        add(u"recompute "_s + q(node.name()), [&](auto& o) { o.recompute = {"%" + node.name()}; });
    }
    return asked;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Median milliseconds of an answer, over flips of different values.
double msOfFlip(const PartitionWhatIf& whatIf, const PartitionOptions& base) {
    const auto before = whatIf.partition(base);
    std::vector<double> times;
    for (std::size_t i = 0; i < before->saved.size() && times.size() < 9; i += before->saved.size() / 9 + 1) {
        const Node* node = whatIf.joint().findById(before->saved[i].node);
        if (node->kind() != NodeKind::call) continue;
        PartitionOptions options = base;
        options.cut.mustRecompute.insert(node->id());
        const ProcessorClock clock;
        const auto after = whatIf.partition(options);
        const PartitionDifference difference = compare(*before, *after);
        times.push_back(clock.milliseconds());
        if (difference.empty()) qWarning("recomputing %%%s changes nothing", node->name().c_str());
    }
    return times.empty() ? 1e9 : median(times);
}

}  // namespace

class TestWhatIf : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void overridesAreFollowed() {
        const PartitionWhatIf whatIf(sinCos());
        const auto plain = whatIf.partition({});
        QVERIFY(!savedIn(*plain).contains(u"sin_1"_s));
        const auto saved = whatIf.partition(overrides({"sin_1"}, {}));
        QVERIFY(savedIn(*saved).contains(u"sin_1"_s));
        QVERIFY(!opHistogram(*saved->backward).contains("aten.sin.default"));
        const auto early = whatIf.partition(overrides({"sin"}, {}));
        QVERIFY(savedIn(*early).contains(u"sin"_s));
        QCOMPARE(opHistogram(*early->backward).at("aten.sin.default"), 1);
        const auto again = whatIf.partition(overrides({}, {"sin"}));
        QVERIFY(savedIn(*again).contains(u"x"_s));
        QCOMPARE(opHistogram(*again->backward).at("aten.sin.default"), 2);
    }

    void badOverridesAreRefused_data() {
        const auto row = columns<QString, QString, QString>("save", "recompute", "words");
        row("unknown", "sine", "", "no node 'sine'; did you mean 'sin'");
        row("nothing like it", "convolution_backward_17", "", "no node 'convolution_backward_17'; export it");
        row("a tuple", "max", "", "%max cannot be saved: it is a tuple; its elements are 'getitem'");
        row("a value of the backward", "a", "", "%a cannot be saved: it belongs to the backward");
        row("the output", "output", "", "it is the graph's output");
        row("recompute an input", "", "x", "%x cannot be recomputed: it is an input");
        row("recompute by the user's name", "", "layer.x", "%x cannot be recomputed: it is an input");
        row("recompute in the backward", "", "%b", "%b cannot be recomputed: it belongs to the backward");
        row("both", "sin", "sin", "%sin cannot be saved and recomputed");
    }
    void badOverridesAreRefused() {
        FETCH(QString, save, recompute, words);
        const PartitionWhatIf whatIf(sinCos());
        PartitionOptions options;
        if (!save.isEmpty()) options.save.push_back(save.toStdString());
        if (!recompute.isEmpty()) options.recompute.push_back(recompute.toStdString());
        const QString error = errorOf([&] { whatIf.partition(options); });
        QVERIFY2(error.contains(words), qPrintable(error));
        options.algorithm = PartitionAlgorithm::defaultPartition;
        QCOMPARE(errorOf([&] { whatIf.partition(options); }), error);
    }

    void recomputingAnElementRecomputesItsTuple() {
        const PartitionWhatIf whatIf(sinCos());
        PartitionOptions options = overrides({}, {"getitem"});
        const auto partition = whatIf.partition(options);
        for (const auto& decision : partition->decisions)
            if (whatIf.joint().findById(decision.node)->name() == "max")
                QCOMPARE(decision.exemption, Exemption::mustRecompute);
    }

    void theDefaultPartitionFollowsOverridesToo() {
        const PartitionWhatIf whatIf(sinCos());
        PartitionOptions options = overrides({}, {"neg"});
        options.algorithm = PartitionAlgorithm::defaultPartition;
        const auto partition = whatIf.partition(options);
        QVERIFY(opHistogram(*partition->backward).contains("aten.neg.default"));
        QVERIFY(savedIn(*partition).contains(u"sin_1"_s));
        QVERIFY(verifyGraph(*partition->forward).empty() && verifyGraph(*partition->backward).empty());
    }

    void differences() {
        const PartitionWhatIf whatIf(sinCos());
        const auto before = whatIf.partition(overrides({"sin"}, {})), after = whatIf.partition(overrides({}, {"sin"}));
        QVERIFY(compare(*before, *before).empty());
        const PartitionDifference difference = compare(*before, *after);
        QVERIFY(!difference.empty());
        const auto change = std::find_if(difference.values.begin(), difference.values.end(),
                                         [](const PlacementChange& c) { return c.name == "sin"; });
        QVERIFY(change != difference.values.end());
        QCOMPARE(change->after, ValueDecision::Placement::recomputed);
        QCOMPARE(change->bytes, 16);
        QVERIFY(q(change->reason).contains(u"marked to be recomputed"_s));
        QCOMPARE(difference.savedBytesAfter, after->savedUniqueBytes());
        const PartitionDifference back = compare(*after, *before);
        QCOMPARE(back.values.size(), difference.values.size());
        QCOMPARE(back.recomputedBytesBefore, difference.recomputedBytesAfter);
    }

    void theNetworkDescribesTheCut() {
        const auto joint = transformerJoint(2);
        const auto partition = PartitionWhatIf(joint).partition({});
        QVERIFY(partition->network);
        const CutNetwork& network = *partition->network;
        std::vector<std::int64_t> balance(network.vertices.size());
        std::int64_t cut = 0;
        std::set<NodeId> saved;
        for (const auto& edge : network.edges) {
            QVERIFY(edge.flow >= 0 && edge.flow <= edge.capacity);
            const auto from = static_cast<std::size_t>(edge.from), to = static_cast<std::size_t>(edge.to);
            balance[from] -= edge.flow;
            balance[to] += edge.flow;
            if (network.vertices[from].sinkSide || !network.vertices[to].sinkSide) continue;
            QVERIFY(edge.kind == CutNetwork::EdgeKind::value || edge.kind == CutNetwork::EdgeKind::alias);
            QVERIFY(edge.saturated());
            cut += edge.capacity;
            saved.insert(network.vertices[from].node);
        }
        QCOMPARE(cut, network.flow);
        QCOMPARE(balance[CutNetwork::kSink], network.flow);
        for (std::size_t v = 2; v < balance.size(); ++v) QCOMPARE(balance[v], 0);
        for (const auto& value : partition->saved) QVERIFY(saved.contains(value.node));
    }

    void aPathThatCannotBeCut() {
        const auto joint = std::shared_ptr<const Graph>(parseSound(R"g(graph joint
  %x : f32[4] = placeholder(input)
  %t : f32[4] = placeholder(tangent)
  %made : ? = aten.cumsum.default(%x, 0)
  %y : f32[4] = aten.cumsum.default(%made, 0)
  %dx : f32[4] = aten.mul.Tensor(%t, %made)
  return [%y : output, %dx : gradient "x"]
)g"));
        try {
            PartitionWhatIf(joint).partition({});
            QFAIL("found a cut");
        } catch (const UnboundedCut& e) {
            QCOMPARE(e.path.size(), 2);
            QCOMPARE(e.path[0].name, std::string("made"));
            QVERIFY(q(e.path[0].reason).contains(u"cannot be saved"_s));
            QCOMPARE(e.path[1].reason, std::string("must be computed in the backward"));
        }
    }

    void sweepsEqualSinglePartitions() {
        const PartitionWhatIf whatIf(transformerJoint(3));
        const std::vector<double> budgets = {0, 0.1, 0.35, 0.5, 0.9, 1};
        for (const auto solver : {KnapsackSolver::dynamicProgramming, KnapsackSolver::greedy, KnapsackSolver::exact,
                                  KnapsackSolver::slidingHirschberg}) {
            PartitionOptions options{.solver = solver};
            const auto points = whatIf.sweep(budgets, options, {});
            QCOMPARE(points.size(), budgets.size());
            for (const ParetoPoint& point : points) {
                options.memoryBudget = point.budget;
                QVERIFY(compare(*point.partition, *whatIf.partition(options)).empty());
                QVERIFY(verifyGraph(*point.partition->forward).empty());
                QVERIFY(verifyGraph(*point.partition->backward).empty());
            }
            QVERIFY(points.front().recomputeCost >= points.back().recomputeCost);
            QVERIFY(points.front().partition->savedUniqueBytes() <= points.back().partition->savedUniqueBytes());
        }
    }

    void sweepsCanBeCancelled() {
        const PartitionWhatIf whatIf(sinCos());
        Progress progress;
        progress.cancel();
        QVERIFY_THROWS_EXCEPTION(Cancelled, whatIf.sweep({0.5}, {}, progress));
    }

    void gradientsStayThoseOfEager_data() {
        QTest::addColumn<QString>("methods");
        QTest::newRow("dropout") << u"def forward(self, x: Tensor) -> Tensor:\n"
                                    "    y = torch.dropout(torch.mm(x, self.w), 0.5, True)\n"
                                    "    return torch.softmax(torch.mm(torch.gelu(y), self.w), -1)\n"_s;
        QTest::newRow("a buffer that is overwritten") << u"def forward(self, x: Tensor) -> Tensor:\n"
                                                         "    y = torch.mm(x, self.w) * torch.sin(self.state)\n"
                                                         "    self.state.mul_(0.5)\n"
                                                         "    return torch.exp(torch.mm(y, self.w)) * self.state\n"_s;
        QTest::newRow("an input that is overwritten")
            << u"def forward(self, x: Tensor) -> Tensor:\n"
               "    h = torch.mm(x.sin(), self.w)\n"
               "    x.mul_(0.5)\n"
               "    return torch.mm(torch.layer_norm(h + x, [4]), self.w)\n"_s;
    }
    void gradientsStayThoseOfEager() {
        QFETCH(QString, methods);
        const auto module = moduleFrom(methods.toStdString(), {ModuleBuilder::parameter("w", learned({4, 4})),
                                                               ModuleBuilder::buffer("state", at::ones({4}))});
        for (const double budget : {0.0, 0.2, 0.6, 1.0})
            for (const bool keep : {false, true}) {
                const Options options{.partition = {.memoryBudget = budget}, .keepInputMutations = keep};
                const Compiled compiled = compile(module, R"([{"shape": [4, 4]}])", options);
                QVERIFY2(compiled.record().error.empty(), compiled.record().error.c_str());
                const CheckResult result = check(compiled);
                QVERIFY2(result.ok, result.details.empty() ? "" : result.details.front().c_str());
            }
    }

    /// Whatever is requested: equal graphs, saved and recomputed values, of models, logs and printed graphs.
    void answersAreThoseOfARun_data() {
        QTest::addColumn<QString>("model");
        for (const char* sample : {"mlp", "aliasing", "mutations", "sincos", "gpt2-tiny"})
            QTest::newRow(sample) << u"sample:"_s + QString::fromUtf8(sample);
        for (const QString& folder : {u"printed"_s, u"trace_logs"_s}) {
            const QDir data(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/") + folder);
            const QString ending = folder == "printed"_L1 ? u"*.trace"_s : u"*.log"_s;
            for (const QString& file : data.entryList({ending})) QTest::newRow(qPrintable(file)) << data.filePath(file);
        }
    }
    void answersAreThoseOfARun() {
        QFETCH(QString, model);
        const auto session = Session::open({.model = model.toStdString()}, {});
        const CompileRecord& record = *session->record();
        if (!record.partition || !record.graph(GraphKind::joint)) return;
        std::shared_ptr<const PartitionWhatIf> whatIf;
        const QString none = errorOf([&] { whatIf = whatIfOn(record, rooflineTimes(machineOf("cpu"))); });
        for (const auto& [name, wanted] : askedOf(*record.graph(GraphKind::joint))) {
            QString answer, run;
            const QString refused = whatIf ? errorOf([&] { answer = textOf(*whatIf->partition(wanted)); }) : none;
            const auto applied = Session::open(withPartition(*session, wanted), {}, session)->record();
            if (applied->partition) run = textOf(*applied->partition);
            QVERIFY2(refused.isEmpty() ? answer == run : q(applied->error).contains(refused),
                     qPrintable(name + u": "_s + refused + q(applied->error) + firstDifference(answer, run)));
        }
    }

    /// Partitions of the open session, whatever partitioner it was compiled with.
    void answersDoNotDependOnTheOpenPartition() {
        Options options{.model = "sample:gpt2-tiny"};
        const auto byMinCut = Session::open(options, {});
        options.partition.algorithm = PartitionAlgorithm::defaultPartition;
        const auto byDefault = Session::open(options, {});
        for (const PartitionAlgorithm algorithm : {PartitionAlgorithm::minCut, PartitionAlgorithm::defaultPartition}) {
            const PartitionOptions wanted{.algorithm = algorithm};
            const auto& compiled = algorithm == PartitionAlgorithm::minCut ? byMinCut : byDefault;
            for (const auto& session : {byMinCut, byDefault}) {
                const auto whatIf = whatIfOn(*session->record(), {});
                QCOMPARE(textOf(*whatIf->partition(wanted)), textOf(*compiled->record()->partition));
                QCOMPARE(textOf(*repartition(*session->record(), wanted, {})->partition),
                         textOf(*compiled->record()->partition));
            }
        }
    }

    void answersComeAtOnce_data() {
        columns<int, int, double>("layers", "nodes", "limitMs");
        QTest::newRow("as GPT-2") << 12 << 1100 << 1000.0;
        QTest::newRow("ten thousand nodes") << 100 << 10000 << 10'000.0;
    }
    void answersComeAtOnce() {
        FETCH(int, layers, nodes);
        QFETCH(double, limitMs);
        const auto joint = transformerJoint(layers);
        QVERIFY2(joint->size() > static_cast<std::size_t>(nodes), qPrintable(QString::number(joint->size())));
        const ProcessorClock preparing;
        const PartitionWhatIf whatIf(joint);
        const double prepared = preparing.milliseconds();
        const double flip = msOfFlip(whatIf, {});
        const PartitionOptions half{.memoryBudget = 0.5};
        const double flipAtHalf = msOfFlip(whatIf, half);
        qInfo("%zu nodes: prepared in %.1f ms, a flip in %.1f ms, at budget 0.5 in %.1f ms", joint->size(), prepared,
              flip, flipAtHalf);
        QVERIFY(flip < limitMs);
    }
};

AOTSCOPE_TEST(TestWhatIf)

}  // namespace aotscope::test::what_if_test

#include "test_what_if.moc"
