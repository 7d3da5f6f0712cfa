// The program's output: tables, JSON, DOT, files, error messages.

#include "cost/known_machines.h"
#include "io/report.h"
#include "io/session/model_reference.h"
#include "io/tables/duration_column.h"
#include "io/tables/table_text.h"
#include "io/tables/text_table.h"
#include "io/text_report.h"
#include "io/trace/compile_log.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "support/file.h"
#include "support/json/json_text.h"
#include "support/names.h"
#include "support/printable.h"
#include "support/progress.h"
#include "support/quoted.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace aotscope::test::io_test {
namespace {

Partition partitionOf(std::initializer_list<std::int64_t> bytes) {
    Partition partition;
    for (const auto n : bytes) {
        SavedValue value;
        value.name = "v" + std::to_string(n);
        value.op = "aten.sin.default";
        value.type = {DType::u8, {n}, {1}, 0, {}, n, n, false};
        value.reason = "because";
        partition.saved.push_back(value);
    }
    return partition;
}

}  // namespace

class TestIo : public QObject {
    Q_OBJECT

    Scratch scratch_;

private Q_SLOTS:
    /// As uuid.uuid5(uuid.NAMESPACE_OID, ...) in Python.
    void modelsAreKnownByTheirBytes() {
        const Scratch scratch;
        QByteArray bytes;
        for (int i = 0; i < 256 * 5000; ++i) bytes += static_cast<char>(i);
        QCOMPARE(q(modelHash(scratch.write(u"large"_s, bytes).toStdString())),
                 u"8f7ba50d-c377-52ca-bbfe-d90b12410dfb"_s);
        QCOMPARE(q(modelHash(scratch.write(u"empty"_s, {}).toStdString())), u"0a68eb57-c88a-5f34-9e9d-27f85e68af4f"_s);
        QVERIFY(errorOf([&] { modelHash(scratch.path().toStdString()); }).contains(u"folder"_s));
    }

