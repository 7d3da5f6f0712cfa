// The commands as a whole: help, samples, printed graphs, training, the debugger.

#include "test_cli.h"

#include "device/device.h"
#include "support/saved_model.h"
#include "support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>

using namespace aotscope::test;

QString TestCli::at(const QString& name) const { return scratch_.at(name); }

QStringList TestCli::resolved(const QString& arguments) const { return argumentsFrom(arguments, scratch_); }

void TestCli::initTestCase() {
    saveModel("def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return x * self.w + y",
              at(QStringLiteral("model.pt")).toStdString());
    saveModel(
        "def forward(self, x: Tensor) -> Tensor:\n    assert x.size(0) > 99, 'too few rows'\n    return x * self.w",
        at(QStringLiteral("asserts.pt")).toStdString());
    saveModel("def forward(self, x: Tensor) -> Tensor:\n    return x * len(str(x))",
              at(QStringLiteral("written.pt")).toStdString());
    saveModel("def forward(self, x: Tensor) -> Tensor:\n    self.w = x\n    return x",
              at(QStringLiteral("assigns.pt")).toStdString());
    saveModel("def forward(self, x: Tensor) -> Tensor:\n    return torch._fused_dropout(x, 0.5)[0]",
              at(QStringLiteral("cuda_only.pt")).toStdString());
    QFile model(at(QStringLiteral("model.pt")));
    QVERIFY(model.open(QIODevice::ReadOnly));
    scratch_.write(QStringLiteral("truncated.pt"), model.readAll().left(700));
    scratch_.write(QStringLiteral("text.pt"), "not a model\n");
    scratch_.write(QStringLiteral("empty.pt2"), "");
    scratch_.write(QStringLiteral("args.json"),
                   R"({"values":[{"leaf":{"shape":[2,3]}},{"op":"view","of":0,"args":[1]}],"inputs":[{"tensor":0},)"
                   R"({"tensor":1}]})");
    scratch_.write(QStringLiteral("good.json"), R"([{"shape":[2,3],"requires_grad":true},{"shape":[3]}])");
    scratch_.write(QStringLiteral("one.json"), R"([{"shape":[2,3]}])");
    scratch_.write(QStringLiteral("good1.json"), R"([{"shape":[2,3],"requires_grad":true}])");
    scratch_.write(QStringLiteral("shape.json"), R"([{"shape":[2,4]},{"shape":[3]}])");
    scratch_.write(QStringLiteral("dtype.json"),
                   R"([{"shape":[2,3],"dtype":"float32"},{"shape":[3],"dtype":"int8","requires_grad":true}])");
    scratch_.write(QStringLiteral("number.json"), R"({"values":[],"inputs":[{"int":1},{"int":2}]})");
    scratch_.write(QStringLiteral("broken.json"), R"([{"shape":[2,3])");
    scratch_.write(QStringLiteral("key.json"), R"([{"shape":[2,3],"dtyp":"float32"}])");
    scratch_.write(QStringLiteral("deep.json"),
                   "{\"values\":[],\"inputs\":" + QByteArray(100000, '[') + QByteArray(100000, ']') + "}");
    scratch_.write(QStringLiteral("deep_list.json"), QByteArray(100000, '[') + QByteArray(100000, ']'));
    scratch_.write(QStringLiteral("text.txt"), "hello");
    scratch_.write(QStringLiteral("named.json"),
                   R"({"dims":{"batch":{"hint":8,"min":2,"max":64}},"values":[{"leaf":{"shape":["batch",3],)"
                   R"("requires_grad":true}},{"leaf":{"shape":[3]}}],"inputs":[{"tensor":0},{"tensor":1}]})");
}

void TestCli::helpHasAnExample_data() {
    QTest::addColumn<QString>("command");
    for (const char* command : {"", "run", "export", "passes", "samples", "ops", "compiles", "compilers", "debug"})
        QTest::newRow(*command ? command : "(none)") << command;
}
void TestCli::helpHasAnExample() {
    QFETCH(QString, command);
    QStringList arguments{QStringLiteral("--help")};
    if (!command.isEmpty()) arguments.prepend(command);
    const ProgramRun run = runProgram(arguments);
    QCOMPARE(run.code, 0);
    QVERIFY(run.err.isEmpty());
    const QString example = QStringLiteral("\nExample:\n  aotscope ") + command;
    QVERIFY2(QString::fromUtf8(run.out).contains(example), run.out.constData());
}

