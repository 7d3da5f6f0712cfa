// Roles and names stated in a printed text: the signature of an exported program, notes of AOTAutograd, positions.

#include "printed_files.h"
#include "test_printed_graphs.h"

#include "io/text_report.h"
#include "load/printed/export_signature.h"
#include "support/text.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

constexpr const char* kProgram =
    "ExportedProgram:\n"
    "    class GraphModule(torch.nn.Module):\n"
    "        def forward(self, p_w: \"f32[3]\", b_n: \"f32[]\", c_lifted_tensor_0: \"f32[3]\", x: \"f32[3]\", k):\n"
    "            add: \"f32[]\" = torch.ops.aten.add.Tensor(b_n, 1);  b_n = None\n"
    "            mul: \"f32[3]\" = torch.ops.aten.mul.Tensor(x, p_w);  p_w = None\n"
    "            add_1: \"f32[3]\" = torch.ops.aten.add.Tensor(x, c_lifted_tensor_0);  x = c_lifted_tensor_0 = None\n"
    "            mul_1: \"f32[3]\" = torch.ops.aten.mul.Tensor(mul, add)\n"
    "            return (add, add_1, mul_1, mul)\n\n";

constexpr const char* kLines =
    "Graph signature: \n    # inputs\n    p_w: PARAMETER target='layer.w'\n    b_n: BUFFER target='n' persistent=True\n"
    "    c_lifted_tensor_0: CONSTANT_TENSOR target='lifted_tensor_0'\n    x: USER_INPUT\n    k: USER_INPUT\n    \n"
    "    # outputs\n    add: BUFFER_MUTATION target='n'\n    add_1: USER_INPUT_MUTATION target='x'\n"
    "    mul_1: USER_OUTPUT\n    mul: USER_OUTPUT\n    \nRange constraints: {}\n";

constexpr const char* kClasses =
    "Graph signature: ExportGraphSignature(input_specs=[InputSpec(kind=<InputKind.PARAMETER: 2>, "
    "arg=TensorArgument(name='p_w'), target='layer.w', persistent=None), InputSpec(kind=<InputKind.BUFFER: 3>, "
    "arg=TensorArgument(name='b_n'), target='n', persistent=True), InputSpec(kind=<InputKind.CONSTANT_TENSOR: 4>, "
    "arg=TensorArgument(name='c_lifted_tensor_0'), target='lifted_tensor_0', persistent=None), "
    "InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=TensorArgument(name='x'), target=None, persistent=None), "
    "InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=ConstantArgument(name='k', value=2), target=None, "
    "persistent=None)], output_specs=[OutputSpec(kind=<OutputKind.BUFFER_MUTATION: 3>, "
    "arg=TensorArgument(name='add'), target='n'), OutputSpec(kind=<OutputKind.USER_INPUT_MUTATION: 6>, "
    "arg=TensorArgument(name='add_1'), target='x'), OutputSpec(kind=<OutputKind.USER_OUTPUT: 1>, "
    "arg=TensorArgument(name='mul_1'), target=None), OutputSpec(kind=<OutputKind.USER_OUTPUT: 1>, "
    "arg=TensorArgument(name='mul'), target=None)])\nRange constraints: {}\n";

constexpr const char* kDictionaries =
    "Graph Signature: ExportGraphSignature(parameters=['layer.w'], buffers=['n'], user_inputs=['c_lifted_tensor_0', "
    "'x', "
    "'k'], user_outputs=['add_1', 'mul_1', 'mul'], inputs_to_parameters={'p_w': 'layer.w'}, inputs_to_buffers={'b_n': "
    "'n'}, buffers_to_mutate={'add': 'n'}, backward_signature=None, assertion_dep_token=None)\n";

QStringList rolesOf(const Graph& graph) {
    QStringList roles;
    for (const Node* node : graph.placeholders())
        roles << q(node->name()) + u' ' + q(name(node->role)) + u' ' + q(node->label);
    for (const OutputSlot& slot : graph.outputSlots()) roles << q(name(slot.role)) + u' ' + q(slot.label);
    return roles;
}

/// A joint graph of one operation for each of its results.
std::string jointText(const std::string& inputs, const std::string& lines) {
    return "class joint(torch.nn.Module):\n    def forward(self, primals, tangents):\n" + inputs +
           "        primals_1, tangents_1, tangents_2, = fx_pytree.tree_flatten_spec([primals, tangents], "
           "self._in_spec)\n" +
           lines;
}

}  // namespace

