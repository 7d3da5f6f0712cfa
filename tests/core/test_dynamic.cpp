// Programs with dynamic shapes: their graphs, their guards, and one compilation that serves all sizes.

#include "core/dynamic_programs.h"
#include "core/dynamic_texts.h"
#include "ir/printer.h"
#include "session/session.h"
#include "support/models.h"
#include "support/test_program.h"
#include "support/text.h"
#include "verify/bisect.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>

namespace aotscope::test::dynamic_test {
namespace {

Options optionsOf(const QString& how) {
    Options options{.inference = how == "inference"_L1};
    if (how == "default"_L1) options.partition.algorithm = PartitionAlgorithm::defaultPartition;
    return options;
}

/// The graph of forward and backward that a pass left; null without gradients.
std::shared_ptr<const Graph> jointAsTraced(const CompileRecord& record, PassId id) {
    for (const PassRecord& pass : record.passes)
        for (const auto& [kind, graph] : pass.graphs)
            if (pass.id == id && kind == GraphKind::joint) return graph;
    return nullptr;
}

/// The nodes that have a static counterpart: the others compute sizes.
std::vector<const Node*> nodesOfTensors(const Graph& graph) {
    std::vector<const Node*> nodes;
    for (const Node* node : graph.nodes())
        if (node->type.tensor() && !node->isCall("aten.scalar_tensor.default")) nodes.push_back(node);
    return nodes;
}

/// The first node whose type in `graph`, at these sizes, is not that of `fixed`. Sizes of 1 have any stride.
QString differenceOfTypes(const Graph& graph, const Graph& fixed, const SymbolValues& sizes) {
    const auto nodes = nodesOfTensors(graph), others = nodesOfTensors(fixed);
    if (nodes.size() != others.size()) return u"%1 nodes, expected %2"_s.arg(nodes.size()).arg(others.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const TensorType type = nodes[n]->type.tensor()->at(sizes), &expected = *others[n]->type.tensor();
        bool same = type.sizes == expected.sizes && type.storageOffset == expected.storageOffset;
        for (std::size_t d = 0; same && d < type.sizes.size(); ++d)
            same = type.sizes[d] == 1 || type.strides[d] == expected.strides[d];
        QStringList strides, wanted;
        for (const std::int64_t stride : type.strides) strides << QString::number(stride);
        for (const std::int64_t stride : expected.strides) wanted << QString::number(stride);
        if (!same)
            return q(printNode(*nodes[n]) + ", expected " + printNode(*others[n])) +
                   u"; strides %1, expected %2"_s.arg(strides.join(u' '), wanted.join(u' '));
    }
    return {};
}

}  // namespace

class TestDynamic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneCompilationServesAllSizes_data() {
        columns<int, QString>("index", "how");
        for (std::size_t i = 0; i < programs().size(); ++i)
            for (const char* how : {"min-cut", "default", "inference"})
                QTest::addRow("%s, %s", programs()[i].name, how) << static_cast<int>(i) << how;
    }
    void oneCompilationServesAllSizes() {
        QFETCH(int, index);
        QFETCH(QString, how);
        const DynamicProgram& program = programs()[static_cast<std::size_t>(index)];
        const Compiled compiled = program.compiled(optionsOf(how));
        const CompileRecord& record = compiled.record();
        QVERIFY2(record.error.empty(), record.error.c_str());
        for (const auto& warning : warningsOf(record)) QFAIL(warning.c_str());
        QStringList symbols;
        for (const Symbol& symbol : record.symbols) symbols << textOf(symbol);
        QCOMPARE(symbols.size(), static_cast<qsizetype>(program.symbols.size()));
        for (qsizetype i = 0; i < symbols.size(); ++i)
            QVERIFY2(symbols[i].startsWith(program.symbols[static_cast<std::size_t>(i)]), qPrintable(symbols[i]));
        for (const char* text : program.inGraph)
            if (how != "inference"_L1 || !std::string_view(text).starts_with("%sym_size"))
                QVERIFY2(graphOf(record).contains(text), qPrintable(text + (":\n" + graphOf(record))));
        for (const char* guard : program.guards)
            QVERIFY2(guardsOf(record).contains(guard), qPrintable(guardsOf(record)));

        const CheckResult result = check(compiled);
        QVERIFY2(result.ok && result.misses == 0, qPrintable(detailsOf(result)));
        QVERIFY(result.sizes.size() >= 4);
        QCOMPARE(result.hits, static_cast<int>(result.sizes.size()) + 1);
        QCOMPARE(result.backwardRun, how != "inference"_L1 && (program.gradients || program.attributes));
    }

