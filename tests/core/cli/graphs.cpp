// The subcommands export, diff and passes.

#include "test_cli.h"

using namespace aotscope::test;

void TestCli::differencesOfReports() {
    const auto report = [&](const char* arguments) {
        const ProgramRun run = runProgram(resolved(u"partition sample:gpt2-tiny "_s + QLatin1String(arguments)));
        QVERIFY2(run.code == 0, run.text().constData());
    };
    report("--report @fast.json");
    report("--report @small.json --budget 0.1");
    const ProgramRun changed = runProgram(resolved(u"diff @fast.json @small.json --fail-on-change"_s));
    QCOMPARE(changed.code, 3);
    QVERIFY2(changed.out.contains("no longer") && changed.out.contains("backward"), changed.text().constData());
    QCOMPARE(runProgram(resolved(u"diff @fast.json @small.json"_s)).code, 0);
    const ProgramRun joint = runProgram(resolved(u"diff @fast.json @small.json --graph joint --fail-on-change"_s));
    QCOMPARE(joint.code, 0);
    QCOMPARE(joint.out, QByteArray("no difference\n"));
    const ProgramRun json = runProgram(resolved(u"diff @fast.json @small.json --json"_s));
    QVERIFY(QJsonDocument::fromJson(json.out)["changed"_L1].toBool());
    const ProgramRun model = runProgram(resolved(u"diff @fast.json sample:gpt2-tiny --fail-on-change"_s));
    QVERIFY2(model.code == 0, model.text().constData());
}

/// Differences within nodes only: a constant, a size. Texts, JSON and exit codes agree.
void TestCli::differencesWithinNodes() {
    const auto report = [&](const char* name, const char* code, const char* inputs) {
        const ProgramRun run = runProgram({u"run"_s, u"-e"_s, QLatin1String(code), u"--inputs"_s, QLatin1String(inputs),
                                           u"--report"_s, scratch_.at(QLatin1String(name))});
        QVERIFY2(run.code == 0, run.text().constData());
    };
    const char *twice = "def f(x, y): return (x * y).sin() * 2.0", *thrice = "def f(x, y): return (x * y).sin() * 3.0",
               *small = "f32[4, 5] grad, f32[5]", *large = "f32[40, 5] grad, f32[5]";
    report("a.json", twice, small);
    report("same.json", twice, small);
    report("b.json", thrice, small);
    report("large.json", twice, large);
    const auto diff = [&](const char* arguments) {
        return runProgram(resolved(u"diff "_s + QLatin1String(arguments) + u" --fail-on-change"_s));
    };
    QCOMPARE(diff("@a.json @same.json").code, 0);
    QVERIFY(diff("@a.json @same.json").out.startsWith("no difference\n"));
    const ProgramRun constant = diff("@a.json @b.json");
    QCOMPARE(constant.code, 3);
    QVERIFY2(constant.out.contains("arguments (%sin, 2.0) -> (%sin, 3.0)"), constant.text().constData());
    QCOMPARE(diff("@a.json @b.json --ignore constants").code, 0);
    QCOMPARE(diff("@a.json @large.json").code, 3);
    QCOMPARE(diff("@a.json @large.json --ignore shapes").code, 0);
    QCOMPARE(diff("@a.json @b.json --ignore names,order,shapes").code, 3);
    const QJsonObject json = QJsonDocument::fromJson(diff("@a.json @b.json --json").out).object();
    QVERIFY(json["changed"_L1].toBool());
    const QJsonObject graph = json["graphs"_L1].toArray().at(0).toObject();
    const QJsonObject node = graph["nodes"_L1].toArray().at(0).toObject();
    QCOMPARE(node["aspects"_L1].toArray().at(0).toString(), u"constants"_s);
    const char* pair = "f32[4, 2] grad";
    report("two.json", "def f(x): return x * torch.tensor([2.0, 3.0])", pair);
    report("three.json", "def f(x): return x * torch.tensor([2.0, 3.5])", pair);
    const ProgramRun tensors = diff("@two.json @three.json");
    QVERIFY2(tensors.code == 3 && tensors.out.contains("3.5"), tensors.text().constData());
    const ProgramRun unknown = diff("@a.json @b.json --ignore colour");
    QVERIFY2(unknown.code == 2 && unknown.err.contains("expected one of operations, arguments"),
             unknown.text().constData());
}

