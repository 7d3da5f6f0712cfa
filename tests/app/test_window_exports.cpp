// Exports of the main window and the command line: graphs and differences in every format, or a problem.

#include "app/window_driver.h"
#include "ir/provenance.h"
#include "support/program.h"
#include "support/test_program.h"

#include <QApplication>
#include <QClipboard>

namespace aotscope::test::window_exports_test {
namespace {

/// Number of elements of class "node"; -1 if the text is not XML.
int nodesInSvg(const QByteArray& bytes) {
    QXmlStreamReader xml(bytes);
    int nodes = 0;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement)
            nodes += xml.attributes().value(u"class"_s) == "node"_L1 ? 1 : 0;
    return xml.hasError() ? -1 : nodes;
}

/// The message of the command line about the boxes of a picture, in any format.
int boxesIn(const ProgramRun& run) {
    static const QRegularExpression boxes(u"s for ([\\d,]+) box"_s);
    return run.code == 0 ? boxes.match(QString::fromUtf8(run.out)).captured(1).remove(u',').toInt() : -1;
}

}  // namespace

class TestWindowExports : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

    QString at(const char* name) const { return scratch_.at(QString::fromUtf8(name)); }

    /// Runs the program with `arguments`; "@name" stands for that file in the test's folder.
    ProgramRun run(const QString& arguments) const {
        QStringList list;
        for (const QString& word : arguments.split(u' ', Qt::SkipEmptyParts))
            list << (word.startsWith(u'@') ? scratch_.at(word.mid(1)) : word);
        return runProgram(list);
    }

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void exportsTimes() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        auto* times = d.window.findChild<TimingController*>();
        times->exportTo(at("early.json"));
        QVERIFY(d.lastProblem().contains(u"no times to export"_s));
        d.window.time();
        QVERIFY(d.settle());
        const int problems = d.problems()->count();
        for (const char* name : {"times.json", "times.csv", "times.svg", "times.png"}) times->exportTo(at(name));
        QCOMPARE(d.problems()->count(), problems);
        const auto events = QJsonDocument::fromJson(contentOf(at("times.json"))).object()[u"traceEvents"_s];
        QVERIFY(static_cast<std::size_t>(events.toArray().size()) > 2 * d.window.timing()->steps.size());
        QCOMPARE(static_cast<std::size_t>(contentOf(at("times.csv")).count('\n')), d.window.timing()->steps.size() + 1);
        QVERIFY(nodesInSvg(contentOf(at("times.svg"))) >= 0);
        QVERIFY(!QImage(at("times.png")).isNull());
        times->exportTo(at("times.gif"));
        QVERIFY(d.lastProblem().contains(u".svg or .png"_s));
        for (const QString& name : scratch_.files().filter(u"times."_s)) QFile::remove(scratch_.at(name));
    }

    void exportsEveryFormat() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const auto exported = [&](const char* name) {
            d.window.exportTo(at(name));
            return QFileInfo::exists(at(name)) ? contentOf(at(name)) : QByteArray();
        };
        const auto graph = d.record()->graph(GraphKind::joint);
        QCOMPARE(exported("g.txt").toStdString(), printWithProvenance(*graph));
        QVERIFY(exported("g.dot").startsWith("digraph"));
        const auto json = QJsonDocument::fromJson(exported("g.json")).object();
        QCOMPARE(static_cast<std::size_t>(json[u"nodes"_s].toArray().size()), graph->size());
        QCOMPARE(static_cast<std::size_t>(nodesInSvg(exported("g.svg"))), d.canvas()->nodeItemCount());
        QVERIFY(exported("g.pdf").startsWith("%PDF"));
        const QImage image = QImage::fromData(exported("g.PNG"), "PNG");
        QVERIFY(image.width() > d.canvas()->layout()->bounds.width());
        for (const char* name : {"g.jit", "g.pt"}) {
            exported(name);
            QVERIFY(d.settle());
        }
        QVERIFY(contentOf(at("g.jit")).contains("aten::addmm"));
        QVERIFY(contentOf(at("g.pt")).startsWith("PK"));
        QCOMPARE(d.problems()->count(), 0);
        QVERIFY(scratch_.files().filter(u"g."_s).size() == 8);  // and no temporary files
    }

    // --- without a window ---

    void closesModulesToADepth_data() {
        columns<QString, QByteArray>("file", "start");
        QTest::newRow("svg") << u"d.svg"_s << QByteArray("<?xml");
        QTest::newRow("png") << u"d.png"_s << QByteArray("\x89PNG");
        QTest::newRow("pdf") << u"d.pdf"_s << QByteArray("%PDF");
        QTest::newRow("html") << u"d.html"_s << QByteArray("<!DOCTYPE html>");
    }
    void closesModulesToADepth() {
        QFETCH(QString, file);
        QFETCH(QByteArray, start);
        const auto boxes = [&](const QString& options) {
            return boxesIn(run(u"export sample:gpt2-tiny -o @%1 %2"_s.arg(file, options)));
        };
        const int one = boxes(u"--depth 1"_s);
        const QByteArray closed = contentOf(scratch_.at(file));
        const int all = boxes(QString());
        QVERIFY2(0 < one && one < all, qPrintable(u"%1 %2"_s.arg(one).arg(all)));
        QVERIFY(closed.startsWith(start));
        QVERIFY(closed.size() < contentOf(scratch_.at(file)).size());
        if (!file.endsWith("svg"_L1)) return;
        // The depth is the same for every format.
        QCOMPARE(nodesInSvg(closed), one);
        const int two = boxes(u"--depth 2"_s);
        QVERIFY2(one < two && two < all, qPrintable(u"%1 %2 %3"_s.arg(one).arg(two).arg(all)));
        QCOMPARE(boxes(u"--depth 99"_s), all);
    }

    void drawsTheDifferenceOfTwoPasses_data() { closesModulesToADepth_data(); }
    void drawsTheDifferenceOfTwoPasses() {
        QFETCH(QString, file);
        QFETCH(QByteArray, start);
        const ProgramRun drawn = run(u"diff sample:mutations --passes forward-traced..functional -o @"_s + file);
        QVERIFY2(boxesIn(drawn) > 0, drawn.text().constData());
        const QByteArray picture = contentOf(scratch_.at(file));
        QVERIFY(picture.startsWith(start));
        if (!file.endsWith("svg"_L1)) return;
        QCOMPARE(nodesInSvg(picture), boxesIn(drawn));
        for (const char* text : {"mutations: difference from forward-traced to functional", ">added<", ">changed<"})
            QVERIFY2(picture.contains(text), text);
    }

    void coloursByLiveMemory() {
        QVERIFY(boxesIn(run(u"export sample:mlp --colour live -o @live.svg"_s)) > 0);
        const QByteArray picture = contentOf(at("live.svg"));
        for (const char* text : {"Live memory: ", ">Live memory: up to ", ">no value<"})
            QVERIFY2(picture.contains(text), text);
    }

    void drawsForColourBlindPeople_data() {
        QTest::addColumn<QString>("command");
        QTest::newRow("svg") << u"export sample:mlp -o @c.svg"_s;
        QTest::newRow("html") << u"export sample:mlp -o @c.html"_s;
        QTest::newRow("difference") << u"diff sample:mlp --passes joint..backward -o @c.svg"_s;
    }
    void drawsForColourBlindPeople() {
        QFETCH(QString, command);
        const QString file = command.endsWith("html"_L1) ? u"c.html"_s : u"c.svg"_s;
        QVERIFY(boxesIn(run(command)) > 0);
        const QByteArray usual = contentOf(scratch_.at(file));
        QVERIFY(boxesIn(run(command + u" --colour-blind"_s)) > 0);
        const QByteArray other = contentOf(scratch_.at(file));
        const auto fill = [](bool colourBlind) {
            const Theme theme = Theme::of({.dark = false, .colourBlind = colourBlind});
            return theme.colours(DrawnNode(), ColourBy::stage).fill.name().toUtf8();
        };
        QVERIFY(usual != other);
        if (command.startsWith("diff"_L1)) return;  // whose boxes have other colours
        QVERIFY(usual.contains(fill(false)) && !usual.contains(fill(true)));
        QVERIFY(other.contains(fill(true)) && !other.contains(fill(false)));
    }

    /// The backward is compiled as well.
    void coloursByKernels() {
        const auto picture = [&](const QString& arguments) {
            const int boxes = boxesIn(run(u"export "_s + arguments + u" -o @kernels.svg"_s));
            return boxes > 0 ? contentOf(at("kernels.svg")) : QByteArray();
        };
        const QByteArray both = picture(u"sample:sincos --compiler fused --colour kernel --graph joint"_s);
        for (const char* text : {">forward 1 (", ">backward 1 ("}) QVERIFY2(both.contains(text), text);
        const QByteArray inference =
            picture(u"sample:sincos --compiler fused --colour kernel --inference --graph inference"_s);
        QVERIFY(inference.contains(">inference 1 ("));
        const ProgramRun none = run(u"export sample:mlp --colour kernel -o @kernels.svg"_s);
        QCOMPARE(none.code, 1);
        QVERIFY2(none.err.contains("has a kernel of its own"), none.text().constData());
    }

    /// Two sessions of one model that differ in their saved tensors.
    void drawsTheDifferenceOfTwoRuns() {
        QCOMPARE(run(u"run sample:gpt2-tiny --save @fast.aotscope"_s).code, 0);
        QCOMPARE(run(u"run sample:gpt2-tiny --budget 0.1 --save @small.aotscope"_s).code, 0);
        const ProgramRun drawn = run(u"diff @fast.aotscope @small.aotscope -o @runs.svg --fail-on-change"_s);
        QCOMPARE(drawn.code, 3);
        QVERIFY2(drawn.out.contains("no longer") && drawn.out.contains("difference ("), drawn.text().constData());
        const QByteArray picture = contentOf(at("runs.svg"));
        for (const char* text : {"joint graphs", "saved -&gt; recomputed", ">changed<", ">unchanged<"})
            QVERIFY2(picture.contains(text), text);
        QVERIFY(!picture.contains(">removed<"));
        const int all = boxesIn(run(u"diff @fast.aotscope @small.aotscope -o @runs.svg"_s));
        const int closed = boxesIn(run(u"diff @fast.aotscope @small.aotscope -o @runs.svg --depth 1"_s));
        QVERIFY(0 < closed && closed < all);
    }

    void drawsReports() {
        QCOMPARE(run(u"run sample:mlp --report @r.json"_s).code, 0);
        const ProgramRun drawn = run(u"diff @r.json sample:mlp -o @reports.svg --fail-on-change"_s);
        QVERIFY2(drawn.code == 0 && drawn.out.contains("difference (no difference)"), drawn.text().constData());
        QVERIFY(contentOf(at("reports.svg")).contains(">unchanged<"));
    }

    void refusesGraphsThatCannotBeDrawn_data() {
        const auto row = columns<QString, QString>("arguments", "sentence");
        row("export sample:mlp -o @g.txt --depth 1", "--depth 1: a txt file has no modules to close; write svg");
        row("export sample:mlp -o @g.svg --depth 0", "--depth");
        row("diff sample:mlp sample:mlp -o @g.doc", "ends in .svg, .png, .pdf, .html or .py");
        row("diff sample:mlp sample:mlp --depth 1", "--depth requires --output");
        row("diff @counts.json sample:mlp -o @g.svg", "has no graphs to draw; give the model or a saved session");
    }
    void refusesGraphsThatCannotBeDrawn() {
        FETCH(QString, arguments, sentence);
        QFile counts(at("counts.json"));
        QVERIFY(counts.open(QIODevice::WriteOnly) && counts.write(R"({"graphs": {"joint": {"ops": {}}}})") > 0);
        counts.close();
        const ProgramRun refused = run(arguments);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.oneSentence() && refused.err.contains(sentence.toUtf8()), refused.text().constData());
    }

    // --- from the window ---

    void exportsTheGraphThatIsShown() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.chooseTab(GraphKind::backward);
        QVERIFY(d.settle());
        d.window.exportTo(at("b.txt"));
        QVERIFY(contentOf(at("b.txt")).startsWith("graph backward"));
        d.window.exportTo(at("b.svg"));
        QCOMPARE(static_cast<std::size_t>(nodesInSvg(contentOf(at("b.svg")))), d.canvas()->graph()->nodes.size());
    }

    /// Removed nodes are in the page, too.
    void exportsTheDifferenceThatIsShown() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        auto* controller = d.window.navigation()->difference();
        controller->showRange(3, static_cast<int>(controller->graphs().size()) - 1);  // joint and backward
        QVERIFY(d.settle());
        QVERIFY(controller->difference() && controller->difference()->removed > 0);
        d.window.exportTo(at("difference.html"));
        QVERIFY2(d.problems()->count() == 0, qPrintable(d.lastProblem()));
        QVERIFY(contentOf(at("difference.html")).contains("\"id\":-"));
    }

    void exportsAndCopiesPython() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.window.exportTo(at("graph.py"));
        QVERIFY(d.settle());
        const QByteArray script = contentOf(at("graph.py"));
        QVERIFY2(script.startsWith("# the joint graph of mlp,"), script.left(80).constData());
        QVERIFY(script.contains("floats([256, 64], torch.float32, mean="));
        d.trigger("actionCopyGraphPython");
        QVERIFY(d.settle());
        const QString copied = QApplication::clipboard()->text();
        QVERIFY2(copied.startsWith(u"class joint(torch.nn.Module):\n"_s), qPrintable(copied.left(80)));
        QVERIFY(q(script.toStdString()).contains(copied));
        d.trigger("actionDifference");
        QVERIFY(d.settle());
        d.window.exportTo(at("both.py"));
        QVERIFY(d.settle());
        QCOMPARE(d.problems()->count(), 0);
        QCOMPARE(contentOf(at("both.py")).count("(torch.nn.Module):\n"), 2);
    }

    /// The canvas still shows the previous picture, which must not be written under the new graph's name.
    void aPictureThatIsNotLaidOutIsNotExported() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.chooseTab(GraphKind::forward);
        QVERIFY(d.window.busy());
        d.window.exportTo(at("early.svg"));
        QVERIFY(!QFileInfo::exists(at("early.svg")));
        QVERIFY(d.lastProblem().contains(u"layout is not finished yet"_s));
        QVERIFY(d.settle());
        d.window.exportTo(at("early.svg"));
        QCOMPARE(static_cast<std::size_t>(nodesInSvg(contentOf(at("early.svg")))), d.canvas()->nodeItemCount());
    }

    void exportsThatCannotBeWritten_data() {
        const auto row = columns<QString, QString>("file", "sentence");
        for (const char* name : {"no/such/folder/g.svg", "no/such/folder/g.txt"}) row(name, at(name), at(name));
        row("g.doc", at("g.doc"), "as 'doc'");
        row("no ending", at("plain"), at("plain"));
    }
    void exportsThatCannotBeWritten() {
        FETCH(QString, file, sentence);
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.window.exportTo(file);
        QVERIFY(!QFileInfo::exists(file));
        QCOMPARE(d.problems()->count(), 1);
        QVERIFY2(d.lastProblem().contains(sentence), qPrintable(d.lastProblem()));
        QVERIFY(d.problemsAreInFront());
        d.window.run();
        QVERIFY(d.settle());
        QCOMPARE(d.problems()->count(), 1);
    }
};

AOTSCOPE_TEST(TestWindowExports)

}  // namespace aotscope::test::window_exports_test

#include "test_window_exports.moc"
