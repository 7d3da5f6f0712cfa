// Logs with printed graphs: their forms, several compilations in one, and large ones.

#include "printed_files.h"
#include "test_printed_graphs.h"

#include "load/printed/log/family.h"
#include "support/processor_clock.h"
#include "support/text.h"

#include <fstream>

using namespace aotscope;
using namespace aotscope::test;

void TestPrintedGraphs::severalCompilations() {
    for (const char* file : {"several.log", "several.trace"}) {
        const auto session = openFile(dataFolder() + QLatin1String(file));
        QCOMPARE(session->compileIds(), (std::vector<std::string>{"0/0", "1/0", "1/1", "2/0"}));
        QCOMPARE(q(session->options().compileId), u"0/0"_s);
        const auto list = summarizePrinted((dataFolder() + QLatin1String(file)).toStdString(), {});
        QCOMPARE(list.size(), std::size_t(4));
        QCOMPARE(q(list[3].graphs.back().first), u"inference"_s);
    }
    QCOMPARE(errorOf([] { openFile(dataFolder() + u"several.log"_s, u"7/7"_s); }),
             u"--compile-id 7/7: 'several.log' has 0/0, 1/0, 1/1, 2/0; list them with 'aotscope compiles'"_s);
}

void TestPrintedGraphs::aSecondSessionUsesTheIndexAgain() {
    const auto first = openFile(dataFolder() + u"several.trace"_s);
    Options options = first->options();
    options.compileId = "1/1";
    const auto second = Session::open(options, {}, first);
    QCOMPARE(q(second->record()->model.name), u"several [1/1]"_s);
    QVERIFY(second->record()->graph(GraphKind::backward));
}

