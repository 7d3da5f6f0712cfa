// Replacements of operations before autograd: values and gradients against eager in both dialects, the resulting
// operations, and the table of PyTorch's own implementations in Python.

#include "ops/before_autograd/python_kernels.h"
#include "ops/before_autograd/rules.h"
#include "session/session.h"
#include "support/models.h"
#include "support/program.h"
#include "support/test_program.h"
#include "support/text.h"

#include <map>
#include <set>

namespace aotscope::test::before_autograd_test {
namespace {

/// A leaf of an input spec that requires a gradient.
std::string learnt(const std::string& shape, const std::string& dtype = "float32") {
    return R"({"leaf":{"requires_grad":true,"shape":[)" + shape + "],\"dtype\":\"" + dtype + "\"}}";
}
std::string classes(const std::string& shape, const std::string& range) {
    return R"({"leaf":{"shape":[)" + shape + R"(],"dtype":"int64","fill":{"randint":[)" + range + "]}}}";
}
std::string plain(const std::string& shape) { return R"({"leaf":{"shape":[)" + shape + "]}}"; }

std::string spec(const std::vector<std::string>& values) {
    std::string all, inputs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        all += (i ? "," : "") + values[i];
        inputs += (i ? "," : "") + (R"({"tensor":)" + std::to_string(i)) + "}";
    }
    return R"({"values":[)" + all + R"(],"inputs":[)" + inputs + "]}";
}

struct Case {
    const char* name;
    std::string parameters, body;
    std::vector<std::string> inputs;
    const char* gone;  ///< an operation that the graph has only in LibTorch's dialect
    const char* result = "Tensor";
};

std::vector<Case> upsampling() {
    const std::string image = learnt("2,3,4,5"), line = learnt("2,3,5"), volume = learnt("1,2,3,4,2");
    const char *x = "x: Tensor", *nearest = "aten.upsample_nearest2d.default",
               *two = "aten.upsample_bilinear2d.default", *cubic = "aten.upsample_bicubic2d.default";
    return {
        {"nearest 1d", x, "return torch.upsample_nearest1d(x, [7])", {line}, "aten.upsample_nearest1d.default"},
        {"nearest 2d by factors", x, "return torch.upsample_nearest2d(x, None, [2.0, 1.5])", {image}, nearest},
        {"nearest 2d smaller", x, "return torch.upsample_nearest2d(x.sin(), [3, 2])", {image}, nearest},
        {"nearest 2d channels last",
         x,
         "y = x.sin().contiguous(memory_format=2)\nreturn torch.upsample_nearest2d(y, [8, 10])",
         {image},
         nearest},
        {"nearest 3d",
         x,
         "return torch.upsample_nearest3d(x, None, [2.0, 2.0, 3.0])",
         {volume},
         "aten.upsample_nearest3d.default"},
        {"exact 2d",
         x,
         "return torch._upsample_nearest_exact2d(x, [7, 7])",
         {image},
         "aten._upsample_nearest_exact2d.default"},
        {"nearest in double precision",
         x,
         "return torch.upsample_nearest2d(x, [12, 15])",
         {learnt("1,1,4,5", "float64")},
         nearest},
        {"linear 1d",
         x,
         "return torch.upsample_linear1d(x, None, True, [2.0])",
         {line},
         "aten.upsample_linear1d.default"},
        {"bilinear", x, "return torch.upsample_bilinear2d(x, [7, 9], False)", {image}, two},
        {"bilinear with aligned corners",
         x,
         "return torch.upsample_bilinear2d(x.sin(), None, True, [2.0, 0.5])",
         {image},
         two},
        {"trilinear",
         x,
         "return torch.upsample_trilinear3d(x, None, False, [2.0, 1.5, 2.0])",
         {volume},
         "aten.upsample_trilinear3d.default"},
        {"bicubic", x, "return torch.upsample_bicubic2d(x, [7, 9], False)", {image}, cubic},
        {"bicubic with aligned corners",
         x,
         "return torch.upsample_bicubic2d(x, None, True, [1.5, 2.0])",
         {image},
         cubic},
    };
}

std::string network(const std::string& kind, const std::string& gates, const std::string& state,
                    const std::string& rest) {
    const std::string weights = "w = [a.narrow(0, 0, " + gates + "), b.narrow(0, 0, " + gates + "), c.narrow(0, 0, " +
                                gates + "), c.narrow(0, 1, " + gates + "), d.narrow(0, 0, " + gates +
                                "), b.narrow(0, 4, " + gates + "), c.narrow(0, 2, " + gates + "), c.narrow(0, 3, " +
                                gates + ")]\n";
    return weights + "r = torch." + kind + "(x, " + state + ", w, True, " + rest + ")\nreturn r[0].sin() + r[1].sum()";
}

std::vector<Case> recurrent() {
    const std::string parameters = "x: Tensor, h: Tensor, a: Tensor, b: Tensor, c: Tensor, d: Tensor";
    // Two layers, or two directions: input 4, hidden 4.
    const std::vector<std::string> inputs = {learnt("3,2,4"), plain("2,2,4"), learnt("16,4"),
                                             learnt("20,4"),  learnt("19"),   learnt("16,4")};
    std::vector<std::string> noGradient = inputs;
    noGradient[0] = plain("3,2,4");
    return {
        {"lstm of two layers", parameters, network("lstm", "16", "[h, h.cos()]", "2, 0.0, True, False, False"), inputs,
         "aten.mkldnn_rnn_layer.default"},
        {"lstm with dropout",
         parameters,
         network("lstm", "16", "[h, h.cos()]", "2, 0.5, True, False, True"),
         {learnt("2,3,4"), plain("2,2,4"), inputs[2], inputs[3], inputs[4], inputs[5]},
         "aten.mkldnn_rnn_layer.default"},
        {"lstm in both directions", parameters, network("lstm", "16", "[h, h.cos()]", "1, 0.0, False, True, False"),
         inputs, "aten.mkldnn_rnn_layer.default"},
        {"lstm by oneDNN", parameters, network("lstm", "16", "[h, h.cos()]", "2, 0.0, False, False, False"), noGradient,
         ""},
        {"gru", parameters, network("gru", "12", "h", "2, 0.0, True, False, False"), inputs,
         "aten.unsafe_split.Tensor"},
        {"gru with dropout", parameters, network("gru", "12", "h", "2, 0.5, True, False, False"), inputs,
         "aten.unsafe_split.Tensor"},
        {"rnn, tanh",
         parameters,
         network("rnn_tanh", "4", "h", "1, 0.0, True, True, True"),
         {learnt("2,3,4"), plain("2,2,4"), inputs[2], inputs[3], inputs[4], inputs[5]},
         ""},
        {"rnn, relu", parameters, network("rnn_relu", "4", "h", "2, 0.0, True, False, False"), inputs, ""},
    };
}

std::vector<Case> others() {
    const char* x = "x: Tensor";
    const std::string labelled = "x: Tensor, t: Tensor, w: Tensor";
    const std::vector<std::string> scores = {learnt("4,5"), classes("4", "0,5"), plain("5")};
    const char* margin = "aten.multi_margin_loss.default";
    return {
        {"hardshrink", x, "return torch.hardshrink(x, 0.3)", {learnt("3,4")}, "aten.hardshrink.default"},
        {"softshrink", x, "return torch.softshrink(x, 0.3)", {learnt("3,4")}, "aten.softshrink.default"},
        {"multi margin loss", labelled, "return torch.multi_margin_loss(x, t)", scores, margin},
        {"weighted multi margin loss", labelled, "return torch.multi_margin_loss(x, t, 2, 0.5, w, 2)", scores, margin},
        {"multi margin losses", labelled, "return torch.multi_margin_loss(x, t, 1, 1, None, 0)", scores, margin},
        {"multilabel margin loss",
         "x: Tensor, t: Tensor",
         "return torch.multilabel_margin_loss(x, t, 1)",
         {learnt("4,5"), classes("4,5", "-1,5")},
         "aten.multilabel_margin_loss_forward.default"},
        {"multilabel margin losses",
         "x: Tensor, t: Tensor",
         "return torch.multilabel_margin_loss(x, t, 0)",
         {learnt("4,5"), classes("4,5", "-1,5")},
         "aten.multilabel_margin_loss_forward.default"},
        {"one hot", "x: Tensor, t: Tensor", "return x * torch.one_hot(t, 5)", {learnt("4,5"), classes("4", "0,5")}, ""},
        {"one hot of drawn numbers",
         "x: Tensor, t: Tensor",
         "return x * torch.one_hot(torch.multinomial(torch.ones([5]), 4, True), 5)",
         {learnt("4,5"), classes("4", "0,5")},
         ""},
        {"padded sequences",
         "x: Tensor, y: Tensor",
         "return torch.pad_sequence([x, y], True, 0.5, \"left\").sin()",
         {learnt("2,3"), learnt("4,3")},
         "aten.copy.default"},
        {"stft",
         "x: Tensor, w: Tensor",
         "return torch.stft(x, 8, 2, 6, w, True, \"reflect\", False, True, True).abs()",
         {learnt("2,20"), learnt("6")},
         "aten.as_strided.default"},
        {"istft",
         "x: Tensor, w: Tensor",
         "z = torch.stft(x, 8, 2, None, w + 1, True, \"reflect\", True, True, True)\n"
         "return torch.istft(z * 2, 8, 2, None, w + 1, True, True, True, 20, False)",
         {learnt("2,20"), learnt("8")},
         "aten.as_strided.default"},
        {"dropout in training", x, "return torch.dropout(x, 0.5, True)", {learnt("8,9")}, "aten.bernoulli.p"},
        {"product of batches",
         "x: Tensor, y: Tensor",
         "return torch.matmul(x, y)",
         {learnt("2,1,3,4"), learnt("3,4,2")},
         ""},
    };
}

std::vector<Case> programs() {
    std::vector<Case> all;
    for (const auto& list : {upsampling(), recurrent(), others()}) all.insert(all.end(), list.begin(), list.end());
    return all;
}

ScriptModule moduleOf(const Case& program) {
    std::string text = "def forward(self, " + program.parameters + ") -> " + program.result + ":\n";
    for (const QString& line : q(program.body).split(u'\n')) text += "    " + line.toStdString() + "\n";
    return moduleFrom(text);
}

bool hasOperation(const CompileRecord& record, const std::string& op) {
    const GraphKind kind = record.graph(GraphKind::joint) ? GraphKind::joint : GraphKind::inference;
    for (const Node* node : record.graph(kind)->nodes())
        if (node->isCall(op)) return true;
    return false;
}

/// The operators found by list.py; tests/python/test_kernels.py tests that the lists are right.
std::set<std::string> recordedOperators() {
    std::set<std::string> operators;
    const QDir folder(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/python_kernels"));
    for (const QString& file : folder.entryList({u"*.json"_s}))
        for (const auto& kernel : readJson(folder.filePath(file))["kernels"_L1].toArray())
            operators.insert(kernel["op"_L1].toString().toStdString());
    return operators;
}

}  // namespace

class TestBeforeAutograd : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sameAsEager_data() {
        QTest::addColumn<int>("index");
        const auto all = programs();
        for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name) << static_cast<int>(i);
    }
    void sameAsEager() {
        QFETCH(int, index);
        const Case program = programs()[static_cast<std::size_t>(index)];
        for (const Dialect dialect : {Dialect::python, Dialect::libtorch})
            for (const bool inference : {false, true}) {
                const Compiled compiled =
                    compile(moduleOf(program), spec(program.inputs), {.inference = inference, .dialect = dialect});
                QCOMPARE(q(compiled.record().error), QString());
                const CheckResult result = check(compiled);
                QVERIFY2(result.ok, result.details.empty() ? "" : result.details.front().c_str());
                if (!inference && *program.gone)
                    QCOMPARE(hasOperation(compiled.record(), program.gone), dialect == Dialect::libtorch);
            }
    }

    /// Dropout that drops nothing is a copy, as in Python, except where that would be visible.
    void dropoutThatDropsNothing_data() {
        columns<QString, QString, bool>("body", "result", "copied");
        const auto row = [](const char* name, const char* body, bool copied, const char* result = "Tensor") {
            QTest::newRow(name) << QString::fromLatin1(body) << QString::fromLatin1(result) << copied;
        };
        const char* two = "Tuple[Tensor, Tensor]";
        row("between operations", "return torch.dropout(x.sin(), 0.5, False).cos()", true);
        row("of probability zero", "return torch.dropout(x.sin(), 0.0, True).cos()", true);
        row("as a result", "return torch.dropout(x.sin(), 0.5, False)", true);
        row("of an input", "return torch.dropout(x, 0.5, False) * 2", true);
        row("of gaps", "return torch.dropout(x.sin()[:, ::2], 0.5, False).reshape(-1)", true);
        row("of repeated elements", "return torch.dropout(x.sin()[:1].expand(3, 4), 0.5, False).reshape(-1)", true);
        row("written before", "y = x.sin()\ny.mul_(2)\nreturn torch.dropout(y, 0.5, False).cos()", true);
        row("written to", "y = x.sin()\nz = torch.dropout(y, 0.5, False)\nz.mul_(2)\nreturn y + z", false);
        row("input written to", "y = x.sin()\nz = torch.dropout(y, 0.5, False)\ny.add_(1)\nreturn y + z", false);
        row("an input as a result", "return torch.dropout(x, 0.5, False)", false);
        row("a view of an input as a result", "return torch.dropout(x.t(), 0.5, False)", false);
        row("twice as a result", "y = x.sin()\nreturn y, torch.dropout(y, 0.5, False)", false, two);
        row("among results", "y = x.sin()\nreturn y, torch.dropout(y, 0.5, False).cos()", true, two);
    }
    void dropoutThatDropsNothing() {
        FETCH(QString, body, result);
        QFETCH(bool, copied);
        const std::string returned = result.toStdString();
        const Case program = {"", "x: Tensor", body.toStdString(), {learnt("3,4")}, "", returned.c_str()};
        const Compiled compiled = compile(moduleOf(program), spec(program.inputs));
        QCOMPARE(q(compiled.record().error), QString());
        const CheckResult checked = check(compiled);
        QVERIFY2(checked.ok, checked.details.empty() ? "" : checked.details.front().c_str());
        QCOMPARE(hasOperation(compiled.record(), "aten.clone.default"), copied);
    }

    void everyPythonKernelIsInTheTable() {
        const std::set<std::string> recorded = recordedOperators();
        QVERIFY(!recorded.empty());
        std::set<std::string> treated;
        for (const PythonKernel& kernel : pythonKernels()) treated.insert(kernel.op);
        QVERIFY(recorded == treated);
    }

    /// Each is followed by a rule that exists, or gives a reason; each rule follows one, or every dialect needs it.
    void everyTreatmentIsExplained() {
        std::map<std::string, std::string> rules;
        for (const BeforeAutogradRow& row : beforeAutogradRows()) QVERIFY(rules.emplace(row.op, row.rule).second);
        for (const PythonKernel& kernel : pythonKernels()) {
            const auto found = rules.find(kernel.op);
            QVERIFY2(found == rules.end() ? !*kernel.rule : found->second == kernel.rule, kernel.op);
            QVERIFY2(*kernel.rule || *kernel.why, kernel.op);
            QVERIFY2(!*kernel.rule || kernel.treatment == KernelTreatment::followed, kernel.op);
            rules.erase(kernel.op);
        }
        for (const BeforeAutogradRow& row : beforeAutogradRows())
            QVERIFY2(!rules.contains(row.op) || row.everyDialect, row.op);
    }
};

AOTSCOPE_TEST(TestBeforeAutograd)

}  // namespace aotscope::test::before_autograd_test

#include "test_before_autograd.moc"
