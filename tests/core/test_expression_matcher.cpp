// Expressions of sizes that are known at few samples, and the choice of samples.

#include "passes/sizes/expression_matcher.h"
#include "passes/sizes/sample_sizes.h"
#include "support/test_program.h"
#include "support/text.h"

#include <array>
#include <functional>
#include <numeric>
#include <random>
#include <set>

namespace aotscope::test::expression_matcher_test {
namespace {

using Values = ExpressionMatcher::Values;
using Formula = std::function<std::int64_t(const SymbolValues&)>;

std::vector<Symbol> symbolsWith(const std::vector<std::int64_t>& hints, std::int64_t max = Symbol::kNoMax) {
    std::vector<Symbol> symbols;
    for (const std::int64_t hint : hints)
        symbols.push_back({"s" + std::to_string(symbols.size()), hint, 2, max, "x.size(0)", {}});
    return symbols;
}

SymbolValues hintsOf(const std::vector<Symbol>& symbols) {
    SymbolValues hints;
    for (const Symbol& symbol : symbols) hints[symbol.name] = symbol.hint;
    return hints;
}

SizeSteps stepsOf(const std::vector<Symbol>& symbols) {
    SizeSteps steps;
    for (const Symbol& symbol : symbols) steps[symbol.name] = 1;
    return steps;
}

Values valuesOf(const std::vector<SymbolValues>& samples, const Formula& formula) {
    Values values;
    for (const SymbolValues& sample : samples) values.push_back(formula(sample));
    return values;
}

QString textOf(const std::optional<SymExpr>& expression) { return expression ? q(expression->text()) : u"(none)"_s; }

/// What a program computes step by step: sizes and their products, and multiples, sums and quotients of all so far.
class RandomSizes {
public:
    RandomSizes(std::uint32_t seed, std::size_t symbols) : random_(seed), symbols_(symbols) {
        for (std::size_t i = 0; i < symbols; ++i)
            formulas_.push_back([name = "s" + std::to_string(i)](const SymbolValues& v) { return v.at(name); });
    }

    Formula next() {
        const Formula a = any(formulas_.size()), x = any(symbols_), y = any(symbols_);
        const std::int64_t n = 1 + below(7);
        const std::array<Formula, 5> made = {[a, n](const SymbolValues& v) { return a(v) * n; },
                                             [a, n](const SymbolValues& v) { return a(v) + n; },
                                             [x, y](const SymbolValues& v) { return x(v) * y(v); },
                                             [a](const SymbolValues& v) { return (a(v) + 1) / 2; },
                                             [a, n](const SymbolValues& v) { return a(v) / (n + 1); }};
        formulas_.push_back(made[static_cast<std::size_t>(below(5))]);
        return formulas_.back();
    }

private:
    std::int64_t below(std::int64_t limit) { return static_cast<std::int64_t>(random_()) % limit; }
    Formula any(std::size_t count) {
        return formulas_[static_cast<std::size_t>(below(static_cast<std::int64_t>(count)))];
    }

    std::mt19937 random_;
    std::size_t symbols_;
    std::vector<Formula> formulas_;
};

}  // namespace

class TestExpressionMatcher : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A few samples lead to the same texts as many.
    void writesWhatAFinderWrites_data() {
        QTest::addColumn<QList<qint64>>("hints");
        QTest::newRow("one size") << QList<qint64>{8};
        QTest::newRow("two sizes") << QList<qint64>{8, 5};
        QTest::newRow("equal sizes") << QList<qint64>{8, 8, 8};
    }
    void writesWhatAFinderWrites() {
        QFETCH(QList<qint64>, hints);
        const auto symbols = symbolsWith({hints.begin(), hints.end()});
        const SymbolValues example = hintsOf(symbols);
        const auto all = distinguishingSizes(symbols, stepsOf(symbols), example);
        const auto other = unrelatedSizes(symbols, stepsOf(symbols), example);
        QVERIFY(other);
        ExpressionFinder finder(symbols, all);
        ExpressionMatcher matcher(symbols, {example, *other}, all);
        const std::string last = symbols.back().name;
        for (const Formula& formula : std::vector<Formula>{
                 [](const SymbolValues&) { return 7; },
                 [](const SymbolValues& v) { return v.at("s0"); },
                 [&](const SymbolValues& v) { return v.at(last); },
                 [](const SymbolValues& v) { return 12 * v.at("s0"); },
                 [&](const SymbolValues& v) { return v.at("s0") * v.at(last); },
                 [&](const SymbolValues& v) { return 64 * v.at("s0") * v.at(last); },
                 [&](const SymbolValues& v) { return v.at(last) - 1; },
                 [&](const SymbolValues& v) { return 3 * v.at("s0") * (v.at(last) - 1); },
                 [&](const SymbolValues& v) { return 4 * v.at("s0") * v.at(last) * v.at(last); },
             })
            QCOMPARE(textOf(matcher.find(valuesOf({example, *other}, formula))),
                     textOf(finder.find(valuesOf(all, formula))));
    }