    void bytes_data() {
        columns<qint64, QString>("bytes", "text");
        QTest::newRow("0") << qint64(0) << "0 B";
        QTest::newRow("999") << qint64(999) << "999 B";
        QTest::newRow("1000") << qint64(1000) << "1.00 kB";
        QTest::newRow("999999") << qint64(999'999) << "1.00 MB";
        QTest::newRow("less") << qint64(-2'500'000) << "-2.50 MB";
        QTest::newRow("14.2 MB") << qint64(14183424) << "14.2 MB";
        QTest::newRow("45080064") << qint64(45080064) << "45.1 MB";
        QTest::newRow("250 GB") << qint64(250'000'000'000) << "250 GB";
        QTest::newRow("largest") << std::numeric_limits<qint64>::max() << "9,223,372 TB";
    }
    void bytes() {
        QFETCH(qint64, bytes);
        QFETCH(QString, text);
        QCOMPARE(q(formatBytes(bytes)), text);
    }

    void threeSignificantDigits() {
        const std::pair<double, const char*> numbers[] = {{0, "0"},         {0.01234, "0.0123"}, {1.234, "1.23"},
                                                          {9.996, "10.0"},  {123.456, "123"},    {999.4, "999"},
                                                          {999.5, "1,000"}, {12345.6, "12,346"}, {-1.5, "-1.50"}};
        for (const auto& [number, text] : numbers) QCOMPARE(q(threeDigits(number)), QLatin1String(text));
    }
    void durations() {
        const std::pair<double, const char*> durations[] = {
            {0, "0 ms"},       {0.0005, "0.500 µs"}, {0.1234, "123 µs"}, {0.9996, "1.00 ms"}, {1.234, "1.23 ms"},
            {999.4, "999 ms"}, {999.6, "1.00 s"},    {2500, "2.50 s"},   {1.2e6, "1,200 s"}};
        for (const auto& [ms, text] : durations) QCOMPARE(q(formatDuration(ms)), QString::fromUtf8(text));
    }

    void aColumnHasOneUnit() {
        const auto column = [](const std::vector<double>& ms) {
            QStringList texts;
            for (const std::string& text : durationColumn(ms)) texts << q(text);
            return texts.join(u' ');
        };
        QCOMPARE(column({0, 0.0153, 1.5}), u"0 µs 15.3 µs 1,500 µs"_s);
        QCOMPARE(column({0, 12.26, 3}), u"0 ms 12.3 ms 3.00 ms"_s);
        QCOMPARE(column({0, 0}), u"0 ms 0 ms"_s);
        QCOMPARE(column({2000, 61'000}), u"2.00 s 61.0 s"_s);
        QCOMPARE(column({0.001, 60'000}), u"0.00100 ms 60,000 ms"_s);
        QVERIFY(durationColumn({}).empty());
    }
    void estimatesHaveTwoDigits() {
        const std::pair<double, const char*> estimates[] = {
            {0, "0 ms"},        {0.0005, "0.50 µs"}, {0.1234, "120 µs"}, {0.996, "1.0 ms"}, {1.34, "1.3 ms"},
            {-1.34, "-1.3 ms"}, {10884.6, "11 s"},   {315.2, "320 ms"},  {995, "1.0 s"},    {1.26e6, "1,300 s"}};
        for (const auto& [ms, text] : estimates) QCOMPARE(q(formatEstimate(ms)), QString::fromUtf8(text));
    }

    void tablesAlign() {
        QCOMPARE(q(textTable({{"name", "count", ""}, {"a", "1", "x"}, {"long name", "100", ""}, {"b", "", "-"}})),
                 u"name       count\na              1  x\nlong name    100\nb                 -\n"_s);
        QCOMPARE(q(textTable({})), QString());
    }
    void sentencesHaveLinesOfTheirOwn() {
        using Sentences = std::vector<std::string>;
        Table table{"rows", {{"name", "name", ""}, {"said", "said", "", TableUnit::lines}, {"count", "count", ""}}};
        table.add("a", Sentences{"one thing", "another"}, std::size_t{7});
        table.add("b", Sentences(), std::size_t{12});
        QCOMPARE(q(tableText(table)),
                 u"name  said       count\na     one thing      7\n      another\nb"
                 "                   12\n"_s);
        QCOMPARE(q(tableCsv(table)), u"name,said,count\r\na,\"one thing\nanother\",7\r\nb,,12\r\n"_s);
        QCOMPARE(tableJson(table)[0]["said"].size(), std::size_t{2});
    }

    void partitionTablesShowTheLargest() {
        const QString text = q(partitionText(partitionOf({5, 2000, 30}), 2));
        QCOMPARE(text,
                 u"saved   operation         type      bytes    kind        why\n"
                 "%v2000  aten.sin.default  u8[2000]  2.00 kB  activation  because\n"
                 "%v30    aten.sin.default  u8[30]    30 B     activation  because\n"
                 "... and 1 smaller ones\n"_s);
    }

    void checkSummaries() {
        CheckResult check;
        check.backwardRun = true;
        check.outputsMaxError = 1e-7;
        QCOMPARE(q(checkText(check)), u"check: equal to eager (outputs within 1e-07, gradients within 0)\n"_s);
        check.ok = false;
        check.backwardRun = false;
        check.details = {"output 0 differs"};
        QCOMPARE(q(checkText(check)),
                 u"check: DIFFERS from eager (outputs within 1e-07, gradients within 0; no "
                 "backward to run)\n  output 0 differs\n"_s);
    }

    /// Only executed runs have a verdict, and a NaN on both sides is reported.
    void checksThatCouldNotCompare() {
        CheckResult check;
        check.backwardError = check.compiledBackwardError = "x was overwritten";
        QCOMPARE(q(checkText(check)),
                 u"check: not compared: eager's backward fails, and so does the compiled one: x was "
                 "overwritten (outputs within 0; no gradients)\n"_s);
        check.compiledBackwardError = "y is missing";
        QCOMPARE(q(backwardFailure(check)),
                 u"eager's backward fails: x was overwritten; the compiled one fails: y is missing"_s);
        check.ok = false;
        QVERIFY(checkText(check).starts_with("check: DIFFERS from eager"));
        check.compiledBackwardError.clear();
        QCOMPARE(q(backwardFailure(check)),
                 u"eager's backward fails, and the compiled one does not: x was overwritten"_s);
        CheckResult finite;
        finite.backwardRun = true;
        for (const bool gradient : {false, true, true}) {
            finite.values.emplace_back();
            finite.values.back().kind = gradient ? CheckedValue::Kind::gradient : CheckedValue::Kind::output;
            finite.values.back().nans = gradient ? 2 : 0;
            finite.values.back().infs = gradient ? 0 : 1;
        }
        finite.values[0].what = "output 0";
        finite.values[0].meaningless = 3;
        QCOMPARE(q(checkText(finite)),
                 u"check: equal to eager (outputs within 0, gradients within 0; 2 gradients hold NaN in "
                 "both; 1 output holds infinities in both)\n  output 0: 3 elements are memory that "
                 "nothing has written: not compared\n"_s);
    }

    void logsHaveLevels() {
        CompileRecord record;
        record.model = {"m", "", "sample", ""};
        record.times.load = 2;
        record.times.total = 12;
        PassRecord pass;
        pass.id = PassId::deadCode;
        pass.changed = true;
        pass.nodesBefore = 5;
        pass.nodesAfter = 4;
        pass.ms = 1;
        pass.log = {"removed %exp"};
        record.passes = {pass};
        record.compilers = {{.graph = GraphKind::forward, .used = "fused"}};
        record.warnings = {"slow"};
        record.error = "broken";
        const auto entries = compileLog(record);
        QCOMPARE(q(logText(entries, LogLevel::error)), u"error    pipeline: broken\n"_s);
        QCOMPARE(q(logText(entries, LogLevel::warning)), u"warning  pipeline: slow\nerror    pipeline: broken\n"_s);
        QCOMPARE(q(logText(entries, LogLevel::debug)),
                 u"info     load: m (sample), 2.00 ms\n"
                 "info     dead-code: 4 operations, 5 before, 1.00 ms\n"
                 "debug    dead-code: removed %exp\n"
                 "info     compilers: forward: fused\n"
                 "warning  pipeline: slow\n"
                 "info     pipeline: compilation 0 took 12.0 ms\n"
                 "error    pipeline: broken\n"_s);
    }

    void reportsOfFailedRuns() {
        CompileRecord record;
        record.error = "pass 'x' failed";
        const auto report = makeReport({}, record, machineOf("cpu"));
        QCOMPARE(q(report.at("error").get<std::string>()), u"pass 'x' failed"_s);
        QVERIFY(report.at("graphs").empty() && !report.contains("metadata") && !report.contains("check") &&
                !report.contains("partition"));
    }

    void reportsOfDifferences() {
        Difference d;
        d.what = "output 1";
        d.maxAbs = 0.5;
        d.maxRel = 0.25;
        d.index = {3, 0, 17};
        d.expected = "2";
        d.actual = "2.5";
        d.count = 4;
        d.total = 120;
        QCOMPARE(q(describe(d)),
                 u"output 1 differs from eager by 0.5 (0.25 of its largest element) at "
                 "[3, 0, 17]: 2.5, eager has 2; 4 of 120 elements differ"_s);
        BisectResult bisect;
        QCOMPARE(q(bisectText(bisect)), u"bisect: values match eager after every pass\n"_s);
        bisect.found = true;
        bisect.pass = PassId::joint;
        bisect.graph = GraphKind::joint;
        bisect.nodeName = "sin";
        bisect.op = "aten.sin.default";
        bisect.value = d;
        CheckResult check;
        check.differences = {d};
        CompileRecord record;
        record.crossCheck = CrossCheckReport{7, {{"too large", 2}}, {{"aten.sin.default", "Float[2]", "Float[3]", 4}}};
        const auto report = makeReport({}, record, machineOf("cpu"), {&check, nullptr, &bisect});
        QCOMPARE(q(report.at("check").at("differences").at(0).at("sentence").get<std::string>()), q(describe(d)));
        check.values = {{CheckedValue::Kind::gradient, 3, "w", "gradient of 'w'", "f32[2]", 0.5, 0.25, 4e-6, false}};
        const auto value = makeReport({}, record, machineOf("cpu"), {&check}).at("check").at("values").at(0);
        QCOMPARE(q(value.dump()),
                 u"{\"equal\":false,\"infs\":0,\"kind\":\"gradient\",\"max_abs\":0.5,\"max_rel\":0.25,"
                 "\"name\":\"w\",\"nans\":0,\"not_compared\":0,\"tolerance\":4e-06,\"type\":\"f32[2]\"}"_s);
        QCOMPARE(report.at("check").at("differences").at(0).at("index").get<std::vector<int>>(),
                 (std::vector<int>{3, 0, 17}));
        QCOMPARE(q(report.at("bisect").at("node").get<std::string>()), u"sin"_s);
        QCOMPARE(report.at("cross_check").at("skipped").at("too large").get<int>(), 2);
        QCOMPARE(q(report.at("cross_check").at("mismatches").at(0).at("found").get<std::string>()), u"Float[3]"_s);
    }

    /// Sessions and other machines bring results with arbitrary text.
    void resultsOfStrangersAreSpelledOut() {
        CheckResult check;
        check.details = check.notes = {"\x1b[2J\x07"};
        BisectResult bisect;
        bisect.notes = check.notes;
        CompilerUse use;
        use.used = check.notes[0];
        for (const std::string& text :
             {checkText(check), bisectText(bisect), compilersText({use}), fallbackText(check.notes)})
            QVERIFY2(text.find("\\x1b[2J\\x07") != std::string::npos && text.find('\x1b') == std::string::npos,
                     text.c_str());
    }

    /// JSON has no numbers for NaN and infinite errors.
    void reportsOfInfiniteErrors() {
        CheckResult check;
        check.ok = false;
        check.outputsMaxError = std::numeric_limits<double>::infinity();
        check.gradsMaxError = std::numeric_limits<double>::quiet_NaN();
        const auto report = nlohmann::json::parse(jsonText(makeReport({}, {}, machineOf("cpu"), {&check})));
        QCOMPARE(q(report.at("check").at("outputs_max_error").dump()), u"\"inf\""_s);
        QCOMPARE(q(report.at("check").at("grads_max_error").dump()), u"\"nan\""_s);
    }

    // --- files ---

    void filesAreReplacedAsAWhole() {
        const auto path = std::filesystem::path(scratch_.at(u"file"_s).toStdString());
        writeFileAtomically(path, std::string(100, 'x'));
        writeFileAtomically(path, std::string("new\0text", 8));
        QCOMPARE(readFile(path, 8), std::string("new\0text", 8));
        QCOMPARE(scratch_.files(), QStringList{u"file"_s});
        QVERIFY2(errorOf([&] { readFile(path, 7); }).endsWith(u"expected at most 7 bytes, found 8"_s), "limit");
    }

    void impossibleFiles() {
        const auto in = [&](const char* name) {
            return std::filesystem::path(scratch_.at(QLatin1String(name)).toStdString());
        };
        QVERIFY2(errorOf([&] { readFile(in("none"), 9); }).endsWith(u"no such file; check the path"_s), "missing");
        QVERIFY2(errorOf([&] { readFile(in("."), 9); }).endsWith(u"expected a file, found a folder"_s), "folder");
        QVERIFY(
            errorOf([&] { writeFileAtomically(in("no/folder/file"), "x"); }).contains(u"No such file or directory"_s));
        QVERIFY(errorOf([&] { writeFileAtomically(in("."), "x"); }).startsWith(u"cannot write '"_s));
        QVERIFY(!QDir(scratch_.path()).exists(u"no"_s));
    }

    // --- JSON ---

    void numbersThatAreNotFinite() {
        const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
        const nlohmann::json document = {{"list", {1.5, inf, -inf}}, {"nan", nan}};
        QCOMPARE(jsonLine(document), std::string("{\"list\":[1.5,\"inf\",\"-inf\"],\"nan\":\"nan\"}"));
        const auto read = nlohmann::json::parse(jsonText(document));
        QCOMPARE(*jsonNumber(read["list"][0]), 1.5);
        QCOMPARE(*jsonNumber(read["list"][2]), -inf);
        QVERIFY(std::isnan(*jsonNumber(read["nan"])));
        QVERIFY(!jsonNumber("other"));
    }

    // --- messages ---

    void firstSentences_data() {
        const auto row = columns<QString, QString>("message", "sentence");
        row("plain", "something is wrong", "something is wrong");
        row("empty", "", "");
        row("stack", "sizes differ\nException raised from f at g.cpp:3 (most recent call first):\nframe #0",
            "sizes differ");
        row("captured stack", "sizes differ\nC++ CapturedTraceback:\n#4 f", "sizes differ");
        row("TorchScript",
            "The following operation failed in the TorchScript interpreter.\nTraceback of TorchScript (most recent "
            "call last):\n"
            "  File \"m.py\", line 3, in forward\n    return f(x)\n           ~ <--- HERE\nRuntimeError: sizes "
            "differ\n",
            "sizes differ");
        row("TorchScript raise",
            "The following operation failed in the TorchScript interpreter.\nTraceback of TorchScript (most recent "
            "call last):\n"
            "  File \"m.py\", line 3, in forward\n        raise ValueError(\n        ~~~~~~~~~ <--- HERE\n"
            "builtins.ValueError: expected 4 channels, but got: 3.\n",
            "ValueError: expected 4 channels, but got: 3.");
        row("own check of LibTorch",
            "isTuple() INTERNAL ASSERT FAILED at \"/pytorch/ivalue_inl.h\":2014, please report a bug to PyTorch. "
            "Expected "
            "Tuple but got Int\nException raised from toTuple",
            "a value of type Int stands where one of type Tuple is expected");
        row("own check without a reason",
            "stack.size() == 1 INTERNAL ASSERT FAILED at \"/pytorch/x.cpp\":1, please report a bug to PyTorch. ",
            "LibTorch cannot do this and does not say why");
        row("C++ library", "std::get: wrong index for variant", "a value is of another kind than expected");
        row("vector", "vector::_M_range_check: __n (which is 3) >= this->size() (which is 2)",
            "an index is out of range");
        row("number", "stoi", "a number cannot be read");
        row("JSON", "[json.exception.type_error.302] type must be number, but is string",
            "type must be number, but is string");
        row("scalar", "IValue is not a Scalar", "a value is not a number where one is expected");
        row("place",
            "a leaf Variable that requires grad is being used in an in-place operation. (in aten::sub_, m.py "
            "line 3)\nException raised from check_inplace",
            "the model writes into a leaf that requires a gradient, which autograd refuses in eager, too; write into a "
            "clone of it, leave out its gradient, or give an input that an operation makes, as {\"op\": "
            "\"mul_scalar\"} "
            "of an input spec does (in aten::sub_, m.py line 3)");
        row("enforced",
            "[enforce fail at inline_container.cc:257] . PytorchStreamReader failed reading zip archive: not a ZIP "
            "archive\nframe #0",
            "PytorchStreamReader failed reading zip archive: not a ZIP archive");
        row("memory",
            "[enforce fail at alloc_cpu.cpp:124] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to "
            "allocate 262144 bytes. Error code 12 (Cannot allocate memory)",
            "out of memory: it tried to allocate 262144 bytes; choose smaller inputs or a smaller model");
        row("escape sequence", "no \x1b[31mred\x07 here", "no \\x1b[31mred\\x07 here");
        row("thread", "Resource temporarily unavailable",
            "cannot start another thread; allow this program more memory or threads (ulimit -v, -u)");
    }
    void firstSentences() {
        FETCH(QString, message, sentence);
        QCOMPARE(q(firstSentence(message.toStdString())), sentence);
    }

    void quotedInput_data() {
        const auto row = columns<QByteArray, QString>("input", "line");
        row("plain", "conv1.weight", u"'conv1.weight'"_s);
        row("UTF-8", "größe \xe2\x82\xac", u"'größe €'"_s);
        row("lines", "a\nb\r\tc", u"'a\\nb\\x0d c'"_s);
        row("terminal", "\x1b[2J\x7f", u"'\\x1b[2J\\x7f'"_s);
        row("8-bit terminal",
            "\xc2\x9b"
            "2J",
            u"'\\xc2\\x9b"
            "2J'"_s);
        row("no UTF-8", "a\xff\xc3(\xe2\x82", u"'a\\xff\\xc3(\\xe2\\x82'"_s);
        row("overlong and surrogate", "\xc0\xaf\xed\xa0\x80", u"'\\xc0\\xaf\\xed\\xa0\\x80'"_s);
        row("turned direction",
            "a\xe2\x80\xae"
            "b",
            u"'a\\u202eb'"_s);
        row("80 characters", QByteArray(80, 'x'), u'\'' + QString(80, u'x') + u'\'');
        row("81 characters", QByteArray(81, 'x'), u'\'' + QString(80, u'x') + u"...'"_s);
        row("80 wide characters", QByteArray("\xe2\x82\xac").repeated(80), u'\'' + QString(80, u'€') + u'\'');
    }
    void quotedInput() {
        QFETCH(QByteArray, input);
        QFETCH(QString, line);
        const std::string_view text(input.constData(), static_cast<std::size_t>(input.size()));
        QCOMPARE(q(inQuotes(text)), line);
    }

    /// Names from files never reach a terminal unescaped, and mean the same when read again.
    void namesOfStrangers() {
        const std::string awkward = "\x1b]0;a\x07\xe2\x80\xae\"\\u202e\n\xff", shown = "\\x1b]0;a\\x07\\u202e";
        Graph graph("g");
        Node* x = graph.addPlaceholder("x", {}, Role::userInput, awkward);
        graph.setOutput({x}, {{Role::userOutput, awkward}});
        const std::string text = printGraph(graph, Detail::full);
        QVERIFY2(text.find(shown) != std::string::npos, text.c_str());
        QVERIFY(text.find('\x1b') == std::string::npos && text.find('\xff') == std::string::npos);
        QCOMPARE(parseGraph(text)->findById(x->id())->label, awkward);
        const std::string line = jsonLine(awkward);
        QVERIFY2(line.find("\\u202e") != std::string::npos && line.find("\xe2\x80\xae") == std::string::npos,
                 line.c_str());
        QCOMPARE(nlohmann::json::parse(line).get<std::string>().substr(0, 9), awkward.substr(0, 9));
        QVERIFY(textTable({{"run"}, {awkward}}).find(shown) != std::string::npos);
        QCOMPARE(printable("a\tb\n\x1b"), std::string("a\tb\n\\x1b"));
    }

    void longListsOfNamesAreShortened() {
        const QString names = q(quotedNames(std::vector<std::string>(1000, std::string(1000, 'n'))));
        QVERIFY2(names.size() < 4000 && names.endsWith(u", ..."_s), qPrintable(names.left(200)));
    }

    void progressAnnouncesAndCancels() {
        QStringList stages;
        Progress progress([&](std::string_view stage) { stages << q(stage); });
        const Progress copy = progress;
        progress.enter("first");
        progress.cancel();
        QVERIFY(copy.cancelled());
        QVERIFY_THROWS_EXCEPTION(Cancelled, copy.enter("second"));
        QCOMPARE(stages, QStringList{u"first"_s});
    }
};

AOTSCOPE_TEST(TestIo)

}  // namespace aotscope::test::io_test

#include "test_io.moc"
