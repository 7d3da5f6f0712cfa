// Exported pictures: SVG, PNG and PDF of the same layout.

#include "canvas/layout/layout_job.h"
#include "canvas/picture.h"
#include "canvas/svg_writer.h"
#include "support/test_program.h"
#include "views/drawings.h"

#include <QImage>

#include <cmath>
#include <set>

namespace aotscope::test::pictures_test {
namespace {

/// A drawn graph with its layout.
struct Picture {
    explicit Picture(DrawnGraph drawn) : graph(std::move(drawn)), layout(layoutNow(graph)) {}
    QByteArray as(const char* format, const PaintOptions& options = {}) const {
        return renderPicture(graph, layout, QString::fromUtf8(format), options, u"the title"_s);
    }
    DrawnGraph graph;
    GraphLayout layout;
};

/// The contents of an SVG, read as XML.
struct Svg {
    explicit Svg(const QByteArray& bytes) {
        QXmlStreamReader xml(bytes);
        QStringList open;
        while (!xml.atEnd()) {
            const auto token = xml.readNext();
            if (token == QXmlStreamReader::EndElement) open.removeLast();
            if (token != QXmlStreamReader::StartElement) continue;
            const QString name = xml.name().toString();
            const QString cssClass = xml.attributes().value(u"class"_s).toString();
            ++elements[name];
            if (open.isEmpty()) root = xml.attributes();
            if (cssClass == "node"_L1) nodes.push_back({});
            if (name == "rect"_L1 && !open.isEmpty() && open.last() == "node"_L1)
                nodes.back().dashed = xml.attributes().hasAttribute(u"stroke-dasharray"_s);
            if (name == "title"_L1 || name == "text"_L1) {
                const QString text = xml.readElementText();
                if (open.isEmpty() || open.last() != "node"_L1) others << text;
                else if (name == "title"_L1) nodes.back().title = text;
                else nodes.back().texts << text;
                continue;
            }
            open << (cssClass.isEmpty() ? name : cssClass);
        }
        error = xml.hasError() ? xml.errorString() : QString();
    }
    struct NodeElement {
        QString title;
        QStringList texts;
        bool dashed = false;
    };
    QString error;
    QXmlStreamAttributes root;
    std::map<QString, int> elements;
    std::vector<NodeElement> nodes;
    QStringList others;
};

std::set<QRgb> coloursOf(const QImage& image) {
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) colours.insert(image.pixel(x, y));
    return colours;
}

QImage imageOf(const QByteArray& png) { return QImage::fromData(png, "PNG"); }

PaintOptions dark() {
    PaintOptions options;
    options.theme = Theme::dark();
    return options;
}

constexpr std::string_view kAwkward =
    "graph awkward\n%w : f32[2] = placeholder(parameter)  ; id=0 label=\"a<b>&\\\"c\\\".w\"\n"
    "%x : f32[2] = placeholder(input)  ; id=1 label=\"x & <y>\"\n"
    "%mul : f32[2] = aten.mul.Tensor(%x, %w)  ; id=2 module=\"m<0>&\"\n"
    "return [%mul : output \"out <&>\"]";

}  // namespace