    /// What is found is right at every size, however it was computed.
    void neverGuesses() {
        int found = 0, asked = 0;
        for (std::uint32_t seed = 0; seed < 60; ++seed) {
            const auto symbols = seed % 2 ? symbolsWith({16}) : symbolsWith({12, 7});
            const SymbolValues example = hintsOf(symbols);
            const auto all = distinguishingSizes(symbols, stepsOf(symbols), example);
            const auto other = unrelatedSizes(symbols, stepsOf(symbols), example);
            QVERIFY(other);
            std::vector<SymbolValues> seen{example, *other};
            seen.insert(seen.end(), all.end() - 4, all.end());
            ExpressionMatcher matcher(symbols, seen, all);
            RandomSizes sizes(seed, symbols.size());
            for (int i = 0; i < 12; ++i) {
                const Formula formula = sizes.next();
                const auto expression = matcher.find(valuesOf(seen, formula));
                ++asked;
                if (!expression) continue;
                ++found;
                for (const SymbolValues& sample : all)
                    QVERIFY2(expression->evaluate(sample) == formula(sample), expression->text().c_str());
            }
        }
        QVERIFY2(found * 2 > asked, qPrintable(u"%1 of %2"_s.arg(found).arg(asked)));
    }

    void ambiguousValuesHaveNoExpression() {
        const auto symbols = symbolsWith({8, 8});
        const auto all = distinguishingSizes(symbols, stepsOf(symbols), hintsOf(symbols));
        const std::vector<SymbolValues> seen = {{{"s0", 8}, {"s1", 8}}, {{"s0", 40}, {"s1", 40}}};
        ExpressionMatcher matcher(symbols, seen, all);
        QCOMPARE(textOf(matcher.find({8, 40})), u"(none)"_s);
        QCOMPARE(textOf(matcher.find({64, 1600})), u"(none)"_s);
        QCOMPARE(textOf(matcher.find({8, 8})), u"8"_s);
        const auto apart = matcher.samplesApart({8, 40});
        QVERIFY(!apart.empty());
        for (const std::size_t sample : apart) QVERIFY(all[sample].at("s0") != all[sample].at("s1"));
        QVERIFY(matcher.samplesApart({8, 8}).empty());
    }

    /// A product that is the same at all samples is no number.
    void hiddenSizesHaveNoExpression() {
        const auto symbols = symbolsWith({3, 4});
        const auto all = distinguishingSizes(symbols, stepsOf(symbols), hintsOf(symbols));
        ExpressionMatcher matcher(symbols, {{{"s0", 3}, {"s1", 4}}, {{"s0", 2}, {"s1", 6}}}, all);
        QVERIFY(matcher.hidesSizes());
        QCOMPARE(textOf(matcher.find({12, 12})), u"(none)"_s);
        QCOMPARE(textOf(matcher.find({7, 7})), u"7"_s);
        ExpressionMatcher open(symbols, {{{"s0", 3}, {"s1", 4}}, {{"s0", 11}, {"s1", 17}}}, all);
        QVERIFY(!open.hidesSizes());
        QCOMPARE(textOf(open.find({12, 12})), u"12"_s);
    }

    void unrelatedSizesHaveNothingInCommon() {
        for (const std::int64_t max : {Symbol::kNoMax, std::int64_t{100}})
            for (std::int64_t hint = 2; hint < 40; ++hint) {
                const auto symbols = symbolsWith({hint, hint, 7}, max);
                const auto sizes = unrelatedSizes(symbols, stepsOf(symbols), hintsOf(symbols));
                QVERIFY(sizes);
                std::set<std::int64_t> different{hint, 7};
                for (const Symbol& symbol : symbols) {
                    const std::int64_t value = sizes->at(symbol.name);
                    QVERIFY(value >= symbol.min && value <= symbol.max);
                    QVERIFY(different.insert(value).second);
                    QCOMPARE(std::gcd(value - symbol.hint, std::int64_t{2 * 3 * 5 * 7}), std::int64_t{1});
                    if (max == Symbol::kNoMax) QVERIFY(value >= farFrom(symbol.hint));
                }
            }
    }

    void smallRangesHaveOnlyDifferentSizes() {
        const auto symbols = symbolsWith({3, 3}, 3);
        const SizeSteps steps = stepsOf(symbols);
        QVERIFY(!unrelatedSizes(symbols, steps, hintsOf(symbols)));
        QVERIFY(differentSizes(symbols, steps, hintsOf(symbols)) == (SymbolValues{{"s0", 2}, {"s1", 2}}));
        auto fixed = symbolsWith({3}, 3);
        fixed[0].min = 3;
        QVERIFY(!differentSizes(fixed, steps, hintsOf(fixed)));
    }
};

AOTSCOPE_TEST(TestExpressionMatcher)

}  // namespace aotscope::test::expression_matcher_test

#include "test_expression_matcher.moc"
