// Folders of printed passes that run: checked, timed, debugged, and searched for the pass that changed the values.

#include "printed_files.h"
#include "test_printed_graphs.h"

#include "debug/debugger.h"
#include "io/text_report.h"
#include "record/check_reference.h"
#include "support/text.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

using Lines = QList<QByteArray>;

/// A graph of x and y, whose first lines are these; the last value is returned.
QByteArray passText(const Lines& lines) {
    QByteArray text = "class G(torch.nn.Module):\n    def forward(self, x: \"f32[4, 3]\", y: \"f32[4, 3]\"):\n";
    for (const QByteArray& line : lines) text += "        " + line + "\n";
    return text + "        return (" + lines.back().left(lines.back().indexOf(':')) + ",)\n";
}

const Lines kTraced = {"sin: \"f32[4, 3]\" = torch.ops.aten.sin.default(x)",
                       "detach: \"f32[4, 3]\" = torch.ops.aten.detach.default(sin)",
                       "mul: \"f32[4, 3]\" = torch.ops.aten.mul.Tensor(detach, y)",
                       "cos: \"f32[4, 3]\" = torch.ops.aten.cos.default(mul)"};
const Lines kWithoutDetach = {kTraced[0], "mul: \"f32[4, 3]\" = torch.ops.aten.mul.Tensor(sin, y)", kTraced[3]};

struct Dump {
    const Scratch& scratch;
    QString folder;

    Dump& add(const char* name, const QByteArray& text) {
        QDir().mkpath(scratch.at(folder));
        scratch.write(folder + u'/' + QLatin1String(name), text);
        return *this;
    }
    std::shared_ptr<const Session> open(const char* compiler = "interpreter") const {
        return Session::open({.model = scratch.at(folder).toStdString(), .compilers = {.forward = compiler}}, {});
    }
};

}  // namespace

void TestPrintedGraphs::passesThatKeepTheValuesAreEqual() {
    const auto session = Dump{scratch_, u"kept"_s}
                             .add("make_fx_graph_traced_0.txt", passText(kTraced))
                             .add("after_remove_detach_1.txt", passText(kWithoutDetach))
                             .open();
    QCOMPARE(q(session->whyNotExecutable()), QString());
    QCOMPARE(session->inputNames(), (std::vector<std::string>{"x", "y"}));
    const CheckResult check = session->check({});
    QVERIFY(check.ok);
    QVERIFY(!session->bisect({}).found);
    QCOMPARE(q(checkReference(*session->record())),
             u"the graph of 'make_fx_graph_traced' run operation by operation"_s);
    TimingOptions timing;
    timing.iterations = 2;
    QCOMPARE(session->time(timing, {}).steps.size(), std::size_t(3));
    const auto debugger = session->debug({});
    debugger->run({});
    QVERIFY(debugger->lastStop().reason == DebugStop::Reason::ended);
    MinifyOptions smallest;
    smallest.condition = "op:cos";
    QCOMPARE(session->minify(smallest, {}).graph->callCount(), std::size_t(1));
    // Files of PyTorch's own passes.
    for (const char* folder : {"step", "plain"}) {
        const auto recorded = openFile(dataFolder() + u"passes/"_s + QLatin1String(folder));
        QCOMPARE(q(recorded->whyNotExecutable()), QString());
        QVERIFY2(recorded->check({}).ok, folder);
        QVERIFY2(!recorded->bisect({}).found, folder);
    }
}

void TestPrintedGraphs::thePassThatChangedTheValues_data() {
    QTest::addColumn<QByteArray>("line");  // the pass's version of the product
    QTest::addColumn<QString>("node");
    const auto row = [](const char* name, const QByteArray& line, const char* node = "mul") {
        QTest::newRow(name) << line << QString::fromLatin1(node);
    };
    row("another operation", "mul: \"f32[4, 3]\" = torch.ops.aten.add.Tensor(sin, y)");
    row("another argument", "mul: \"f32[4, 3]\" = torch.ops.aten.mul.Tensor(sin, x)");
    row("another number", "mul: \"f32[4, 3]\" = torch.ops.aten.mul.Tensor(sin, 1.0)");
    row("a node of its own",
        "wrong: \"f32[4, 3]\" = torch.ops.aten.mul.Tensor(sin, 1.00001)\n"
        "        mul: \"f32[4, 3]\" = torch.ops.aten.mul.Tensor(wrong, y)");
}
/// The first pass that changed them is named, and the node; later passes are correct by themselves.
void TestPrintedGraphs::thePassThatChangedTheValues() {
    QFETCH(QByteArray, line);
    QFETCH(QString, node);
    const Lines wrong = {kTraced[0], line, kTraced[3]};
    const auto session =
        Dump{scratch_, u"wrong%1"_s.arg(qHash(line))}
            .add("make_fx_graph_traced_0.txt", passText(kTraced))
            .add("after_remove_detach_1.txt", passText(kWithoutDetach))
            .add("after_bad_pass_2.txt", passText(wrong))
            .add("after_rename_3.txt", passText(wrong).replace("cos:", "cosine:").replace("(cos,)", "(cosine,)"))
            .open();
    QVERIFY(!session->check({}).ok);
    const BisectResult found = session->bisect({});
    QVERIFY(found.found);
    QCOMPARE(q(passName(found)), u"bad_pass"_s);
    const QString text = q(bisectText(found));
    QVERIFY2(text.contains(u"bad_pass"_s) && text.contains(u'%' + node), qPrintable(text));
}

