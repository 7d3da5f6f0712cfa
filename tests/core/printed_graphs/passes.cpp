// Folders of graphs printed by passes. Those in tests/data/printed/passes come from PyTorch.

#include "printed_files.h"
#include "test_printed_graphs.h"

#include "io/history_text.h"
#include "io/text_report.h"
#include "load/printed/log/pass_name.h"
#include "passes/breakpoints.h"
#include "record/graph_difference.h"
#include "record/pass_steps.h"
#include "support/text.h"

#include <sys/stat.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

QString passesFolder(const char* name) { return dataFolder() + u"passes/"_s + QLatin1String(name); }

QStringList titlesOf(const CompileRecord& record) {
    QStringList titles;
    for (const PassRecord& pass : record.passes) titles << (pass.changed ? u"*"_s : QString()) + q(name(pass));
    return titles;
}

/// A graph of one line for each operation.
QByteArray graphOf(const QStringList& operations) {
    QByteArray text = "class G(torch.nn.Module):\n    def forward(self, x: \"f32[4]\", y: \"f32[4]\"):\n";
    for (const QString& operation : operations)
        text += "        " + QString(operation).replace(u" = "_s, u": \"f32[4]\" = torch.ops.aten."_s).toUtf8() + "\n";
    return text + "        return (" + operations.back().section(u' ', 0, 0).toUtf8() + ",)\n";
}

const QStringList kPlain = {u"sin = sin.default(x)"_s, u"mul = mul.Tensor(sin, y)"_s, u"cos = cos.default(mul)"_s};
const QStringList kWithClone = {kPlain[0], u"clone = clone.default(sin)"_s, u"mul = mul.Tensor(clone, y)"_s, kPlain[2]};
const QStringList kInPlace = {kPlain[0], kWithClone[1], u"mul = div.Tensor(clone, y)"_s, kPlain[2]};

/// The operations of a step graph, by half.
std::pair<QStringList, QStringList> halvesOf(const Graph& graph) {
    std::pair<QStringList, QStringList> halves;
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::call)
            (node->stage == Stage::forward ? halves.first : halves.second) << q(node->name());
    return halves;
}

class FirstHit : public PassObserver {
public:
    explicit FirstHit(Breakpoint breakpoint) : breakpoints_({std::move(breakpoint)}) {}
    void betweenPasses(const CompileRecord& record, std::string_view next, const Progress&) override {
        seen << q(next);
        if (const auto hit = testBreakpoints(breakpoints_, record, next); hit && reason.isEmpty())
            reason = q(hit->reason);
    }
    QString reason;
    QStringList seen;

private:
    std::vector<Breakpoint> breakpoints_;
};

}  // namespace

void TestPrintedGraphs::namesOfPasses_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("read");  // function, when, title, number
    QTest::newRow("tlparse") << "after_remove_detach_7"
                             << "|2|remove_detach|7";
    QTest::newRow("traced") << "make_fx_graph_traced_0"
                            << "|0|make_fx_graph_traced|0";
    QTest::newRow("vLLM") << "__compiled_fn_1_post_grad.0.NoOpEliminationPass.before_0"
                          << "__compiled_fn_1|1|0.NoOpEliminationPass|0";
    QTest::newRow("UUID") << "__compiled_fn_12_0a1b2c3d_0000_1111_2222_0123456789ab_Captured_Graph_0"
                          << "__compiled_fn_12_0a1b2c3d_0000_1111_2222_0123456789ab|0|Captured_Graph|0";
    QTest::newRow("no UUID") << "__compiled_fn_12_deadbeef_pass"
                             << "__compiled_fn_12|0|deadbeef_pass|";
    QTest::newRow("a stage is no pass") << "AFTER_POST_GRAD_0"
                                        << "|0|AFTER_POST_GRAD|0";
    QTest::newRow("words") << "after fusing"
                           << "|2|fusing|";
    QTest::newRow("only a word") << "after"
                                 << "|0|after|";
    QTest::newRow("part of a word") << "afterburner"
                                    << "|0|afterburner|";
    QTest::newRow("only a number") << "12"
                                   << "|0|12|";
    QTest::newRow("too large") << "x_99999999999999999999999"
                               << "|0|x_99999999999999999999999|";
    QTest::newRow("nothing") << ""
                             << "|0||";
}
void TestPrintedGraphs::namesOfPasses() {
    FETCH(QString, name, read);
    const PassName result = readPassName(name.toStdString());
    QCOMPARE(u"%1|%2|%3|%4"_s.arg(q(result.function))
                 .arg(static_cast<int>(result.when))
                 .arg(q(result.title), result.number ? QString::number(*result.number) : QString()),
             read);
}