void TestCli::version() {
    const ProgramRun run = runProgram(words("--version"));
    QCOMPARE(run.code, 0);
    QVERIFY(QRegularExpression(QStringLiteral("^\\d+\\.\\d+\\.\\d+\n.*(confine|confined).*\n$"))
                .match(QString::fromUtf8(run.out))
                .hasMatch());
}

/// What it proposes opens.
void TestCli::dictsOfIntegers() {
    const QString model = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/messages/dict_of_int.pt");
    const ProgramRun asked = runProgram({QStringLiteral("run"), model});
    QVERIFY2(asked.code == 1 && asked.err.contains("{\"0\":{\"tensor\":0}}"), asked.text());
    const ProgramRun run = runProgram({QStringLiteral("run"), model, QStringLiteral("--inputs"),
                                       QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/messages/dict_of_int.json"),
                                       QStringLiteral("--check")});
    QVERIFY2(run.code == 0 && run.out.contains("equal to eager"), run.text());
}

void TestCli::codeThatIsNone() {
    const ProgramRun run = runProgram({QStringLiteral("run"), QStringLiteral("-e"), QStringLiteral("retrun x")});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.oneSentence() && run.err.contains("classes and functions, such as 'def f(x): return x.sin()'"),
             run.text());
}

/// What is printed for people goes to stderr.
void TestCli::filesOnTheStandardOutput() {
    const QStringList before = scratch_.files();
    ProgramRun run = runProgram(words("run sample:mlp --report -"));
    QCOMPARE(run.code, 0);
    QVERIFY2(!QJsonDocument::fromJson(run.out).isNull(), run.text());
    QVERIFY2(run.err.contains("min-cut partition"), run.text());
    run = runProgram(words("export sample:mlp --graph joint --format txt -o -"));
    QVERIFY2(run.code == 0 && run.out.startsWith("graph "), run.text());
    QVERIFY(!QFile::exists(QStringLiteral("-")));
    QCOMPARE(scratch_.files(), before);
}

void TestCli::everythingAsJson_data() {
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("key");
    const auto row = [](const char* arguments, const char* key) {
        QTest::newRow(arguments) << QString::fromUtf8(arguments) << QString::fromUtf8(key);
    };
    row("passes sample:mlp --json", "passes");
    row("passes sample:mlp --node relu --json", "history");
    row("samples --json", "samples");
    row("compilers --json", "compilers");
    row("minify sample:mlp --while op:relu --json", "text");
    row("compiles " AOTSCOPE_SOURCE_DIR "/tests/data/printed/mlp.log --json", "texts");
    row("partition sample:mlp --report", "partition");
    row("train sample:mlp --steps 2 --json -", "training");
}
void TestCli::everythingAsJson() {
    QFETCH(QString, arguments);
    QFETCH(QString, key);
    const ProgramRun run = runProgram(resolved(arguments));
    QVERIFY2(run.code == 0, run.text());
    QVERIFY2(QJsonDocument::fromJson(run.out).object().contains(key), run.text());
}

void TestCli::errorsWithTheirStack() {
    const ProgramRun run = runProgram(words("run sample:nosuch --debug"));
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("aotscope: there is no sample 'nosuch'"), run.text());
    QVERIFY2(run.err.contains("thrown at:\n#") && !run.err.contains("crashed"), run.text());
}

void TestCli::limits() {
    const QString file = scratch_.at(QStringLiteral("endless.pt"));
    saveModel("def forward(self) -> Tensor:\n    n = 0\n    while n >= 0:\n        n = n + 1\n    return self.w + n\n",
              file.toStdString());
    ProgramRun run =
        runProgram({QStringLiteral("passes"), file, QStringLiteral("--time-limit"), QStringLiteral("0.2")});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("took more than 0.2 s") && run.err.contains("--time-limit"), run.err.constData());
    for (const char* good : {"--memory-limit 2GB", "--memory-limit 1.5GiB", "--memory-limit 500000000"})
        QCOMPARE(runProgram(words("passes sample:sincos") + words(good)).code, 0);
    for (const char* bad : {"--memory-limit 2XB", "--memory-limit -1GB", "--memory-limit 1kB", "--memory-limit GB",
                            "--time-limit 0", "--time-limit soon"}) {
        run = runProgram(words("passes sample:sincos") + words(bad));
        QCOMPARE(run.code, 2);
        QVERIFY2(run.err.contains("limit") && run.err.count('\n') == 1, run.err.constData());
    }
}

