// Symbolic expressions, graphs with dynamic shapes, and finding expressions from numbers at several sizes.

#include "ir/symbolic.h"
#include "passes/sizes/expression_finder.h"
#include "passes/sizes/generalize.h"
#include "support/test_program.h"
#include "support/text.h"

#include <cmath>
#include <functional>
#include <limits>

namespace aotscope::test::symbolic_test {
namespace {

using Values = ExpressionFinder::Values;

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

SymExpr e(std::string_view text) { return parseSymExpr(text); }
QString text(const SymExpr& expression) { return q(expression.text()); }

Symbol symbol(const std::string& name, std::int64_t hint) { return {name, hint, 2, Symbol::kNoMax, "x.size(0)", {}}; }

const std::vector<SymbolValues>& oneSymbol() {
    static const std::vector<SymbolValues> samples = {{{"s0", 8}},  {{"s0", 3}}, {{"s0", 21}},
                                                      {{"s0", 64}}, {{"s0", 2}}, {{"s0", 50}}};
    return samples;
}
const std::vector<SymbolValues>& twoSymbols() {
    static const std::vector<SymbolValues> samples = {
        {{"s0", 8}, {"s1", 5}},  {{"s0", 3}, {"s1", 9}},  {{"s0", 21}, {"s1", 2}}, {{"s0", 64}, {"s1", 7}},
        {{"s0", 2}, {"s1", 33}}, {{"s0", 50}, {"s1", 4}}, {{"s0", 5}, {"s1", 40}}, {{"s0", 13}, {"s1", 17}}};
    return samples;
}

using Formula = std::function<std::int64_t(std::int64_t s0, std::int64_t s1)>;

Values valuesOf(const std::vector<SymbolValues>& samples, const Formula& formula) {
    Values values;
    for (const auto& sample : samples) {
        const auto other = sample.find("s1");
        values.push_back(formula(sample.at("s0"), other == sample.end() ? 0 : other->second));
    }
    return values;
}

ExpressionFinder finderOf(const std::vector<SymbolValues>& samples) {
    std::vector<Symbol> symbols;
    for (const auto& [name, value] : samples[0]) symbols.push_back(symbol(name, value));
    return {symbols, samples};
}

QString found(ExpressionFinder& finder, const Values& values) {
    const auto expression = finder.find(values);
    return expression ? text(*expression) : u"(none)"_s;
}

/// The graph of `text` at a size.
std::unique_ptr<Graph> at(std::int64_t n, const std::function<std::string(const std::string& n)>& text) {
    return parseSound(text(std::to_string(n)));
}

QString difference(const std::string& a, const std::string& b) {
    const auto found = structuralDifference(*parseSound(a), *parseSound(b));
    return found ? q(*found) : QString();
}

}  // namespace

class TestSymbolic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void arithmetic_data() {
        columns<QString, QString>("written", "printed");
        QTest::addColumn<qint64>("value");  // at s0 = 7, s1 = 3
        const auto row = [](const char* written, const char* printed, qint64 value) {
            QTest::newRow(written) << written << printed << value;
        };
        row("42", "42", 42);
        row("s0", "s0", 7);
        row("2 + 3*4", "14", 14);
        row("(2+3) * 4", "20", 20);
        row("1 + s0 + 1", "s0 + 2", 9);
        row("s0 + 1 - 1", "s0", 7);
        row("s0 - 3", "s0 - 3", 4);
        row("s0 - s1", "s0 + -1*s1", 4);
        row("-s0", "-1*s0", -7);
        row("--s0", "s0", 7);
        row("3 - s0", "-1*s0 + 3", -4);
        row("s0*2", "2*s0", 14);
        row("2*s0*3", "6*s0", 42);
        row("s0*2*s1*2", "4*s0*s1", 84);
        row("0*s0", "0", 0);
        row("1*s0", "s0", 7);
        row("s0*(s1 + 1)", "s0*(s1 + 1)", 28);
        row("(s0 + 1)*2", "2*(s0 + 1)", 16);
        row("s0 + (s1 - 1)", "s0 + s1 - 1", 9);
        row("s0//1", "s0", 7);
        row("s0//2", "s0//2", 3);
        row("(s0 - 1)//2 + 1", "(s0 - 1)//2 + 1", 4);
        row("((s0 - 1)//2 + 1)//2", "((s0 - 1)//2 + 1)//2", 2);
        row("s0//2//2", "s0//2//2", 1);
        row("s0//(2*s1)", "s0//(2*s1)", 1);
        row("s0//(s1//2)", "s0//(s1//2)", 7);
        row("s0//2*2", "2*(s0//2)", 6);
        row("2*s0//4", "2*s0//4", 3);
        row("s1*(s0//2)", "s1*(s0//2)", 9);
        row("7//2", "3", 3);
        row("(-7)//2", "-4", -4);
        row("7//(-2)", "-4", -4);
        row("(-7)//(-2)", "3", 3);
        row("(-6)//2", "-3", -3);
        row("(1 - s0)//4", "(-1*s0 + 1)//4", -2);
        row("  ( s0+1 )  ", "s0 + 1", 8);
    }
    void arithmetic() {
        FETCH(QString, written, printed);
        QFETCH(qint64, value);
        const SymExpr expression = e(written.toStdString());
        QCOMPARE(text(expression), printed);
        QCOMPARE(expression.evaluate({{"s0", 7}, {"s1", 3}}), value);
        QCOMPARE(text(e(expression.text())), printed);
        QVERIFY(e(expression.text()) == expression);
    }