void TestPrintedGraphs::aFolderIsARunWithPasses() {
    const auto session = openFile(passesFolder("step"));
    const auto record = session->record();
    QCOMPARE(q(record->error), QString());
    QCOMPARE(q(record->model.name), u"step"_s);
    QVERIFY(record->warnings.empty());
    // A graph printed before a pass is the result of the previous pass.
    QCOMPARE(titlesOf(*record), (QStringList{u"make_fx_graph_traced"_s, u"*remove_detach_2"_s, u"*add_clones"_s,
                                             u"*view_to_reshape"_s, u"remove_detach_8"_s}));
    QCOMPARE(session->compileIds().size(), std::size_t(1));
    const auto counts = [&](std::size_t pass) {
        std::map<std::string, int> kinds;
        for (const PassStep& step : stepsOf(*record, pass)) ++kinds[step.kind];
        return kinds;
    };
    // Three detach of the forward, and three of the backward.
    QCOMPARE(counts(1).at("removed"), 6);
    QVERIFY(!counts(1).contains("added"));
    QCOMPARE(counts(2).at("added"), 3);
    QCOMPARE(counts(3), (std::map<std::string, int>{{"changed", 3}}));
    QVERIFY(stepsOf(*record, 4).empty());
    const QString history = q(historyText(*record, historyOfName(record, "%clone_default_1")));
    QVERIFY2(history.contains(u"introduced by add_clones"_s), qPrintable(history));
    const QString changed = q(historyText(*record, historyOfName(record, "view_1")));
    QVERIFY2(changed.contains(u"there from the start"_s), qPrintable(changed));
    QVERIFY2(changed.contains(u"op aten.view.default -> aten.reshape.default"_s), qPrintable(changed));
    const QString gone = q(historyText(*record, historyOfName(record, "detach_3")));
    QVERIFY2(gone.contains(QRegularExpression(u"remove_detach_2 +joint +gone"_s)), qPrintable(gone));
    QVERIFY(
        errorOf([&] { historyOfName(record, "clone_default_17"); }).contains(u"similar names are 'clone_default_1'"_s));
    QVERIFY(passesText(*record).find("view_to_reshape") != std::string::npos);
}

void TestPrintedGraphs::aStepIsToldApart_data() {
    QTest::addColumn<QString>("folder");
    QTest::newRow("annotated") << u"step"_s;
    QTest::newRow("not annotated") << u"plain"_s;
}
void TestPrintedGraphs::aStepIsToldApart() {
    QFETCH(QString, folder);
    const auto record = openFile(passesFolder(qPrintable(folder)))->record();
    const auto graph = record->passes.front().graphs.front().second;
    QCOMPARE(record->passes.front().graphs.front().first, GraphKind::joint);
    const auto [forward, backward] = halvesOf(*graph);
    QCOMPARE(forward.front(), u"t"_s);
    QCOMPARE(forward.back(), u"mean"_s);
    QCOMPARE(forward.size(), 15);
    QCOMPARE(backward.front(), u"ones_like"_s);
    QCOMPARE(backward.back(), u"sub_6"_s);
    const auto forwardOf = [&](const char* name) {
        const Node* node = graph->findByName(name);
        const Node* differentiated = graph->findById(node->autograd.forward);
        return differentiated ? q(differentiated->name()) : QString();
    };
    QCOMPARE(forwardOf("threshold_backward_1"), u"relu_1"_s);
    if (folder == "step"_L1) {
        QCOMPARE(forwardOf("sub_6"), QString());
        QCOMPARE(forwardOf("mm_3"), u"addmm_1"_s);
        QCOMPARE(forwardOf("t_9"), u"addmm_1"_s);
        QCOMPARE(q(graph->findByName("mm_3")->source->module), u"layers.1"_s);
        QCOMPARE(q(graph->findByName("sub_6")->source->module), u"optimizer"_s);
    }
    QCOMPARE(q(graph->findByName("addmm_2")->source->module), u"layers.2"_s);
    QCOMPARE(graph->outputSlots().front().role, Role::userOutput);
    // Inputs that a step returns updated are its parameters.
    QCOMPARE(graph->findByName("parameters_6")->role, Role::parameter);
    QCOMPARE(graph->findByName("x_1")->role, Role::userInput);
    if (folder == "step"_L1) QCOMPARE(q(graph->outputSlots().back().label), u"new parameters_6"_s);
    else QCOMPARE(graph->outputSlots().back().role, Role::gradient);
}

