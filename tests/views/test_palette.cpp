// The colours with a meaning: text on them is readable, and those of the palette for colour-blind people are
// distinguishable for everyone.

#include "canvas/theme.h"
#include "models/palette.h"
#include "models/tables/metadata_words.h"
#include "support/test_program.h"
#include "views/eyes.h"

namespace aotscope::test::palette_test {
namespace {

using Meanings = std::vector<Meaning>;

Meanings range(Meaning first, Meaning last) {
    Meanings all;
    for (std::size_t i = 0; after(first, i) <= last; ++i) all.push_back(after(first, i));
    return all;
}

Meanings operator+(Meanings a, const Meanings& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

struct LegendOf {
    const char* name;
    Meanings meanings;
};

/// Meanings that can share a legend.
const std::vector<LegendOf>& legends() {
    static const std::vector<LegendOf> all{
        {"part and fate", range(Meaning::input, Meaning::saved)},
        {"family", Meanings{Meaning::input, Meaning::output} + range(Meaning::matmul, Meaning::otherFamily)},
        {"mutation and aliasing", range(Meaning::notMutated, Meaning::unmarked)},
        {"steps", range(Meaning::step1, Meaning::noValue)},
        {"words", Meanings{Meaning::noValue} + range(Meaning::word1, Meaning::word8)},
        {"difference", range(Meaning::added, Meaning::same)},
        {"history", range(Meaning::added, Meaning::moved) + Meanings{Meaning::unchanged, Meaning::absent}}};
    return all;
}

struct NamedColour {
    QString name;
    QColor colour;
};

/// Colours used directly on the background.
std::vector<NamedColour> marksOf(const Theme& theme) {
    return {{u"background"_s, theme.background},
            {u"rung"_s, theme.rung},
            {u"recomputed rung"_s, theme.recomputedRung},
            {u"flow"_s, theme.flow},
            {u"selection"_s, theme.selection},
            {u"hit"_s, theme.hit},
            {u"change"_s, theme.change},
            {u"current"_s, theme.current}};
}

std::vector<NamedColour> curvesOf(const Theme& theme) {
    return {{u"background"_s, theme.background}, {u"estimated"_s, theme.estimated},    {u"measured"_s, theme.measured},
            {u"forward"_s, theme.forwardCurve},  {u"backward"_s, theme.backwardCurve}, {u"chosen"_s, theme.selection}};
}

/// The two most similar ones, and for which eyes.
void requireApart(const std::vector<NamedColour>& colours, double least, const QString& where) {
    for (const Eye& eye : eyes())
        for (std::size_t i = 0; i < colours.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                const double reached = differenceOf(colours[i].colour, colours[k].colour, eye);
                QVERIFY2(reached >= least,
                         qPrintable(u"%1, %2: %3 and %4 differ by %5"_s
                                        .arg(where, QLatin1String(eye.name), colours[i].name, colours[k].name)
                                        .arg(reached)));
            }
}

QString named(const Theme& theme) { return theme.scheme.dark ? u"dark"_s : u"light"_s; }

const std::array<ColourScheme, 2> kColourBlind = {{{false, true}, {true, true}}};

}  // namespace

class TestPalette : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// By Sharma, Wu and Dalal (2005), in sRGB: the measure of the other tests.
    void differencesAreThoseOfTheStandard() {
        QCOMPARE(differenceOf(Qt::white, Qt::white, eyes()[0]), 0.0);
        QVERIFY(std::abs(differenceOf(Qt::black, Qt::white, eyes()[0]) - 100) < 0.1);
        QVERIFY(std::abs(differenceOf(Qt::red, Qt::green, eyes()[0]) - 86.6) < 1);
        QVERIFY(differenceOf(QColor(0xb0, 0x40, 0x40), QColor(0x60, 0x60, 0x10), eyes()[2]) <
                differenceOf(QColor(0xb0, 0x40, 0x40), QColor(0x60, 0x60, 0x10), eyes()[0]) / 2);
    }

    void textCanBeReadOnEveryFill() {
        for (const Theme& theme : everyTheme())
            for (std::size_t i = 0; i < kMeanings; ++i) {
                const NodeColours& colours = coloursOf(after(Meaning::input, i), theme.scheme);
                for (const QColor& text : {colours.text, colours.lines})
                    QVERIFY2(contrastRatio(text, colours.fill) >= kReadableContrast,
                             qPrintable(u"meaning %1, %2 on %3"_s.arg(i).arg(text.name(), colours.fill.name())));
                const QColor marked = emphasized(colours.fill, theme.scheme);
                QVERIFY2(contrastRatio(colours.text, marked) >= kReadableContrast,
                         qPrintable(u"meaning %1, words marked %2"_s.arg(i).arg(marked.name())));
                QVERIFY(marked != colours.fill);
            }
    }

    void everyEyeTellsTheFillsOfALegendApart() {
        constexpr double least = 8.5;
        for (const ColourScheme scheme : kColourBlind)
            for (const LegendOf& legend : legends()) {
                std::vector<NamedColour> fills;
                for (const Meaning meaning : legend.meanings)
                    fills.push_back({u"%1"_s.arg(static_cast<int>(meaning)), coloursOf(meaning, scheme).fill});
                requireApart(fills, least, QLatin1String(legend.name) + u' ' + named(Theme::of(scheme)));
            }
    }

    void everyEyeTellsMarksAndCurvesApart() {
        constexpr double least = 12;
        for (const ColourScheme scheme : kColourBlind) {
            const Theme theme = Theme::of(scheme);
            requireApart(marksOf(theme), least, u"marks "_s + named(theme));
            requireApart(curvesOf(theme), least, u"curves "_s + named(theme));
        }
    }

    void everyEyeTellsVerdictsApart() {
        for (const bool dark : {false, true}) {
            const QColor ground = Theme::of({dark, false}).background;
            for (const Eye& eye : eyes())
                QVERIFY2(differenceOf(verdictColour(true, dark), verdictColour(false, dark), eye) > 11, eye.name);
            for (const bool good : {true, false})
                QVERIFY(contrastRatio(verdictColour(good, dark), ground) >= kReadableContrast);
        }
    }

    /// Marks are thin: WCAG requires 3 to 1.
    void marksStandOutFromTheBackground() {
        for (const ColourScheme scheme : kColourBlind) {
            const Theme theme = Theme::of(scheme);
            for (const NamedColour& mark : marksOf(theme))
                if (mark.colour != theme.background)
                    QVERIFY2(contrastRatio(mark.colour, theme.background) >= 3, qPrintable(mark.name));
        }
    }

    void thePaletteIsAnother() {
        for (const bool dark : {false, true})
            QVERIFY(coloursOf(Meaning::matmul, {dark, false}).fill != coloursOf(Meaning::matmul, {dark, true}).fill);
    }
};

AOTSCOPE_TEST(TestPalette)

}  // namespace aotscope::test::palette_test

#include "test_palette.moc"