void TestCli::samples() {
    const ProgramRun run = runProgram(words("samples"));
    QCOMPARE(run.code, 0);
    for (const char* name :
         {"sincos", "mlp", "aliasing", "mutations", "resnet18", "resnet50", "gpt2-tiny", "gpt2", "bert-tiny", "bert"})
        QVERIFY2(run.out.contains("sample:" + QByteArray(name) + " "), name);
}

/// What a stranger wrote between the lines is spelled out in every file.
void TestCli::exportsSpellOutWhatCannotBeSeen() {
    const QString file = scratch_.write(QStringLiteral("unseen.txt"),
                                        "class GraphModule(torch.nn.Module):\n"
                                        "    def forward(self, a: \"f32[4][1]cpu\xe2\x80\xae\"):\n"
                                        "        # File: /m\xe2\x80\xae.py:3 in f, code: y = \xc2\x9b\n"
                                        "        b: \"f32[4]\" = torch.ops.aten.sin.default(a)\n        return (b,)\n");
    for (const char* end : {"txt", "py", "json", "dot"}) {
        const QString to = at(QStringLiteral("seen.") + QLatin1String(end));
        const ProgramRun run = runProgram({QStringLiteral("export"), file, QStringLiteral("--graph"),
                                           QStringLiteral("inference"), QStringLiteral("-o"), to});
        QVERIFY2(run.code == 0, run.text().constData());
        const QByteArray text = contentOf(to);
        QVERIFY2(text.contains("sin") && !text.contains("\xe2\x80\xae") && !text.contains("\xc2\x9b"),
                 text.constData());
    }
}

void TestCli::printedGraphs() {
    const QString folder = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/");
    const QString log = folder + QStringLiteral("several.log");
    ProgramRun run = runProgram({QStringLiteral("compiles"), log});
    QVERIFY2(run.code == 0, run.text().constData());
    QVERIFY2(run.out.contains("1/1      joint"), run.out.constData());
    run = runProgram({QStringLiteral("run"), log, QStringLiteral("--compile-id"), QStringLiteral("1/1"),
                      QStringLiteral("--partition"), QStringLiteral("min-cut")});
    QVERIFY2(run.code == 0, run.text().constData());
    QVERIFY2(run.out.contains("backward: 4 operations here, 4 in the printed one; the same operations"),
             run.out.constData());
    run = runProgram({QStringLiteral("export"), log, QStringLiteral("-o"), at(QStringLiteral("joint.txt"))});
    QVERIFY2(run.code == 0, run.text().constData());
    const QString values = QStringLiteral("--values=") + at(QStringLiteral("values.pt"));
    for (const QString& option : {QStringLiteral("--check"), QStringLiteral("--time=3"), values}) {
        run = runProgram({QStringLiteral("run"), log, option});
        QVERIFY2(run.code == 0, run.text().constData());
        run = runProgram({QStringLiteral("run"), folder + QStringLiteral("dynamic.log"), option});
        QCOMPARE(run.code, 1);
        QVERIFY(run.oneSentence());
        QVERIFY2(run.err.contains("is not known; log the values of symbols"), run.err.constData());
    }
    QVERIFY(QFile::exists(at(QStringLiteral("values.pt"))));
    run = runProgram({QStringLiteral("run"), at(QStringLiteral("joint.txt")), QStringLiteral("--check")});
    QVERIFY2(run.code == 0, run.text().constData());
    run = runProgram({QStringLiteral("run"), log, QStringLiteral("--compile-id"), QStringLiteral("9/9")});
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.contains("'several.log' has 0/0, 1/0, 1/1, 2/0"), run.err.constData());
    run = runProgram({QStringLiteral("compiles"), folder + QStringLiteral("counts.json")});
    QCOMPARE(run.code, 1);
    QVERIFY(run.oneSentence());
    QVERIFY2(run.err.contains("holds no printed graphs"), run.err.constData());
    // A check says what it compares with.
    run = runProgram({QStringLiteral("run"), folder + QStringLiteral("mlp.log"), QStringLiteral("--check")});
    QVERIFY2(run.out.contains("check: equal to the joint graph (outputs within"), run.text().constData());
    run = runProgram(
        {QStringLiteral("run"), log, QStringLiteral("--compile-id"), QStringLiteral("2/0"), QStringLiteral("--check")});
    QVERIFY2(run.out.contains("check: equal to the same graph run operation by operation"), run.text().constData());
}

