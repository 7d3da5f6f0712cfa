// Programs with dynamic shapes: their graphs, their guards, and one compilation that serves all sizes.

#include "session/session.h"
#include "support/models.h"
#include "support/text.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <QtTest>

using namespace aotscope;
using namespace aotscope::test;

namespace {

using Build = ModuleBuilder;

/// A program, the ranges of its input sizes, and what is expected of its graph.
struct DynamicProgram {
    const char* name;
    const char* methods;
    const char* dims;                 ///< of the input spec
    std::vector<std::string> shapes;  ///< of the inputs
    std::vector<const char*> symbols;
    std::vector<const char*> inGraph;   ///< texts in the joint graph
    std::vector<const char*> guards{};  ///< other than the bounds
    Attributes (*attributes)() = nullptr;
    bool gradients = true;

    std::string spec() const {
        std::string values, inputs;
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            values += (i ? "," : "") + std::string(R"({"leaf":{"shape":)") + shapes[i] +
                      R"(,"fill":"randn","requires_grad":)" + (gradients ? "true" : "false") + "}}";
            inputs += (i ? "," : "") + std::string(R"({"tensor":)") + std::to_string(i) + "}";
        }
        return std::string(R"({"dims":)") + dims + R"(,"values":[)" + values + R"(],"inputs":[)" + inputs + "]}";
    }
    Compiled compiled(const Options& options = {}) const {
        return compile(moduleFrom(methods, attributes ? attributes() : Attributes{}), spec(), options);
    }
};

Attributes linearLayers() {
    return {Build::parameter("w1", learned({4, 3})), Build::parameter("b1", learned({4})),
            Build::parameter("w2", learned({2, 4})), Build::parameter("b2", learned({2}))};
}
Attributes convolution() { return {Build::parameter("w", learned({4, 3, 3, 3})), Build::parameter("b", learned({4}))}; }
Attributes batchNorm() {
    return {Build::parameter("weight", learned({3})), Build::parameter("bias", learned({3})),
            Build::buffer("running_mean", at::zeros({3})), Build::buffer("running_var", at::ones({3}))};
}

const char* const kBatch = R"({"n":{"hint":8,"min":2,"max":64}})";
const char* const kOneBatch = "s0 = 8 in 2..64 from \"n, x.size(0)\"";

