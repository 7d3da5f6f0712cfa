// The commands as a whole: help, samples, printed graphs, training, the debugger.

#include "test_cli.h"

#include "device/device.h"
#include "support/saved_model.h"
#include "support/test_program.h"

using namespace aotscope::test;

QString TestCli::at(const QString& name) const { return scratch_.at(name); }

QStringList TestCli::resolved(const QString& arguments) const { return argumentsFrom(arguments, scratch_); }

void TestCli::initTestCase() {
    saveModel("def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return x * self.w + y",
              at(u"model.pt"_s).toStdString());
    saveModel(
        "def forward(self, x: Tensor) -> Tensor:\n    assert x.size(0) > 99, 'too few rows'\n    return x * self.w",
        at(u"asserts.pt"_s).toStdString());
    saveModel("def forward(self, x: Tensor) -> Tensor:\n    return x * len(str(x))", at(u"written.pt"_s).toStdString());
    saveModel("def forward(self, x: Tensor) -> Tensor:\n    self.w = x\n    return x",
              at(u"assigns.pt"_s).toStdString());
    saveModel("def forward(self, x: Tensor) -> Tensor:\n    return torch._fused_dropout(x, 0.5)[0]",
              at(u"cuda_only.pt"_s).toStdString());
    QFile model(at(u"model.pt"_s));
    QVERIFY(model.open(QIODevice::ReadOnly));
    scratch_.write(u"truncated.pt"_s, model.readAll().left(700));
    scratch_.write(u"text.pt"_s, "not a model\n");
    scratch_.write(u"empty.pt2"_s, "");
    scratch_.write(u"args.json"_s,
                   R"({"values":[{"leaf":{"shape":[2,3]}},{"op":"view","of":0,"args":[1]}],"inputs":[{"tensor":0},)"
                   R"({"tensor":1}]})");
    scratch_.write(u"good.json"_s, R"([{"shape":[2,3],"requires_grad":true},{"shape":[3]}])");
    scratch_.write(u"one.json"_s, R"([{"shape":[2,3]}])");
    scratch_.write(u"good1.json"_s, R"([{"shape":[2,3],"requires_grad":true}])");
    scratch_.write(u"shape.json"_s, R"([{"shape":[2,4]},{"shape":[3]}])");
    scratch_.write(u"dtype.json"_s,
                   R"([{"shape":[2,3],"dtype":"float32"},{"shape":[3],"dtype":"int8","requires_grad":true}])");
    scratch_.write(u"number.json"_s, R"({"values":[],"inputs":[{"int":1},{"int":2}]})");
    scratch_.write(u"broken.json"_s, R"([{"shape":[2,3])");
    scratch_.write(u"key.json"_s, R"([{"shape":[2,3],"dtyp":"float32"}])");
    scratch_.write(u"deep.json"_s,
                   "{\"values\":[],\"inputs\":" + QByteArray(100000, '[') + QByteArray(100000, ']') + "}");
    scratch_.write(u"deep_list.json"_s, QByteArray(100000, '[') + QByteArray(100000, ']'));
    scratch_.write(u"text.txt"_s, "hello");
    scratch_.write(u"named.json"_s,
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
    QStringList arguments{u"--help"_s};
    if (!command.isEmpty()) arguments.prepend(command);
    const ProgramRun run = runProgram(arguments);
    QCOMPARE(run.code, 0);
    QVERIFY(run.err.isEmpty());
    const QRegularExpression example(u"\nExamples?:\n  aotscope "_s + command);
    QVERIFY2(example.match(QString::fromUtf8(run.out)).hasMatch(), run.out.constData());
}

/// The help of every command, in lines of at most 80 columns.
void TestCli::helpFitsATerminal() {
    const QString top = QString::fromUtf8(runProgram({u"--help"_s}).out);
    static const QRegularExpression name(u"^  ([a-z]+) "_s, QRegularExpression::MultilineOption);
    QStringList helps{top};
    for (const auto& command : name.globalMatch(top.section(u"\nSubcommands:\n"_s, 1)))
        helps << QString::fromUtf8(runProgram({command.captured(1), u"--help"_s}).out);
    QVERIFY(helps.size() > 10);
    for (const QString& help : helps)
        for (const QString& line : help.split(u'\n')) QVERIFY2(line.size() <= 80, qPrintable(line));
}

void TestCli::version() {
    const ProgramRun run = runProgram(words("--version"));
    QCOMPARE(run.code, 0);
    QVERIFY(QRegularExpression(u"^\\d+\\.\\d+\\.\\d+\n.*(confine|confined).*\n$"_s)
                .match(QString::fromUtf8(run.out))
                .hasMatch());
}

/// The proposed spec works.
void TestCli::dictsOfIntegers() {
    const QString model = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/messages/dict_of_int.pt");
    const ProgramRun asked = runProgram({u"run"_s, model});
    QVERIFY2(asked.code == 1 && asked.err.contains("{\"0\":{\"tensor\":0}}"), asked.text());
    const ProgramRun run =
        runProgram({u"run"_s, model, u"--inputs"_s,
                    QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/messages/dict_of_int.json"), u"--check"_s});
    QVERIFY2(run.code == 0 && run.out.contains("equal to eager"), run.text());
}

void TestCli::codeThatIsNone() {
    const ProgramRun run = runProgram({u"run"_s, u"-e"_s, u"retrun x"_s});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.oneSentence() && run.err.contains("classes and functions, such as 'def f(x): return x.sin()'"),
             run.text());
}

/// Text for people goes to stderr.
void TestCli::filesOnTheStandardOutput() {
    const QStringList before = scratch_.files();
    ProgramRun run = runProgram(words("run sample:mlp --report -"));
    QCOMPARE(run.code, 0);
    QVERIFY2(!QJsonDocument::fromJson(run.out).isNull(), run.text());
    QVERIFY2(run.err.contains("min-cut partition"), run.text());
    run = runProgram(words("export sample:mlp --graph joint --format txt -o -"));
    QVERIFY2(run.code == 0 && run.out.startsWith("graph "), run.text());
    QVERIFY(!QFile::exists(u"-"_s));
    QCOMPARE(scratch_.files(), before);
}

void TestCli::everythingAsJson_data() {
    const auto row = columns<QString, QString>("arguments", "key");
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
    FETCH(QString, arguments, key);
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
    const QString file = scratch_.at(u"endless.pt"_s);
    saveModel("def forward(self) -> Tensor:\n    n = 0\n    while n >= 0:\n        n = n + 1\n    return self.w + n\n",
              file.toStdString());
    ProgramRun run = runProgram({u"passes"_s, file, u"--time-limit"_s, u"0.2"_s});
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

/// Control characters between the lines are escaped in every file.
void TestCli::exportsSpellOutWhatCannotBeSeen() {
    const QString file = scratch_.write(u"unseen.txt"_s,
                                        "class GraphModule(torch.nn.Module):\n"
                                        "    def forward(self, a: \"f32[4][1]cpu\xe2\x80\xae\"):\n"
                                        "        # File: /m\xe2\x80\xae.py:3 in f, code: y = \xc2\x9b\n"
                                        "        b: \"f32[4]\" = torch.ops.aten.sin.default(a)\n        return (b,)\n");
    for (const char* end : {"txt", "py", "json", "dot"}) {
        const QString to = at(u"seen."_s + QLatin1String(end));
        const ProgramRun run = runProgram({u"export"_s, file, u"--graph"_s, u"inference"_s, u"-o"_s, to});
        QVERIFY2(run.code == 0, run.text().constData());
        const QByteArray text = contentOf(to);
        QVERIFY2(text.contains("sin") && !text.contains("\xe2\x80\xae") && !text.contains("\xc2\x9b"),
                 text.constData());
    }
}

void TestCli::printedGraphs() {
    const QString folder = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/");
    const QString log = folder + u"several.log"_s;
    ProgramRun run = runProgram({u"compiles"_s, log});
    QVERIFY2(run.code == 0, run.text().constData());
    QVERIFY2(run.out.contains("1/1      joint"), run.out.constData());
    run = runProgram({u"run"_s, log, u"--compile-id"_s, u"1/1"_s, u"--partition"_s, u"min-cut"_s});
    QVERIFY2(run.code == 0, run.text().constData());
    QVERIFY2(run.out.contains("backward: 4 operations here, 4 in the printed one; the same operations"),
             run.out.constData());
    run = runProgram({u"export"_s, log, u"-o"_s, at(u"joint.txt"_s)});
    QVERIFY2(run.code == 0, run.text().constData());
    const QString values = u"--values="_s + at(u"values.pt"_s);
    for (const QString& option : {u"--check"_s, u"--time=3"_s, values}) {
        run = runProgram({u"run"_s, log, option});
        QVERIFY2(run.code == 0, run.text().constData());
        run = runProgram({u"run"_s, folder + u"dynamic.log"_s, option});
        QCOMPARE(run.code, 1);
        QVERIFY(run.oneSentence());
        QVERIFY2(run.err.contains("is not known; log the values of symbols"), run.err.constData());
    }
    QVERIFY(QFile::exists(at(u"values.pt"_s)));
    run = runProgram({u"run"_s, at(u"joint.txt"_s), u"--check"_s});
    QVERIFY2(run.code == 0, run.text().constData());
    run = runProgram({u"run"_s, log, u"--compile-id"_s, u"9/9"_s});
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.contains("'several.log' has 0/0, 1/0, 1/1, 2/0"), run.err.constData());
    run = runProgram({u"compiles"_s, folder + u"counts.json"_s});
    QCOMPARE(run.code, 1);
    QVERIFY(run.oneSentence());
    QVERIFY2(run.err.contains("holds no printed graphs"), run.err.constData());
    // A check names its reference.
    run = runProgram({u"run"_s, folder + u"mlp.log"_s, u"--check"_s});
    QVERIFY2(run.out.contains("check: equal to the joint graph (outputs within"), run.text().constData());
    run = runProgram({u"run"_s, log, u"--compile-id"_s, u"2/0"_s, u"--check"_s});
    QVERIFY2(run.out.contains("check: equal to the same graph run operation by operation"), run.text().constData());
}

void TestCli::trainWritesItsCurves() {
    const ProgramRun run = runProgram(
        resolved(u"train sample:mlp --steps 40 --lr 0.05 --optimizer adam --json @train.json --csv @train.csv"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    QCOMPARE(run.out.count('\n') > 20, true);
    QVERIFY(run.out.contains("eager loss"));
    QVERIFY(run.out.contains("loss: mean of the squares of output 0; adam, rate 0.05"));
    QVERIFY(run.out.contains("memory of the process: "));
    const QJsonObject training = readJson(at(u"train.json"_s))["training"_L1].toObject();
    QCOMPARE(training["curve"_L1].toArray().size(), 40);
    QCOMPARE(training["steps"_L1].toInt(), 40);
    QCOMPARE(training["optimizer"_L1].toString(), u"adam"_s);
    QVERIFY(training["compiled"_L1].toObject()["steps_per_second"_L1].toDouble() > 0);
    QVERIFY(training["largest_difference"_L1].toObject()["relative"_L1].toDouble() < 1e-3);
    QCOMPARE(contentOf(at(u"train.csv"_s)).count('\n'), 41);
}

/// Graphs for a GPU can be examined without one.
void TestCli::graphsForAGpuThatIsNotThere() {
    const auto choices = aotscope::deviceChoices();
    if (choices.at(1).help.find("simulated") == std::string::npos) QSKIP("there is a GPU");
    ProgramRun run = runProgram(resolved(u"run sample:gpt2-tiny --device cuda --report @cuda.json"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    QCOMPARE(run.out.count("nothing can run on cuda:0 here: "), 1);
    QCOMPARE(readJson(at(u"cuda.json"_s))["device"_L1].toString(), u"cuda:0"_s);
    run = runProgram(resolved(u"partition sample:mlp --device cuda --budget 0.5"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    QVERIFY(run.err.contains("times are estimated for an NVIDIA H100"));
    for (const char* arguments : {"run sample:mlp --device cuda --check", "run sample:mlp --device cuda --time 1",
                                  "train sample:mlp --device cuda:0", "run sample:mlp --device cuda:7"}) {
        run = runProgram(resolved(QString::fromLatin1(arguments)));
        QCOMPARE(run.code, 1);
        QVERIFY2(run.oneSentence(), run.text().constData());
    }
}

/// Refusals of the pipeline come first: nothing would run with a GPU, either.
void TestCli::whatRunsTheModelRefusesItAlike() {
    QStringList said;
    for (const char* command : {"train", "debug", "minify --while nan"}) {
        const ProgramRun run =
            runProgram(words(command) << u"script:def f(x: Tensor):\n    return x.view([7])"_s << u"--inputs"_s
                                      << u"f32[2, 3] grad"_s << u"--device"_s << u"cuda"_s);
        QCOMPARE(run.code, 1);
        said << QString::fromUtf8(run.err);
    }
    QVERIFY2(said[0].contains(u"shape '[7]' is invalid"_s), qPrintable(said[0]));
    QCOMPARE(said[1], said[0]);
    QCOMPARE(said[2], said[0]);
}

/// JSON holds only valid UTF-8; a path may hold any bytes.
void TestCli::pathsThatAreNoUtf8() {
    const QString command =
        u"file=\"$1/$(printf 'm\\377.pt')\"; cp \"$1/model.pt\" \"$file\"; "
        "\"$0\" run \"$file\" --inputs \"$1/good.json\" --report \"$1/bytes.json\"; code=$?; rm \"$file\"; exit "
        "$code"_s;
    QCOMPARE(QProcess::execute(u"sh"_s, {u"-c"_s, command, QStringLiteral(AOTSCOPE_PROGRAM), scratch_.path()}), 0);
    QVERIFY(readJson(at(u"bytes.json"_s)).contains("model"_L1));
}

void TestCli::debuggedRuns_data() {
    columns<QString, int>("arguments", "code");
    QTest::addColumn<QString>("out");  // an expression
    const QString model = u"@model.pt --inputs @good.json "_s;
    const auto add = [&](const char* name, const char* arguments, int code, const char* out) {
        QTest::newRow(name) << QString(model + QLatin1String(arguments)) << code << QString::fromLatin1(out);
    };
    add("to the end", "", 0,
        "^ended: the run has ended\nposition: the backward has ended\nsteps: forward [0-9]+, backward [0-9]+\n"
        "compilers: forward interpreter, backward interpreter\n$");
    add("before an operation", "--break op:add", 0, "^breakpoint 'op:add': %add = .*\nposition: forward, step 2 of");
    add("after a value", "--break max>9 --set x=100", 0, "^breakpoint 'max>9': %mul = ");
    add("one that cannot stop", "--break op:relu", 0, "^note: breakpoint 'op:relu' cannot stop the run: it matches no");
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
    FETCH(QString, arguments, out);
    QFETCH(int, code);
    const ProgramRun run = runProgram(resolved(u"debug "_s + arguments));
    QVERIFY2(run.code == code, run.err + run.out);
    const QRegularExpression expected(out, QRegularExpression::MultilineOption);
    QVERIFY2(expected.match(QString::fromUtf8(run.out)).hasMatch(), run.out);
}

void TestCli::debuggedRunsAsJson() {
    const ProgramRun run =
        runProgram(words("debug sample:mlp --json --break op=relu --set x=[0,0]=nan --watch relu --watch backward:mm"));
    QVERIFY2(run.code == 0, run.err);
    const QJsonObject all = QJsonDocument::fromJson(run.out).object();
    QCOMPARE(all["schema"_L1].toInt(), 1);
    QCOMPARE(all["stop"_L1]["reason"_L1].toString(), u"breakpoint"_s);
    QCOMPARE(all["position"_L1]["node"_L1].toString(), u"relu"_s);
    const QJsonArray values = all["values"_L1].toArray();
    QCOMPARE(values.size(), 3);
    QVERIFY(!values[1].toObject().contains("min"_L1));  // not computed yet
    QCOMPARE(values[2]["graph"_L1].toString(), u"backward"_s);
    QCOMPARE(all["runtime_steps"_L1].toArray().size(), 1);  // the graph
    const QJsonArray steps = QJsonDocument::fromJson(runProgram(words("debug sample:mutations --json")).out)
                                 .object()["runtime_steps"_L1]
                                 .toArray();
    QVERIFY(std::ranges::any_of(steps, [](const QJsonValue& step) {
        return step["when"_L1].toString() == "after"_L1 &&
               step["text"_L1].toString().startsWith("write the updated value back"_L1);
    }));
    const ProgramRun text = runProgram(words("debug sample:mutations"));
    QVERIFY2(text.out.contains("\nafter the graph: write the updated value back"), text.out.constData());
}

AOTSCOPE_TEST(TestCli)
#include "test_cli.moc"