void TestCli::trainWritesItsCurves() {
    const ProgramRun run = runProgram(resolved(
        QStringLiteral("train sample:mlp --steps 40 --lr 0.05 --optimizer adam --json @train.json --csv @train.csv")));
    QVERIFY2(run.code == 0, run.text().constData());
    QCOMPARE(run.out.count('\n') > 20, true);
    QVERIFY(run.out.contains("eager loss"));
    QVERIFY(run.out.contains("loss: mean of the squares of output 0; adam, rate 0.05"));
    QVERIFY(run.out.contains("memory of the process: "));
    const QJsonObject training = readJson(at(QStringLiteral("train.json")))[QLatin1String("training")].toObject();
    QCOMPARE(training[QLatin1String("curve")].toArray().size(), 40);
    QCOMPARE(training[QLatin1String("steps")].toInt(), 40);
    QCOMPARE(training[QLatin1String("optimizer")].toString(), QStringLiteral("adam"));
    QVERIFY(training[QLatin1String("compiled")].toObject()[QLatin1String("steps_per_second")].toDouble() > 0);
    QVERIFY(training[QLatin1String("largest_difference")].toObject()[QLatin1String("relative")].toDouble() < 1e-3);
    QCOMPARE(contentOf(at(QStringLiteral("train.csv"))).count('\n'), 41);
}

/// Graphs for a GPU can be examined without one.
void TestCli::graphsForAGpuThatIsNotThere() {
    const auto choices = aotscope::deviceChoices();
    if (choices.at(1).help.find("simulated") == std::string::npos) QSKIP("there is a GPU");
    ProgramRun run = runProgram(resolved(QStringLiteral("run sample:gpt2-tiny --device cuda --report @cuda.json")));
    QVERIFY2(run.code == 0, run.text().constData());
    QCOMPARE(run.out.count("nothing can run on cuda:0 here: "), 1);
    QCOMPARE(readJson(at(QStringLiteral("cuda.json")))[QLatin1String("device")].toString(), QStringLiteral("cuda:0"));
    run = runProgram(resolved(QStringLiteral("partition sample:mlp --device cuda --budget 0.5")));
    QVERIFY2(run.code == 0, run.text().constData());
    QVERIFY(run.err.contains("times are estimated for an NVIDIA H100"));
    for (const char* arguments : {"run sample:mlp --device cuda --check", "run sample:mlp --device cuda --time 1",
                                  "train sample:mlp --device cuda:0", "run sample:mlp --device cuda:7"}) {
        run = runProgram(resolved(QString::fromLatin1(arguments)));
        QCOMPARE(run.code, 1);
        QVERIFY2(run.oneSentence(), run.text().constData());
    }
}

/// What the pipeline refuses comes first: with a GPU, too, nothing would run.
void TestCli::whatRunsTheModelRefusesItAlike() {
    QStringList said;
    for (const char* command : {"train", "debug", "minify --while nan"}) {
        const ProgramRun run =
            runProgram(words(command) << QStringLiteral("script:def f(x: Tensor):\n    return x.view([7])")
                                      << QStringLiteral("--inputs") << QStringLiteral("f32[2, 3] grad")
                                      << QStringLiteral("--device") << QStringLiteral("cuda"));
        QCOMPARE(run.code, 1);
        said << QString::fromUtf8(run.err);
    }
    QVERIFY2(said[0].contains(QStringLiteral("shape '[7]' is invalid")), qPrintable(said[0]));
    QCOMPARE(said[1], said[0]);
    QCOMPARE(said[2], said[0]);
}

/// JSON holds only valid UTF-8; a path may hold any bytes.
void TestCli::pathsThatAreNoUtf8() {
    const QString command = QStringLiteral(
        "file=\"$1/$(printf 'm\\377.pt')\"; cp \"$1/model.pt\" \"$file\"; "
        "\"$0\" run \"$file\" --inputs \"$1/good.json\" --report \"$1/bytes.json\"; code=$?; rm \"$file\"; exit "
        "$code");
    QCOMPARE(QProcess::execute(QStringLiteral("sh"),
                               {QStringLiteral("-c"), command, QStringLiteral(AOTSCOPE_PROGRAM), scratch_.path()}),
             0);
    QVERIFY(readJson(at(QStringLiteral("bytes.json"))).contains(QLatin1String("model")));
}