const std::vector<DynamicProgram>& programs() {
    static const std::vector<DynamicProgram> list = {
        {"mlp",
         "def forward(self, x: Tensor) -> Tensor:\n"
         "    return torch.linear(torch.relu(torch.linear(x, self.w1, self.b1)), self.w2, self.b2)",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"f32[s0, 3] = placeholder(input)", "f32[s0, 4] = aten.addmm", "f32[s0, 2]"},
         {},
         linearLayers},
        {"convolution and pooling",
         "def forward(self, x: Tensor) -> Tensor:\n"
         "    return torch.max_pool2d(torch.relu(torch.conv2d(x, self.w, self.b, [2, 2], [1, 1])), [2, 2])",
         R"({"n":{"hint":4,"max":9},"h":{"hint":16,"min":8,"max":40}})",
         {R"(["n",3,"h","h"])"},
         {"s0 = 16 in 8..40", "s1 = 4 in 2..9"},
         {"f32[s1, 4, (s0 + 1)//2, (s0 + 1)//2] = aten.convolution"},
         {},
         convolution},
        {"two convolutions",
         "def forward(self, x: Tensor) -> Tensor:\n"
         "    y = torch.conv2d(x, self.w, self.b, [2, 2], [1, 1])\n"
         "    return torch.conv2d(y[:, :3], self.w, self.b, [2, 2], [1, 1])",
         R"({"h":{"hint":16,"min":8,"max":40}})",
         {R"([2,3,"h",12])"},
         {"s0 = 16 in 8..40"},
         {"f32[2, 4, (s0 + 1)//2, 6]"},
         {},
         convolution},
        {"attention",
         "def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:\n"
         "    return torch.matmul(torch.softmax(torch.matmul(q, k.transpose(1, 2)) / 2.0, -1), v)",
         R"({"b":{"hint":3,"max":8},"t":{"hint":7,"max":33}})",
         {R"(["b","t",4])", R"(["b","t",4])", R"(["b","t",4])"},
         {"s0 = 3 in 2..8", "s1 = 7 in 2..33"},
         {"f32[s0, s1, s1] = aten._softmax"}},
        {"fused attention",
         "def forward(self, q: Tensor, k: Tensor) -> Tensor:\n"
         "    return torch.scaled_dot_product_attention(q, k, k)",
         R"({"b":{"hint":3,"max":8},"t":{"hint":7,"max":33},"s":{"hint":5,"max":20}})",
         {R"(["b",2,"t",4])", R"(["b",2,"s",4])"},
         {"s0 = 3 in 2..8", "s1 = 5 in 2..20", "s2 = 7 in 2..33"},
         {"_scaled_dot_product_flash_attention_for_cpu"}},
        {"concatenation beside each other",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return torch.cat([x, y], 1)",
         R"({"a":{"hint":6,"max":20},"b":{"hint":6,"min":3,"max":30}})",
         {R"(["a",2])", R"(["b",3])"},
         {"s0 = 6 in 3..20"},
         {"f32[s0, 5] = aten.cat", "f32[s0, 3] = placeholder(input)"},
         {"s1 == s0"}},
        {"concatenation one after the other",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return torch.cat([x, y])",
         R"({"a":{"hint":6,"max":20},"b":{"hint":6,"max":30}})",
         {R"(["a",2])", R"(["b",2])"},
         {"s0 = 6 in 2..20", "s1 = 6 in 2..30"},
         {"f32[s1 + s0, 2] = aten.cat"}},
        {"view in rows of four",
         "def forward(self, x: Tensor) -> Tensor:\n    return x.mul(2).view(-1, 4).sum(1)",
         kBatch,
         {R"(["n"])"},
         {"s0 = 8 in "},
         {"f32[s0//4, 4] = aten.view"},
         {"s0 % 4 == 0"}},
        {"broadcasting",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return x * y + y",
         R"({"n":{"hint":8,"max":64},"m":{"hint":5,"max":9}})",
         {R"(["n",1])", R"(["m"])"},
         {"s0 = 5 in 2..9", "s1 = 8 in 2..64"},
         {"f32[s1, s0] = aten.mul.Tensor"}},
        {"mean and variance",
         "def forward(self, x: Tensor) -> Tensor:\n    return x.mean() + x.mean(0) * torch.var(x, 0)",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"%sym_size"}},
        {"layer norm over a size that varies",
         "def forward(self, x: Tensor) -> Tensor:\n    return torch.layer_norm(x, [x.size(1)])",
         R"({"n":{"hint":8,"max":64},"m":{"hint":5,"max":9}})",
         {R"(["n","m"])"},
         {"s0 = 5 in 2..9", "s1 = 8 in 2..64"},
         {"native_layer_norm"}},
        {"batch norm in training",
         "def forward(self, x: Tensor) -> Tensor:\n"
         "    return torch.batch_norm(x, self.weight, self.bias, self.running_mean, self.running_var, True, 0.1, "
         "1e-05, "
         "False)",
         kBatch,
         {R"(["n",3,4])"},
         {kOneBatch},
         {"f32[s0, 3, 4]"},
         {},
         batchNorm},
        {"a size as an output",
         "def forward(self, x: Tensor) -> Tuple[Tensor, int]:\n    return x.sin(), 3 * x.size(0) + 1",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"Sym(3*s0 + 1)"}},
        {"outputs that are views",
         "def forward(self, x: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:\n"
         "    y = x * 2\n    return x.view(-1), x[1:], y, y.t()[:, :x.size(0) - 1]",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"f32[3*s0]", "f32[s0 - 1, 3]"}},
        {"views of plain inputs",
         "def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:\n    return x.view(-1), x.t()[1:]",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"f32[3*s0]"},
         {},
         nullptr,
         false},
        {"strided views",
         "def forward(self, x: Tensor) -> Tensor:\n    return torch.as_strided(x, [x.size(0) - 1, 3], [3, 1], 3)",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"f32[s0 - 1, 3]"},
         {},
         nullptr,
         false},
        {"mutation of an input",
         "def forward(self, x: Tensor) -> Tensor:\n    x.mul_(2)\n    x[1:].add_(1)\n    return x + 1",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"f32[s0, 3] = aten.mul.Scalar", "f32[s0 - 1, 3] = aten.add.Scalar"},
         {},
         nullptr,
         false},
        {"branch on a size",
         "def forward(self, x: Tensor) -> Tensor:\n    if x.size(0) > 4:\n        return x.sin()\n    return x.cos()",
         kBatch,
         {R"(["n",3])"},
         {"s0 = 8 in 5..40"},
         {"f32[s0, 3] = aten.sin"},
         {"s0 >= 5"}},
        {"halves",
         "def forward(self, x: Tensor) -> Tensor:\n    h = x.size(0) // 2\n    return x[:h].sum(0) * x[h:].mean(0)",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"f32[s0//2, 3] = aten.slice", "Sym(s0//2)"}},
        {"a size as a factor",
         "def forward(self, x: Tensor) -> Tensor:\n    return x * (x.size(0) - 1)",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"Sym(s0 - 1)"}},
        {"a range of numbers",
         "def forward(self, x: Tensor) -> Tensor:\n    return x + torch.arange(x.size(0), dtype=6).unsqueeze(1)",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"f32[s0] = aten.arange"}},
        {"memory of three dimensions",
         "def forward(self, x: Tensor) -> Tensor:\n"
         "    return x.transpose(0, 2).contiguous().view(-1, x.size(0)).cumsum(0)",
         R"({"a":{"hint":3,"max":9},"b":{"hint":4,"max":9},"c":{"hint":5,"max":9}})",
         {R"(["a","b","c"])"},
         {"s0 = 3 in 2..9", "s1 = 4 in 2..9", "s2 = 5 in 2..9"},
         {"f32[s1*s2, s0] = aten.view"}},
    };
    return list;
}