void TestCli::differencesOfPasses() {
    const ProgramRun run = runProgram(words("diff sample:mutations --passes forward-traced..functional"));
    QVERIFY2(run.code == 0, run.text().constData());
    for (const char* line : {"~ %add : f32[3, 5] = aten.add.Tensor(%primals_2, %primals_5)  # op aten.add_.Tensor -> "
                             "aten.add.Tensor\n",
                             "\n+ %clone : f32[4, 4] = aten.clone.default(%primals_4)\n", "\n1 added, 5 changed\n"})
        QVERIFY2(run.out.contains(line), run.out.constData());
    const ProgramRun same = runProgram(words("diff sample:mlp --passes joint..joint --fail-on-change"));
    QCOMPARE(same.code, 0);
    QCOMPARE(same.out, QByteArray("no difference\n"));
    QCOMPARE(runProgram(words("diff sample:mlp --passes joint..backward --fail-on-change")).code, 3);
}

void TestCli::differencesOfPassesAsJson() {
    const ProgramRun run = runProgram(words("diff sample:mlp --passes functional..joint --json"));
    const QJsonObject json = QJsonDocument::fromJson(run.out).object();
    QVERIFY2(json["changed"_L1].toBool(), run.text().constData());
    int added = 0;
    for (const auto& node : json["nodes"_L1].toArray()) added += node["fate"_L1].toString() == "added"_L1;
    QVERIFY(added > 0);
    QCOMPARE(json["counts"_L1]["added"_L1].toInt(), added);
}

void TestCli::passesTable() {
    const ProgramRun run = runProgram(words("passes sample:mlp"));
    QCOMPARE(run.code, 0);
    QStringList names;
    for (const QByteArray& line : run.out.split('\n'))
        if (!line.isEmpty()) names << QString::fromUtf8(line).section(u' ', 0, 0);
    QVERIFY2(run.out.startsWith("mlp, compilation 0\n"), run.out.constData());
    names.remove(0, 2);  // what was compiled, and the heading
    QCOMPARE(names, words("source forward-traced functional joint dead-code common-subexpressions partition compile"));
}

/// On stderr, and only as requested.
void TestCli::passesLog() {
    const ProgramRun info = runProgram(words("passes sample:mlp --log info"));
    QCOMPARE(info.code, 0);
    QVERIFY2(info.out.startsWith("mlp, compilation 0\n"), info.out.constData());
    QVERIFY2(info.err.contains("info     joint: ") && !info.err.contains("debug"), info.err.constData());
    const ProgramRun debug = runProgram(words("run sample:mlp --log debug"));
    QVERIFY2(debug.err.contains("debug    joint: mlp__0_joint"), debug.err.constData());
    QCOMPARE(runProgram(words("passes sample:mlp --log loud")).code, 2);
}

