// Exported pictures of the samples: valid files, no overlapping boxes, hardly an edge through a box.

#include "canvas/layout/layout_job.h"
#include "canvas/svg_writer.h"
#include "support/long_tests.h"
#include "support/test_program.h"
#include "views/drawings.h"
#include "views/picture_rules.h"

#include <QSvgRenderer>

namespace aotscope::test::picture_quality_test {

class TestPictureQuality : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pictures_data() {
        columns<QString, GraphKind>("sample", "kind");
        for (const char* sample : {"sincos", "mlp", "aliasing", "mutations", "resnet18", "gpt2-tiny", "bert-tiny"})
            for (const auto& [kind, graph] : recordOf(sample)->graphs)
                QTest::addRow("%s, %s", sample, name(kind).data()) << QString::fromUtf8(sample) << kind;
        if (!longTests()) return;
        for (const char* sample : {"resnet50", "gpt2", "gpt2-deep"})
            QTest::addRow("%s, joint", sample) << QString::fromUtf8(sample) << GraphKind::joint;
    }
    void pictures() {
        QFETCH(QString, sample);
        QFETCH(GraphKind, kind);
        const auto graph = withGroups(drawSample(sample.toStdString(), kind));
        LayoutCache cache;
        for (int depth = 1; depth <= graph->groups->deepest() + 1; ++depth) {
            const auto seen = visibleGraph(graph, collapsedTo(*graph->groups, depth));
            const GraphLayout layout = layoutNow(*seen, cache);
            QCOMPARE(overlap(*seen, layout), QString());
            QCOMPARE(rungAlongBorder(*seen, layout), QString());
            const int through = edgesThroughBoxes(*seen, layout), edges = static_cast<int>(seen->edges.size());
            QVERIFY2(100 * through <= edges, qPrintable(u"%1 of %2 edges"_s.arg(through).arg(edges)));
            // Stubs are the last resort for long edges, not a way to satisfy this rule.
            QVERIFY2(stubs(layout) * 5 <= edges, qPrintable(u"%1 stubs of %2"_s.arg(stubs(layout)).arg(edges)));
            check(writeSvg(*seen, layout, {}, sample), *seen);
        }
    }

private:
    static void check(const QByteArray& svg, const DrawnGraph& graph) {
        QXmlStreamReader xml(svg);
        QString text;
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::Characters) text += xml.text() + u'\n';
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        for (const auto& node : graph.nodes) QVERIFY2(text.contains(node.title), qPrintable(node.title));
        QSvgRenderer renderer(svg);
        QVERIFY(renderer.isValid());
        QVERIFY(renderer.viewBoxF().width() > 0);
    }
};

AOTSCOPE_TEST(TestPictureQuality)

}  // namespace aotscope::test::picture_quality_test

#include "test_picture_quality.moc"