void TestPrintedGraphs::inductorsFoldersAreCompilations() {
    const Scratch folder;
    for (const QString& name : {u"model__0_forward_1.0"_s, u"model__0_backward_3.1"_s}) {
        QVERIFY(QDir(folder.path()).mkpath(u"run_1/torchinductor/"_s + name));
        const QDir from(passesFolder("inductor") + u'/' + name);
        const QString to = u"run_1/torchinductor/"_s + name + u'/';
        for (const QString& file : from.entryList(QDir::Files)) folder.write(to + file, contentOf(from.filePath(file)));
        // The same graph as a program, and folders without one.
        folder.write(to + u"fx_graph_runnable.py"_s, contentOf(from.filePath(u"fx_graph_readable.py"_s)));
        folder.write(to + u"output_code.py"_s, "def call(args):\n    pass\n");
        folder.write(to + u"ir_pre_fusion.txt"_s, "op0: SchedulerNode\n");
    }
    const auto session = openFile(folder.path());
    QCOMPARE(session->compileIds(), (std::vector<std::string>{"run_1/torchinductor/model__0_backward_3.1",
                                                              "run_1/torchinductor/model__0_forward_1.0"}));
    const auto record = openFile(folder.path(), q(session->compileIds()[1]))->record();
    QCOMPARE(titlesOf(*record), (QStringList{u"fx_graph_readable"_s, u"fx_graph_transformed"_s}));
    QVERIFY(record->graph(GraphKind::forward));
    QVERIFY(session->record()->graph(GraphKind::backward));
    QCOMPARE(summarizePrinted(folder.path().toStdString(), {}).size(), std::size_t(2));
    QVERIFY(errorOf([&] { openFile(folder.path(), u"7"_s); }).startsWith(u"--compile-id 7: "_s));
}

void TestPrintedGraphs::filesComeInTheOrderOfTheirNames() {
    const Scratch folder;
    folder.write(u"10_clone.txt"_s, graphOf(kWithClone));
    folder.write(u"9_input.txt"_s, graphOf(kPlain));
    folder.write(u"11_div.py"_s, graphOf(kInPlace));
    folder.write(u"notes.md"_s, "class G(torch.nn.Module):\n");
    QCOMPARE(titlesOf(*openFile(folder.path())->record()), (QStringList{u"9_input"_s, u"*10_clone"_s, u"*11_div"_s}));
    const auto some = openFile(folder.path() + u"/*.txt"_s)->record();
    QCOMPARE(titlesOf(*some), (QStringList{u"9_input"_s, u"*10_clone"_s}));
    QCOMPARE(q(some->model.name), QFileInfo(folder.path()).fileName());
    // "div" in place of "mul" under its old name is a change.
    const auto record = openFile(folder.path())->record();
    const auto steps = stepsOf(*record, 2);
    QCOMPARE(steps.size(), std::size_t(1));
    QCOMPARE(q(steps[0].kind), u"changed"_s);
    const Scratch pairs;
    for (const char* name : {"Fuse.after", "Fuse.before", "Dedupe.after", "Captured_Graph"})
        pairs.write(QLatin1String(name) + u".py"_s, graphOf(q(name).startsWith(u'F') ? kWithClone : kPlain));
    QCOMPARE(titlesOf(*openFile(pairs.path())->record()),
             (QStringList{u"Captured_Graph"_s, u"Dedupe"_s, u"*before Fuse"_s, u"Fuse"_s}));
}