    /// The types of every graph are those that a static compilation at other sizes finds.
    void typesAreThoseOfOtherSizes_data() {
        const auto row = columns<int>("index");
        for (std::size_t i = 0; i < programs().size(); ++i) row(programs()[i].name, static_cast<int>(i));
    }
    void typesAreThoseOfOtherSizes() {
        QFETCH(int, index);
        const DynamicProgram& program = programs()[static_cast<std::size_t>(index)];
        const Compiled compiled = program.compiled();
        const CompileRecord& record = compiled.record();
        for (const bool smallest : {true, false}) {
            SymbolValues sizes;
            for (const Symbol& symbol : record.symbols)
                sizes[symbol.name] = smallest ? symbol.min : std::min(2 * symbol.hint, symbol.max);
            const Compiled fixed = program.at(record.symbols, sizes).compiled({.staticShapes = true});
            QVERIFY2(fixed.record().error.empty(), fixed.record().error.c_str());
            for (const GraphKind kind : {GraphKind::preFunctionalization, GraphKind::functional}) {
                const QString difference = differenceOfTypes(*record.graph(kind), *fixed.record().graph(kind), sizes);
                QVERIFY2(difference.isEmpty(), qPrintable(difference));
            }
            const auto joint = jointAsTraced(record, PassId::dynamicShapes);
            const auto other = jointAsTraced(fixed.record(), PassId::joint);
            const QString difference = joint ? differenceOfTypes(*joint, *other, sizes) : QString();
            QVERIFY2(difference.isEmpty(), qPrintable(difference));
        }
    }

    void graphsAreReadBack() {
        for (const DynamicProgram& program : programs()) {
            const Compiled compiled = program.compiled();
            for (const auto& [kind, graph] : compiled.record().graphs) {
                if (kind == GraphKind::source) continue;
                const std::string text = printGraph(*graph, Detail::full);
                std::string again;
                const QString error = errorOf([&] { again = printGraph(*parseSound(text), Detail::full); });
                QVERIFY2(error.isEmpty(), qPrintable(q(program.name) + ": " + error));
                QCOMPARE(q(again), q(text));
            }
        }
    }

    void savedSizesAreLastAndFirst_data() {
        QTest::addColumn<QString>("how");
        QTest::newRow("default") << "default";
        QTest::newRow("min-cut") << "min-cut";
    }
    void savedSizesAreLastAndFirst() {
        QFETCH(QString, how);
        const Compiled compiled = batchProgram("sum",
                                               "def forward(self, x: Tensor) -> Tensor:\n"
                                               "    return (x.sin().mean(0) * x[1:].cos().sum()).exp()")
                                      .compiled(optionsOf(how));
        const Partition& partition = *compiled.record().partition;
        const auto& slotList = partition.forward->outputSlots();
        std::size_t sizes = 0;
        while (sizes < slotList.size() && slotList[slotList.size() - 1 - sizes].role == Role::savedSymint) ++sizes;
        // Min-cut may recompute a size from an input that is already kept.
        if (how == u"default"_s) QVERIFY2(sizes > 0, qPrintable(q(printGraph(*partition.forward))));
        for (std::size_t i = 0; i + sizes < slotList.size(); ++i) QVERIFY(slotList[i].role != Role::savedSymint);
        const auto inputs = partition.backward->placeholders();
        for (std::size_t i = 0; i < inputs.size(); ++i) QCOMPARE(inputs[i]->role == Role::savedSymint, i < sizes);
        for (const SavedValue& value : partition.saved)
            if (value.kind == SavedValue::Kind::symint) {
                QVERIFY(partition.forward->findById(value.node)->type.scalar());
                QCOMPARE(value.type.bytes(), qint64{8});
            }
        QCOMPARE(partition.savedBytes(SavedValue::Kind::symint), static_cast<qint64>(8 * sizes));
        QVERIFY(check(compiled).ok);
    }