void TestPrintedGraphs::signaturesOfExportedPrograms_data() {
    columns<QString, bool>("text", "knowsAll");
    QTest::newRow("a line each") << QString::fromLatin1(kProgram) + QLatin1String(kLines) << true;
    QTest::newRow("classes") << QString::fromLatin1(kProgram) + QLatin1String(kClasses) << true;
    QTest::newRow("dictionaries") << QString::fromLatin1(kProgram) + QLatin1String(kDictionaries) << false;
    QTest::newRow("within a longer text")
        << u"before\n"_s + QLatin1String(kProgram) + QLatin1String(kLines) + u"and after\n"_s << true;
    QString pasted = QLatin1String(kProgram) + QString::fromLatin1(kLines);
    pasted.replace(u'\n', u"\n    "_s);
    QTest::newRow("indented") << u"    "_s + pasted << true;
}
void TestPrintedGraphs::signaturesOfExportedPrograms() {
    QFETCH(QString, text);
    QFETCH(bool, knowsAll);
    const auto record = recordOfText(text.toStdString());
    const QStringList inputs = {
        u"p_w parameter layer.w"_s, u"b_n buffer n"_s,
        knowsAll ? u"c_lifted_tensor_0 buffer lifted_tensor_0"_s : u"c_lifted_tensor_0 input "_s, u"x input "_s,
        u"k input "_s};
    QStringList roles = rolesOf(*record->graph(GraphKind::inference));
    QCOMPARE(roles.mid(0, 5), inputs);
    if (knowsAll)
        QCOMPARE(roles.mid(5),
                 (QStringList{u"mutated_input n"_s, u"mutated_input x"_s, u"output output 0"_s, u"output output 1"_s}));
    QCOMPARE(record->metadata->mutatedInputIndices(),
             knowsAll ? (std::vector<std::size_t>{1, 3}) : std::vector<std::size_t>{1});
}

/// Whatever a signature contains, the graph opens.
void TestPrintedGraphs::damagedSignatures_data() {
    QTest::addColumn<QString>("signature");
    for (const char* text : {kLines, kClasses, kDictionaries}) {
        const QString whole = QString::fromLatin1(text);
        for (const int part : {1, 3, 7, 9})
            QTest::addRow("%s/%d", whole.left(30).toLatin1().constData(), part) << whole.left(whole.size() * part / 10);
    }
    QTest::newRow("other outputs")
        << "Graph signature: \n# inputs\np_w: PARAMETER target='w'\n# outputs\nmul: USER_OUTPUT\n";
    QTest::newRow("other names") << "Graph signature: \n# inputs\nq: BUFFER target='w'\n";
    QTest::newRow("unknown kinds") << "Graph signature: \n# inputs\np_w: SOMETHING_NEW target='w'\n: USER_INPUT\n";
    QTest::newRow("quotes") << "Graph signature: ExportGraphSignature(user_inputs=['''''', inputs_to_buffers={'";
}
void TestPrintedGraphs::damagedSignatures() {
    QFETCH(QString, signature);
    const auto record = recordOfText(std::string(kProgram) + signature.toStdString());
    QCOMPARE(record->graph(GraphKind::inference)->outputSlots().size(), std::size_t(4));
    QCOMPARE(record->graph(GraphKind::inference)->callCount(), std::size_t(4));
    QVERIFY(readExportSignature(signature.toStdString()).inputs.size() < 6);
}