    void brokenExpressions_data() {
        const auto row = columns<QString, QString>("written", "message");
        row("empty", "", "column 1: expected a number or a name, found the end");
        row("no operand", "s0 +", "column 5: expected a number or a name, found the end");
        row("two operators", "s0 + * 2", "column 6: expected a number or a name, found '*'");
        row("true division", "s0 / 2", "column 4: expected an operator or the end, found '/'");
        row("missing parenthesis", "(s0 + 1", "column 8: expected ')', found the end");
        row("one parenthesis too many", "s0)", "column 3: expected an operator or the end, found ')'");
        row("two names", "s0 s1", "column 4: expected an operator or the end, found 's'");
        row("a name that starts with a digit", "2s0", "column 1: expected a number, found '2'");
        row("beyond 64 bits", "s0 + 9223372036854775808", "column 6: expected a number, found '9'");
        row("nested", QString(300, '(') + "s0" + QString(300, ')'), "expected fewer nested parentheses");
        row("many signs", QString(100000, '-') + "s0", "expected fewer nested parentheses");
        row("long", "s0" + u"+s0"_s.repeated(100000), "expected a shorter expression");
        row("division by zero", "1//0", "divides by zero");
        row("sum beyond 64 bits", "9223372036854775807 + 1", "does not fit in 64 bits");
        row("product beyond 64 bits", "9223372036854775807 * 2", "does not fit in 64 bits");
    }
    void brokenExpressions() {
        FETCH(QString, written, message);
        const QString error = errorOf([&] { e(written.toStdString()); });
        QVERIFY2(error.contains(message), qPrintable(error));
        QVERIFY(error.size() < 300);
    }

    void evaluationFails_data() {
        columns<QString, qint64, QString>("written", "s0", "message");
        QTest::newRow("unknown") << "s0 + t" << qint64{1} << "the size 't' has no value";
        QTest::newRow("sum") << "s0 + s0" << qint64{kLargest} << "does not fit in 64 bits";
        QTest::newRow("product") << "s0*s0" << (qint64{1} << 32) << "does not fit in 64 bits";
        QTest::newRow("quotient") << "s0//(-1)" << qint64{-kLargest - 1} << "does not fit in 64 bits";
        QTest::newRow("zero") << "1//s0" << qint64{0} << "divides by zero";
    }
    void evaluationFails() {
        FETCH(QString, written, message);
        QFETCH(qint64, s0);
        const QString error = errorOf([&] { e(written.toStdString()).evaluate({{"s0", s0}}); });
        QVERIFY2(error.contains(message), qPrintable(error));
    }

    void longExpressionsWithinTheLimitWork() {
        const SymExpr long_ = e("s0" + u" + s0"_s.repeated(1500).toStdString());
        QCOMPARE(long_.evaluate({{"s0", 2}}), qint64{3002});
        QCOMPARE(text(e(long_.text())), text(long_));
    }

