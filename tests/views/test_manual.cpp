// The built-in manual: all pages, and links that work.

#include "models/glossary.h"
#include "models/manual.h"
#include "support/test_program.h"
#include "support/text.h"

namespace aotscope::test::manual_test {
namespace {

const QDir kFolder(QStringLiteral(AOTSCOPE_SOURCE_DIR "/resources/manual"));

bool hasSection(const ManualPage& page, const QString& anchor) {
    return std::any_of(page.sections.begin(), page.sections.end(),
                       [&](const ManualPage::Section& section) { return section.anchor == anchor; });
}

}  // namespace

class TestManual : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void contentsLeadToEveryPage() {
        for (const QString& name : kFolder.entryList({u"*.md"_s})) {
            const ManualPage* page = Manual::instance().find(name);
            QVERIFY2(page, qPrintable(name));
            QFile file(kFolder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(page->text, QString::fromUtf8(file.readAll()));
            QVERIFY2(page->title != name, qPrintable(name));
        }
    }

    void linksLeadSomewhere() {
        static const QRegularExpression link(u"\\]\\(([^)# ]*)(#[^) ]*)?\\)"_s);
        int links = 0;
        for (const ManualPage& page : Manual::instance().pages())
            for (auto match = link.globalMatch(page.text); match.hasNext(); ++links) {
                const auto found = match.next();
                const QString target = found.captured(1), anchor = found.captured(2).mid(1);
                const QByteArray where = (page.name + u' ' + found.captured(0)).toUtf8();
                if (target.startsWith("http"_L1)) continue;
                if (target.startsWith("../"_L1)) {
                    QVERIFY2(QFileInfo::exists(kFolder.filePath(target)), where.constData());
                    // Pictures are in the program, too.
                    const bool picture = target.endsWith(".png"_L1);
                    QVERIFY2(!picture || QFileInfo::exists(u":"_s + target.mid(2)), where.constData());
                    continue;
                }
                const ManualPage* there = target.isEmpty() ? &page : Manual::instance().find(target);
                QVERIFY2(there, where.constData());
                QVERIFY2(anchor.isEmpty() || hasSection(*there, anchor), where.constData());
            }
        QVERIFY(links > 200);
    }

    void anchorsAreThoseOfTheWebPage() {
        QCOMPARE(anchorOf(u"Why the graph still computes the alias"_s), u"why-the-graph-still-computes-the-alias"_s);
        QCOMPARE(anchorOf(u"One tensor twice: 2 against 1"_s), u"one-tensor-twice-2-against-1"_s);
        QCOMPARE(anchorOf(u"`--budget`, Flame-chart"_s), u"--budget-flame-chart"_s);
    }

    /// A comment in a code block is not a heading.
    void headings() {
        for (const ManualPage& page : Manual::instance().pages())
            for (const ManualPage::Section& section : page.sections)
                QVERIFY2(!section.title.startsWith(u'#'), qPrintable(page.name));
    }

    void titlesAreFoundFirst() {
        const auto hits = Manual::instance().search({u"glossary"_s});
        QVERIFY(hits.size() > 3);
        QCOMPARE(hits.front().page->name, u"glossary.md"_s);
        QVERIFY(Manual::instance().search({u"no-word-like-this"_s}).empty());
    }

    void questionsAreAnswered_data() {
        const auto row = columns<QString, QString>("question", "answer");
        row("why is a tensor saved", "saved-values.md");
        row("batch size", "dialogs.md#example-inputs");
        row("font size", "window.md#large-graphs-light-and-dark");
        row("gradient is None?", "glossary.md#gradients");
        row("what is a tangent", "glossary.md#tangents");
    }
    void questionsAreAnswered() {
        QFETCH(QString, question);
        QFETCH(QString, answer);
        const auto hits = Manual::instance().search(question.split(u' '));
        QVERIFY(!hits.empty());
        QCOMPARE(hits.front().page->name, answer.section(u'#', 0, 0));
        QCOMPARE(hits.front().anchor, answer.section(u'#', 1));
        QVERIFY(hasSection(*hits.front().page, hits.front().anchor) || hits.front().anchor.isEmpty());
    }

    // --- the glossary ---

    void theGlossaryIsATable() {
        const auto& terms = Glossary::instance().terms();
        QVERIFY(terms.size() > 60);
        for (const GlossaryTerm& term : terms) {
            QVERIFY2(hasSection(*Manual::instance().find(u"glossary.md"_s), term.place.section(u'#', 1)),
                     qPrintable(term.place));
            QVERIFY2(term.meaning.endsWith(u'.') && !term.meaning.contains(u"]("_s) && !term.meaning.contains(u'`') &&
                         !term.meaning.contains(u'#'),
                     qPrintable(term.meaning));
        }
        const GlossaryTerm* tangents = Glossary::instance().find(u"tangents"_s);
        QVERIFY(tangents && tangents == Glossary::instance().at(u"glossary.md#tangents"_s));
        QVERIFY(tangents->tip().startsWith(u"Tangents: The gradients of the forward's outputs"_s));
        QVERIFY(!Glossary::instance().find(u"teapot"_s) && !Glossary::instance().at(u"pipeline.md"_s));
    }

    /// Words that people ask about.
    void jargonIsExplained_data() {
        rowsOf("word", {"tangent", "primal", "materialized", "synthetic base", "donated buffer", "joint graph",
                        "saved for backward", "view replay", "epilogue", "functionalization", "min-cut", "recomputed",
                        "guard", "intermediate base", "ban rule"});
    }
    void jargonIsExplained() {
        QFETCH(QString, word);
        QVERIFY2(Glossary::instance().find(word), qPrintable(word));
    }

    void termsBecomeLinks_data() {
        const auto row = columns<QString, QString>("html", "linked");
        row("A guard fails.", u"A <a href='glossary.md#guard'>guard</a> fails."_s);
        row("Guards and a guard", u"<a href='glossary.md#guard'>Guards</a> and a guard"_s);
        row("saved for backward", u"<a href='glossary.md#saved-saved-for-backward'>saved for backward</a>"_s);
        row("<b title='guard'>x</b>", u"<b title='guard'>x</b>"_s);
        row("<a href='node:1'>guard</a>", u"<a href='node:1'>guard</a>"_s);
        row("aten.view.default, %view, views", u"aten.view.default, %view, <a href='glossary.md#view'>views</a>"_s);
        row("safeguard guarded", u"safeguard guarded"_s);
    }
    void termsBecomeLinks() {
        QFETCH(QString, html);
        QFETCH(QString, linked);
        QCOMPARE(Glossary::instance().linked(html), linked);
    }
};

AOTSCOPE_TEST(TestManual)

}  // namespace aotscope::test::manual_test

#include "test_manual.moc"