void TestPrintedGraphs::numbersTellCompilationsApart() {
    const Scratch folder;
    for (int piece : {0, 1})
        for (const char* stage : {"before", "after"})
            folder.write(u"__compiled_fn_1_post_grad.0.Fuse.%1_%2.py"_s.arg(QLatin1String(stage)).arg(piece),
                         graphOf(piece == 0 && stage[0] == 'a' ? kWithClone : kPlain));
    const auto session = openFile(folder.path());
    QCOMPARE(session->compileIds(), (std::vector<std::string>{"__compiled_fn_1#0", "__compiled_fn_1#1"}));
    QCOMPARE(titlesOf(*session->record()), (QStringList{u"before 0.Fuse"_s, u"*0.Fuse"_s}));
}

void TestPrintedGraphs::aTextHoldsOneGraphSeveralTimes() {
    const QByteArray text =
        "traced\n" + graphOf(kPlain) + "after adding a clone:\n" + graphOf(kWithClone) +
        "loss 0.3 and more words than a title may have, so that nothing but the number of the graph remains\n" +
        graphOf(kInPlace);
    const auto session = openFile(scratch_.write(u"prints.txt"_s, text));
    QCOMPARE(titlesOf(*session->record()), (QStringList{u"traced"_s, u"*adding a clone"_s, u"*graph 3"_s}));
    QCOMPARE(q(session->record()->model.name), u"prints"_s);
    QCOMPARE(summarizePrinted(session->options().model, {}).size(), std::size_t(1));
    // Graphs with other inputs are other graphs.
    const QByteArray other = graphOf(kPlain) + QByteArray(graphOf(kPlain)).replace("[4]", "[5]");
    QCOMPARE(openFile(scratch_.write(u"others.txt"_s, other))->compileIds().size(), std::size_t(2));
}

void TestPrintedGraphs::aTraceHoldsASequence() {
    QByteArray trace;
    const auto add = [&](const char* name, const QStringList& operations) {
        trace += "V1121 17:12:46.602000 1 x.py:1] {\"artifact\": {\"name\": \"" + QByteArray(name) +
                 "\", \"encoding\": \"string\"}, \"rank\": 0, \"has_payload\": \"0123\"}\n";
        for (const QByteArray& line : graphOf(operations).split('\n')) trace += '\t' + line + '\n';
    };
    add("make_fx_graph_traced", kPlain);
    add("before_add_clone", kPlain);
    add("after_add_clone", kWithClone);
    add("before_divide", kWithClone);
    add("after_divide", kInPlace);
    const QString file = scratch_.write(u"trainer.log"_s, trace);
    const auto session = openFile(file);
    QCOMPARE(titlesOf(*session->record()), (QStringList{u"make_fx_graph_traced"_s, u"*add_clone"_s, u"*divide"_s}));
    QCOMPARE(session->compileIds().size(), std::size_t(1));
    QCOMPARE(summarizePrinted(file.toStdString(), {}).front().graphs.size(), std::size_t(3));
    // Other compilations in the folder are like those of any trace.
    QFile mlp(dataFolder() + u"mlp.trace"_s);
    QVERIFY(mlp.open(QIODevice::ReadOnly));
    const auto both = openFile(scratch_.write(u"both.log"_s, trace + mlp.readAll()));
    QCOMPARE(both->compileIds().size(), std::size_t(2));
    QVERIFY(openFile(scratch_.at(u"both.log"_s), q(both->compileIds()[1]))->record()->graph(GraphKind::backward));
}

