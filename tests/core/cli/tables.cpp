// Tables as values: text, JSON and CSV match the manual.

#include "test_cli.h"

#include "session/described_tables.h"
#include "support/given_machine.h"
#include "support/golden.h"
#include "support/scratch.h"

#include <nlohmann/json.hpp>

#define STORY "compiles " AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/story.log"

#define SNAPSHOT "snapshot " AOTSCOPE_SOURCE_DIR "/tests/data/snapshots/"

using namespace aotscope;
using namespace aotscope::test;
using namespace std::string_literals;

namespace {

/// "estimated_ms.forward" for members of members.
void addKeys(const nlohmann::json& object, const std::string& before, QStringList& keys) {
    for (const auto& [key, value] : object.items())
        if (value.is_object()) addKeys(value, before + key + '.', keys);
        else keys << QString::fromStdString(before + key);
}

Table describedAs(const std::string& command) {
    for (DescribedTable& each : describedTables())
        if (each.command == command) return std::move(each.table);
    return {};
}

}  // namespace

void TestCli::tablesHaveTheirKeys_data() {
    columns<QString, QString>("described", "line");
    const auto row = [](const char* described, const char* line) {
        QTest::newRow(line) << QString::fromUtf8(described) << QString::fromUtf8(line);
    };
    row("aotscope samples", "samples");
    row("aotscope costs MODEL", "costs sample:mlp");
    row("aotscope fit MODEL", "fit sample:mlp --batch 1..4");
    row("aotscope ops", "ops pool2d");
    row("aotscope ops --decompose TABLE", "ops --decompose inductor gelu");
    row("aotscope ops --before-autograd", "ops --before-autograd dropout");
    row("aotscope passes MODEL", "passes sample:mlp");
    row("aotscope passes MODEL --node NODE", "passes sample:mlp --node relu");
    row("aotscope compiles LOG --list guards", STORY " --list guards");
    row("aotscope compiles LOG --list shapes", STORY " --list shapes");
    row("aotscope compiles LOG --list times", STORY " --list times");
    row("aotscope compiles LOG --list metrics", STORY " --list metrics");
    row("aotscope compiles LOG --list records", STORY " --list records");
    row("aotscope compiles LOG --list code", STORY " --list code");
    row("aotscope compiles LOG --why saved", STORY " --why saved");
    row("aotscope snapshot FILE", SNAPSHOT "leaking.pickle");
    for (const char* list : {"categories", "blocks", "curve", "leaks"})
        row(("aotscope snapshot FILE --list "s + list).c_str(), (SNAPSHOT "leaking.pickle --list "s + list).c_str());
    row("aotscope hang DUMP", "hang " AOTSCOPE_SOURCE_DIR "/tests/data/flight_recorder/absent");
    row("aotscope snapshot FILE --against OTHER",
        SNAPSHOT "leaking.pickle --against " AOTSCOPE_SOURCE_DIR "/tests/data/snapshots/training.pickle");
}
void TestCli::tablesHaveTheirKeys() {
    FETCH(QString, described, line);
    const Table table = describedAs(described.toStdString());
    QStringList known, heading;
    for (const Table::Column& column : table.columns) {
        QVERIFY2(!column.help.empty(), column.key.c_str());
        known << QString::fromStdString(column.key);
        heading << QString(known.last()).replace(u'.', u'_');
    }
    const QStringList words = line.split(u' ');
    const ProgramRun json = runProgram(words + QStringList{u"--json"_s});
    QVERIFY2(json.code == 0, json.text().constData());
    const auto rows = nlohmann::json::parse(json.out.toStdString()).at(table.key);
    QVERIFY(!rows.empty());
    for (const auto& row : rows) {
        QStringList keys;
        addKeys(row, {}, keys);
        for (const QString& key : keys) QVERIFY2(known.contains(key), qPrintable(key));
    }
    const ProgramRun csv = runProgram(words + QStringList{u"--csv"_s});
    QVERIFY2(csv.code == 0, csv.text().constData());
    QCOMPARE(QString::fromUtf8(csv.out.split('\r').first()), heading.join(u','));
    const ProgramRun text = runProgram(words);
    QCOMPARE(QString::fromUtf8(text.out).contains(QString::fromStdString(table.columns.front().title)), true);
}

/// What one process measures, the next one knows.
void TestCli::measuredOperationsAreKept() {
    const Scratch cache;
    const QByteArray usual = qgetenv("XDG_CACHE_HOME"), threads = qgetenv("OMP_NUM_THREADS");
    giveMachine(cache.path(), usualCpu());
    qputenv("OMP_NUM_THREADS", "1");  // else as many as there are free cores at the time
    const auto costs = [](const char* flags) {
        const ProgramRun run = runProgram(words("costs sample:mlp --json") + words(flags));
        return nlohmann::json::parse(run.out.toStdString(), nullptr, /*allow_exceptions=*/false);
    };
    const auto before = costs(""), measured = costs("--measure"), after = costs(""), again = costs("--measure");
    const ProgramRun reported = runProgram(words("partition sample:mlp --report"));
    qputenv("XDG_CACHE_HOME", usual);
    threads.isNull() ? qunsetenv("OMP_NUM_THREADS") : qputenv("OMP_NUM_THREADS", threads);
    for (const auto& row : before.at("operators")) QVERIFY(row.at("time_basis").get<std::string>() == "estimated");
    const auto count = measured.at("operators").size();
    QCOMPARE(measured.at("measured").get<std::size_t>() + measured.at("not_run").size(), count);
    QVERIFY(measured.at("measured").get<std::size_t>() > 0);
    for (const auto& row : after.at("operators")) QVERIFY(row.at("time_basis").get<std::string>() != "estimated");
    QVERIFY(again.at("known_before").get<std::size_t>() > 0);
    const auto report = nlohmann::json::parse(reported.out.toStdString());
    QVERIFY(report.at("memory").at("operations_by").at("measured").get<int>() > 0);
}