void TestCli::exports_data() {
    columns<QString, QString, QString, QString>("graph", "file", "format", "start");
    const auto row = [](const char* graph, const char* file, const char* format, const char* start) {
        QTest::addRow("%s %s", graph, file) << graph << file << format << start;
    };
    for (const char* graph : {"source", "forward-traced", "functional", "joint", "forward", "backward"})
        row(graph, "x.txt", "", "graph ");
    row("joint", "x.json", "", "{\n");
    row("joint", "x.dot", "", "digraph");
    row("joint", "x.py", "", "# the joint graph of mlp, as written by aotscope.\n");
    row("forward", "x.dot", "json", "{\n");
    row("forward", "x", "txt", "graph forward\n");
}
void TestCli::exports() {
    FETCH(QString, graph, file, format, start);
    QStringList arguments = resolved(u"export sample:mlp --graph %1 -o @%2"_s.arg(graph, file));
    if (!format.isEmpty()) arguments << u"--format"_s << format;
    const ProgramRun run = runProgram(arguments);
    QVERIFY2(run.code == 0 && run.err.isEmpty(), run.text().constData());
    QVERIFY2(run.out.startsWith(graph.toUtf8() + " graph ("), run.out.constData());
    QFile written(at(file));
    QVERIFY(written.open(QIODevice::ReadOnly));
    const QByteArray content = written.readAll();
    QVERIFY2(content.startsWith(start.toUtf8()), content.left(100).constData());
    if (start == "{\n"_L1) {
        const QJsonObject json = readJson(at(file));
        QCOMPARE(json["graph"_L1].toString(), graph);
        QVERIFY(json["nodes"_L1].toArray().size() > 5);
    }
    QVERIFY(written.remove());
}

/// The graph of one pass, Python's values in a file of their own, and both sides of a difference.
void TestCli::exportsOfPasses() {
    const auto run = [&](const char* arguments) { return runProgram(resolved(QLatin1String(arguments))); };
    const ProgramRun early = run("export sample:mlp --pass joint -o @x.txt");
    const ProgramRun late = run("export sample:mlp --graph backward --pass partition -o @y.py --values @y.pt");
    QVERIFY2(early.code == 0 && early.out.startsWith("joint graph ("), early.text().constData());
    QVERIFY2(late.code == 0 && late.out.startsWith("backward graph ("), late.text().constData());
    QVERIFY(contentOf(at(u"y.py"_s)).contains("with_name('y.pt')"));
    QVERIFY(contentOf(at(u"y.pt"_s)).startsWith("PK"));
    // Otherwise only values that random numbers cannot replace: those saved by the forward.
    const ProgramRun made = run("export sample:mlp --graph backward -o @z.py"),
                     joint = run("export sample:mlp -o @j.py");
    QVERIFY2(made.code == 0 && made.out.contains("z.values.pt"), made.text().constData());
    const QByteArray program = contentOf(at(u"z.py"_s));
    QVERIFY2(program.contains("kept[") && program.contains("floats(["), program.constData());
    QVERIFY(contentOf(at(u"z.values.pt"_s)).startsWith("PK"));
    QVERIFY(joint.code == 0 && !QFile::exists(at(u"j.values.pt"_s)));
    const ProgramRun both = run("diff sample:mlp --passes joint..dead-code -o @both.py");
    QVERIFY2(both.code == 0, both.text().constData());
    const QByteArray text = contentOf(at(u"both.py"_s));
    QVERIFY(text.contains("class joint(torch.nn.Module):") && text.contains("class joint_1(torch.nn.Module):"));
    QCOMPARE(run("export sample:mlp --pass nothing -o @x.txt").code, 2);
    QCOMPARE(run("export sample:mlp --values @v.pt -o @x.txt").code, 2);
    QVERIFY(!QFile::exists(at(u"v.pt"_s)));
}

void TestCli::exportsReplaceWholeFiles() {
    scratch_.write(u"old.txt"_s, QByteArray(100000, 'x'));
    QCOMPARE(runProgram(resolved(u"export sample:sincos --graph source -o @old.txt"_s)).code, 0);
    QFile file(at(u"old.txt"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(),
             QByteArray("graph source\n  %x : f32[4, 5] = placeholder(input)\n"
                        "  # (top level) (SinCos), small.py:3: return x.sin().cos()\n"
                        "  %sin : ? = aten.sin.default(%x)\n"
                        "  %cos : ? = aten.cos.default(%sin)\n  return [%cos : output \"output 0\"]\n"));
    // No temporary file is left next to it.
    for (const QString& name : scratch_.files()) QVERIFY2(!name.contains(".tmp"_L1), qPrintable(name));
}
