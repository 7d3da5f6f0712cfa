// What the main window writes: the shown graph in every format, or a problem.

#include "app/window_driver.h"
#include "ir/provenance.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QXmlStreamReader>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// Number of elements of class "node"; -1 if it is no XML.
int nodesInSvg(const QByteArray& bytes) {
    QXmlStreamReader xml(bytes);
    int nodes = 0;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement)
            nodes += xml.attributes().value(QStringLiteral("class")) == QLatin1String("node") ? 1 : 0;
    return xml.hasError() ? -1 : nodes;
}

}  // namespace

class TestWindowExports : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

    QString at(const char* name) const { return scratch_.at(QString::fromUtf8(name)); }

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }
    void init() { isolation_.forget(); }

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
        QCOMPARE(static_cast<std::size_t>(json[QStringLiteral("nodes")].toArray().size()), graph->size());
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
        QVERIFY(scratch_.files().filter(QStringLiteral("g.")).size() == 8);  // and no temporary files
    }

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

    /// The picture on the canvas is still the one before: it must not be written under the new graph's name.
    void aPictureThatIsNotLaidOutIsNotExported() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.chooseTab(GraphKind::forward);
        QVERIFY(d.window.busy());
        d.window.exportTo(at("early.svg"));
        QVERIFY(!QFileInfo::exists(at("early.svg")));
        QVERIFY(d.lastProblem().contains(QStringLiteral("not laid out yet")));
        QVERIFY(d.settle());
        d.window.exportTo(at("early.svg"));
        QCOMPARE(static_cast<std::size_t>(nodesInSvg(contentOf(at("early.svg")))), d.canvas()->nodeItemCount());
    }

    void exportsThatCannotBeWritten_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("sentence");
        for (const char* name : {"no/such/folder/g.svg", "no/such/folder/g.txt"})
            QTest::newRow(name) << at(name) << at(name);
        QTest::newRow("g.doc") << at("g.doc") << QStringLiteral("as 'doc'");
        QTest::newRow("no ending") << at("plain") << at("plain");
    }
    void exportsThatCannotBeWritten() {
        QFETCH(QString, file);
        QFETCH(QString, sentence);
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

QTEST_MAIN(TestWindowExports)
#include "test_window_exports.moc"