    void typesAtOtherSizes() {
        const auto graph = parseSound(
            "graph g where s0 = 8 in 2..64\n  %x : f32[s0, 3]<0, 4, 112, [3, 1], at s0 - 4> = placeholder(input)\n"
            "  return [%x : output]\n");
        const TensorType& type = *graph->placeholders()[0]->type.tensor();
        QCOMPARE(type.sizes, (std::vector<std::int64_t>{8, 3}));
        const TensorType small = type.at({{"s0", 5}});
        QCOMPARE(small.sizes, (std::vector<std::int64_t>{5, 3}));
        QCOMPARE(small.strides, (std::vector<std::int64_t>{3, 1}));
        QCOMPARE(small.storageOffset, qint64{1});
        QVERIFY(!small.symbolic);
        QVERIFY(small.at({}) == small);
        QVERIFY(!type.sameLayout(type.at({{"s0", 8}})));
        QVERIFY(type.sameLayout(*graph->clone()->placeholders()[0]->type.tensor()));
        QVERIFY(errorOf([&] { type.at({}); }).contains("'s0' has no value"));
    }

    void graphTexts_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("a size and a product")
            << "graph g where s0 = 8 in 2..64 from \"x.size(0)\"\n  %x : f32[s0, 64] = placeholder(input)\n"
               "  %n : Sym(s0) = aten.sym_size.int(%x, 0)\n  %m : Sym(2*s0) = operator.mul(2, %n)\n"
               "  %v : f32[2*s0, 32] = aten.view.default(%x, [%m, 32])\n"
               "  return [%v : output \"output 0\", %m : saved_symint \"m\"]\n";
        QTest::newRow("several symbols, no bound, no origin")
            << "graph g where s0 = 8 in 2.., s1 = 3 in 3..9 from \"a \\\"b\\\"\"\n"
               "  %x : f32[(s0 - 1)//2 + 1, s0*s1][1, (s0 - 1)//2 + 1] = placeholder(input)\n  return [%x : output]\n";
        QTest::newRow("tuple and empty")
            << "graph g where s0 = 8 in 2..8\n  %x : (f32[s0], i64[0, s0]) = placeholder(input)\n"
               "  return [%x : output]\n";
    }
    void graphTexts() {
        QFETCH(QString, text);
        const auto graph = parseSound(text.toStdString());
        QCOMPARE(q(printGraph(*graph)), text);
        for (const Detail detail : {Detail::types, Detail::full}) {
            const std::string once = printGraph(*graph, detail);
            const auto again = parseSound(once);
            QCOMPARE(q(printGraph(*again, detail)), q(once));
            QVERIFY(again->symbols() == graph->symbols());
            for (std::size_t i = 0; detail == Detail::full && i < graph->nodes().size(); ++i)
                QVERIFY2(again->nodes()[i]->type == graph->nodes()[i]->type,
                         qPrintable(q(printNode(*graph->nodes()[i]))));
        }
    }

    void brokenGraphTexts_data() {
        const auto row = columns<QString, QString>("text", "message");
        row("unknown symbol", "graph g where s0 = 8 in 2..64\n  %x : f32[s1] = placeholder\n",
            "expected sizes of the symbols that 'where' declares");
        row("no range", "graph g where s0 = 8\n", "expected 'in'");
        row("no hint", "graph g where s0 in 2..64\n", "column 18: expected '='");
        row("no expression", "graph g where s0 = 8 in 2..64\n  %x : f32[s0 +] = placeholder\n",
            "line 2, column 12: expected an integer or a size expression");
        row("negative size", "graph g where s0 = 8 in 2..64\n  %x : f32[s0 - 9] = placeholder\n",
            "expected sizes of at least 0");
        row("too large", "graph g where s0 = 8 in 2..64\n  %x : f32[s0*9223372036854775807] = placeholder\n",
            "expected sizes of the symbols");
        row("too few strides", "graph g where s0 = 8 in 2..64\n  %x : f32[s0, 2][1] = placeholder\n",
            "expected as many strides as sizes");
    }
    void brokenGraphTexts() {
        FETCH(QString, text, message);
        const QString error = errorOf([&] { parseGraph(text.toStdString()); });
        QVERIFY2(error.contains(message), qPrintable(error));
    }

    void expressionsOfOneSize() {
        ExpressionFinder finder = finderOf(oneSymbol());
        const auto check = [&](const char* expected, const Formula& formula) {
            QCOMPARE(found(finder, valuesOf(oneSymbol(), formula)), QString(expected));
        };
        check("5", [](auto, auto) { return 5; });
        check("s0", [](auto n, auto) { return n; });
        check("s0 + 3", [](auto n, auto) { return n + 3; });
        check("s0 - 1", [](auto n, auto) { return n - 1; });
        check("12*s0", [](auto n, auto) { return 12 * n; });
        check("-1*s0", [](auto n, auto) { return -n; });
        check("s0*s0", [](auto n, auto) { return n * n; });
        check("3*s0*s0 + 2*s0 + 1", [](auto n, auto) { return 3 * n * n + 2 * n + 1; });
        check("(s0*s0 + -1*s0)//2", [](auto n, auto) { return n * (n - 1) / 2; });
        check("s0//2", [](auto n, auto) { return n / 2; });
        check("8*(s0//2)", [](auto n, auto) { return n / 2 * 8; });
    }

    /// Convolutions and poolings, each applied to the previous size.
    void expressionsOfSizesInARow() {
        ExpressionFinder finder = finderOf(oneSymbol());
        QCOMPARE(found(finder, valuesOf(oneSymbol(), [](auto n, auto) { return (n - 1) / 2 + 1; })), u"(s0 + 1)//2"_s);
        QCOMPARE(found(finder, valuesOf(oneSymbol(), [](auto n, auto) { return ((n - 1) / 2 + 1 - 1) / 2 + 1; })),
                 u"((s0 + 1)//2 + 1)//2"_s);
        const Values squared = valuesOf(oneSymbol(), [](auto n, auto) {
            const auto half = ((n - 1) / 2 + 1 - 1) / 2 + 1;
            return 16 * half * half;
        });
        const auto expression = finder.find(squared);
        QVERIFY(expression);
        for (std::size_t i = 0; i < squared.size(); ++i) QCOMPARE(expression->evaluate(oneSymbol()[i]), squared[i]);
        QCOMPARE(expression->evaluate({{"s0", 100}}), qint64{10'000});
    }

    void expressionsOfTwoSizes() {
        ExpressionFinder finder = finderOf(twoSymbols());
        const auto check = [&](const char* expected, const Formula& formula) {
            QCOMPARE(found(finder, valuesOf(twoSymbols(), formula)), QString(expected));
        };
        check("s1", [](auto, auto b) { return b; });
        check("s1 + s0", [](auto a, auto b) { return a + b; });
        check("s0*s1", [](auto a, auto b) { return a * b; });
        check("64*s0*s1", [](auto a, auto b) { return 64 * a * b; });
        check("4*s0*s1*s1", [](auto a, auto b) { return 4 * a * b * b; });
        check("2*s1 + 3*s0 - 7", [](auto a, auto b) { return 3 * a + 2 * b - 7; });
    }

    void numbersWithoutExpression() {
        ExpressionFinder finder = finderOf(oneSymbol());
        QCOMPARE(found(finder, {8, 3, 21, 64, 2, 51}), u"(none)"_s);
        QCOMPARE(found(finder, {1, 4, 1, 5, 9, 2}), u"(none)"_s);
        QCOMPARE(found(finder, valuesOf(oneSymbol(), [](auto n, auto) { return n % 2; })), u"(none)"_s);
        // Products of known values must not overflow while they are tried.
        finder.learn(Values(6, kLargest / 3), e("s0*s0*s0"));
        QCOMPARE(found(finder, {8, 3, 21, 64, 2, 52}), u"(none)"_s);
        // Expressions found before are reused.
        finder.learn({1, 4, 1, 5, 9, 2}, SymExpr::symbol("u1"));
        QCOMPARE(found(finder, {1, 4, 1, 5, 9, 2}), u"u1"_s);
        QCOMPARE(found(finder, {3, 12, 3, 15, 27, 6}), u"3*u1"_s);
    }

    void ratios() {
        const ExpressionFinder finder = finderOf(oneSymbol());
        const auto values = [](auto&& formula) {
            std::vector<double> list;
            for (const auto& sample : oneSymbol()) list.push_back(formula(static_cast<double>(sample.at("s0"))));
            return list;
        };
        const auto found = [&](auto&& formula) {
            const auto ratio = finder.findRatio(values(formula));
            if (!ratio) return u"(none)"_s;
            return ratio->divides ? u"%1/(%2)"_s.arg(ratio->constant).arg(text(ratio->expression))
                                  : u"%1*(%2)"_s.arg(ratio->constant).arg(text(ratio->expression));
        };
        QCOMPARE(found([](double n) { return 1 / n; }), u"1/(s0)"_s);
        QCOMPARE(found([](double n) { return 2.5 / (n - 1); }), u"2.5/(s0 - 1)"_s);
        QCOMPARE(found([](double n) { return 0.25 * n; }), u"0.25*(s0)"_s);
        QCOMPARE(found([](double n) { return std::sqrt(n); }), u"(none)"_s);
    }

    void generalizedGraph() {
        const auto text = [](const std::string& n) {
            const std::string twice = std::to_string(2 * std::stoll(n));
            return "graph g\n  %x : f32[" + n + ", 4] = placeholder(input)\n  %v : f32[" + twice +
                   ", 2] = aten.view.default(%x, [" + twice + ", 2])\n  %s : f32[" + n +
                   ", 2][4, 2] = aten.slice.Tensor(%v, 0, 0, " + n + ", 2)\n  return [%v : output, %s : output]\n";
        };
        const std::vector<SymbolValues> samples = {{{"s0", 8}}, {{"s0", 3}}, {{"s0", 5}}, {{"s0", 30}}};
        const auto graph = at(8, text), a = at(3, text), b = at(5, text), c = at(30, text);
        Generalizer generalizer({symbol("s0", 8)}, {{"s0", 0, 0}}, samples);
        generalizer.apply(*graph, {a.get(), b.get(), c.get()});
        QCOMPARE(q(printGraph(*graph)),
                 u"graph g where s0 = 8 in 2.. from \"x.size(0)\"\n"
                 "  %x : f32[s0, 4] = placeholder(input)\n"
                 "  %sym_size : Sym(s0) = aten.sym_size.int(%x, 0)\n"
                 "  %mul : Sym(2*s0) = operator.mul(2, %sym_size)\n"
                 "  %v : f32[2*s0, 2] = aten.view.default(%x, [%mul, 2])\n"
                 "  %s : f32[s0, 2][4, 2] = aten.slice.Tensor(%v, 0, 0, %sym_size, 2)\n"
                 "  return [%v : output, %s : output]\n"_s);
    }

    void numbersThatAreComputed() {
        const auto text = [](const std::string& n) {
            return "graph g\n  %x : f32[" + n + "] = placeholder(input)\n  %c : i64[] = constant(count)\n  %y : f32[" +
                   n + "] = aten.mul.Tensor(%x, %c)\n  %z : f32[" + n + "] = aten.mul.Scalar(%y, " +
                   (n == "4"   ? "0.25"
                    : n == "8" ? "0.125"
                    : n == "2" ? "0.5"
                               : "0.0625") +
                   ")\n  return [%z : output]\n";
        };
        const std::vector<SymbolValues> samples = {{{"s0", 4}}, {{"s0", 8}}, {{"s0", 2}}, {{"s0", 16}}};
        const auto graph = at(4, text), a = at(8, text), b = at(2, text), c = at(16, text);
        Generalizer generalizer({symbol("s0", 4)}, {{"s0", 0, 0}}, samples);
        generalizer.apply(*graph, {a.get(), b.get(), c.get()}, {{"count", {3, 7, 1, 15}}});
        const QString printed = q(printGraph(*graph));
        QVERIFY2(printed.contains("%add : Sym(s0 - 1) = operator.add(%sym_size, -1)"), qPrintable(printed));
        QVERIFY2(printed.contains("aten.scalar_tensor.default(%add, dtype=torch.int64)"), qPrintable(printed));
        QVERIFY2(printed.contains("%truediv : float(0.25) = operator.truediv(1.0, %sym_size)"), qPrintable(printed));
        QVERIFY2(printed.contains("aten.mul.Scalar(%y, %truediv)"), qPrintable(printed));
    }

    void sizesThatOperatorsChoose() {
        const auto text = [](const std::string& n) {
            const std::string odd = n == "8" ? "131" : n == "3" ? "97" : n == "5" ? "12" : "55";
            return "graph g\n  %x : f32[" + n + "] = placeholder(input)\n  %w : u8[" + odd +
                   "] = aten.workspace.default(%x)\n  return [%w : saved]\n";
        };
        const std::vector<SymbolValues> samples = {{{"s0", 8}}, {{"s0", 3}}, {{"s0", 5}}, {{"s0", 30}}};
        const auto graph = at(8, text), a = at(3, text), b = at(5, text), c = at(30, text);
        Generalizer generalizer({symbol("s0", 8)}, {{"s0", 0, 0}}, samples);
        generalizer.apply(*graph, {a.get(), b.get(), c.get()});
        const QString printed = q(printGraph(*graph));
        QVERIFY2(printed.contains("%w : u8[u1] = "), qPrintable(printed));
        QCOMPARE(graph->symbols().size(), std::size_t{2});
        QVERIFY(q(graph->symbols()[1].origin).contains("%w (aten.workspace.default) chooses"));
    }

    void argumentsWithoutExpression() {
        const auto text = [](const std::string& n) {
            const std::string odd = n == "8" ? "1" : n == "3" ? "4" : n == "5" ? "1" : "5";
            return "graph g\n  %x : f32[" + n + "] = placeholder(input)\n  %y : f32[" + n +
                   "] = aten.roll.default(%x, [" + odd + "])\n  return [%y : output]\n";
        };
        const std::vector<SymbolValues> samples = {{{"s0", 8}}, {{"s0", 3}}, {{"s0", 5}}, {{"s0", 30}}};
        const auto graph = at(8, text), a = at(3, text), b = at(5, text), c = at(30, text);
        Generalizer generalizer({symbol("s0", 8)}, {{"s0", 0, 0}}, samples);
        const QString error = errorOf([&] { generalizer.apply(*graph, {a.get(), b.get(), c.get()}); });
        QVERIFY2(
            error.contains("no expression of the sizes explains a number in %y (aten.roll.default) (1 at s0=8, 4 at "
                           "s0=3"),
            qPrintable(error));
    }

    void structuralDifferences() {
        const std::string base =
            "graph g\n  %x : f32[4] = placeholder(input)\n  %y : f32[4] = aten.mul.Scalar(%x, 2)\n"
            "  return [%y : output]\n";
        const auto with = [&](const std::string& from, const std::string& to) {
            std::string text = base;
            for (auto i = text.find(from); i != std::string::npos; i = text.find(from, i + to.size()))
                text.replace(i, from.size(), to);
            return difference(base, text);
        };
        QCOMPARE(with("[4]", "[7]"), QString());
        QCOMPARE(with(", 2)", ", 3)"), QString());
        QCOMPARE(with("%y", "%other"), QString());
        QVERIFY(with("mul.Scalar", "add.Scalar").contains("becomes '%y : f32[4] = aten.add.Scalar(%x, 2)'"));
        QVERIFY(with(", 2)", ", 2.0)").contains("becomes"));
        QVERIFY(with(", 2)", ", True)").contains("becomes"));
        QVERIFY(with(", 2)", ", [2])").contains("becomes"));
        QVERIFY(with("[4]", "[4, 1]").contains("becomes"));
        QVERIFY(with("f32", "f64").contains("becomes"));
        QVERIFY(with(", 2)", ", 2, alpha=1)").contains("becomes"));
        QVERIFY(with("return [%y", "return [%x").contains("becomes"));
        QVERIFY(with("  return", "  %z : f32[4] = aten.neg.default(%y)\n  return").contains("becomes"));
    }
};

AOTSCOPE_TEST(TestSymbolic)

}  // namespace aotscope::test::symbolic_test

#include "test_symbolic.moc"