const DynamicProgram& program(const char* name) {
    for (const DynamicProgram& p : programs())
        if (std::string_view(p.name) == name) return p;
    qFatal("no program '%s'", name);
}

DynamicProgram batchProgram(const char* name, const char* methods) {
    return {name, methods, kBatch, {R"(["n",3])"}, {}, {}};
}

Options optionsOf(const QString& how) {
    Options options;
    options.inference = how == QLatin1String("inference");
    if (how == QLatin1String("default")) options.partition.algorithm = PartitionAlgorithm::defaultPartition;
    return options;
}

/// As in the header of a graph.
QString textOf(const Symbol& symbol) {
    return q(symbol.name + " = " + std::to_string(symbol.hint) + " in " + std::to_string(symbol.min) + ".." +
             (symbol.max == Symbol::kNoMax ? "" : std::to_string(symbol.max)) + " from \"" + symbol.origin + "\"");
}

QString graphOf(const CompileRecord& record) {
    const auto joint = record.graph(GraphKind::joint), inference = record.graph(GraphKind::inference);
    return joint || inference ? q(printGraph(joint ? *joint : *inference)) : QString();
}

QString guardsOf(const CompileRecord& record) {
    QStringList lines;
    for (const Guard& guard : record.guards) lines << q(guard.text + " (" + guard.reason + ")");
    return lines.join(QLatin1Char('\n'));
}

Options withSizes(std::vector<SymbolValues> sizes) {
    Options options;
    options.checkSizes = std::move(sizes);
    return options;
}