void TestPrintedGraphs::formsOfLogs_data() {
    columns<QString, int>("text", "compiles");
    QFile file(dataFolder() + u"mlp.log"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString log = QString::fromUtf8(file.readAll());
    QTest::newRow("as written") << log << 1;
    QTest::newRow("windows line ends") << QString(log).replace(u'\n', u"\r\n"_s) << 1;
    QString ranks = log, noisy, raw;
    ranks.replace(QRegularExpression(u"^"_s, QRegularExpression::MultilineOption), u"[rank0]:"_s);
    QTest::newRow("ranks") << ranks << 1;
    const QStringList lines = log.split(u'\n');
    for (const QString& line : lines) noisy += line + u"\nepoch 3: loss 0.25\n"_s;
    QTest::newRow("other lines between") << noisy << 1;
    // Two processes write at once; the second has another number.
    const QString process = lines[0].section(u' ', 2, 2);
    QString two;
    for (const QString& line : lines)
        two += line + u'\n' + QString(line).replace(u' ' + process + u' ', u" 77777 "_s) + u'\n';
    QTest::newRow("two processes") << two << 2;
    // Older versions of PyTorch put the prefix in front of a message's first line only.
    const QRegularExpression prefix(u"^I.*?__aot\\w+\\] "_s);
    for (const QString& line : lines) {
        const QString text = QString(line).remove(prefix);
        raw +=
            (text == "TRACED GRAPH"_L1 ? u"[2023-11-21 17:12:46,592] [0/0] torch._functorch.x.__aot_graphs: [INFO] "_s
                                       : QString()) +
            text + u'\n';
    }
    QTest::newRow("prefix in front of the first line only") << raw << 1;
    // TORCH_LOGS=graph_code also prints graphs between passes.
    QString steps;
    for (const char* heading : {"pre insert_deferred_runtime_asserts __compiled_fn_1", "tensorify_python_scalars"})
        steps +=
            u"V1126 10:00:00.000000 %1 torch/x.py:1] [0/0] [__graph_code] TRACED GRAPH\n"
            "V1126 10:00:00.000000 %1 torch/x.py:1] [0/0] [__graph_code]  ===== %2 =====\n"
            "V1126 10:00:00.000000 %1 torch/x.py:1] [0/0] [__graph_code]  class "
            "GraphModule(torch.nn.Module):\n"
            "V1126 10:00:00.000000 %1 torch/x.py:1] [0/0] [__graph_code]     def forward(self, "
            "L_x_: \"f32[4]\"):\n"
            "V1126 10:00:00.000000 %1 torch/x.py:1] [0/0] [__graph_code]         return (L_x_,)\n"_s.arg(
                process, QLatin1String(heading));
    QTest::newRow("graphs that are not finished") << steps + log << 1;
}
void TestPrintedGraphs::formsOfLogs() {
    QFETCH(QString, text);
    QFETCH(int, compiles);
    const auto session = openFile(scratch_.write(u"form.log"_s, text.toUtf8()));
    QVERIFY(session);
    QCOMPARE(static_cast<int>(session->compileIds().size()), compiles);
    QCOMPARE(q(session->compileIds()[0]), u"0/0"_s);
    QCOMPARE(session->record()->graph(GraphKind::joint)->callCount(), std::size_t(22));
    QCOMPARE(session->record()->graph(GraphKind::backward)->callCount(), std::size_t(18));
}

void TestPrintedGraphs::graphsWithoutHeadingsArePaired() {
    const auto record = recordOf("mlp.log");
    const auto text = [&](const char* heading) {
        QFile file(dataFolder() + u"mlp.log"_s);
        if (!file.open(QIODevice::ReadOnly)) return QString();
        QString all = QString::fromUtf8(file.readAll());
        all.remove(QRegularExpression(u"^I.*?__aot\\w+\\] "_s, QRegularExpression::MultilineOption));
        const auto at = all.indexOf(QLatin1String(heading));
        const auto start = all.indexOf(u'\n', at) + 1;
        return all.mid(start, all.indexOf("TRACED GRAPH"_L1, start) - start);
    };
    const QString pasted = text("Joint graph") + text("Forward graph") + text("Backward graph");
    const auto session = openFile(scratch_.write(u"pasted.txt"_s, pasted.toUtf8()));
    QCOMPARE(session->compileIds().size(), std::size_t(1));
    for (const auto kind : {GraphKind::joint, GraphKind::forward, GraphKind::backward})
        QCOMPARE(session->record()->graph(kind)->size(), record->graph(kind)->size());
}

void TestPrintedGraphs::otherFilesAreRefused() {
    const auto refusal = [](const QString& path) { return errorOf([&] { openFile(path); }); };
    QVERIFY(refusal(scratch_.write(u"a.txt"_s, "hello\nworld\n")).contains(u"text without printed graphs"_s));
    for (const QString& path : {scratch_.write(u"b.pt"_s, QByteArray("PK\x03\x04 class G(torch.nn.Module):\n", 32)),
                                scratch_.write(u"c.bin"_s, QByteArray(5000, '\0')), scratch_.write(u"empty"_s, "")})
        QVERIFY2(refusal(path).startsWith(u"cannot open '"_s + path), qPrintable(refusal(path)));
    const QString trace = scratch_.write(u"t.log"_s,
                                         "V1121 17:12:46.602000 1 x.py:1] {\"str\": [\"a\", 1]}\nV1121 "
                                         "17:12:46.602000 1 x.py:1] {\"str\": [\"b\", 2]}\n");
    QVERIFY(errorOf([&] { summarizePrinted(trace.toStdString(), {}); }).contains(u"TORCH_TRACE log without graphs"_s));
}

void TestPrintedGraphs::largeLogsAreStreamed() {
    const auto resident = [] {
        std::ifstream file("/proc/self/statm");
        qint64 total = 0, pages = 0;
        file >> total >> pages;
        return pages * 4096;
    };
    const QByteArray once = contentOf(dataFolder() + u"several.trace"_s);
    constexpr qint64 megabytes = 200;
    const QString path = scratch_.at(u"large.log"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    while (file.size() < megabytes * 1'000'000) file.write(once);
    file.close();
    const qint64 before = resident();
    const ProcessorClock clock;
    const LogIndex index = indexLog(path.toStdString(), {});
    const double seconds = clock.milliseconds() / 1000;
    const qint64 grown = (resident() - before) / 1'000'000;
    QCOMPARE(static_cast<qint64>(index.compiles.size()), 4 * (file.size() / once.size()));
    qInfo("%lld MB in %.2f s, %lld MB more memory", static_cast<long long>(megabytes), seconds,
          static_cast<long long>(grown));
    QVERIFY2(grown < 60, qPrintable(QString::number(grown)));
    QVERIFY(seconds < 20);  // half a second on a quiet machine
    file.remove();
}
