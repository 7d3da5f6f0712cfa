// Tables as values: text, JSON and CSV match the manual.

#include "test_cli.h"

#include "session/described_tables.h"
#include "support/golden.h"

#include <nlohmann/json.hpp>

using namespace aotscope;
using namespace aotscope::test;

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
    row("aotscope ops", "ops pool2d");
    row("aotscope ops --decompose TABLE", "ops --decompose inductor gelu");
    row("aotscope ops --before-autograd", "ops --before-autograd dropout");
    row("aotscope passes MODEL", "passes sample:mlp");
    row("aotscope passes MODEL --node NODE", "passes sample:mlp --node relu");
#define STORY "compiles " AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/story.log --list "
    row("aotscope compiles LOG --list guards", STORY "guards");
    row("aotscope compiles LOG --list shapes", STORY "shapes");
    row("aotscope compiles LOG --list times", STORY "times");
    row("aotscope compiles LOG --list metrics", STORY "metrics");
    row("aotscope compiles LOG --list records", STORY "records");
    row("aotscope compiles LOG --list code", STORY "code");
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
    QVERIFY(contentOf(csv).startsWith("budget,saved_bytes,"));
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
    const ProgramRun run = runProgram(resolved(u"run sample:aliasing --check --report @aliasing.json"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    const auto report = nlohmann::json::parse(contentOf(at(u"aliasing.json"_s)).toStdString());
    for (const auto& [rows, command] : {std::pair{"/check/values", "aotscope run MODEL --check --report FILE"},
                                        std::pair{"/metadata/inputs", "aotscope run MODEL --report FILE, inputs"},
                                        std::pair{"/metadata/outputs", "aotscope run MODEL --report FILE, outputs"}}) {
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

/// UPDATE_GOLDEN=1 writes the page.
void TestCli::manualDescribesTables() {
    const QString difference =
        compareWithGolden(u"../../resources/manual/tables.md"_s, QByteArray::fromStdString(tablesManual()));
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}