QString detailsOf(const CheckResult& result) {
    QStringList lines;
    for (const auto& detail : result.details) lines << q(detail);
    for (const SizeCheck& size : result.sizes)
        if (size.recompiled) lines << q("recompiled: " + size.reason);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

class TestDynamic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }

    void oneCompilationServesAllSizes_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<QString>("how");
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
        for (const auto& warning : record.warnings) QFAIL(warning.c_str());
        QStringList symbols;
        for (const Symbol& symbol : record.symbols) symbols << textOf(symbol);
        QCOMPARE(symbols.size(), static_cast<qsizetype>(program.symbols.size()));
        for (qsizetype i = 0; i < symbols.size(); ++i)
            QVERIFY2(symbols[i].startsWith(program.symbols[static_cast<std::size_t>(i)]), qPrintable(symbols[i]));
        for (const char* text : program.inGraph)
            if (how != QLatin1String("inference") || !std::string_view(text).starts_with("%sym_size"))
                QVERIFY2(graphOf(record).contains(text), qPrintable(text + (":\n" + graphOf(record))));
        for (const char* guard : program.guards)
            QVERIFY2(guardsOf(record).contains(guard), qPrintable(guardsOf(record)));

        const CheckResult result = check(compiled);
        QVERIFY2(result.ok && result.misses == 0, qPrintable(detailsOf(result)));
        QVERIFY(result.sizes.size() >= 4);
        QCOMPARE(result.hits, static_cast<int>(result.sizes.size()) + 1);
        QCOMPARE(result.backwardRun, how != QLatin1String("inference") && (program.gradients || program.attributes));
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
        // Min-cut may recompute a size from an input that is kept anyway.
        if (how == QStringLiteral("default")) QVERIFY2(sizes > 0, qPrintable(q(printGraph(*partition.forward))));
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
        QCOMPARE(q(result.sizes[1].reason), QStringLiteral("s0 (n, x.size(0)) is 1, at least 2 is expected"));
        QCOMPARE(q(result.sizes[2].reason), QStringLiteral("s0 (n, x.size(0)) is 65, at most 64 is expected"));
        QCOMPARE(q(result.sizes[0].reason), QString());
    }

    void recompilationsHaveALimit() {
        Options options = withSizes({{{"n", 9}}, {{"n", 1}}, {{"n", 65}}});
        options.recompileLimit = 0;
        QCOMPARE(
            errorOf([&] { check(program("mlp").compiled(options)); }),
            QStringLiteral("the inputs do not fit what was compiled (s0 (n, x.size(0)) is 1, at least 2 is expected), "
                           "and recompiling is switched off; widen the range with --dynamic or raise "
                           "--recompile-limit"));
        options.recompileLimit = 1;
        const QString error = errorOf([&] { check(program("mlp").compiled(options)); });
        QVERIFY2(error.contains("is 65, at most 64 is expected), and the limit of 1 recompilations is reached"),
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

    /// Only a trace at that very size shows such a branch.
    void branchesAtOneSizeAreSeen() {
        const DynamicProgram branch =
            batchProgram("one size",
                         "def forward(self, x: Tensor) -> Tensor:\n    if x.size(0) == 30:\n        return x.cos()\n"
                         "    return x.sin()");
        const Compiled compiled = branch.compiled(withSizes({{{"n", 29}}, {{"n", 30}}, {{"n", 31}}}));
        const QString guards = guardsOf(compiled.record());
        QVERIFY2(guards.contains("s0 <= 29 (s0 is n, x.size(0); at s0 = 30 '%sin"), qPrintable(guards));
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok, qPrintable(detailsOf(result)));
        QCOMPARE(result.misses, 2);
    }

    /// A program that loops over its rows is specialised to one size.
    void loopsOverASizeAreSpecialised() {
        DynamicProgram loop = batchProgram("loop",
                                           "def forward(self, x: Tensor) -> Tensor:\n    y = x[0]\n"
                                           "    for i in range(x.size(0)):\n        y = y * x[i]\n    return y");
        const Compiled compiled = loop.compiled(withSizes({{{"n", 9}}, {{"n", 2}}}));
        QVERIFY(compiled.record().symbols.empty());
        const QString guards = guardsOf(compiled.record());
        QVERIFY2(guards.startsWith("s0 == 8 (s0 is n, x.size(0); at s0 = 9 "), qPrintable(guards));
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok, qPrintable(detailsOf(result)));
        QCOMPARE(result.misses, 2);
    }

    /// If no expression explains a number, all sizes are specialised to the example.
    void numbersWithoutExpressionSpecialise() {
        const Compiled compiled =
            batchProgram("root", "def forward(self, x: Tensor) -> Tensor:\n    return x / (float(x.size(0)) ** 0.5)")
                .compiled(withSizes({{{"n", 9}}}));
        QVERIFY(compiled.record().symbols.empty());
        QCOMPARE(compiled.record().warnings.size(), std::size_t{1});
        const QString warning = q(compiled.record().warnings[0]);
        QVERIFY2(warning.startsWith("all sizes are specialised to those of the example: no expression of the sizes"),
                 qPrintable(warning));
        QVERIFY2(!graphOf(compiled.record()).contains("s0"), qPrintable(graphOf(compiled.record())));
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok, qPrintable(detailsOf(result)));
        QCOMPARE(result.misses, 1);
    }

    void sizesOfOneAreNotVaried() {
        DynamicProgram small = program("mlp");
        small.dims = R"({"n":1})";
        const Compiled compiled = small.compiled();
        QVERIFY(compiled.record().symbols.empty());
        QVERIFY2(graphOf(compiled.record()).contains("f32[1, 3] = placeholder(input)"),
                 qPrintable(graphOf(compiled.record())));
        QVERIFY(check(compiled).sizes.empty());
    }

    void sizesWithoutABound() {
        DynamicProgram large = program("mlp");
        large.dims = R"({"n":8})";
        const Compiled compiled = large.compiled(withSizes({{{"n", 5000}}, {{"n", 2}}}));
        QCOMPARE(textOf(compiled.record().symbols.at(0)), QStringLiteral("s0 = 8 in 2.. from \"n, x.size(0)\""));
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok && result.misses == 0, qPrintable(detailsOf(result)));
    }

    void otherChangesOfInputsAreRefused() {
        const Compiled compiled = program("mlp").compiled();
        const auto refused = [&](auto&& change) {
            auto leaves = compiled.workload.arguments(/*ownState=*/true).leaves;
            for (auto& leaf : leaves)
                if (leaf.toTensor().dim() == 2 && leaf.toTensor().size(0) == 8) leaf = change(leaf.toTensor());
            const auto reason = compiled.function().failedGuard(leaves);
            return reason ? q(*reason) : QString();
        };
        QCOMPARE(refused([](const at::Tensor& t) { return t; }), QString());
        QCOMPARE(refused([](const at::Tensor& t) { return t.detach(); }), QString());
        QCOMPARE(refused([](const at::Tensor& t) { return t.to(at::kDouble).detach().set_requires_grad(true); }),
                 QStringLiteral("'x' is f64[8, 3] that requires a gradient, f32[s0, 3] is expected"));
        QCOMPARE(refused([](const at::Tensor& t) { return t.detach().t().contiguous().t().set_requires_grad(true); }),
                 QStringLiteral("'x' is f32[8, 3][1, 8] that requires a gradient, f32[s0, 3] is expected"));
        QCOMPARE(refused([](const at::Tensor& t) { return t.detach().unsqueeze(1); }),
                 QStringLiteral("'x' is f32[8, 1, 3], f32[s0, 3] is expected"));
        QCOMPARE(refused([](const at::Tensor& t) { return t.detach()[0][0]; }),
                 QStringLiteral("an input has another rank than in the example"));
        QCOMPARE(refused([](const at::Tensor& t) { return t.detach().slice(0, 0, 5).set_requires_grad(true); }),
                 QString());
    }

    void sizesOfTwoInputsMustAgree() {
        const Compiled compiled = program("concatenation beside each other").compiled();
        auto leaves = compiled.workload.arguments(/*ownState=*/true).leaves;
        leaves[1] = at::ones({7, 3}).set_requires_grad(true);
        const auto reason = compiled.function().failedGuard(leaves);
        QVERIFY(reason);
        QCOMPARE(q(*reason), QStringLiteral("'y' is f32[7, 3] that requires a gradient, f32[s0, 3] is expected"));
        leaves[0] = at::ones({7, 2}).set_requires_grad(true);
        QVERIFY(!compiled.function().failedGuard(leaves));
    }

    void integersAreSpecialised() {
        const std::string spec =
            R"({"dims":{"n":{"hint":8,"max":64}},"values":[{"leaf":{"shape":["n",3]}}],"inputs":[{"tensor":0},{"int":2}]})";
        const Compiled compiled =
            compile(moduleFrom("def forward(self, x: Tensor, k: int) -> Tensor:\n    return x[k:] * k"), spec);
        QVERIFY2(graphOf(compiled.record()).contains("f32[s0 - 2, 3]"), qPrintable(graphOf(compiled.record())));
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok, qPrintable(detailsOf(result)));
        auto leaves = compiled.workload.arguments(/*ownState=*/true).leaves;
        QVERIFY(!compiled.function().failedGuard(leaves));
        leaves[1] = 3;
        QCOMPARE(q(compiled.function().failedGuard(leaves).value_or("")), QStringLiteral("'k' is 3, 2 is expected"));
    }

    void rangesOfOptions_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<qint64>("min");
        QTest::addColumn<qint64>("max");
        QTest::addColumn<QString>("symbol");
        QTest::addColumn<QString>("error");
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
        QFETCH(QString, name);
        QFETCH(qint64, min);
        QFETCH(qint64, max);
        QFETCH(QString, symbol);
        QFETCH(QString, error);
        Options options;
        options.dynamic = {{name.toStdString(), min, max}};
        std::optional<Compiled> compiled;
        const QString thrown = errorOf([&] {
            compiled.emplace(
                batchProgram("sine", "def forward(self, x: Tensor) -> Tensor:\n    return x.sin()").compiled(options));
        });
        QVERIFY2(thrown.contains(error) && thrown.isEmpty() == error.isEmpty(), qPrintable(thrown));
        if (!compiled) return;
        QVERIFY(textOf(compiled->record().symbols.back()).startsWith(symbol));
        QVERIFY(check(*compiled).ok);
    }
};

QTEST_GUILESS_MAIN(TestDynamic)
#include "test_dynamic.moc"
