// The command line as a user sees it: a child process, its exit code, and what it prints and writes.

#include "device/device.h"
#include "support/refusals.h"
#include "support/saved_model.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>
#include <QtTest>

using namespace aotscope::test;

namespace {

QStringList words(const char* text) { return QString::fromUtf8(text).split(QLatin1Char(' '), Qt::SkipEmptyParts); }

QStringList keysOf(const QJsonValue& value) { return value.toObject().keys(); }

}  // namespace

class TestCli : public QObject {
    Q_OBJECT

    Scratch scratch_;

    QString at(const QString& name) const { return scratch_.at(name); }

    QStringList resolved(const QString& arguments) const { return argumentsFrom(arguments, scratch_); }

    /// The row is refused, and no file is left behind.
    void isRefusedWithoutTraces() const {
        const QStringList before = scratch_.files();
        isRefused(scratch_);
        QCOMPARE(scratch_.files(), before);
    }

private Q_SLOTS:
    void initTestCase() {
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

    void helpHasAnExample_data() {
        QTest::addColumn<QString>("command");
        for (const char* command : {"", "run", "export", "passes", "samples", "ops", "compiles", "compilers", "debug"})
            QTest::newRow(*command ? command : "(none)") << command;
    }
    void helpHasAnExample() {
        QFETCH(QString, command);
        QStringList arguments{QStringLiteral("--help")};
        if (!command.isEmpty()) arguments.prepend(command);
        const ProgramRun run = runProgram(arguments);
        QCOMPARE(run.code, 0);
        QVERIFY(run.err.isEmpty());
        const QString example = QStringLiteral("\nExample:\n  aotscope ") + command;
        QVERIFY2(QString::fromUtf8(run.out).contains(example), run.out.constData());
    }

    void version() {
        const ProgramRun run = runProgram(words("--version"));
        QCOMPARE(run.code, 0);
        QVERIFY(QRegularExpression(QStringLiteral("^\\d+\\.\\d+\\.\\d+\n.*(confine|confined).*\n$"))
                    .match(QString::fromUtf8(run.out))
                    .hasMatch());
    }

    void limits() {
        const QString file = scratch_.at(QStringLiteral("endless.pt"));
        saveModel(
            "def forward(self) -> Tensor:\n    n = 0\n    while n >= 0:\n        n = n + 1\n    return self.w + n\n",
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

    void operators() {
        const ProgramRun run = runProgram(words("ops aten.relu"));
        QCOMPARE(run.code, 0);
        const auto row = [&](const char* pattern) {
            return QRegularExpression(QLatin1String(pattern), QRegularExpression::MultilineOption)
                .match(QString::fromUtf8(run.out));
        };
        QVERIFY(row("^operator +traces by +family +tags$").hasMatch());
        QVERIFY(row("^aten\\.relu\\.default +shape rule +pointwise +recomputable$").hasMatch());
        QVERIFY(row("^aten\\.relu6\\.default +decomposed +pointwise +recomputable$").hasMatch());
        QVERIFY(row("^\\d+ operators: \\d+ shape rule").hasMatch());
        QVERIFY(!run.out.contains("aten.add."));
    }
    void operatorsAsJson() {
        const ProgramRun run = runProgram(words("ops --json"));
        QCOMPARE(run.code, 0);
        const QJsonObject all = QJsonDocument::fromJson(run.out).object();
        QMap<QString, QString> methods;
        int counted = 0;
        for (const auto& entry : all[QLatin1String("operators")].toArray())
            methods[entry[QLatin1String("op")].toString()] = entry[QLatin1String("traces_by")].toString();
        for (const auto& count : all[QLatin1String("counts")].toObject()) counted += count.toInt();
        QCOMPARE(counted, all[QLatin1String("operators")].toArray().size());
        QCOMPARE(methods[QStringLiteral("aten.convolution.default")], QStringLiteral("shape rule"));
        QCOMPARE(methods[QStringLiteral("aten.mm.default")], QStringLiteral("meta kernel"));
        QCOMPARE(methods[QStringLiteral("aten.clone.default")], QStringLiteral("composite"));
        QCOMPARE(methods[QStringLiteral("aten.linear.default")], QStringLiteral("decomposed"));
        QCOMPARE(methods[QStringLiteral("aten._local_scalar_dense.default")], QStringLiteral("example data"));
        QCOMPARE(methods[QStringLiteral("aten._fused_dropout.default")], QStringLiteral("no kernel"));
        QVERIFY2(!methods.contains(QStringLiteral("aten.add.out")), "functionalization removes these");
    }
    void uncoveredOperators() {
        const ProgramRun run = runProgram(words("ops --uncovered"));
        QCOMPARE(run.code, 0);
        QVERIFY(run.out.contains(" real kernel on zeros"));
        for (const char* other : {"shape rule", "meta kernel", "composite", "decomposed"})
            QVERIFY2(!run.out.contains(other), other);
    }
    void operatorsThatDoNotExist() {
        const ProgramRun run = runProgram(words("ops no_such_operator"));
        QCOMPARE(run.code, 1);
        QVERIFY(run.oneSentence());
        QVERIFY(run.err.contains("no operator has a name that contains 'no_such_operator'"));
    }

    void decompositions() {
        const ProgramRun run = runProgram(words("ops --decompose prims gelu"));
        QCOMPARE(run.code, 0);
        QVERIFY(run.out.contains("aten.gelu_backward.default  gelu_backward  core-aten"));
        QVERIFY(run.out.contains("1 operators are decomposed by prims"));
        const QJsonObject all =
            QJsonDocument::fromJson(runProgram(words("ops --decompose inductor --json")).out).object();
        QCOMPARE(all[QLatin1String("table")].toString(), QStringLiteral("inductor"));
        QVERIFY(all[QLatin1String("decompositions")].toArray().size() > 100);
    }
    void decomposedGraphs() {
        const ProgramRun run =
            runProgram(resolved(QStringLiteral("run sample:mlp --decompose core-aten --check --report @core.json")));
        QVERIFY2(run.code == 0, run.text().constData());
        const QJsonObject r = readJson(at(QStringLiteral("core.json")));
        QCOMPARE(r[QLatin1String("options")][QLatin1String("decompose")].toString(), QStringLiteral("core-aten"));
        QMap<QString, int> replaced;
        for (const auto& entry : r[QLatin1String("decompositions")].toArray())
            replaced[entry[QLatin1String("op")].toString() + u' ' + entry[QLatin1String("rule")].toString()] =
                entry[QLatin1String("count")].toInt();
        QCOMPARE(replaced[QStringLiteral("aten.t.default t")], 14);
        QCOMPARE(replaced[QStringLiteral("aten.threshold_backward.default threshold_backward")], 2);
    }

    void samples() {
        const ProgramRun run = runProgram(words("samples"));
        QCOMPARE(run.code, 0);
        for (const char* name : {"sincos", "mlp", "aliasing", "mutations", "resnet18", "resnet50", "gpt2-tiny", "gpt2",
                                 "bert-tiny", "bert"})
            QVERIFY2(run.out.contains("sample:" + QByteArray(name) + " "), name);
    }

    void printedGraphs() {
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
        for (const char* option : {"--check", "--time=3"}) {
            run = runProgram({QStringLiteral("run"), log, QLatin1String(option)});
            QCOMPARE(run.code, 1);
            QVERIFY(run.oneSentence());
            QVERIFY2(run.err.contains("printed graphs have no parameters and no inputs"), run.err.constData());
        }
        run = runProgram({QStringLiteral("run"), log, QStringLiteral("--compile-id"), QStringLiteral("9/9")});
        QCOMPARE(run.code, 2);
        QVERIFY2(run.err.contains("'several.log' has 0/0, 1/0, 1/1, 2/0"), run.err.constData());
        run = runProgram({QStringLiteral("compiles"), folder + QStringLiteral("counts.json")});
        QCOMPARE(run.code, 1);
        QVERIFY(run.oneSentence());
        QVERIFY2(run.err.contains("holds no printed graphs"), run.err.constData());
    }

    void trainWritesItsCurves() {
        const ProgramRun run = runProgram(resolved(QStringLiteral(
            "train sample:mlp --steps 40 --lr 0.05 --optimizer adam --json @train.json --csv @train.csv")));
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
    void graphsForAGpuThatIsNotThere() {
        const auto choices = aotscope::deviceChoices();
        if (choices.at(1).help.find("assumed") == std::string::npos) QSKIP("there is a GPU");
        ProgramRun run = runProgram(resolved(QStringLiteral("run sample:gpt2-tiny --device cuda --report @cuda.json")));
        QVERIFY2(run.code == 0, run.text().constData());
        QCOMPARE(run.out.count("nothing can run on cuda:0 here: "), 1);
        QCOMPARE(readJson(at(QStringLiteral("cuda.json")))[QLatin1String("device")].toString(),
                 QStringLiteral("cuda:0"));
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

    void usageErrors_data() {
        const auto row = refusalRows();
        row("run", 2, "MODEL is required; see 'aotscope --help'");
        row("run sample:mlp --no-such-option", 2, "--no-such-option");
        row("run sample:mlp superfluous", 2, "superfluous");
        row("run sample:mlp --time 0", 2, "--time");
        row("run sample:mlp --time many", 2, "--time");
        row("run sample:mlp --warm-up 2", 2, "--warm-up requires --time");
        row("run sample:mlp --trace @t.json", 2, "--trace");
        row("run sample:mlp --csv @t.csv", 2, "there are no times to write; add --time N");
        row("run sample:mlp --time 1 --against --such", 2, "--against");
        row("run sample:mlp --seed x", 2, "--seed");
        row("run sample:mlp --mode fast", 2, "--mode");
        row("run sample:mlp --partition best", 2, "--partition");
        row("run sample:mlp --decompose all", 2,
            "there is no decomposition table 'all'; none, core-aten, inductor, prims, or a JSON file is expected");
        row("export sample:mlp --colour mauve -o @g.svg", 2, "--colour");
        row("run sample:mlp --compiler torchscrpt", 2, "there is no compiler 'torchscrpt' (there are 'interpreter', ");
        row("run sample:mlp --backward-compiler torchscrpt", 2, "did you mean 'torchscript'?");
        row("run sample:mlp --inference-compiler torchscrpt", 2, "did you mean 'torchscript'?");
        row("run sample:mlp --compiler-option freeze=true", 2,
            "--compiler-option freeze=true: NAME.KEY=VALUE is expected");
        row("run sample:mlp --compiler-option torchscript.freeze", 2, "NAME.KEY=VALUE is expected");
        row("run sample:mlp --compiler-option torchscript.freeze=maybe", 2, "one of 'true', 'false' is expected");
        row("run sample:mlp --plugin @missing.so", 2, "missing.so': no such file; check the path");
        row("run sample:mlp --plugin @text.txt", 2, "plug-in '");
        row("compilers --plugin " PLUGIN_OLD, 2, "it is built for 'aotscope compilers 0, LibTorch 1.0.0', this");
        row("run sample:mlp --device tpu", 2, "--device tpu: cpu, cuda or cuda:N is expected");
        row("run sample:mlp --cuda-graphs", 2, "--cuda-graphs: give --device cuda, too");
        row("train sample:mlp --steps 0", 2, "--steps");
        row("train sample:mlp --lr -1", 2, "--lr");
        row("train sample:mlp --optimizer best", 2, "--optimizer");
        row("train sample:mlp --inference", 2, "training needs gradients");
        row("train sample:sincos", 1, "the model has no parameter that requires a gradient: there is nothing to train");
        row("train sample:mlp --data @missing.pt", 1, "missing.pt': no such file; check the path");
        row("run sample:mlp --inputs @text.txt", 2,
            "a .json input spec or a .pt, .npy or .safetensors file of tensors");
        row("run @model.pt --inputs @good.json --dynamic x.0=9..2", 2,
            "--dynamic x.0=9..2: NAME=MIN..MAX is expected, for example batch=2..64");
        row("run @model.pt --inputs @good.json --dynamic x.0=a..2", 2, "NAME=MIN..MAX is expected");
        row("run @model.pt --inputs @good.json --dynamic x.0=2", 2, "NAME=MIN..MAX is expected");
        row("run @model.pt --inputs @good.json --dynamic x.0=-2..5", 2, "NAME=MIN..MAX is expected");
        row("run @model.pt --inputs @good.json --dynamic =2..5", 2, "NAME=MIN..MAX is expected");
        row("run @model.pt --inputs @good.json --dynamic x.0=2..5 --static-shapes", 2, "--static-shapes");
        row("run @model.pt --inputs @named.json --check --at batch", 2,
            "--at batch: NAME=SIZE[,NAME=SIZE...] is expected, for example batch=4,length=7");
        row("run @model.pt --inputs @named.json --check --at batch=-1", 2, "NAME=SIZE[,NAME=SIZE...] is expected");
        row("run @model.pt --inputs @named.json --check --at =3", 2, "NAME=SIZE[,NAME=SIZE...] is expected");
        row("run @model.pt --inputs @named.json --check --at batch=3,batch=4", 2, "two sizes for 'batch'; give one");
        row("run @model.pt --inputs @named.json --at batch=3", 2, "--at requires --check");
        row("run @model.pt --inputs @named.json --recompile-limit -1", 2, "--recompile-limit");
        row("run @model.pt --inputs @named.json --recompile-limit x", 2, "--recompile-limit");
        row("export sample:mlp", 2, "--output is required");
        row("export sample:mlp --graph sideways -o @x.txt", 2, "--graph sideways: one of source, forward-traced, ");
        row("export sample:mlp -o @x.doc", 2, "as 'doc': this build writes txt, json, dot");
        row("export sample:mlp -o @x", 2, "this build writes txt, json, dot");
        row("export sample:mlp --format doc -o @x", 2, "--format");
    }
    void usageErrors() { isRefusedWithoutTraces(); }

    void modelErrors_data() {
        const auto row = refusalRows();
        row("run sample:nosuch", 1, "there is no sample 'nosuch'; choose one of sincos, mlp, ");
        row("run @missing.pt", 1, "missing.pt': no such file; check the path");
        row("run @text.pt", 1, "text.pt': it is not a zip archive; a file saved by torch.jit.save is expected");
        row("run @truncated.pt --inputs @good.json", 1, "truncated.pt': the TorchScript archive is damaged");
        row("run @assigns.pt --inputs @one.json", 1, "assigns to its attribute 'w', which a pure function cannot do");
        row("passes @missing.pt", 1, "no such file; check the path");
        row("export @missing.pt -o @x.txt", 1, "no such file; check the path");
    }
    void modelErrors() { isRefusedWithoutTraces(); }

    void inputErrors_data() {
        const auto row = refusalRows();
        row("run @model.pt", 1, "model.pt' brings no example inputs; give --inputs");
        row("run @model.pt --inputs @missing.json", 1, "missing.json': no such file; check the path");
        row("run @model.pt --inputs @missing.pt", 1, "missing.pt': no such file; check the path");
        row("run @model.pt --inputs @text.pt", 1, "text.pt': it is not a file of tensors saved by torch.save");
        row("run @model.pt --inputs @broken.json", 1, "broken.json': it is not valid JSON (parse error at line 1");
        row("run @model.pt --inputs @key.json", 1, "key.json', [0]: unknown key 'dtyp'; known are shape, dtype");
        row("run @model.pt --inputs @one.json", 1, "the model takes 2 inputs (x, y), the input spec gives 1");
        row("run @model.pt --inputs @number.json", 1,
            "input 'x' of the model is of type Tensor, the input spec gives a Int");
        row("run @model.pt --inputs @dtype.json", 1, "an input of dtype int8 cannot require a gradient");
        row("run @model.pt --inputs @deep.json", 1, "deep.json'");
        row("run @model.pt --inputs @deep_list.json", 1, "deep_list.json'");
    }
    void inputErrors() { isRefusedWithoutTraces(); }

    void sizeErrors_data() {
        const auto row = refusalRows();
        row("run @model.pt --inputs @good.json --dynamic batch=2..5", 1,
            "--dynamic names 'batch', which is not a size: name a dimension of the input spec, or INPUT.DIMENSION as "
            "in "
            "'x.0'");
        row("run @model.pt --inputs @good.json --dynamic x.7=2..5", 1, "--dynamic names 'x.7', which is not a size");
        row("run @model.pt --inputs @named.json --dynamic x.0=2..9", 1,
            "it has another name there; name it in the spec");
        row("run @model.pt --inputs @named.json --dynamic batch=9..12", 1,
            "the size 'batch' is 8 in the example inputs, outside of the range that --dynamic gives; widen the range");
        row("run @model.pt --inputs @good.json --check --at x.0=4", 1,
            "'x.0' is not a size that varies; give --dynamic");
        row("run @model.pt --inputs @named.json --check --at length=4", 1,
            "'length' is not a size that varies; these do: 'batch'");
        row("run @model.pt --inputs @named.json --check --at batch=65 --recompile-limit 0", 1,
            "s0 (batch, x.size(0)) is 65, at most 64 is expected), and recompiling is switched off");
    }
    void sizeErrors() { isRefusedWithoutTraces(); }

    void pipelineErrors_data() {
        const auto row = refusalRows();
        row("run @model.pt --inputs @shape.json", 1,
            "pass 'forward-traced' failed: The size of tensor a (4) must match");
        row("run @asserts.pt --inputs @one.json", 1, "pass 'forward-traced' failed: AssertionError: too few rows");
        row("passes @asserts.pt --inputs @one.json", 1, "too few rows");
        row("run @written.pt --inputs @one.json", 1, "the model turns a tensor into text");
        row("run @cuda_only.pt --inputs @one.json", 1,
            "Could not run 'aten::_fused_dropout' with arguments from the 'CPU' backend: it has no kernel there; use");
        row("export @written.pt --inputs @one.json --graph joint -o @x.txt", 1, "the model turns a tensor into text");
        row("export sample:mlp --graph inference -o @x.txt", 1,
            "this run has no inference graph (joint graph: output 0 requires a gradient); it has source, "
            "forward-traced, functional, joint");
        row("export sample:mlp --inference --graph joint -o @x.txt", 1,
            "this run has no joint graph (inference graph: ");
        row("debug @asserts.pt --inputs @one.json", 1, "too few rows");
    }
    void pipelineErrors() { isRefusedWithoutTraces(); }

    void debugErrors_data() {
        const auto row = refusalRows();
        row("debug sample:mlp --watch nobody", 2, "'nobody': there is no such node or input");
        row("debug sample:mlp --watch rel", 2, "similar names: 'relu'");
        row("debug sample:mlp --set x", 2, "--set x: NODE=VALUE is expected");
        row("debug sample:mlp --set x=a", 1, "new value of %");
        row("debug sample:mlp --break absmax>>3", 1, "query, character");
    }
    void debugErrors() { isRefusedWithoutTraces(); }

    void writeErrors_data() {
        const auto row = refusalRows();
        row("export sample:mlp -o @no/such/folder/x.txt", 1, "cannot write '");
        row("export sample:mlp --format txt -o @.", 1, "cannot write '");
        row("run sample:sincos --report @no/such/folder/r.json", 1, "cannot write '");
    }
    void writeErrors() { isRefusedWithoutTraces(); }

    void compilers() {
        ProgramRun run = runProgram(words("compilers --plugin " PLUGIN_COUNTING));
        QVERIFY2(run.code == 0, run.text().constData());
        for (const char* name : {"\ninterpreter ", "\ntorchscript ", "\ncounting ", " freeze "})
            QVERIFY2(run.out.contains(name), run.out.constData());
        run =
            runProgram(resolved(QStringLiteral("run sample:sincos --plugin " PLUGIN_COUNTING
                                               " --compiler torchscript --backward-compiler counting "
                                               "--compiler-option counting.file=") +
                                at(QStringLiteral("runs.txt")) + QStringLiteral(" --check --report @compilers.json")));
        QVERIFY2(run.code == 0, run.text().constData());
        QVERIFY2(run.out.endsWith("\ncompilers: forward torchscript, backward counting\n"), run.out.constData());
        QCOMPARE(contentOf(at(QStringLiteral("runs.txt"))), QByteArray("backward 1\n"));
        const QJsonObject r = readJson(at(QStringLiteral("compilers.json")));
        QCOMPARE(r[QLatin1String("options")][QLatin1String("compiler")].toString(), QStringLiteral("torchscript"));
        QCOMPARE(r[QLatin1String("compilers")][1][QLatin1String("used")].toString(), QStringLiteral("counting"));
    }

    void kernelsOfSeveralNodes() {
        const ProgramRun run = runProgram(
            resolved(QStringLiteral("run sample:sincos --plugin " PLUGIN_COUNTING
                                    " --compiler counting --compiler-option counting.together=2 --backward-compiler "
                                    "interpreter --report @kernels.json")));
        QVERIFY2(run.code == 0, run.text().constData());
        QVERIFY2(run.out.endsWith("\ncompilers: forward counting (1 kernel for 2 nodes), backward interpreter\n"),
                 run.out.constData());
        const QJsonValue compilers = readJson(at(QStringLiteral("kernels.json")))[QLatin1String("compilers")];
        const QJsonArray groups = compilers[0][QLatin1String("groups")].toArray();
        QCOMPARE(groups.size(), 1);
        QCOMPARE(groups[0].toArray(), (QJsonArray{QStringLiteral("sin"), QStringLiteral("cos")}));
        QVERIFY(compilers[1][QLatin1String("groups")].toArray().isEmpty());
    }

    void compilerThatFails() {
        const ProgramRun run =
            runProgram(resolved(QStringLiteral("run sample:sincos --plugin " PLUGIN_BROKEN
                                               " --compiler broken --compiler-option broken.how=count "
                                               "--check --report @broken_compiler.json")));
        QVERIFY2(run.code == 0, run.text().constData());
        QVERIFY2(run.out.contains("\ncompilers: forward interpreter, backward interpreter\nnote: the interpreter runs "
                                  "the forward graph, for broken returned 1 value where 2 are expected\n"),
                 run.out.constData());
        const QJsonValue use = readJson(at(QStringLiteral("broken_compiler.json")))[QLatin1String("compilers")][0];
        QCOMPARE(use[QLatin1String("chosen")].toString(), QStringLiteral("broken"));
        QCOMPARE(use[QLatin1String("used")].toString(), QStringLiteral("interpreter"));
        QVERIFY(use[QLatin1String("note")].toString().contains(QLatin1String("returned 1 value")));
    }

    void graphsForTorchScript() {
        ProgramRun run = runProgram(resolved(QStringLiteral("export sample:sincos --graph forward -o @sincos.pt")));
        QVERIFY2(run.code == 0, run.text().constData());
        scratch_.write(QStringLiteral("sincos.json"), R"([{"shape":[4,5],"requires_grad":true}])");
        run = runProgram(resolved(QStringLiteral("run @sincos.pt --inputs @sincos.json --check")));
        QVERIFY2(run.code == 0, run.text().constData());
        run = runProgram(resolved(QStringLiteral("export sample:sincos --graph forward -o @sincos.jit")));
        QVERIFY2(run.code == 0, run.text().constData());
        QVERIFY(contentOf(at(QStringLiteral("sincos.jit"))).contains("aten::cos(%sin)"));
    }

    void failedRunsStillReport() {
        const QString report = at(QStringLiteral("failed.json"));
        const ProgramRun run =
            runProgram(resolved(QStringLiteral("run @written.pt --inputs @one.json --report @failed.json")));
        QCOMPARE(run.code, 1);
        const QJsonObject json = readJson(report);
        QCOMPARE(QByteArray("aotscope: ") + json[QLatin1String("error")].toString().toUtf8() + '\n', run.err);
        QCOMPARE(keysOf(json[QLatin1String("graphs")]), QStringList{QStringLiteral("source")});
        QVERIFY(QFile::remove(report));
    }

    void reportKeepsItsContract() {
        const ProgramRun run = runProgram(resolved(
            QStringLiteral("run sample:mlp --check --bisect --cross-check-fake --time 2 --report @report.json")));
        QVERIFY2(run.code == 0 && run.err.isEmpty(), run.text().constData());
        QVERIFY(run.out.contains("check: equal to eager"));
        const QJsonObject r = readJson(at(QStringLiteral("report.json")));
        QCOMPARE(r[QLatin1String("schema")].toInt(), 1);
        const auto has = [](const QJsonValue& object, const char* names) {
            for (const QString& name : words(names))
                if (!object.toObject().contains(name)) return name;
            return QString();
        };
        const auto first = [](const QJsonValue& list) { return list.toArray().first(); };
        QCOMPARE(has(r,
                     "schema model torch device options inputs metadata graphs partition passes guards compile_ms "
                     "check timing decompositions"),
                 QString());
        QCOMPARE(has(r[QLatin1String("model")], "name path kind"), QString());
        QCOMPARE(has(first(r[QLatin1String("inputs")]), "name role shape dtype requires_grad"), QString());
        const QJsonValue metadata = r[QLatin1String("metadata")];
        QCOMPARE(has(metadata, "inputs outputs num_intermediate_bases mutated_inp_runtime_indices aliased_out_indices"),
                 QString());
        QCOMPARE(has(first(metadata[QLatin1String("inputs")]),
                     "name is_leaf requires_grad mutates_data mutates_metadata mutation_type"),
                 QString());
        QCOMPARE(has(first(metadata[QLatin1String("outputs")]), "type base_idx requires_grad is_tensor"), QString());
        for (const char* graph : {"source", "forward-traced", "functional", "joint", "forward", "backward"})
            QCOMPARE(has(r[QLatin1String("graphs")][QLatin1String(graph)], "calls placeholders outputs ops text"),
                     QString());
        const QJsonValue partition = r[QLatin1String("partition")];
        QCOMPARE(has(partition, "algorithm saved saved_unique_bytes recomputed"), QString());
        QCOMPARE(has(first(partition[QLatin1String("saved")]), "name op shape dtype bytes kind reason"), QString());
        QCOMPARE(has(first(r[QLatin1String("passes")]), "name ms nodes_before nodes_after changed"), QString());
        QCOMPARE(has(r[QLatin1String("compile_ms")], "load metadata joint partition compile total"), QString());
        QCOMPARE(has(r[QLatin1String("check")],
                     "ok outputs_max_error grads_max_error inputs_after_ok aliasing_ok details "
                     "differences"),
                 QString());
        QCOMPARE(has(r[QLatin1String("bisect")], "found sentence pass node op outputs passes notes"), QString());
        QCOMPARE(has(r[QLatin1String("cross_check")], "ops_checked skipped mismatches"), QString());
        QVERIFY(r[QLatin1String("cross_check")][QLatin1String("ops_checked")].toInt() >= 32);
        const QJsonValue timing = r[QLatin1String("timing")];
        QCOMPARE(has(timing, "iterations eager compiled steps peak_bytes"), QString());
        for (const char* side : {"eager", "compiled"})
            for (const char* lap : {"forward_ms", "backward_ms"})
                QCOMPARE(has(timing[QLatin1String(side)][QLatin1String(lap)], "min median max"), QString());
        QCOMPARE(has(first(timing[QLatin1String("steps")]), "graph index node op median_us bytes"), QString());
        QCOMPARE(has(timing[QLatin1String("peak_bytes")], "eager compiled"), QString());

        QCOMPARE(r[QLatin1String("graphs")][QLatin1String("joint")][QLatin1String("ops")]
                  [QLatin1String("aten.addmm.default")]
                      .toInt(),
                 3);
        QCOMPARE(first(r[QLatin1String("inputs")])[QLatin1String("role")].toString(), QStringLiteral("parameter"));
        QVERIFY(r[QLatin1String("check")][QLatin1String("ok")].toBool());
        QCOMPARE(timing[QLatin1String("iterations")].toInt(), 2);
    }

    void timesOfTwoVariants() {
        QStringList arguments = resolved(
            QStringLiteral("run sample:bert-tiny --time 6 --warm-up 2 --report @t.json --trace @trace.json --csv "
                           "@times.csv --against"));
        arguments << QStringLiteral("--memory-budget 0.2 --decompose core-aten");
        const ProgramRun run = runProgram(arguments);
        QVERIFY2(run.code == 0 && run.err.isEmpty(), run.text().constData());
        for (const char* text : {"--memory-budget 0.2 --decompose core-aten ms", "95 % interval", "slowest modules"})
            QVERIFY2(run.out.contains(text), run.text().constData());
        const QJsonObject r = readJson(at(QStringLiteral("t.json")));
        const QJsonValue against = r[QLatin1String("against")], timing = r[QLatin1String("timing")];
        QCOMPARE(timing[QLatin1String("warm_ups")].toInt(), 2);
        QVERIFY(timing[QLatin1String("graphs")].toArray().size() == 2);
        for (const char* part : {"forward", "backward", "step"}) {
            const QJsonValue ratio = against[QLatin1String(part)][QLatin1String("ratio")];
            const double low = ratio[QLatin1String("low")].toDouble(), high = ratio[QLatin1String("high")].toDouble();
            QVERIFY(low > 0 && low <= ratio[QLatin1String("median")].toDouble() && high < 1000);
        }
        const QJsonArray steps = timing[QLatin1String("steps")].toArray();
        const QJsonArray events = readJson(at(QStringLiteral("trace.json")))[QLatin1String("traceEvents")].toArray();
        QCOMPARE(
            std::count_if(events.begin(), events.end(),
                          [](const QJsonValue& e) { return e[QLatin1String("cat")] == QLatin1String("operation"); }),
            steps.size());
        QCOMPARE(contentOf(at(QStringLiteral("times.csv"))).count('\n'), steps.size() + 1);
        // The variant compiles to other graphs; otherwise the option did nothing.
        QVERIFY(against[QLatin1String("peak_bytes")][QLatin1String("second")].toInt() !=
                against[QLatin1String("peak_bytes")][QLatin1String("first")].toInt());
    }

    void sizesThatVary() {
        const auto report = [&](const char* arguments) {
            const ProgramRun run = runProgram(
                resolved(QLatin1String("run @model.pt --check --report @sizes.json ") + QLatin1String(arguments)));
            if (run.code != 0) QTest::qFail(run.text().constData(), __FILE__, __LINE__);
            return readJson(at(QStringLiteral("sizes.json")));
        };
        const auto inputType = [](const QJsonObject& r) {
            return r[QLatin1String("graphs")][QLatin1String("joint")][QLatin1String("text")].toString();
        };
        // by the spec
        QJsonObject r = report("--inputs @named.json");
        QVERIFY2(inputType(r).contains("f32[s0, 3] = placeholder(input)"), qPrintable(inputType(r)));
        QJsonValue symbol = r[QLatin1String("symbols")].toArray().at(0);
        QCOMPARE(symbol[QLatin1String("name")].toString(), QStringLiteral("s0"));
        QCOMPARE(symbol[QLatin1String("hint")].toInt(), 8);
        QCOMPARE(symbol[QLatin1String("min")].toInt(), 2);
        QCOMPARE(symbol[QLatin1String("max")].toInt(), 64);
        QCOMPARE(symbol[QLatin1String("origin")].toString(), QStringLiteral("batch, x.size(0)"));
        QStringList guards;
        for (const auto& guard : r[QLatin1String("guards")].toArray()) {
            guards << guard[QLatin1String("text")].toString();
            QCOMPARE(guard[QLatin1String("kind")].toString(), QStringLiteral("size"));
            QVERIFY(!guard[QLatin1String("reason")].toString().isEmpty());
        }
        QCOMPARE(guards, (QStringList{QStringLiteral("s0 <= 64"), QStringLiteral("s0 >= 2")}));
        QJsonArray sizes = r[QLatin1String("check")][QLatin1String("sizes")].toArray();
        QCOMPARE(sizes.size(), 4);
        for (const auto& size : sizes) {
            QVERIFY(size[QLatin1String("ok")].toBool() && !size[QLatin1String("recompiled")].toBool());
            QVERIFY(size[QLatin1String("sizes")][QLatin1String("s0")].toInt() != 8);
        }
        QJsonValue cache = r[QLatin1String("check")][QLatin1String("cache")];
        QCOMPARE(cache[QLatin1String("hits")].toInt(), 5);
        QCOMPARE(cache[QLatin1String("misses")].toInt(), 0);
        // by options
        r = report("--inputs @good.json --dynamic x.0=2.. --at x.0=5 --at x.0=1 --at x.0=1");
        symbol = r[QLatin1String("symbols")].toArray().at(0);
        QVERIFY(symbol[QLatin1String("max")].isNull());
        QCOMPARE(symbol[QLatin1String("origin")].toString(), QStringLiteral("x.size(0)"));
        sizes = r[QLatin1String("check")][QLatin1String("sizes")].toArray();
        QCOMPARE(sizes.size(), 3);
        QCOMPARE(sizes[0][QLatin1String("recompiled")].toBool(), false);
        QCOMPARE(sizes[1][QLatin1String("recompiled")].toBool(), true);
        QCOMPARE(sizes[1][QLatin1String("reason")].toString(),
                 QStringLiteral("s0 (x.size(0)) is 1, at least 2 is expected"));
        QCOMPARE(sizes[2][QLatin1String("recompiled")].toBool(), false);
        cache = r[QLatin1String("check")][QLatin1String("cache")];
        QCOMPARE(cache[QLatin1String("hits")].toInt(), 3);
        QCOMPARE(cache[QLatin1String("misses")].toInt(), 1);
        const QJsonValue options = r[QLatin1String("options")];
        QCOMPARE(options[QLatin1String("dynamic")].toArray().at(0)[QLatin1String("name")].toString(),
                 QStringLiteral("x.0"));
        QCOMPARE(options[QLatin1String("recompile_limit")].toInt(), 8);
        // not at all
        r = report("--inputs @named.json --static-shapes --recompile-limit 3");
        QVERIFY2(inputType(r).contains("f32[8, 3] = placeholder(input)"), qPrintable(inputType(r)));
        QVERIFY(r[QLatin1String("symbols")].toArray().isEmpty());
        QVERIFY(r[QLatin1String("guards")].toArray().isEmpty());
        QVERIFY(r[QLatin1String("check")][QLatin1String("sizes")].toArray().isEmpty());
        QVERIFY(r[QLatin1String("options")][QLatin1String("static_shapes")].toBool());
        QCOMPARE(r[QLatin1String("options")][QLatin1String("recompile_limit")].toInt(), 3);
    }

    void savedSizesAreNumbers() {
        saveModel("def forward(self, x: Tensor) -> Tensor:\n    return (x * self.w).view(-1).sum() + 2 * x.size(0)",
                  at(QStringLiteral("sum.pt")).toStdString());
        const ProgramRun run = runProgram(resolved(
            QStringLiteral("run @sum.pt --inputs @good1.json --dynamic x.0 --partition default --report @sizes.json")));
        QVERIFY2(run.code == 0, run.text().constData());
        int sizes = 0;
        for (const auto& value :
             readJson(at(QStringLiteral("sizes.json")))[QLatin1String("partition")][QLatin1String("saved")].toArray()) {
            if (value[QLatin1String("kind")].toString() != QLatin1String("symint")) {
                QVERIFY(value[QLatin1String("type")].toString().startsWith(QLatin1String("f32[")));
                continue;
            }
            ++sizes;
            QVERIFY(value[QLatin1String("type")].toString().startsWith(QLatin1String("Sym(")));
            QCOMPARE(value[QLatin1String("bytes")].toInt(), 8);
            QCOMPARE(value[QLatin1String("dtype")].toString(), QStringLiteral("int64"));
        }
        QVERIFY2(sizes > 0 && run.out.contains("Sym("), run.out.constData());
    }

    void optionsReachThePipeline_data() {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QStringList>("graphs");
        QTest::addColumn<QString>("algorithm");
        const auto row = [](const char* arguments, const char* graphs, const char* algorithm) {
            QTest::newRow(arguments) << arguments << words(graphs) << algorithm;
        };
        const char* training = "backward forward forward-traced functional joint source";
        row("sample:mlp --partition default", training, "default");
        row("sample:mlp --partition min-cut", training, "min-cut");
        row("sample:mlp --static-params", training, "min-cut");
        row("sample:mlp --inference", "forward-traced functional inference source", "");
        row("sample:mlp --mode eval --seed 7 --verify", training, "min-cut");
        row("@model.pt --inputs @good.json", training, "min-cut");
    }
    void optionsReachThePipeline() {
        QFETCH(QString, arguments);
        QFETCH(QStringList, graphs);
        QFETCH(QString, algorithm);
        const ProgramRun run = runProgram(
            resolved(QStringLiteral("run ") + arguments + QStringLiteral(" --check --report @options.json")));
        QVERIFY2(run.code == 0, run.text().constData());
        const QJsonObject r = readJson(at(QStringLiteral("options.json")));
        QCOMPARE(keysOf(r[QLatin1String("graphs")]), graphs);
        QCOMPARE(r[QLatin1String("partition")][QLatin1String("algorithm")].toString(), algorithm);
        const QJsonValue options = r[QLatin1String("options")];
        QCOMPARE(options[QLatin1String("static_params")].toBool(), arguments.contains(QLatin1String("static")));
        QCOMPARE(options[QLatin1String("mode")].toString(),
                 arguments.contains(QLatin1String("eval")) ? QStringLiteral("eval") : QStringLiteral("train"));
        QCOMPARE(options[QLatin1String("seed")].toInt(), arguments.contains(QLatin1String("seed")) ? 7 : 0);
    }

    /// JSON holds only valid UTF-8; a path may hold any bytes.
    void pathsThatAreNoUtf8() {
        const QString command = QStringLiteral(
            "file=\"$1/$(printf 'm\\377.pt')\"; cp \"$1/model.pt\" \"$file\"; "
            "\"$0\" run \"$file\" --inputs \"$1/good.json\" --report \"$1/bytes.json\"; code=$?; rm \"$file\"; exit "
            "$code");
        QCOMPARE(QProcess::execute(QStringLiteral("sh"),
                                   {QStringLiteral("-c"), command, QStringLiteral(AOTSCOPE_PROGRAM), scratch_.path()}),
                 0);
        QVERIFY(readJson(at(QStringLiteral("bytes.json"))).contains(QLatin1String("model")));
    }

    void staticParametersAreSavedForFree() {
        const ProgramRun run = runProgram(words("run sample:mlp --static-params"));
        QVERIFY2(run.out.contains("in memory anyway: saving it is free"), run.text().constData());
    }

    void sameOptionsSameGraphs() {
        const auto graphs = [&](const char* name) {
            const ProgramRun run =
                runProgram(resolved(QStringLiteral("run sample:gpt2-tiny --seed 3 --report @") + QLatin1String(name)));
            return run.code == 0 ? readJson(at(QLatin1String(name)))[QLatin1String("graphs")].toObject()
                                 : QJsonObject();
        };
        const QJsonObject first = graphs("first.json");
        QCOMPARE(first.size(), 6);
        QCOMPARE(graphs("second.json"), first);
    }

    // --- partition and diff ---

    void partitionIsExplained() {
        const ProgramRun run = runProgram(words("partition sample:gpt2-tiny --budget 0.3"));
        QVERIFY2(run.code == 0, run.text().constData());
        for (const char* text : {"saved", "recomputed", "distance", "flow", "reason", "cannot recompute: primal input",
                                 "min-cut partition of", "memory budget 0.3"})
            QVERIFY2(run.out.contains(text), text);
    }

    void partitionAsJson() {
        const ProgramRun run = runProgram(
            resolved(QStringLiteral("partition sample:mlp --budget 0 --report @inputs_only.json --save relu")));
        QVERIFY2(run.code == 0, run.text().constData());
        const QJsonObject report = readJson(at(QStringLiteral("inputs_only.json")));
        const QJsonValue partition = report[QLatin1String("partition")];
        QCOMPARE(partition[QLatin1String("memory_budget")][QLatin1String("cut")], QLatin1String("inputs only"));
        QCOMPARE(report[QLatin1String("options")][QLatin1String("partitioning")][QLatin1String("save")][0],
                 QLatin1String("relu"));
        QStringList saved;
        for (const auto& value : partition[QLatin1String("decisions")].toArray())
            if (value[QLatin1String("fate")].toString() == QLatin1String("saved") &&
                !value[QLatin1String("name")].toString().startsWith(QLatin1String("primals")))
                saved << value[QLatin1String("name")].toString();
        QVERIFY2(saved.contains(QStringLiteral("relu")), qPrintable(saved.join(QLatin1Char(' '))));
        const ProgramRun toScreen = runProgram(words("partition sample:mlp --report"));
        QVERIFY(QJsonDocument::fromJson(toScreen.out).object().contains(QLatin1String("partition")));
    }

    void badPartitions_data() {
        const auto row = refusalRows();
        row("partition sample:mlp --save relo", 1, "no node 'relo'; did you mean 'relu'");
        row("partition sample:mlp --recompute x", 1, "it is an input");
        row("partition sample:mlp --budget 2", 2, "--memory-budget");
        row("partition sample:mlp --solver magic", 2, "--solver");
        row("partition sample:mlp --no-ban magic", 2, "--no-ban");
        row("partition sample:mlp --inference", 1, "nothing to partition");
        row("run sample:gpt2-tiny --budget 0.1 --estimator measured", 1, "aotscope partition");
        row("diff @good.json @good.json", 1, "is not a report");
        row("diff sample:mlp sample:mlp --graph magic", 2, "--graph magic");
        row("diff sample:mlp @missing.json", 1, "missing.json");
        row("diff sample:mlp", 2, "a second model or report is expected after 'sample:mlp', or --passes FROM..TO");
        row("diff sample:mlp sample:mlp --passes functional..joint", 2, "OTHER excludes --passes");
        row("diff sample:mlp --passes functional..joint --graph joint", 2, "--passes excludes --graph");
        row("diff sample:mlp --passes functional", 2, "--passes functional: FROM..TO is expected");
        row("diff sample:mlp --passes functional..", 2, "FROM..TO is expected");
        row("diff sample:mlp --passes functional..magic", 2,
            "no pass or graph 'magic'; it has 'source', 'forward-traced', 'functional', 'joint'");
        row("diff sample:mlp --passes joint..partition", 2,
            "pass 'partition' has left 2 graphs; name one of 'forward', 'backward'");
        row("diff @asserts.pt --inputs @one.json --passes source..joint", 1, "too few rows");
        row("diff sample:mlp sample:mlp -o @difference.doc", 2, "cannot draw '");
    }
    void badPartitions() { isRefused(scratch_); }

    void operationsAreTimedForTheBudget() {
        const ProgramRun run =
            runProgram(words("partition sample:gpt2-tiny --budget 0.1 --estimator measured --report"));
        QVERIFY2(run.code == 0, run.text().constData());
    }

    void differencesOfReports() {
        const auto report = [&](const char* arguments) {
            const ProgramRun run =
                runProgram(resolved(QStringLiteral("partition sample:gpt2-tiny ") + QLatin1String(arguments)));
            QVERIFY2(run.code == 0, run.text().constData());
        };
        report("--report @fast.json");
        report("--report @small.json --budget 0.1");
        const ProgramRun changed = runProgram(resolved(QStringLiteral("diff @fast.json @small.json --fail-on-change")));
        QCOMPARE(changed.code, 3);
        QVERIFY2(changed.out.contains("no longer") && changed.out.contains("backward"), changed.text().constData());
        QCOMPARE(runProgram(resolved(QStringLiteral("diff @fast.json @small.json"))).code, 0);
        const ProgramRun joint =
            runProgram(resolved(QStringLiteral("diff @fast.json @small.json --graph joint --fail-on-change")));
        QCOMPARE(joint.code, 0);
        QCOMPARE(joint.out, QByteArray("no difference\n"));
        const ProgramRun json = runProgram(resolved(QStringLiteral("diff @fast.json @small.json --json")));
        QVERIFY(QJsonDocument::fromJson(json.out)[QLatin1String("changed")].toBool());
        const ProgramRun model =
            runProgram(resolved(QStringLiteral("diff @fast.json sample:gpt2-tiny --fail-on-change")));
        QVERIFY2(model.code == 0, model.text().constData());
    }

    void differencesOfPasses() {
        const ProgramRun run = runProgram(words("diff sample:mutations --passes forward-traced..functional"));
        QVERIFY2(run.code == 0, run.text().constData());
        for (const char* line :
             {"~ %add : f32[3, 5] = aten.add.Tensor(%primals_2, %primals_5)  # op aten.add_.Tensor -> "
              "aten.add.Tensor\n",
              "\n+ %clone : f32[4, 4] = aten.clone.default(%primals_4)\n", "\n1 added, 5 changed\n"})
            QVERIFY2(run.out.contains(line), run.out.constData());
        const ProgramRun same = runProgram(words("diff sample:mlp --passes joint..joint --fail-on-change"));
        QCOMPARE(same.code, 0);
        QCOMPARE(same.out, QByteArray("no difference\n"));
        QCOMPARE(runProgram(words("diff sample:mlp --passes joint..backward --fail-on-change")).code, 3);
    }

    void differencesOfPassesAsJson() {
        const ProgramRun run = runProgram(words("diff sample:mlp --passes functional..joint --json"));
        const QJsonObject json = QJsonDocument::fromJson(run.out).object();
        QVERIFY2(json[QLatin1String("changed")].toBool(), run.text().constData());
        int added = 0;
        for (const auto& node : json[QLatin1String("nodes")].toArray())
            added += node[QLatin1String("fate")].toString() == QLatin1String("added");
        QVERIFY(added > 0);
        QCOMPARE(json[QLatin1String("counts")][QLatin1String("added")].toInt(), added);
    }

    void passesTable() {
        const ProgramRun run = runProgram(words("passes sample:mlp"));
        QCOMPARE(run.code, 0);
        QStringList names;
        for (const QByteArray& line : run.out.split('\n'))
            if (!line.isEmpty()) names << QString::fromUtf8(line).section(QLatin1Char(' '), 0, 0);
        QVERIFY2(run.out.startsWith("mlp, compilation 0\n"), run.out.constData());
        names.remove(0, 2);  // what was compiled, and the heading
        QCOMPARE(names,
                 words("source forward-traced functional joint dead-code common-subexpressions partition compile"));
    }

    void debuggedRuns_data() {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("out");  // an expression
        const QString model = QStringLiteral("@model.pt --inputs @good.json ");
        const auto add = [&](const char* name, const char* arguments, int code, const char* out) {
            QTest::newRow(name) << QString(model + QLatin1String(arguments)) << code << QString::fromLatin1(out);
        };
        add("to the end", "", 0, "^ended: the run has ended\nposition: the backward has ended\n$");
        add("before an operation", "--break op:add", 0,
            "^breakpoint: .*'op:add'.*%add = .*\nposition: forward, step 2 of");
        add("after a value", "--break max>9 --set x=100", 0, "^breakpoint: .*'max>9'.*%mul = ");
        add("a planted NaN", "--set x=[0,1]=nan --first-nan", 3, "^not finite: %.* has a NaN: f32\\[2, 3\\].* 1 NaN");
        add("no NaN", "--first-nan", 0, "^ended: ");
        add("as eager", "--against-eager", 0, "^ended: ");
        add("not as eager", "--against-eager --set mul=[0,0]=7", 3, "^difference: %mul = .*differs from eager");
        add("as itself", "--against @model.pt", 0, "^ended: ");
        add("not as another", "--against sample:sincos", 3, "^difference: %primals_1 .*the other run has ");
        add("watched", "--watch mul --watch w", 0,
            "forward %mul: f32\\[2, 3\\]: 6 elements .*\n  .*\nforward %[a-z0-9_]+: f32\\[3\\]");
    }
    void debuggedRuns() {
        QFETCH(QString, arguments);
        QFETCH(int, code);
        QFETCH(QString, out);
        const ProgramRun run = runProgram(resolved(QStringLiteral("debug ") + arguments));
        QVERIFY2(run.code == code, run.err + run.out);
        const QRegularExpression expected(out, QRegularExpression::MultilineOption);
        QVERIFY2(expected.match(QString::fromUtf8(run.out)).hasMatch(), run.out);
    }
    void debuggedRunsAsJson() {
        const ProgramRun run = runProgram(
            words("debug sample:mlp --json --break op=relu --set x=[0,0]=nan --watch relu --watch backward:mm"));
        QVERIFY2(run.code == 0, run.err);
        const QJsonObject all = QJsonDocument::fromJson(run.out).object();
        QCOMPARE(all[QLatin1String("schema")].toInt(), 1);
        QCOMPARE(all[QLatin1String("stop")][QLatin1String("reason")].toString(), QStringLiteral("breakpoint"));
        QCOMPARE(all[QLatin1String("position")][QLatin1String("node")].toString(), QStringLiteral("relu"));
        const QJsonArray values = all[QLatin1String("values")].toArray();
        QCOMPARE(values.size(), 3);
        QVERIFY(!values[1].toObject().contains(QLatin1String("min")));  // not computed yet
        QCOMPARE(values[2][QLatin1String("graph")].toString(), QStringLiteral("backward"));
    }

    void exports_data() {
        QTest::addColumn<QString>("graph");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("start");
        const auto row = [](const char* graph, const char* file, const char* format, const char* start) {
            QTest::addRow("%s %s", graph, file) << graph << file << format << start;
        };
        for (const char* graph : {"source", "forward-traced", "functional", "joint", "forward", "backward"})
            row(graph, "x.txt", "", "graph ");
        row("joint", "x.json", "", "{\n");
        row("joint", "x.dot", "", "digraph");
        row("forward", "x.dot", "json", "{\n");
        row("forward", "x", "txt", "graph forward\n");
    }
    void exports() {
        QFETCH(QString, graph);
        QFETCH(QString, file);
        QFETCH(QString, format);
        QFETCH(QString, start);
        QStringList arguments = resolved(QStringLiteral("export sample:mlp --graph %1 -o @%2").arg(graph, file));
        if (!format.isEmpty()) arguments << QStringLiteral("--format") << format;
        const ProgramRun run = runProgram(arguments);
        QVERIFY2(run.code == 0 && run.err.isEmpty(), run.text().constData());
        QVERIFY2(run.out.startsWith(graph.toUtf8() + " graph ("), run.out.constData());
        QFile written(at(file));
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray content = written.readAll();
        QVERIFY2(content.startsWith(start.toUtf8()), content.left(100).constData());
        if (start == QLatin1String("{\n")) {
            const QJsonObject json = readJson(at(file));
            QCOMPARE(json[QLatin1String("graph")].toString(), graph);
            QVERIFY(json[QLatin1String("nodes")].toArray().size() > 5);
        }
        QVERIFY(written.remove());
    }

    void exportsReplaceWholeFiles() {
        scratch_.write(QStringLiteral("old.txt"), QByteArray(100000, 'x'));
        QCOMPARE(runProgram(resolved(QStringLiteral("export sample:sincos --graph source -o @old.txt"))).code, 0);
        QFile file(at(QStringLiteral("old.txt")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(),
                 QByteArray("graph source\n  %x : ? = placeholder(input)\n"
                            "  # (top level) (SinCos), small.py:3: return x.sin().cos()\n"
                            "  %sin : ? = aten.sin.default(%x)\n"
                            "  %cos : ? = aten.cos.default(%sin)\n  return [%cos : output \"output 0\"]\n"));
        // No temporary file is left next to it.
        for (const QString& name : scratch_.files()) QVERIFY2(!name.contains(QLatin1String(".tmp")), qPrintable(name));
    }

    // --- pareto ---

    void budgetsAreCostedAndMeasured() {
        const ProgramRun run = runProgram(words("pareto sample:mlp --points 3 --measure --json"));
        QVERIFY2(run.code == 0, run.text());
        const QJsonArray points = QJsonDocument::fromJson(run.out).object()[QLatin1String("points")].toArray();
        QCOMPARE(points.size(), 3);
        double lastSaved = -1;
        for (int i = 0; i < 3; ++i) {
            const QJsonObject point = points[i].toObject();
            QCOMPARE(point[QLatin1String("budget")].toDouble(), i / 2.0);
            const double saved = point[QLatin1String("saved_bytes")].toDouble();
            QVERIFY(saved >= lastSaved);
            lastSaved = saved;
            const QJsonObject measured = point[QLatin1String("measured")].toObject();
            QCOMPARE(measured[QLatin1String("saved_bytes")].toDouble(), saved);
            QCOMPARE(measured[QLatin1String("peak_bytes")].toDouble(),
                     point[QLatin1String("predicted_peak_bytes")].toDouble());
            QVERIFY(measured[QLatin1String("forward_ms")].toDouble() > 0);
        }
        const ProgramRun table = runProgram(words("pareto sample:mlp --points 2"));
        QVERIFY(table.out.startsWith("budget"));
        QVERIFY(table.out.contains("\n0.000 ") || table.out.contains("\n 0.000 "));
        QVERIFY(!table.out.contains("measured"));
    }

    void paretoRefusals() {
        const ProgramRun noBudgets = runProgram(words("pareto sample:mlp --partition default"));
        QCOMPARE(noBudgets.code, 2);
        QVERIFY2(noBudgets.oneSentence() && noBudgets.err.contains("only min-cut has memory budgets"),
                 noBudgets.text());
        const ProgramRun inference = runProgram(words("pareto sample:mlp --inference"));
        QCOMPARE(inference.code, 1);
        QVERIFY2(inference.oneSentence() && inference.err.contains("nothing to partition"), inference.text());
    }
};

QTEST_GUILESS_MAIN(TestCli)
#include "test_cli.moc"