void TestCli::budgetsAsTables() {
    const QString json = at(u"points.json"_s), csv = at(u"points.csv"_s);
    const ProgramRun run =
        runProgram({u"pareto"_s, u"sample:mlp"_s, u"--points"_s, u"3"_s, u"--json"_s, json, u"--csv"_s, csv});
    QVERIFY2(run.code == 0, run.text().constData());
    QStringList keys, known;
    addKeys(nlohmann::json::parse(contentOf(json).toStdString()).at("points").at(0), {}, keys);
    for (const Table::Column& column : describedAs("aotscope pareto MODEL").columns)
        known << QString::fromStdString(column.key);
    for (const QString& key : keys) QVERIFY2(known.contains(key), qPrintable(key));
    QCOMPARE(contentOf(csv).count('\n'), 4);
    QVERIFY(contentOf(csv).startsWith("budget,planned_limit,checkpointed,trap,saved_bytes,"));
}

void TestCli::valuesAsTables() {
    const ProgramRun run =
        runProgram(resolved(QStringLiteral("partition sample:sincos --report @values.json --csv @values.csv")));
    QVERIFY2(run.code == 0, run.text().constData());
    const auto partition =
        nlohmann::json::parse(contentOf(at(QStringLiteral("values.json"))).toStdString()).at("partition");
    QStringList keys, known;
    for (const char* list : {"saved", "recomputed"})
        for (const auto& value : partition.at(list)) addKeys(value, {}, keys);
    for (const Table::Column& column : describedAs("aotscope partition MODEL").columns)
        known << QString::fromStdString(column.key);
    for (const QString& key : keys) QVERIFY2(known.contains(key), qPrintable(key));
    const QByteArrayList lines = contentOf(at(QStringLiteral("values.csv"))).split('\n');
    QCOMPARE(QString::fromUtf8(lines.first()).trimmed(), known.join(u','));
    QCOMPARE(static_cast<std::size_t>(lines.size()),
             2 + partition.at("saved").size() + partition.at("recomputed").size());
}

void TestCli::reportsHaveTheKeysOfTables() {
    const auto reportOf = [this](const char* line) {
        const ProgramRun run = runProgram(resolved(QLatin1String(line) + u" --report @report.json"_s));
        return run.code == 0 ? nlohmann::json::parse(contentOf(at(u"report.json"_s)).toStdString()) : nlohmann::json();
    };
    const auto aliasing = reportOf("run sample:aliasing --check"),
               ranks = reportOf("run sample:mlp --ranks 2 --time 1");
    for (const auto& [report, rows, command] :
         {std::tuple{aliasing, "/check/values", "aotscope run MODEL --check --report FILE"},
          std::tuple{aliasing, "/metadata/inputs", "aotscope run MODEL --report FILE, inputs"},
          std::tuple{aliasing, "/metadata/outputs", "aotscope run MODEL --report FILE, outputs"},
          std::tuple{ranks, "/checks", "aotscope run MODEL --ranks N"}}) {
        QStringList known;
        for (const Table::Column& column : describedAs(command).columns)
            if (!column.forPeople) known << QString::fromStdString(column.key);
        known.sort();
        for (const auto& row : report.at(nlohmann::json::json_pointer(rows))) {
            QStringList keys;
            addKeys(row, {}, keys);
            QCOMPARE(keys, known);
        }
    }
}

void TestCli::csvHasTheKeysOfTables_data() {
    const auto row = columns<QString, QString, int>("described", "line", "code");
    row("aotscope diff A B", "diff sample:mlp sample:sincos --csv --fail-on-change", 3);
    row("aotscope diff A B", "diff sample:mlp --passes functional..joint --csv", 0);
    row("aotscope run MODEL --ranks N", "run sample:mlp --ranks 2 --csv -", 0);
    row("aotscope compiles LOG", STORY " --csv", 0);
    row("aotscope compiles TEXT", "compiles " AOTSCOPE_SOURCE_DIR "/tests/data/printed/mlp.log --csv", 0);
}
void TestCli::csvHasTheKeysOfTables() {
    FETCH(QString, described, line);
    QFETCH(int, code);
    QStringList heading;
    for (const Table::Column& column : describedAs(described.toStdString()).columns) {
        QVERIFY2(!column.help.empty(), column.key.c_str());
        if (!column.forPeople) heading << QString::fromStdString(column.key).replace(u'.', u'_');
    }
    const ProgramRun run = runProgram(words(line.toUtf8()));
    QVERIFY2(run.code == code, run.text().constData());
    const QByteArrayList lines = run.out.split('\n');
    QCOMPARE(QString::fromUtf8(lines.first()).trimmed(), heading.join(u','));
    QVERIFY2(lines.size() > 3, run.out.constData());
}

/// UPDATE_GOLDEN=1 writes the page.
void TestCli::manualDescribesTables() {
    const QString difference =
        compareWithGolden(u"../../resources/manual/tables.md"_s, QByteArray::fromStdString(tablesManual()));
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}
