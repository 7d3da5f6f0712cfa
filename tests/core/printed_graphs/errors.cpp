// Printed graphs that are broken, deep or large.

#include "printed_files.h"
#include "test_printed_graphs.h"

#include "support/processor_clock.h"
#include "support/text.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

std::string body(const std::string& lines) {
    return "class G(torch.nn.Module):\n    def forward(self, x: \"f32[2]\"):\n" + lines;
}

std::string statement(const std::string& line) { return body("        " + line + "\n        return (x,)\n"); }

}  // namespace

std::shared_ptr<const CompileRecord> TestPrintedGraphs::recordOfText(const std::string& text) const {
    const auto session = openFile(scratch_.write(u"text.txt"_s, QByteArray::fromStdString(text)));
    return session ? session->record() : nullptr;
}

// --- errors ---

void TestPrintedGraphs::errors_data() {
    const auto row = columns<QString, QString>("text", "message");
    row("no return", body("        y = torch.ops.aten.sin.default(x)\n"),
        "line 3: expected a 'return' at the end of forward(), found the end of the graph");
    row("no forward", "class G(torch.nn.Module):\n    pass\n",
        "line 2: expected 'def forward(...)' or a nested class, found 'pass'");
    row("undefined value", statement("y = torch.ops.aten.sin.default(x, z[0])"),
        "line 3: expected ',' or ')', found '[0])'");
    row("undefined operand", statement("y = z * 2"), "line 3: expected '(', found '* 2'");
    row("unclosed call", statement("y = torch.ops.aten.sin.default(x"),
        "line 4: expected ',' or ')', found 'return (x,)'");
    row("unclosed text", statement("y: \"f32[2] = torch.ops.aten.sin.default(x)"),
        "line 3: expected a closing quote in this line");
    row("no operation", statement("y = 3"), "line 3: expected an operation, found the end of the line");
    row("text behind", statement("y = torch.ops.aten.sin.default(x) 17"),
        "line 3: expected the end of the statement, found '17'");
    row("no equals sign", statement("y torch"), "line 3: expected '=' after 'y', found 'torch'");
    row("no statement", statement("%y = 3"), "line 3: expected a statement, found '%y = 3'");
    row("cut signature", "class G(torch.nn.Module):\n    def forward(self, x: \"f32[2]\"",
        "line 2: expected ',' or ')', found the end of the graph");
    row("twice", "class G(torch.nn.Module):\n    def forward(self, x, x):\n        return x\n",
        "expected a parameter 'x' only once");
    row("deep", statement("y = torch.ops.aten.sin.default(" + std::string(100'000, '[') + ")"),
        "line 3: expected brackets nested at most 200 deep");
    row("deep return", body("        return " + std::string(100'000, '(')),
        "line 3: expected brackets nested at most 200 deep");
    row("deep attribute",
        statement("y = " +
                  [] {
                      std::string s;
                      for (int i = 0; i < 100'000; ++i) s += "getattr(";
                      return s;
                  }() +
                  "self"),
        "line 3: expected");
}
void TestPrintedGraphs::errors() {
    FETCH(QString, text, message);
    const QString error = errorOf([&] { recordOfText(text.toStdString()); });
    QVERIFY2(error.startsWith(u"text.txt, line "_s), qPrintable(error));
    QVERIFY2(error.contains(message), qPrintable(error));
}

void TestPrintedGraphs::deepModulesAreRefused() {
    std::string text;
    for (int i = 0; i < 1000; ++i)
        text += std::string(static_cast<std::size_t>(i), ' ') + "class G(torch.nn.Module):\n";
    QVERIFY(errorOf([&] { recordOfText(text); }).contains(u"expected"_s));
}

/// Truncated and overwritten files give a graph or an error, nothing else.
void TestPrintedGraphs::damagedFilesAreRefused() {
    for (const char* name : {"control_flow.log", "mlp.trace", "expanded.txt", "symbolic_trace.txt", "dynamic.trace"}) {
        const QByteArray whole = contentOf(dataFolder() + QLatin1String(name));
        for (qsizetype cut = 1; cut < whole.size(); cut += whole.size() / 60 + 1) {
            QByteArray changed = whole;
            changed[cut] = "([{\"'#\n="[cut % 8];
            for (const QByteArray& text : {whole.left(cut), changed}) {
                const QString path = scratch_.write(u"damaged.log"_s, text);
                const QString error = errorOf([&] {
                    if (openFile(path)) repartitioned(path, {}, PartitionAlgorithm::minCut);
                });
                QVERIFY2(!error.startsWith("not an Error"_L1), qPrintable(error));
            }
        }
    }
}

// --- speed ---

void TestPrintedGraphs::tenThousandOperations() {
    std::string text =
        "class G(torch.nn.Module):\n    def forward(self, a: \"f32[64, 64][64, 1]cpu\"):\n        v0 = "
        "torch.ops.aten.sin.default(a)\n";
    for (int i = 1; i < 10'000; ++i) {
        const std::string name = "v" + std::to_string(i), before = "v" + std::to_string(i - 1);
        text += "        # File: /m.py:" + std::to_string(i / 3) + " in forward, code: x = f(x)\n        " + name +
                ": \"f32[64, 64][64, 1]cpu\" = torch.ops.aten.add.Tensor(" + before + ", a);  " + before + " = None\n";
    }
    text += "        return (v9999,)\n";
    const ProcessorClock clock;
    const auto record = recordOfText(text);
    const double ms = clock.milliseconds();
    QCOMPARE(record->graph(GraphKind::inference)->callCount(), std::size_t(10'000));
    qInfo("10,000 operations in %.0f ms", ms);
    QVERIFY2(ms < 10'000,
             qPrintable(QString::number(ms)));  // 150 on a quiet machine; quadratic time would be minutes
}

void TestPrintedGraphs::manyOutputsStayLinear() {
    std::string parameters, names;
    for (int i = 0; i < 50'000; ++i) parameters += ", p" + std::to_string(i), names += "p" + std::to_string(i) + ", ";
    const auto record = recordOfText("class G(torch.nn.Module):\n    def forward(self" + parameters +
                                     "):\n        return (" + names + ")\n");
    QCOMPARE(record->graphs.begin()->second->outputs().size(), std::size_t(50'000));
}