void TestPrintedGraphs::aRetraceKeepsWhatIsTheSame() {
    const Scratch folder;
    QStringList before, after = {u"neg = neg.default(y)"_s};
    for (int i = 0; i < 20; ++i) {
        const auto line = [i](int shift, const QString& previous) {
            const QString name = i + shift == 0 ? u"relu"_s : u"relu_%1"_s.arg(i + shift);
            return u"%1 = relu.default(%2)"_s.arg(name, previous);
        };
        before << line(0, before.isEmpty() ? u"x"_s : before.back().section(u' ', 0, 0));
        // Other names, as after a retrace.
        after << line(100, i == 0 ? u"x"_s : after.back().section(u' ', 0, 0));
    }
    folder.write(u"1.txt"_s, graphOf(before));
    folder.write(u"2.txt"_s, graphOf(after));
    const auto record = openFile(folder.path())->record();
    const auto steps = stepsOf(*record, 1);
    QCOMPARE(steps.size(), std::size_t(1));
    QCOMPARE(q(steps[0].text), u"%neg = aten.neg.default"_s);
}

void TestPrintedGraphs::breakpointsFindThePass() {
    const Options options{.model = passesFolder("step").toStdString()};
    FirstHit appears({Breakpoint::When::nodeAppears, "name:clone_default_2"});
    Session::open(options, {}, nullptr, &appears);
    QVERIFY2(appears.reason.startsWith(u"after the pass 'add_clones': %clone_default_2"_s), qPrintable(appears.reason));
    QCOMPARE(appears.seen, (QStringList{u"remove_detach_2"_s, u"add_clones"_s, u"view_to_reshape"_s,
                                        u"remove_detach_8"_s, QString()}));
    FirstHit dies({Breakpoint::When::nodeDies, "name:detach_4"});
    Session::open(options, {}, nullptr, &dies);
    QVERIFY2(dies.reason.startsWith(u"after the pass 'remove_detach_2'"_s), qPrintable(dies.reason));
    FirstHit starts({Breakpoint::When::passStarts, "view_to_reshape"});
    Session::open(options, {}, nullptr, &starts);
    QCOMPARE(starts.reason, u"the pass 'view_to_reshape' is about to start"_s);
}

void TestPrintedGraphs::foldersOfStrangers() {
    const Scratch folder, elsewhere;
    QVERIFY(errorOf([&] { openFile(folder.path()); }).contains(u"holds no printed graphs"_s));
    elsewhere.write(u"secret.txt"_s, graphOf(kInPlace));
    folder.write(u"1.txt"_s, graphOf(kPlain));
    folder.write(u"2.txt"_s, graphOf(kWithClone).replace("clone.default(sin)", "clone.default("));
    folder.write(u"3.txt"_s, graphOf(kWithClone));
    folder.write(u"4.txt"_s, QByteArray("\0def forward(", 13));
    QVERIFY(QFile::link(elsewhere.at(u"secret.txt"_s), folder.at(u"5.txt"_s)));
    QVERIFY(QFile::link(elsewhere.path(), folder.at(u"link"_s)));
    QVERIFY(QFile::link(folder.path(), folder.at(u"loop"_s)));
    QCOMPARE(::mkfifo(qPrintable(folder.at(u"6.txt"_s)), 0600), 0);
    const QString deep = QString(u"d/"_s).repeated(12);
    QVERIFY(QDir(folder.path()).mkpath(deep));
    folder.write(deep + u"7.txt"_s, graphOf(kInPlace));
    const auto record = openFile(folder.path())->record();
    QCOMPARE(titlesOf(*record), (QStringList{u"1"_s, u"*3"_s}));
    QStringList warnings;
    for (const auto* list : {&record->fellBack, &record->warnings})
        for (const std::string& warning : *list) warnings << q(warning);
    const QString all = warnings.join(u'\n');
    QVERIFY2(all.contains(u"2.txt, line 5: expected"_s), qPrintable(all));
    QVERIFY2(all.contains(u"nested more than 8 deep"_s), qPrintable(all));
    QCOMPARE(openFile(folder.path())->compileIds().size(), std::size_t(1));
    // Only damaged ones: the error of the first.
    const Scratch damaged;
    damaged.write(u"1.txt"_s, "class G(torch.nn.Module):\n    def forward(self, x\n");
    QVERIFY(errorOf([&] { openFile(damaged.path()); }).startsWith(u"1.txt, line 2: expected"_s));
    const Options split{.model = folder.path().toStdString(), .repartition = true};
    QVERIFY(errorOf([&] { Session::open(split, {}); }).contains(u"runs as it is"_s));
}