/// Outputs come first, then a gradient, or None, for each primal; contradictions are reported.
void TestPrintedGraphs::resultsOfAJointGraphGoByPosition() {
    const std::string inputs =
        "        primals_1: \"f32[16][1]cpu\"; tangents_1: \"f32[16][1]cpu\"; tangents_2: \"f32[16][1]cpu\";\n\n";
    const std::string operations =
        "        # File: /home/user/prog.py:13 in fn, code: o = x.clone()\n"
        "        clone: \"f32[16][1]cpu\" = torch.ops.aten.clone.default(primals_1)\n"
        "        mul: \"f32[16][1]cpu\" = torch.ops.aten.mul.Tensor(primals_1, 2);  primals_1 = None\n"
        "        # File: /home/user/prog.py:9 in backward, code: o.add_(g)\n"
        "        add: \"f32[16][1]cpu\" = torch.ops.aten.add.Tensor(clone, tangents_1);  clone = None\n"
        "        add_1: \"f32[16][1]cpu\" = torch.ops.aten.add.Tensor(tangents_1, tangents_2)\n";
    const auto record = recordOfText(jointText(inputs, operations + "        return [mul, add, add_1]\n"));
    const Graph& joint = *record->graph(GraphKind::joint);
    QCOMPARE(rolesOf(joint).mid(3), (QStringList{u"output output 0"_s, u"output output 1"_s, u"gradient primals_1"_s}));
    QCOMPARE(record->warnings.size(), std::size_t(1));
    const QString warning = q(record->warnings.front());
    for (const char* part : {"no forward can compute output 1", "%add", "prog.py:9", "o.add_(g)"})
        QVERIFY2(warning.contains(QLatin1String(part)), qPrintable(warning));
    const QString file =
        scratch_.write(u"joint.txt"_s,
                       QByteArray::fromStdString(jointText(inputs, operations + "        return [mul, add, add_1]\n")));
    for (const auto algorithm : {PartitionAlgorithm::minCut, PartitionAlgorithm::defaultPartition}) {
        const auto split = repartitioned(file, {}, algorithm);
        QVERIFY(!split->partition);
        QVERIFY2(split->error.find("no forward can compute output 1") != std::string::npos, split->error.c_str());
    }
    // A joint graph still runs as one graph.
    QVERIFY(openFile(file)->check({}).ok);
    // None for a primal without a gradient is a result like any other.
    const auto none = recordOfText(jointText(inputs, operations + "        return [mul, clone, None]\n"));
    QVERIFY(none->warnings.empty());
    QCOMPARE(none->graph(GraphKind::joint)->forwardOutputCount(), std::size_t(2));
    const auto few = recordOfText(jointText(inputs, operations + "        return [mul, add_1]\n"));
    QVERIFY2(few->warnings.size() == 1 && few->warnings[0].find("2 tangents for 1 output") != std::string::npos,
             few->warnings.empty() ? "" : few->warnings[0].c_str());
}

/// Python's backward reads values that the runtime has overwritten by then.
void TestPrintedGraphs::savedInputsThatAreWrittenBack() {
    const auto record = recordOf("saved_and_written.log");
    const auto named = std::ranges::count_if(record->warnings, [](const std::string& text) {
        return text.find("%primals_1") != std::string::npos && text.find("written back") != std::string::npos;
    });
    QCOMPARE(named, 1);
    for (const char* file : {"mlp.log", "batch_norm.log", "t_bn_buffers.log"})
        QVERIFY2(recordOf(file)->warnings.empty(), file);
    const auto inside = recordOfText(
        "class GraphModule(torch.nn.Module):\n"
        "    def forward(self, primals_1: \"f32[3][1]cpu\"):\n"
        "        sin: \"f32[3][1]cpu\" = torch.ops.aten.sin.default(primals_1)\n"
        "        copy_: \"f32[3][1]cpu\" = torch.ops.aten.copy_.default(primals_1, sin)\n"
        "        return (sin, primals_1)\n"
        "class GraphModule(torch.nn.Module):\n"
        "    def forward(self, primals_1: \"f32[3][1]cpu\", tangents_1: \"f32[3][1]cpu\"):\n"
        "        cos: \"f32[3][1]cpu\" = torch.ops.aten.cos.default(primals_1)\n"
        "        mul: \"f32[3][1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, cos)\n"
        "        return (mul,)\n");
    QCOMPARE(inside->warnings.size(), std::size_t(1));
    QVERIFY(inside->warnings[0].find("%copy_ overwrites") != std::string::npos);
}

/// The summary lists what was read, whichever graphs exist.
void TestPrintedGraphs::summariesCountTheGraphs() {
    const auto alone = [](const char* argument, const char* more) {
        return std::string("def forward(self, ") + argument + ": \"f32[3]\"" + more +
               "):\n    sin: \"f32[3]\" = torch.ops.aten.sin.default(" + argument + ")\n    return (sin,)\n";
    };
    const auto summary = [&](const std::string& text) { return q(summaryText(*recordOfText(text))); };
    QVERIFY(summary(alone("primals_1", "")).contains(u"\nforward 1 op\n"_s));
    QVERIFY(summary(alone("arg0_1", "")).contains(u"\ninference 1 op\n"_s));
    QVERIFY(summary(alone("tangents_1", "")).contains(u"\nbackward 1 op\n"_s));
    QVERIFY(q(summaryText(*recordOf("mlp.log")))
                .contains(QRegularExpression(u"\njoint \\d+ ops, forward \\d+ ops, backward \\d+ ops\n"_s)));
    for (const char* file : {"mlp.log", "module.txt", "batch_norm.trace"})
        QVERIFY2(!q(summaryText(*recordOf(file))).contains(u" -"_s), file);
}
