// The HTML page of a graph: well-formed, complete, self-contained; and its script, if a browser is available.

#include "canvas/difference_picture.h"
#include "canvas/html_page.h"
#include "canvas/layout/layout_job.h"
#include "canvas/visible.h"
#include "support/patience.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/records.h"

namespace aotscope::test::html_page_test {
namespace {

struct Page {
    /// Modules at `depth` and deeper are closed.
    explicit Page(const char* sample, GraphKind kind = GraphKind::joint, int depth = 0)
        : record(recordOf(sample)), graph(record->graph(kind)), drawn(drawGraph(*graph, kind, *record)) {
        if (depth > 0) {
            const auto whole = withGroups(drawn);
            drawn = *visibleGraph(whole, collapsedTo(*whole->groups, depth));
        }
        html = writeHtmlPage(drawn, layoutNow(drawn), *graph, {}, u"a <title> & more"_s);
    }
    std::shared_ptr<const CompileRecord> record;
    std::shared_ptr<const Graph> graph;
    DrawnGraph drawn;
    QByteArray html;
};

/// A page as read by a strict XML parser.
struct Parsed {
    explicit Parsed(const QByteArray& html) {
        QXmlStreamReader xml(html);
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement) continue;
            const auto attributes = xml.attributes();
            for (const QXmlStreamAttribute& a : attributes)
                if (a.name() == "src"_L1 || a.name() == "href"_L1) links << a.value().toString();
            if (attributes.value("class"_L1) == "node"_L1) boxes << attributes.value("data-id"_L1).toInt();
            if (xml.name() == "title"_L1 && title.isEmpty()) title = xml.readElementText();
            else if (attributes.value("id"_L1) == "data"_L1) data = xml.readElementText();
            else if (xml.name() == "style"_L1) style = xml.readElementText();
        }
        error = xml.errorString();
    }
    QString error, title, data, style;
    QStringList links;
    QList<int> boxes;
};

QString chromium() { return QStandardPaths::findExecutable(u"chromium"_s); }

/// Runs `statements` on the page `a` in a headless browser; returns what they push into `out`.
QStringList runInChromium(QByteArray html, const QString& statements) {
    const QString probe =
        u"<script>const a = window.aotscope, out = [];\n%1\n"
        "document.documentElement.dataset.result = out.join(';');</script></body>"_s.arg(statements);
    html.replace("</body>", probe.toUtf8());
    const Scratch scratch;
    const QString file = scratch.write(u"page.html"_s, html);
    QProcess browser;
    browser.start(chromium(), {u"--headless"_s, u"--no-sandbox"_s, u"--disable-gpu"_s,
                               u"--user-data-dir="_s + scratch.at(u"profile"_s), u"--virtual-time-budget=5000"_s,
                               u"--dump-dom"_s, u"file://"_s + file});
    if (!browser.waitForFinished(kPatience)) return {u"chromium did not finish"_s};
    static const QRegularExpression result(u"data-result=\"([^\"]*)\""_s);
    return result.match(QString::fromUtf8(browser.readAllStandardOutput())).captured(1).split(u';');
}

QString runInNode(const QString& script) {
    QProcess node;
    node.start(u"node"_s, {u"-e"_s, script});
    if (!node.waitForFinished(kPatience)) return u"node did not finish"_s;
    return QString::fromUtf8(node.readAllStandardOutput() + node.readAllStandardError()).trimmed();
}

}  // namespace

class TestHtmlPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isWellFormedAndSelfContained() {
        const Page page("mlp");
        const Parsed parsed(page.html);
        QCOMPARE(parsed.error, QString());
        QCOMPARE(parsed.title, u"a <title> & more"_s);
        QCOMPARE(parsed.links, QStringList());
        static const QRegularExpression address(u"https?://(?!www\\.w3\\.org/(2000/svg|1999/xhtml)\")"_s);
        QVERIFY2(!QString::fromUtf8(page.html).contains(address), "an address");
        QVERIFY(page.html.contains("default-src 'none'"));
        QVERIFY(page.html.startsWith("<!DOCTYPE html>"));
    }

    void holdsTheGraph_data() {
        columns<QByteArray, int>("sample", "kind");
        for (const char* sample : {"mlp", "aliasing", "resnet18"})
            for (const GraphKind kind : {GraphKind::joint, GraphKind::backward, GraphKind::source})
                QTest::addRow("%s %d", sample, static_cast<int>(kind)) << QByteArray(sample) << static_cast<int>(kind);
    }
    void holdsTheGraph() {
        QFETCH(QByteArray, sample);
        QFETCH(int, kind);
        if (!recordOf(sample.toStdString())->graph(static_cast<GraphKind>(kind))) return;
        const Page page(sample.constData(), static_cast<GraphKind>(kind));
        const Parsed parsed(page.html);
        QCOMPARE(parsed.error, QString());
        const QJsonArray nodes = QJsonDocument::fromJson(parsed.data.toUtf8()).object()["nodes"_L1].toArray();
        QCOMPARE(static_cast<std::size_t>(nodes.size()), page.graph->size());
        QCOMPARE(static_cast<std::size_t>(parsed.boxes.size()), page.drawn.nodes.size());
        for (qsizetype i = 0; i < nodes.size(); ++i) {
            const Node& node = *page.graph->at(static_cast<std::size_t>(i));
            const QJsonObject facts = nodes[i].toObject();
            QCOMPARE(facts["id"_L1].toInt(), node.id());
            QCOMPARE(facts["name"_L1].toString(), q(node.name()));
            if (node.kind() == NodeKind::call) QCOMPARE(facts["op"_L1].toString(), q(node.op()));
            if (node.type.known()) QCOMPARE(facts["type"_L1].toString(), q(printType(node.type)));
            QCOMPARE(static_cast<std::size_t>(facts["users"_L1].toArray().size()), node.users().size());
            if (!facts.contains("box"_L1)) continue;
            const auto box = static_cast<std::size_t>(facts["box"_L1].toInt());
            QCOMPARE(parsed.boxes.at(static_cast<qsizetype>(box)), page.drawn.nodes.at(box).id);
            if (page.drawn.indexOf.contains(node.id()) && node.op() != "operator.getitem")
                QCOMPARE(page.drawn.nodes[box].id, node.id());
        }
    }

    /// Removed nodes are in the picture and can be found, too.
    void holdsBothGraphsOfADifference() {
        const auto record = recordOf("mlp");
        const GraphDifference difference = compareGraphs(*record, record->graph(GraphKind::joint), GraphKind::joint,
                                                         record->graph(GraphKind::backward), GraphKind::backward);
        QVERIFY(difference.removed > 0);
        const DrawnGraph drawn = drawDifference(*record, difference);
        const Parsed parsed(writeHtmlPage(drawn, layoutNow(drawn), difference, {}, u"difference"_s));
        QCOMPARE(parsed.error, QString());
        QSet<int> ids;
        QStringList placements;
        std::size_t gone = 0, linked = 0;
        const QJsonArray nodes = QJsonDocument::fromJson(parsed.data.toUtf8()).object()["nodes"_L1].toArray();
        for (const auto& node : nodes) ids << node["id"_L1].toInt();
        QCOMPARE(ids.size(), nodes.size());
        for (const auto& node : nodes) {
            placements << node["fate"_L1].toString();
            if (!isGhost(node["id"_L1].toInt())) continue;
            ++gone;
            QVERIFY(placements.last().contains(u"removed"_s));
            for (const auto& input : node["inputs"_L1].toArray()) linked += ids.contains(input.toInt());
        }
        std::size_t ghosts = 0;
        for (const DrawnNode& node : drawn.nodes) ghosts += node.ghost;
        QCOMPARE(gone, ghosts);
        QVERIFY(gone > 0 && linked > 0);
    }

    /// No colour is fixed: each is a variable with a value for light and one for dark.
    void hasLightAndDark() {
        const Page page("mlp");
        const QString svg = QString::fromUtf8(
            page.html.mid(page.html.indexOf("<svg"), page.html.indexOf("</svg>") - page.html.indexOf("<svg")));
        static const QRegularExpression fixed(u"=\"#[0-9a-f]{6}\""_s);
        static const QRegularExpression used(u"var\\((--c\\d+)\\)"_s);
        QVERIFY(!svg.contains(fixed));
        const QStringList themes = Parsed(page.html).style.split(u"@media (prefers-color-scheme: dark)"_s);
        QVERIFY(themes.size() >= 2);
        QSet<QString> names;
        for (auto matches = used.globalMatch(svg); matches.hasNext();) names << matches.next().captured(1);
        QVERIFY(names.size() > 3);
        for (const QString& name : names) {
            QVERIFY2(themes[0].contains(name + u": #"_s), qPrintable(name));
            QVERIFY2(themes[1].contains(name + u": #"_s), qPrintable(name));
        }
    }

    void scriptFindsAndZooms() {
        if (QStandardPaths::findExecutable(u"node"_s).isEmpty())
            QSKIP("SKIPPED: node is not installed; the page's script was not run");
        const QString script =
            uR"(
            const page = require('%1/resources/page/page.js');
            const nodes = [{id: 1, name: 'relu', op: 'aten.relu.default'}, {id: 2, name: 'mm_1', op: 'aten.mm.default', module: 'layers.0'}];
            const ids = (query) => page.findNodes(nodes, query).map((node) => node.id).join(',');
            const [closed] = page.closedModules([{box: 3, title: 'h'}], [{id: 5, box: 3}, {id: 6, box: 2}, {id: 7, box: 3}]);
            const view = page.zoomed({x: 0, y: 0, w: 100, h: 50}, 2, 20, 10);
            console.log([ids('RELU'), ids('aten'), ids('mm layers'), ids('mm relu'), ids('  '),
                         [view.x, view.y, view.w, view.h].join(' '), page.tipOf(nodes[0]).replace('\n', '/'),
                         page.tipOf(closed), closed.inside.join(' ')].join(';'));
            const numbers = (view) => [view.x, view.y, view.w, view.h].join(' ');
            const parts = [{y: 0, width: 9, height: 9}, {y: -500, width: 0, height: 0}, {y: 30, width: 5, height: 5}];
            console.log([numbers(page.withoutHeading([-24, -120, 700, 1100], parts)),
                         numbers(page.withoutHeading([-24, -120, 700, 1100], [])),
                         numbers(page.readable({x: 0, y: 0, w: 500, h: 100}, 1000, 400)),
                         numbers(page.readable({x: 0, y: 0, w: 2000, h: 100}, 1000, 400)),
                         numbers(page.readable({x: 0, y: 0, w: 900, h: 100}, 1000, 400))].join(';'));
        )"_s.arg(QStringLiteral(AOTSCOPE_SOURCE_DIR));
        QCOMPARE(runInNode(script),
                 u"1;1,2;2;;;10 5 50 25;%relu/aten.relu.default;h;5 7\n"
                 "-24 -24 700 1004;-24 -120 700 1100;-150 0 800 320;500 0 1000 400;0 0 900 360"_s);
    }

    /// In a browser: search, zoom, and clicks that show facts work, without any network requests.
    void worksInChromium() {
        if (chromium().isEmpty()) QSKIP("SKIPPED: chromium is not installed; the page was not opened in a browser");
        const Page page("resnet18");
        const Node* relu = nullptr;
        for (const Node* node : page.graph->nodes())
            if (node->isCall("aten.relu.default")) relu = node;
        QVERIFY(relu);
        const QStringList found = runInChromium(page.html,
                                                uR"(
            const before = a.view().w;
            out.push(a.search('aten.relu'), document.querySelectorAll('g.node.hit').length > 0);
            a.step(1);
            out.push(a.chosen().op, document.getElementById('details').hidden, document.getElementById('count').textContent);
            a.goTo(%1);
            out.push(document.getElementById('name').textContent);
            a.fit();
            const whole = a.view().w;
            a.zoomBy(2);
            out.push(Math.round(whole / a.view().w), a.search('nothing like it'));
            out.push(performance.getEntriesByType('resource').length);
        )"_s.arg(relu->id()));
        int relus = 0;
        for (const Node* node : page.graph->nodes()) relus += node->op().starts_with("aten.relu");
        QVERIFY2(found.size() == 9, qPrintable(found.join(u';')));
        QCOMPARE(found[0].toInt(), relus);
        QCOMPARE(found[1], u"true"_s);
        QCOMPARE(found[2], u"aten.relu.default"_s);
        QCOMPARE(found[3], u"false"_s);
        QCOMPARE(found[4], u"1 of %1"_s.arg(relus));
        QCOMPARE(found[5], u'%' + q(relu->name()));
        QCOMPARE(found[6], u"2"_s);
        QCOMPARE(found[7], u"0"_s);
        QCOMPARE(found[8], u"0"_s);
    }

    /// In place of the picture's heading and legend, the page has its own.
    void beginsAtTheTopOfWhatIsDrawn() {
        if (chromium().isEmpty()) QSKIP("SKIPPED: chromium is not installed; the page was not opened in a browser");
        const QStringList found = runInChromium(Page("mlp").html,
                                                uR"(
            const highest = Math.min(...[...document.querySelectorAll('g.node')].map((box) => box.getBBox().y));
            out.push(Math.round(highest - a.view().y));
            for (const id of ['in', 'in', 'fit']) document.getElementById(id).click();
            out.push(Math.round(highest - a.view().y));
            const node = document.querySelector('g.node'), at = node.getBoundingClientRect();
            for (const kind of ['pointerdown', 'pointerup'])
                node.firstElementChild.dispatchEvent(new PointerEvent(kind, {bubbles: true, clientX: at.x + 5, clientY: at.y + 5}));
            out.push(document.getElementById('details').hidden);
            document.getElementById('close').click();
            out.push(document.getElementById('details').hidden);
        )"_s);
        QVERIFY2(found.size() == 4, qPrintable(found.join(u';')));
        for (const int i : {0, 1}) QVERIFY2(found[i].toInt() > 0 && found[i].toInt() < 60, qPrintable(found[i]));
        QCOMPARE(found[2], u"false"_s);
        QCOMPARE(found[3], u"true"_s);
    }

    /// Nodes in closed modules are found: the box of the module is marked, and the list shows where they are.
    void findsNodesInClosedModules() {
        if (chromium().isEmpty()) QSKIP("SKIPPED: chromium is not installed; the page was not opened in a browser");
        const Page page("gpt2-tiny", GraphKind::joint, 1);
        const Node* inside = nullptr;
        for (const Node* node : page.graph->nodes())
            if (node->isCall("aten.native_layer_norm.default") && !inside) inside = node;
        QVERIFY(inside);
        const DrawnNode& module = page.drawn.nodes[static_cast<std::size_t>(page.drawn.indexOf.at(inside->id()))];
        QCOMPARE(module.kind, DrawnNode::Kind::group);
        const QStringList found = runInChromium(page.html,
                                                uR"(
            const rows = () => [...document.querySelectorAll('#results li')];
            out.push(a.search('native_layer_norm.default'), rows().length, document.getElementById('count').textContent);
            out.push(rows()[0].textContent, document.querySelectorAll('g.node.hit').length > 0);
            rows()[0].querySelector('button').click();
            out.push(a.chosen().name, document.querySelector('g.node.chosen').textContent.includes('operations'));
            document.querySelector('#facts button').click();
            out.push(document.getElementById('name').textContent, a.chosen().inside.includes(%1));
            a.search('');
            out.push(document.getElementById('results').hidden);
        )"_s.arg(inside->id()));
        int norms = 0;
        for (const Node* node : page.graph->nodes()) norms += node->isCall("aten.native_layer_norm.default");
        QVERIFY2(found.size() == 10, qPrintable(found.join(u';')));
        QCOMPARE(found[0].toInt(), norms);
        QCOMPARE(found[1].toInt(), norms);
        QVERIFY2(found[2].endsWith(u"in closed modules"_s), qPrintable(found[2]));
        QCOMPARE(found[3], u"%%1aten.native_layer_norm.default in %2"_s.arg(q(inside->name()), module.title));
        QCOMPARE(found[4], u"true"_s);
        QCOMPARE(found[5], q(inside->name()));
        QCOMPARE(found[6], u"true"_s);
        QCOMPARE(found[7], module.title);
        QCOMPARE(found[8], u"true"_s);
        QCOMPARE(found[9], u"true"_s);
    }
};

AOTSCOPE_TEST(TestHtmlPage)

}  // namespace aotscope::test::html_page_test

#include "test_html_page.moc"
