// Ranks of distributed programs side by side: their differences.

#include "io/ranks/rank_comparison.h"
#include "io/ranks/ranks_text.h"
#include "session/engine.h"
#include "session/ranks/compared_ranks.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <nlohmann/json.hpp>

namespace aotscope::test::ranks_test {
namespace {

using Kind = RankDifference::Kind;

QString dataFile(const QString& name) { return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/") + name; }
QString traceFile(const QString& name) { return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/") + name; }

/// A rank with one graph, which runs.
ComparedRank rankOf(const std::string& name, const std::string& body, const WorldShape& world = {}) {
    const auto record = std::make_shared<CompileRecord>();
    record->graphs[GraphKind::inference] = parseSound(("graph g\n" + body).c_str());
    return {name, world, record};
}

const RankDifference* firstOf(const std::vector<RankDifference>& differences, Kind kind) {
    const auto found = std::ranges::find(differences, kind, &RankDifference::kind);
    return found == differences.end() ? nullptr : &*found;
}

const std::string kInput = "%x : f32[4, 8] = placeholder(input)\n";

std::string reduced(const char* group, const char* name = "r", const char* what = "x") {
    const std::string n(name);
    return "%" + n + " : f32[4, 8] = _c10d_functional.all_reduce.default(%" + what + ", \"sum\", \"" + group +
           "\")\n%" + n + "_w : f32[4, 8] = _c10d_functional.wait_tensor.default(%" + n + ")\n";
}

}  // namespace

class TestRanks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void graphsThatAreAlike_data() {
        QTest::addColumn<QString>("other");
        const QString same = q(kInput + "%y : f32[4, 8] = aten.mul.Tensor(%x, 2)\nreturn [%y]");
        QTest::newRow("the same") << same;
        QTest::newRow("names") << QString(same).replace(u"%y"_s, u"%z"_s);
        QTest::newRow("parameters") << QString(same).replace(u"placeholder(input)"_s, u"placeholder(parameter)"_s);
        QTest::newRow("devices") << QString(same).replace(u"f32[4, 8]"_s, u"f32[4, 8]cuda:1"_s);
    }
    void graphsThatAreAlike() {
        QFETCH(QString, other);
        const auto ranks = {rankOf("a", kInput + "%y : f32[4, 8] = aten.mul.Tensor(%x, 2)\nreturn [%y]"),
                            rankOf("b", other.toStdString())};
        const auto found = differencesOf(ranks);
        QVERIFY2(found.empty(), rankDifferencesText(found, {"a", "b"}).c_str());
    }

    void kindsOfDifferences_data() {
        const auto row = columns<QString, QString, QString>("other", "kind", "node");
        row("operation", kInput + "%y : f32[4, 8] = aten.add.Tensor(%x, 2)\nreturn [%y]", "graph", "%y");
        row("operand", kInput + "%y : f32[4, 8] = aten.mul.Tensor(%x, %x)\nreturn [%y]", "graph", "%y");
        row("more operations",
            kInput + "%y : f32[4, 8] = aten.mul.Tensor(%x, 2)\n%z : f32[4, 8] = aten.sin.default(%y)\nreturn [%y]",
            "graph", "the outputs");
        row("number", kInput + "%y : f32[4, 8] = aten.mul.Tensor(%x, 3)\nreturn [%y]", "values", "%y");
        row("size", "%x : f32[5, 8] = placeholder(input)\n%y : f32[5, 8] = aten.mul.Tensor(%x, 2)\nreturn [%y]",
            "sizes", "%x");
        row("dtype", "%x : f64[4, 8] = placeholder(input)\n%y : f64[4, 8] = aten.mul.Tensor(%x, 2)\nreturn [%y]",
            "sizes", "%x");
    }
    void kindsOfDifferences() {
        FETCH(QString, other, kind, node);
        const auto ranks = {rankOf("a", kInput + "%y : f32[4, 8] = aten.mul.Tensor(%x, 2)\nreturn [%y]"),
                            rankOf("b", other.toStdString())};
        const auto found = differencesOf(ranks);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(q(nameOf(found[0].kind)), kind);
        QCOMPARE(q(found[0].node), node);
        QCOMPARE(found[0].each.size(), std::size_t{2});
        QVERIFY(found[0].each[0].text != found[0].each[1].text);
    }

    /// Of four ranks, the third calls its two collectives in the opposite order.
    void anotherOrderOfCollectives() {
        const std::string right = kInput + reduced("0", "r") +
                                  "%g : f32[16, 8] = _c10d_functional.all_gather_into_tensor.default(%r_w, 4, \"0\")\n"
                                  "return [%g]";
        const std::string wrong = kInput +
                                  "%g : f32[16, 8] = _c10d_functional.all_gather_into_tensor.default(%x, 4, \"0\")\n" +
                                  reduced("0", "r") + "return [%r_w]";
        const std::vector<std::string> names = {"rank 0", "rank 1", "rank 2", "rank 3"};
        const auto found = differencesOf(
            {rankOf(names[0], right), rankOf(names[1], right), rankOf(names[2], wrong), rankOf(names[3], right)});
        const RankDifference* collective = firstOf(found, Kind::collectives);
        QVERIFY(collective);
        const QString text = q(rankDifferencesText({*collective}, names));
        QVERIFY2(text.startsWith(u"collective 1 of group '0' differs\n"
                                 "  rank 0, rank 1, rank 3: inference %r, all-reduce (sum) of f32[4, 8]"_s),
                 qPrintable(text));
        QVERIFY2(text.contains(u"rank 2: inference %g, all-gather of f32[4, 8] in a group of 4"_s), qPrintable(text));
    }

    void aCollectiveTooFew() {
        const auto found = differencesOf({rankOf("a", kInput + reduced("0") + "return [%r_w]", {2, 0, {}}),
                                          rankOf("b", kInput + "return [%x]", {2, 1, {}})});
        const RankDifference* collective = firstOf(found, Kind::collectives);
        QVERIFY(collective);
        QVERIFY(collective->each[1].text.empty());
    }

    /// Each group's own order is the same; ranks that wait for one before they issue the other hang.
    void groupsInAnotherOrder() {
        const auto body = [](const char* first, const char* second) {
            return kInput + reduced(first, "a") + reduced(second, "b", "a_w") + "return [%b_w]";
        };
        const auto found = differencesOf({rankOf("a", body("p", "q")), rankOf("b", body("q", "p"))});
        const RankDifference* order = firstOf(found, Kind::collectives);
        QVERIFY(order);
        QVERIFY2(q(order->among).startsWith(u"the order of collectives of several groups"_s), order->among.c_str());
        QVERIFY2(q(order->each[1].text).endsWith(u"group 'q'"_s), order->each[1].text.c_str());
    }

    /// PyTorch numbers the groups of each rank; groups given with their layout are distinguished by it.
    void groupsOfOtherNames() {
        const auto body = [](const char* group) { return kInput + reduced(group) + "return [%r_w]"; };
        QVERIFY(differencesOf({rankOf("a", body("1")), rankOf("b", body("2"))}).empty());
        const std::vector<std::string> layout = {"tp=2"};
        const std::string other =
            "%x : f32[4, 8] = placeholder(input)\n"
            "%g : f32[8, 8] = _c10d_functional.all_gather_into_tensor.default(%x, 2, \"tp\")\n"
            "return [%g]";
        const auto found =
            differencesOf({rankOf("0", body("tp"), {4, 0, layout}), rankOf("1", body("tp"), {4, 1, layout}),
                           rankOf("2", other, {4, 2, layout}), rankOf("3", other, {4, 3, layout})});
        QVERIFY(firstOf(found, Kind::graph));  // but each group calls the same
        QVERIFY(!firstOf(found, Kind::collectives));
    }

    void messagesThatNobodyExpects() {
        const std::string sends =
            kInput + "%s : f32[4, 8] = _c10d_functional.isend.default(%x, 1, 0, \"0\")\nreturn [%s]";
        const auto receives = [](const char* sizes, const char* peer) {
            return std::string("%x : f32") + sizes + " = placeholder(input)\n%s : f32" + sizes +
                   " = _c10d_functional.irecv.default(%x, " + peer + ", 0, \"0\")\nreturn [%s]";
        };
        const auto compared = [&](const std::string& second) {
            const auto found = differencesOf({rankOf("a", sends), rankOf("b", second)});
            const RankDifference* message = firstOf(found, Kind::collectives);
            return message ? q(rankDifferencesText({*message}, {"a", "b"})) : QString();
        };
        QCOMPARE(compared(receives("[4, 8]", "0")), QString());
        QVERIFY(compared(receives("[4, 9]", "0")).contains(u"message 1 from a to b differs"_s));
        QVERIFY(compared(receives("[4, 9]", "0")).contains(u"b: inference %s receives f32[4, 9]"_s));
        QVERIFY(compared(kInput + "return [%x]").contains(u"b: nothing"_s));
    }

    void programsLogsAndReports() {
        const Scratch scratch;
        const QString report = scratch.at(u"report.json"_s);
        const QString model = dataFile(u"mlp_fsdp.pt2"_s), log = dataFile(u"mlp_fsdp.log"_s);
        const ProgramRun run = runProgram({u"run"_s, model, u"--report"_s, report});
        QVERIFY2(run.code == 0, run.text().constData());
        Options options;
        const RankComparison same =
            compareRankFiles({model.toStdString(), report.toStdString()}, options, *engineHere(), {});
        QVERIFY2(same.differences.empty(), rankComparisonText(same).c_str());
        QCOMPARE(same.ranks, (std::vector<std::string>{"mlp_fsdp.pt2", "report.json"}));
        // A log has other operations and the same collectives, in the same order.
        const RankComparison mixed =
            compareRankFiles({model.toStdString(), log.toStdString()}, options, *engineHere(), {});
        QVERIFY(!firstOf(mixed.differences, Kind::collectives));
        const RankComparison logs =
            compareRankFiles({traceFile(u"rank_0.log"_s).toStdString(), traceFile(u"rank_1.log"_s).toStdString()},
                             options, *engineHere(), {});
        const RankDifference* collective = firstOf(logs.differences, Kind::collectives);
        QVERIFY(collective);
        QCOMPARE(q(collective->compile), u"1/0"_s);
        QVERIFY_THROWS_EXCEPTION(UsageError, compareRankFiles({model.toStdString()}, options, *engineHere(), {}));
    }

    void foldersWithOtherLogs() {
        const Scratch scratch;
        const auto copy = [&](const char* name) {
            return QFile::copy(traceFile(QString::fromUtf8(name)), scratch.at(QString::fromUtf8(name)));
        };
        QVERIFY(copy("rank_0.log") && copy("story.log"));
        const std::string folder = scratch.path().toStdString();
        const QString alone = errorOf([&] { compareRankFiles({folder}, {}, *engineHere(), {}); });
        QVERIFY2(alone.startsWith(u"these logs are of one rank, that of rank_0.log"_s), qPrintable(alone));
        QVERIFY(copy("rank_1.log"));
        const RankComparison both = compareRankFiles({folder}, {}, *engineHere(), {});
        QCOMPARE(both.ranks, (std::vector<std::string>{"rank 0", "rank 1"}));
        QCOMPARE(q(both.leftOut), u"left out: story.log (of no rank)"_s);
        QVERIFY2(q(rankComparisonText(both)).endsWith(q(both.leftOut) + u'\n'), rankComparisonText(both).c_str());
    }

    void onTheCommandLine() {
        const Scratch scratch;
        const QString report = scratch.at(u"report.json"_s), json = u"--json"_s;
        const QString fsdp = dataFile(u"mlp_fsdp.pt2"_s), tensor = dataFile(u"mlp_tensor.pt2"_s);
        const QString fail = u"--fail-on-change"_s, ranks = u"ranks"_s;
        const ProgramRun alike = runProgram({ranks, fsdp, u"--ranks"_s, u"4"_s, fail});
        QVERIFY2(alike.code == 0, alike.text().constData());
        QCOMPARE(alike.out, QByteArray("graphs: equal\ncollectives: equal\nsaved values: equal\nsizes: equal\n"
                                       "values: equal\n"));
        const ProgramRun other = runProgram({ranks, fsdp, tensor, fail, json});
        QVERIFY2(other.code == 3, other.text().constData());
        const auto found = nlohmann::json::parse(other.out.toStdString());
        QCOMPARE(found["equal"]["collectives"].get<bool>(), false);
        QCOMPARE(found["equal"]["values"].get<bool>(), true);
        QVERIFY(found["differences"][0]["each"].contains("mlp_tensor.pt2"));
        const ProgramRun rows = runProgram({ranks, fsdp, tensor, u"--csv"_s});
        QVERIFY2(rows.out.startsWith("kind,compile,graph,among,node,each_mlp_fsdp_pt2,each_mlp_tensor_pt2\r\n"),
                 rows.text().constData());
        QCOMPARE(rows.out.count('\n'), static_cast<qsizetype>(found["differences"].size()) + 1);
        const ProgramRun stages = runProgram({ranks, dataFile(u"mlp_stages.{rank}.pt2"_s), u"--ranks"_s, u"2"_s});
        QVERIFY2(stages.out.contains("collectives: equal"), stages.text().constData());  // the messages meet
        const ProgramRun run = runProgram({u"run"_s, fsdp, u"--ranks"_s, u"4"_s, u"--report"_s, report});
        QVERIFY2(run.out.startsWith("the programs of all 4 ranks are alike\n"), run.text().constData());
        QCOMPARE(readJson(report)["compared"_L1]["differences"_L1].toArray().size(), 0);
        const ProgramRun again = runProgram({ranks, report, fail});
        QVERIFY2(again.code == 0, again.text().constData());
        for (const QStringList& wrong :
             {QStringList{fsdp}, QStringList{fsdp, u"nothing.pt2"_s}, QStringList{fsdp, tensor, u"--ranks"_s, u"2"_s},
              QStringList{fsdp, u"--rank"_s, u"1"_s, tensor}}) {
            const ProgramRun refused = runProgram(QStringList{ranks} + wrong);
            QVERIFY2(refused.code != 0 && refused.oneSentence(), refused.text().constData());
        }
    }

    void reportsThatLie_data() {
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* name, const char* text) {
            QTest::newRow(name) << QByteArray(text).replace('\'', '"');
        };
        row("no JSON", "{");
        row("a list", "[]");
        row("no graphs", "{}");
        row("a graph without a text", "{'graphs': {'joint': {}}}");
        row("a text that is no graph", "{'graphs': {'joint': {'text': 'graph g\\n  %x = y('}}}");
        row("saved values without names", "{'graphs': {}, 'partition': {'saved': [{}]}}");
        row("ranks that are none", "{'ranks': [1, 2]}");
        row("a rank outside of the world", "{'graphs': {}, 'communication': {'world_size': 2, 'rank': 7}}");
        row("too large a world", "{'graphs': {}, 'communication': {'world_size': 18446744073709551615, 'rank': 0}}");
        QTest::newRow("deep") << QByteArray(100'000, '[');
    }
    void reportsThatLie() {
        QFETCH(QByteArray, text);
        const Scratch scratch;
        const QString path = scratch.at(u"report.json"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const QString error = errorOf([&] {
            compareRankFiles({path.toStdString(), path.toStdString()}, {}, *engineHere(), {});
        });
        QVERIFY2(error.contains(u"report.json"_s), qPrintable(error));
    }
};

AOTSCOPE_TEST(TestRanks)

}  // namespace aotscope::test::ranks_test

#include "test_ranks.moc"