class TestPictures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void svgShowsEveryBox_data() { rowsOf("sample", {"sincos", "mlp", "resnet18", "gpt2-tiny"}); }
    void svgShowsEveryBox() {
        QFETCH(QString, sample);
        const Picture picture(drawSample(sample.toStdString()));
        const Svg svg(picture.as("svg"));
        QCOMPARE(svg.error, QString());
        QCOMPARE(svg.nodes.size(), picture.graph.nodes.size());
        for (std::size_t i = 0; i < svg.nodes.size(); ++i) {
            const DrawnNode& node = picture.graph.nodes[i];
            const QStringList lines = svg.nodes[i].title.split(u'\n');
            QCOMPARE(lines[0], node.name);
            QCOMPARE(lines.contains(u"saved for backward"_s), node.placement.saved);
            QCOMPARE(lines.contains(u"recomputed in backward"_s), node.placement.recomputed);
            QCOMPARE(svg.nodes[i].texts, QStringList{node.title} + node.lines);
        }
    }

    void svgHasTitleLegendAndSize() {
        const Picture picture(drawSample("mlp"));
        const Svg svg(picture.as("svg"));
        QCOMPARE(svg.others.count(u"the title"_s), 2);  // as tooltip and as heading
        const auto legend = Theme::light().legend(picture.graph, ColourBy::stage);
        QVERIFY(legend.size() >= 4);
        for (const auto& entry : legend) QVERIFY2(svg.others.contains(entry.text), qPrintable(entry.text));
        const double height = svg.root.value(u"height"_s).toDouble();
        QVERIFY(height > picture.layout.bounds.height());
        QCOMPARE(svg.root.value(u"width"_s).toDouble(),
                 QString::number(picture.layout.bounds.width(), 'f', 1).toDouble());
    }

    void pngIsFilledToItsEdges() {
        Picture picture(drawSample("sincos"));
        QRectF& bounds = picture.layout.bounds;
        bounds.setSize({std::ceil(bounds.width()) + 0.3, std::ceil(bounds.height()) + 0.3});  // no whole pixels
        const QImage image = imageOf(picture.as("png"));
        const int right = image.width() - 1, bottom = image.height() - 1;
        const QRgb background = Theme::light().background.rgb();
        for (int x = 0; x <= right; ++x) QCOMPARE(image.pixel(x, bottom), background);
        for (int y = 0; y <= bottom; ++y) QCOMPARE(image.pixel(right, y), background);
    }

    void svgDrawsEveryEdge() {
        const Picture picture(drawText(chainText(60), GraphKind::functional));
        Svg svg(picture.as("svg"));
        int paths = 0;
        for (const auto& edge : picture.layout.edges) {
            paths += edge.stub ? 2 : 1;
            for (const StubLabel& label : {edge.startLabel, edge.endLabel})
                if (!label.text.isEmpty()) QVERIFY(svg.others.contains(label.text));
        }
        QCOMPARE(svg.elements[u"path"_s], paths);
        QCOMPARE(svg.elements[u"polygon"_s], paths);  // the arrow heads
    }

    void svgDashesRemovedNodes() {
        DrawnGraph drawn = drawText(kTwoLayers);
        drawn.nodes[2].ghost = true;
        const Svg svg(Picture(std::move(drawn)).as("svg"));
        for (std::size_t i = 0; i < svg.nodes.size(); ++i) QCOMPARE(svg.nodes[i].dashed, i == 2);
    }

    void svgEscapesText() {
        const Picture picture(drawText(kAwkward, GraphKind::functional));
        const QByteArray bytes = renderPicture(picture.graph, picture.layout, u"svg"_s, {}, u"a < b & c"_s);
        const Svg svg(bytes);
        QCOMPARE(svg.error, QString());
        QVERIFY(svg.others.contains(u"a < b & c"_s));
        QCOMPARE(svg.nodes[0].texts[0], u"x & <y>"_s);
        QVERIFY(svg.nodes[1].title.contains(u"m<0>&"_s));
        QVERIFY(svg.nodes[1].texts.contains(u"a<b>&\"c\".w [2]"_s));
        QVERIFY(bytes.contains("x &amp; &lt;y&gt;"));
        QVERIFY(!bytes.contains("<y>"));
    }

    /// Names from files have neither length limits nor rules.
    void namesOfStrangers() {
        const std::string label(1'000'000, 'x');
        const std::string text = "graph g\n  %a : f32[2] = placeholder(input) ; id=0 label=\"\\u202e\\x1b" + label +
                                 "\"\n  %b : f32[2] = aten.relu.default(%a)\n  return [%b : output \"" + label +
                                 "\"]\n";
        const QByteArray bytes = Picture(drawText(text, GraphKind::functional)).as("svg");
        QVERIFY2(bytes.size() < 100'000, qPrintable(QString::number(bytes.size())));
        QVERIFY(bytes.contains("\\u202e\\x1bxxx") && !bytes.contains("\xe2\x80\xae"));
    }

    void svgOfNothing() {
        const Picture picture(drawText("graph empty\n  return []\n"));
        const Svg svg(picture.as("svg"));
        QCOMPARE(svg.error, QString());
        QVERIFY(svg.nodes.empty());
    }

    void svgIsReproducible() {
        const Picture picture(drawSample("mlp"));
        QCOMPARE(picture.as("svg"), picture.as("svg"));
        QCOMPARE(writeSvg(picture.graph, picture.layout, {}, u"the title"_s), picture.as("svg"));
    }

    void pngShowsThePicture() {
        const Picture picture(drawText(kTwoLayers));
        const QImage image = imageOf(picture.as("png"));
        QVERIFY(!image.isNull());
        QCOMPARE(image.width(), qRound(2 * picture.layout.bounds.width()));
        QVERIFY(image.height() > 2 * picture.layout.bounds.height());
        const auto colours = coloursOf(image);
        QVERIFY(colours.size() > 20);
        const Theme theme = Theme::light();
        QVERIFY(colours.count(theme.background.rgb()));
        for (const auto& node : picture.graph.nodes)
            QVERIFY2(colours.count(theme.colours(node, ColourBy::stage).fill.rgb()), qPrintable(node.name));
    }

    void boxesAreWhereTheLayoutHasThem() {
        const Picture picture(drawText(kTwoLayers));
        const QImage image = imageOf(picture.as("png"));
        const double header = image.height() / 2.0 - picture.layout.bounds.height();
        for (std::size_t i = 0; i < picture.graph.nodes.size(); ++i) {
            // Just inside of the left border there is no text.
            const QPointF place = QPointF(picture.layout.boxes[i].left() + 4, picture.layout.boxes[i].center().y()) -
                                  picture.layout.bounds.topLeft() + QPointF(0, header);
            QCOMPARE(image.pixelColor((place * 2).toPoint()),
                     Theme::light().colours(picture.graph.nodes[i], ColourBy::stage).fill);
        }
    }

    void themesDiffer() {
        const Picture picture(drawText(kTwoLayers));
        const QImage light = imageOf(picture.as("png")), night = imageOf(picture.as("png", dark()));
        QCOMPARE(light.size(), night.size());
        QCOMPARE(light.pixelColor(0, 0), Theme::light().background);
        QCOMPARE(night.pixelColor(0, 0), Theme::dark().background);
        QVERIFY(picture.as("svg") != picture.as("svg", dark()));
    }

    void coloursCanShowTheFamily() {
        const Picture picture(drawText(kTwoLayers));
        PaintOptions options;
        options.colourBy = ColourBy::family;
        const Svg svg(picture.as("svg", options));
        for (const OpFamily family : {OpFamily::matmul, OpFamily::pointwise, OpFamily::view})
            QVERIFY(svg.others.contains(q(name(family))));
        QVERIFY(!svg.others.contains(u"backward"_s));
        QVERIFY(picture.as("png") != picture.as("png", options));
    }

    void pdfIsOnePage() {
        const Picture picture(drawSample("mlp"));
        const QByteArray pdf = picture.as("pdf");
        QVERIFY(pdf.startsWith("%PDF"));
        QVERIFY(pdf.trimmed().endsWith("%%EOF"));
        QCOMPARE(pdf.count("/Type /Page\n"), 1);
        QVERIFY(pdf.size() > 4000);
    }

    void emptyPicturesInEveryFormat() {
        const Picture picture(drawText("graph empty\n  return []\n"));
        for (const char* format : {"svg", "png", "pdf"}) QVERIFY(!picture.as(format).isEmpty());
    }

    /// A picture that is too large for PNG is scaled down or refused, never blank or fatal.
    void anOversizedPngIsAnErrorOrScaled() {
        Picture picture(drawText(kTwoLayers));
        picture.layout.bounds = QRectF(0, 0, 100'000, 2'000);
        const QImage image = imageOf(picture.as("png"));
        QVERIFY(!image.isNull());
        QVERIFY(image.width() <= 32'000 && image.width() > 31'000);
        picture.layout.bounds = QRectF(0, 0, 1e9, 1);
        QVERIFY(errorOf([&] { picture.as("png"); }).startsWith(u"the picture does not fit"_s));
    }
};

AOTSCOPE_TEST(TestPictures)

}  // namespace aotscope::test::pictures_test

#include "test_pictures.moc"
