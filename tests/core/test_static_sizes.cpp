// Sizes and numbers that must be static, whatever was requested: specialised to the example, with a reason, or refused.

#include "core/dynamic_programs.h"
#include "core/dynamic_texts.h"
#include "session/session.h"
#include "support/models.h"
#include "support/test_program.h"
#include "support/text.h"

namespace aotscope::test::static_sizes_test {

class TestStaticSizes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dataOfTheExampleIsNoFaultOfAnOperator() {
        for (const char* body : {"x[x > 0].sum()", "x * x.sum().item()", "torch.nonzero(x)"}) {
            const std::string code = std::string("def forward(self, x: Tensor):\n    return ") + body;
            const QString guards = guardsOf(batchProgram("data", code.c_str()).compiled().record());
            QVERIFY2(guards.contains("tracing fails (the program reads data in aten."), qPrintable(guards));
            QVERIFY2(guards.contains(", which only the example inputs have)"), qPrintable(guards));
        }
    }

    void floatsDoNotVary() {
        const Options options{.dynamic = {{"k", 1, 9}}};
        const auto module = moduleFrom("def forward(self, x: Tensor, k: float) -> Tensor:\n    return x * k");
        try {
            compile(module, R"({"values":[{"leaf":{"shape":[4,3]}}],"inputs":[{"tensor":0},{"float":2.5}]})", options);
            QFAIL("it has to be refused");
        } catch (const UsageError& e) {
            QVERIFY2(std::string_view(e.what()).starts_with("--dynamic names 'k', which is not an integer"), e.what());
        }
    }

    /// Only a trace at exactly that size shows such a branch.
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

    /// If no expression explains a number, the size behind it is specialised to the example.
    void numbersWithoutExpressionSpecialise() {
        const Compiled compiled =
            batchProgram("root", "def forward(self, x: Tensor) -> Tensor:\n    return x / (float(x.size(0)) ** 0.5)")
                .compiled(withSizes({{{"n", 9}}}));
        QVERIFY(compiled.record().symbols.empty());
        QCOMPARE(compiled.record().warnings,
                 std::vector<std::string>{
                     "sizes could not be made dynamic: n, x.size(0) stays 8; see the guards of the run"});
        const QString guards = guardsOf(compiled.record());
        QVERIFY2(guards.startsWith("s0 == 8 (s0 is n, x.size(0); no expression of the sizes explains the real number"),
                 qPrintable(guards));
        QVERIFY2(!guards.contains(u'\n'), qPrintable(guards));
        QVERIFY2(!graphOf(compiled.record()).contains("s0"), qPrintable(graphOf(compiled.record())));
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok, qPrintable(detailsOf(result)));
        QCOMPARE(result.misses, 1);
    }

    void onlyTheSizeWithoutExpressionIsSpecialised() {
        const Compiled compiled =
            compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return x / (float(x.size(1)) ** 0.5)"),
                    R"({"dims":{"m":{"hint":5,"max":9},"n":{"hint":8,"max":64}},)"
                    R"("values":[{"leaf":{"shape":["n","m"]}}],"inputs":[{"tensor":0}]})");
        QCOMPARE(compiled.record().symbols.size(), std::size_t{1});
        QCOMPARE(textOf(compiled.record().symbols[0]), u"s1 = 8 in 2..64 from \"n, x.size(0)\""_s);
        const QString guards = guardsOf(compiled.record());
        QVERIFY2(guards.contains("s0 == 5 (s0 is m, x.size(1); no expression"), qPrintable(guards));
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok && result.misses == 0, qPrintable(detailsOf(result)));
    }

    void tooManySizesAreRefused() {
        std::string parameters, values, inputs;
        for (int i = 0; i < 33; ++i) {
            parameters += ", x" + std::to_string(i) + ": Tensor";
            values += std::string(i ? "," : "") + R"({"leaf":{"shape":[2,3]}})";
            inputs += std::string(i ? "," : "") + R"({"tensor":)" + std::to_string(i) + "}";
        }
        const Options options{.dynamic = {{DynamicRange::kAll}}};
        QCOMPARE(errorOf([&] {
                     compile(moduleFrom("def forward(self" + parameters + ") -> Tensor:\n    return x0"),
                             R"({"values":[)" + values + R"(],"inputs":[)" + inputs + "]}", options);
                 }),
                 u"--dynamic all: the inputs have 66 sizes that may vary, at most 64 can be explored; "
                 "name those that vary with --dynamic INPUT.DIMENSION"_s);
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

    void integersAreSpecialised() {
        const std::string spec =
            R"({"dims":{"n":{"hint":8,"max":64}},"values":[{"leaf":{"shape":["n",3]}}],"inputs":[{"tensor":0},{"int":2}]})";
        const Compiled compiled =
            compile(moduleFrom("def forward(self, x: Tensor, k: int) -> Tensor:\n    return x[k:] * k"), spec);
        QVERIFY2(graphOf(compiled.record()).contains("f32[s0 - 2, 3]"), qPrintable(graphOf(compiled.record())));
        const CheckResult result = check(compiled);
        QVERIFY2(result.ok, qPrintable(detailsOf(result)));
        auto leaves = compiled.modelRun.arguments(/*ownState=*/true).leaves;
        QVERIFY(!compiled.function().failedGuard(leaves));
        leaves[1] = 3;
        QCOMPARE(q(compiled.function().failedGuard(leaves).value_or("")), u"'k' is 3, expected 2"_s);
    }
};

AOTSCOPE_TEST(TestStaticSizes)

}  // namespace aotscope::test::static_sizes_test

#include "test_static_sizes.moc"