    void sizesOutsideOfTheRangeRecompile() {
        const Compiled compiled = program("mlp").compiled(
            withSizes({{{"n", 9}}, {{"n", 1}}, {{"n", 65}}, {{"n", 1}}, {{"n", 64}}, {{"n", 0}}}));
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok, qPrintable(detailsOf(result)));
        QCOMPARE(result.misses, 3);
        QCOMPARE(result.hits, 4);
        QList<bool> recompiled;
        for (const SizeCheck& size : result.sizes) recompiled << size.recompiled;
        QCOMPARE(recompiled, (QList<bool>{false, true, true, false, false, true}));
        QCOMPARE(q(result.sizes[1].reason), u"s0 (n, x.size(0)) is 1, expected at least 2"_s);
        QCOMPARE(q(result.sizes[2].reason), u"s0 (n, x.size(0)) is 65, expected at most 64"_s);
        QCOMPARE(q(result.sizes[0].reason), QString());
    }

    void recompilationsHaveALimit() {
        Options options = withSizes({{{"n", 9}}, {{"n", 1}}, {{"n", 65}}});
        options.recompileLimit = 0;
        QCOMPARE(errorOf([&] { check(program("mlp").compiled(options)); }),
                 u"the inputs do not fit what was compiled (s0 (n, x.size(0)) is 1, expected at least 2), "
                 "and recompiling is disabled; widen the range with --dynamic or raise "
                 "--recompile-limit"_s);
        options.recompileLimit = 1;
        const QString error = errorOf([&] { check(program("mlp").compiled(options)); });
        QVERIFY2(error.contains("is 65, expected at most 64), and the limit of 1 recompilation is reached"),
                 qPrintable(error));
        options.recompileLimit = 2;
        QCOMPARE(check(program("mlp").compiled(options)).misses, 2);
    }

    void guardsSayWhy() {
        const auto has = [](const DynamicProgram& program, const char* guard) {
            const QString all = guardsOf(program.compiled().record());
            return all.contains(guard) ? QString() : all;
        };
        QCOMPARE(has(program("mlp"), "s0 >= 2 (s0 is n, x.size(0); 0 and 1 are specialised)"), QString());
        QCOMPARE(has(program("mlp"), "s0 <= 64 (s0 is n, x.size(0); the range that was asked for)"), QString());
        QCOMPARE(has(program("branch on a size"), "s0 >= 5 (s0 is n, x.size(0); at s0 = 4 '%sin"), QString());
        QCOMPARE(
            has(program("view in rows of four"), "s0 % 4 == 0 (s0 is n, x.size(0); at s0 = 9 tracing fails (shape"),
            QString());
        QCOMPARE(
            has(program("concatenation beside each other"), "s1 == s0 (s1 is b, y.size(0); at s1 = 7 tracing fails"),
            QString());
    }

    void allSizesAreDynamic_data() {
        const auto row = columns<QString, QString, QStringList, QStringList>("method", "shapes", "symbols", "guards");
        row("each on its own", "x: Tensor) -> Tensor:\n    return x.sin()", "[[8,8]]",
            {"s0 = 8 in 2.. from \"x.size(0)\"", "s1 = 8 in 2.. from \"x.size(1)\""}, {});
        row("0 and 1 are static", "x: Tensor) -> Tensor:\n    return x.sin()", "[[1,5,1]]",
            {"s0 = 5 in 2.. from \"x.size(1)\""}, {});
        row("three inputs of equal sizes", "x: Tensor, y: Tensor, z: Tensor) -> Tensor:\n    return x + y * z",
            "[[8,8],[8,8],[8,8]]", {"s0 = 8 in 2..", "s1 = 8 in 2.."},
            {"s2 == s0 (", "s4 == s0 (", "s3 == s1 (", "s5 == s1 ("});
        row("a size that is fixed",
            "x: Tensor, y: Tensor) -> Tensor:\n    return torch.matmul(x + y, torch.ones([8, 2]))", "[[8,8],[8,8]]",
            {"s0 = 8 in 2.."}, {"s2 == s0 (", "s1 == 8 (s1 is x.size(1); at s1 = 9 ", "s3 == 8 ("});
        row("sizes that vary only one at a time", "x: Tensor, y: Tensor) -> Tensor:\n    return (x + y).view(-1, 2, 4)",
            "[[8,8],[8,8]]", {"s0 = 8 in 2.."},
            {"s2 == s0 (", "s3 == s1 (", "s1 == 8 (s1 is x.size(1); not together with the other sizes: at "});
        row("sizes beside those that vary only one at a time",
            "x: Tensor, y: Tensor) -> Tensor:\n    return x.view(-1, 2, 4).sum() * y", "[[8,8],[5]]",
            {"s0 = 8 in 2..", "s2 = 5 in 2.."},
            {"s1 == 8 (s1 is x.size(1); not together with the other sizes: at s0 = "});
        row("sizes that only the backward wants to be equal",
            "x: Tensor, y: Tensor) -> Tensor:\n"
            "    return torch.zeros([x.size(0)]).scatter_add(0, torch.arange(y.size(0)), x).sum() * y",
            "[[8],[8]]", {"s0 = 8 in 2.."}, {"s1 == s0 ("});
        row("a loop over one size",
            "x: Tensor) -> Tensor:\n    y = x[0]\n    for i in range(x.size(0)):\n        y = y * x[i]\n    return y",
            "[[3,6]]", {"s1 = 6 in 2.."}, {"s0 == 3 (s0 is x.size(0); at s0 = 4 "});
    }
    void allSizesAreDynamic() {
        FETCH(QString, method, shapes);
        FETCH(QStringList, symbols, guards);
        QString values, inputs;
        int index = 0;
        for (const QString& shape : shapes.mid(1, shapes.size() - 2).replace("],[", "] [").split(' ')) {
            values += (index ? "," : "") + uR"({"leaf":{"shape":%1,"requires_grad":true}})"_s.arg(shape);
            inputs += (index ? "," : "") + uR"({"tensor":%1})"_s.arg(index);
            ++index;
        }
        const Options options{.dynamic = {{DynamicRange::kAll}}};
        const Compiled compiled =
            compile(moduleFrom(("def forward(self, " + method).toStdString()),
                    uR"({"values":[%1],"inputs":[%2]})"_s.arg(values, inputs).toStdString(), options);
        const CompileRecord& record = compiled.record();
        QVERIFY2(record.error.empty(), record.error.c_str());
        QStringList found;
        for (const Symbol& symbol : record.symbols) found << textOf(symbol);
        QCOMPARE(found.size(), symbols.size());
        for (qsizetype i = 0; i < symbols.size(); ++i) QVERIFY2(found[i].startsWith(symbols[i]), qPrintable(found[i]));
        for (const QString& guard : guards) QVERIFY2(guardsOf(record).contains(guard), qPrintable(guardsOf(record)));
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok && result.misses == 0 && result.backwardRun, qPrintable(detailsOf(result)));
    }

    void allGoesWithRangesByName() {
        const Options options{.dynamic = {{DynamicRange::kAll}, {"n", 4, 16}}};
        const Compiled compiled =
            batchProgram("sine", "def forward(self, x: Tensor) -> Tensor:\n    return x.sin()").compiled(options);
        QCOMPARE(compiled.record().symbols.size(), std::size_t{2});
        QCOMPARE(textOf(compiled.record().symbols[0]), u"s0 = 8 in 4..16 from \"n, x.size(0)\""_s);
        QCOMPARE(textOf(compiled.record().symbols[1]), u"s1 = 3 in 2.. from \"x.size(1)\""_s);
    }

    /// A table has a fixed number of rows. Unnamed sizes are skipped then; named ones are an error.
    void sizesAtWhichEagerFailsAreNamed() {
        Options options{.dynamic = {{DynamicRange::kAll}}};
        Compiled compiled =
            compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n"
                               "    return x + torch.embedding(torch.ones([6, 3]), torch.arange(x.size(0)))"),
                    R"({"values":[{"leaf":{"shape":[4,3]}}],"inputs":[{"tensor":0}]})", options);
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok, qPrintable(detailsOf(result)));
        for (const SizeCheck& size : result.sizes)
            QCOMPARE(!size.refused.empty(), size.sizes.contains("s0") && size.sizes.at("s0") > 6);
        QVERIFY(std::ranges::any_of(result.sizes, [](const SizeCheck& size) { return !size.refused.empty(); }));
        QVERIFY(!bisectAgainstEager(compiled.modelRun, compiled.compilation, compiled.options, {}).found);
        compiled.options.checkSizes = {{{"x.0", 7}}};
        const QString error = errorOf([&] { check(compiled); });
        QCOMPARE(error,
                 u"the model does not run at s0 = 7, s1 = 3: index out of range in self; "
                 "name other sizes with --at"_s);
    }

    void sizesWithoutABound() {
        DynamicProgram large = program("mlp");
        large.dims = R"({"n":8})";
        const Compiled compiled = large.compiled(withSizes({{{"n", 5000}}, {{"n", 2}}}));
        QCOMPARE(textOf(compiled.record().symbols.at(0)), u"s0 = 8 in 2.. from \"n, x.size(0)\""_s);
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok && result.misses == 0, qPrintable(detailsOf(result)));
    }

    void otherChangesOfInputsAreRefused() {
        const Compiled compiled = program("mlp").compiled();
        const auto refused = [&](auto&& change) {
            auto leaves = compiled.modelRun.arguments(/*ownState=*/true).leaves;
            for (auto& leaf : leaves)
                if (leaf.toTensor().dim() == 2 && leaf.toTensor().size(0) == 8) leaf = change(leaf.toTensor());
            const auto reason = compiled.function().failedGuard(leaves);
            return reason ? q(*reason) : QString();
        };
        QCOMPARE(refused([](const at::Tensor& t) { return t; }), QString());
        QCOMPARE(refused([](const at::Tensor& t) { return t.detach(); }), QString());
        QCOMPARE(refused([](const at::Tensor& t) { return t.to(at::kDouble).detach().set_requires_grad(true); }),
                 u"'x' is f64[8, 3] that requires a gradient, expected f32[s0, 3]"_s);
        QCOMPARE(refused([](const at::Tensor& t) { return t.detach().t().contiguous().t().set_requires_grad(true); }),
                 u"'x' is f32[8, 3][1, 8] that requires a gradient, expected f32[s0, 3]"_s);
        QCOMPARE(refused([](const at::Tensor& t) { return t.detach().unsqueeze(1); }),
                 u"'x' is f32[8, 1, 3], expected f32[s0, 3]"_s);
        QCOMPARE(refused([](const at::Tensor& t) { return t.detach()[0][0]; }),
                 u"an input has a different rank than in the example"_s);
        QCOMPARE(refused([](const at::Tensor& t) { return t.detach().slice(0, 0, 5).set_requires_grad(true); }),
                 QString());
    }

    void sizesOfTwoInputsMustAgree() {
        const Compiled compiled = program("concatenation beside each other").compiled();
        auto leaves = compiled.modelRun.arguments(/*ownState=*/true).leaves;
        leaves[1] = at::ones({7, 3}).set_requires_grad(true);
        const auto reason = compiled.function().failedGuard(leaves);
        QVERIFY(reason);
        QCOMPARE(q(*reason), u"'y' is f32[7, 3] that requires a gradient, expected f32[s0, 3]"_s);
        leaves[0] = at::ones({7, 2}).set_requires_grad(true);
        QVERIFY(!compiled.function().failedGuard(leaves));
    }

    void integersMayVary_data() {
        columns<QString, bool>("name", "inference");
        for (const char* name : {"all", "k"})
            for (const bool inference : {false, true})
                QTest::addRow("%s%s", name, inference ? ", inference" : "") << name << inference;
    }
    void integersMayVary() {
        QFETCH(QString, name);
        Options options{.dynamic = {{name.toStdString()}}};
        QFETCH(bool, inference);
        options.inference = inference;
        options.checkSizes = {{{"k", 5}}, {{"k", 40}}, {{"k", 1}}};
        const Compiled compiled = compile(
            moduleFrom("def forward(self, x: Tensor, k: int) -> Tuple[Tensor, int]:\n"
                       "    return x.sin().repeat([k, 1]) * (k + 1), 2 * k"),
            R"({"values":[{"leaf":{"shape":[4,3],"requires_grad":true}}],"inputs":[{"tensor":0},{"int":3}]})", options);
        const CompileRecord& record = compiled.record();
        QVERIFY2(record.error.empty(), record.error.c_str());
        const Symbol& k = record.symbols.back();
        QCOMPARE(q(k.origin), u"k"_s);
        const QString graph = graphOf(record), symbol = q(k.name);
        QVERIFY2(graph.contains("Sym(" + symbol + ") = placeholder"), qPrintable(graph));
        QVERIFY2(graph.contains("Sym(" + symbol + " + 1)"), qPrintable(graph));
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok && result.sizes.size() == 3, qPrintable(detailsOf(result)));
        QCOMPARE(result.misses, 1);
        QCOMPARE(q(result.sizes[2].reason), symbol + u" (k) is 1, expected at least 2"_s);
        QCOMPARE(result.backwardRun, !inference);
    }

    /// Both are 4, and only vary together.
    void anIntegerThatIsASize() {
        const Options options{.dynamic = {{DynamicRange::kAll}}};
        const Compiled compiled =
            compile(moduleFrom("def forward(self, x: Tensor, k: int) -> Tensor:\n    return x.expand([k, 3]).sin()"),
                    R"({"values":[{"leaf":{"shape":[4,3]}}],"inputs":[{"tensor":0},{"int":4}]})", options);
        QVERIFY2(guardsOf(compiled.record()).contains("s2 == s0 (s2 is k; "), qPrintable(guardsOf(compiled.record())));
        QVERIFY(!compiled.function().failedGuard({at::ones({6, 3}), 6}));
        QCOMPARE(q(compiled.function().failedGuard({at::ones({6, 3}), 7}).value_or("")), u"'k' is 7, expected 6"_s);
        QCOMPARE(q(compiled.function().failedGuard({at::ones({6, 3}), true}).value_or("")),
                 u"an input is True, expected an integer"_s);
    }

    void rangesOfOptions_data() {
        columns<QString, qint64, qint64, QString, QString>("name", "min", "max", "symbol", "error");
        const auto row = [](const char* name, qint64 min, qint64 max, const char* symbol, const char* error) {
            QTest::addRow("%s in %lld..%lld", name, static_cast<long long>(min), static_cast<long long>(max))
                << name << min << max << symbol << error;
        };
        row("n", 4, 16, "s0 = 8 in 4..16", "");
        row("n", 0, 16, "s0 = 8 in 2..16", "");
        row("n", 9, 16, "", "the size 'n' is 8 in the example inputs, outside of the range that --dynamic gives");
        row("x.1", 2, 16, "s1 = 3 in 2..16", "");
        row("batch", 2, 16, "",
            "--dynamic names 'batch', which is not a size: name a dimension of the input spec ('n')");
    }
    void rangesOfOptions() {
        FETCH(QString, name, symbol, error);
        FETCH(qint64, min, max);
        const Options options{.dynamic = {{name.toStdString(), min, max}}};
        std::optional<Compiled> compiled;
        const QString thrown = errorOf([&] {
            compiled.emplace(
                batchProgram("sine", "def forward(self, x: Tensor) -> Tensor:\n    return x.sin()").compiled(options));
        });
        QVERIFY2(thrown.contains(error) && thrown.isEmpty() == error.isEmpty(), qPrintable(thrown));
        if (!compiled) return;
        QVERIFY(textOf(compiled->record().symbols.back()).startsWith(symbol) && check(*compiled).ok);
    }
};

AOTSCOPE_TEST(TestDynamic)

}  // namespace aotscope::test::dynamic_test

#include "test_dynamic.moc"