void TestCli::debuggedRuns_data() {
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("out");  // an expression
    const QString model = QStringLiteral("@model.pt --inputs @good.json ");
    const auto add = [&](const char* name, const char* arguments, int code, const char* out) {
        QTest::newRow(name) << QString(model + QLatin1String(arguments)) << code << QString::fromLatin1(out);
    };
    add("to the end", "", 0,
        "^ended: the run has ended\nposition: the backward has ended\nsteps: forward [0-9]+, backward [0-9]+\n"
        "compilers: forward interpreter, backward interpreter\n$");
    add("before an operation", "--break op:add", 0, "^breakpoint 'op:add': %add = .*\nposition: forward, step 2 of");
    add("after a value", "--break max>9 --set x=100", 0, "^breakpoint 'max>9': %mul = ");
    add("one that cannot stop", "--break op:relu", 0,
        "^note: breakpoint 'op:relu' cannot stop the run: it holds for no");
    add("a planted NaN", "--set x=[0,1]=nan --first-nan", 3, "^not finite: %.* has a NaN: f32\\[2, 3\\].* 1 NaN");
    add("no NaN", "--first-nan", 0, "^ended: the run has ended: no NaN or infinity was found in \\d+ values\n");
    add("a kernel", "--compiler fused --watch mul", 0, "^forward %mul: (f32|computed in one kernel with %)");
    add("as eager", "--against-eager", 0, "^ended: ");
    add("not as eager", "--against-eager --set mul=[0,0]=7", 3, "^difference: %mul = .*differs from eager");
    add("as itself", "--against @model.pt", 0, "^ended: ");
    add("not as another", "--against sample:sincos", 3, "^difference: %primals_2 'x'.*the other run has ");
    add("watched", "--watch mul --watch w", 0,
        "forward %mul: f32\\[2, 3\\]: 6 elements .*\n  .*\nforward %[a-z0-9_]+: f32\\[3\\]");
}
void TestCli::debuggedRuns() {
    QFETCH(QString, arguments);
    QFETCH(int, code);
    QFETCH(QString, out);
    const ProgramRun run = runProgram(resolved(QStringLiteral("debug ") + arguments));
    QVERIFY2(run.code == code, run.err + run.out);
    const QRegularExpression expected(out, QRegularExpression::MultilineOption);
    QVERIFY2(expected.match(QString::fromUtf8(run.out)).hasMatch(), run.out);
}

void TestCli::debuggedRunsAsJson() {
    const ProgramRun run =
        runProgram(words("debug sample:mlp --json --break op=relu --set x=[0,0]=nan --watch relu --watch backward:mm"));
    QVERIFY2(run.code == 0, run.err);
    const QJsonObject all = QJsonDocument::fromJson(run.out).object();
    QCOMPARE(all[QLatin1String("schema")].toInt(), 1);
    QCOMPARE(all[QLatin1String("stop")][QLatin1String("reason")].toString(), QStringLiteral("breakpoint"));
    QCOMPARE(all[QLatin1String("position")][QLatin1String("node")].toString(), QStringLiteral("relu"));
    const QJsonArray values = all[QLatin1String("values")].toArray();
    QCOMPARE(values.size(), 3);
    QVERIFY(!values[1].toObject().contains(QLatin1String("min")));  // not computed yet
    QCOMPARE(values[2][QLatin1String("graph")].toString(), QStringLiteral("backward"));
    QCOMPARE(all[QLatin1String("runtime_steps")].toArray().size(), 1);  // the graph
    const QJsonArray steps = QJsonDocument::fromJson(runProgram(words("debug sample:mutations --json")).out)
                                 .object()[QLatin1String("runtime_steps")]
                                 .toArray();
    QVERIFY(std::ranges::any_of(steps, [](const QJsonValue& step) {
        return step[QLatin1String("when")].toString() == QLatin1String("after") &&
               step[QLatin1String("text")].toString().startsWith(QLatin1String("write the updated value back"));
    }));
    const ProgramRun text = runProgram(words("debug sample:mutations"));
    QVERIFY2(text.out.contains("\nafter the graph: write the updated value back"), text.out.constData());
}

AOTSCOPE_TEST(TestCli)
#include "test_cli.moc"