/// Passes with other inputs, or with unknown operations, are left out, with a message.
void TestPrintedGraphs::passesThatCannotRunAreLeftOut() {
    QByteArray lifted = passText(kTraced);
    lifted.replace("y: \"f32[4, 3]\"):", "y: \"f32[4, 3]\", z: \"f32[2]\"):");
    Lines unknown = kWithoutDetach;
    unknown[1].replace("aten.mul.Tensor", "mylib.f.default");
    Dump dump{scratch_, u"left"_s};
    dump.add("make_fx_graph_traced_0.txt", lifted)
        .add("after_drop_1.txt", passText(kTraced))
        .add("after_lower_2.txt", passText(unknown))
        .add("after_raise_3.txt", passText(kWithoutDetach));
    const auto session = dump.open();
    QVERIFY(session->check({}).ok);
    QVERIFY(checkReference(*session->record()).find("'drop'") != std::string::npos);
    const BisectResult result = session->bisect({});
    QVERIFY(!result.found);
    const QString notes = q(bisectText(result));
    QVERIFY2(notes.contains(u"pass 'make_fx_graph_traced' was left out: it takes or returns other values"_s),
             qPrintable(notes));
    QVERIFY2(notes.contains(u"pass 'lower' was left out: LibTorch does not know mylib.f.default"_s), qPrintable(notes));
    dump.add("after_lower_4.txt", passText(unknown));
    const std::string why = dump.open()->whyNotExecutable();
    QVERIFY2(why.find("'lower_4' cannot run") != std::string::npos, why.c_str());
}

/// --compiler and --inputs apply to a folder, too.
void TestPrintedGraphs::passesRunWithTheOptions() {
    Dump dump{scratch_, u"options"_s};
    dump.add("make_fx_graph_traced_0.txt", passText(kTraced))
        .add("after_remove_detach_1.txt", passText(kWithoutDetach));
    for (const char* compiler : {"torchscript", "fused"}) {
        const auto session = dump.open(compiler);
        const CheckResult check = session->check({});
        QVERIFY2(check.ok, compiler);
        QCOMPARE(q(check.compilers.front().used), QString::fromLatin1(compiler));
    }
    Options options;
    options.model = scratch_.at(u"options"_s).toStdString();
    options.inputs = parseInputSpec(R"([{"shape": [4, 3], "fill": "ones"}])", "spec");
    const QString error = errorOf([&] { Session::open(options, {})->check({}); });
    QVERIFY2(error.contains(u"takes 2 inputs; given are 1"_s), qPrintable(error));
}

/// A backward with the inputs of its forward is not the forward after another pass.
void TestPrintedGraphs::aForwardAndItsBackwardAreNoSequence() {
    const auto record = recordOfText(
        "class GraphModule(torch.nn.Module):\n"
        "    def forward(self, primals_1: \"f32[3]\", primals_2: \"f32[3]\"):\n"
        "        mul: \"f32[3]\" = torch.ops.aten.mul.Tensor(primals_1, primals_2)\n"
        "        return (mul, primals_1, primals_2)\n\n"
        "class GraphModule(torch.nn.Module):\n"
        "    def forward(self, primals_1: \"f32[3]\", primals_2: \"f32[3]\", tangents_1: \"f32[3]\"):\n"
        "        mul_1: \"f32[3]\" = torch.ops.aten.mul.Tensor(tangents_1, primals_2)\n"
        "        mul_2: \"f32[3]\" = torch.ops.aten.mul.Tensor(tangents_1, primals_1)\n"
        "        return (mul_1, mul_2)\n");
    QCOMPARE(q(record->error), QString());
    QVERIFY(record->partition && record->graph(GraphKind::forward) && record->graph(GraphKind::backward));
    QCOMPARE(record->partition->saved.size(), std::size_t(2));
}
