// Operations at which graphs deliberately differ from Python's, and the manual's list of them.

#include "record/history/python_differences.h"
#include "session/session.h"
#include "support/models.h"
#include "support/op_histogram.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

namespace aotscope::test::python_differences_test {
namespace {

/// The operations of a program of tensors `x`, of these sizes.
QStringList differences(const std::string& body, const std::string& shape) {
    const auto compiled = compile(moduleFrom("def forward(self, x: Tensor):\n" + body),
                                  R"([{"shape": )" + shape + R"(, "requires_grad": true}])");
    if (!compiled.record().error.empty()) qFatal("%s", compiled.record().error.c_str());
    QStringList found;
    for (const std::string& text : pythonDifferences(compiled.record())) found << q(text);
    return found;
}

/// How often the joint graph of a program of tensors `x` calls an operator.
int calls(const std::string& body, const std::string& shape, const char* op) {
    const auto compiled = compile(moduleFrom("def forward(self, x: Tensor):\n" + body),
                                  R"([{"shape": )" + shape + R"(, "requires_grad": true}])");
    return histogram(*compiled.record().graph(GraphKind::joint)).value(QLatin1String(op));
}

std::string layers(int count, double dropout, bool train) {
    std::string weights;
    for (int i = 0; i < count; ++i)
        weights += "torch.ones([9, 3]), torch.ones([9, 3]), torch.ones([9]), torch.ones([9])" +
                   std::string(i + 1 < count ? ", " : "");
    return "    return torch.gru(x, torch.zeros([" + std::to_string(count) + ", 2, 3]), [" + weights + "], True, " +
           std::to_string(count) + ", " + std::to_string(dropout) + ", " + (train ? "True" : "False") +
           ", False, False)[0]\n";
}

}  // namespace

class TestPythonDifferences : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void layersThatDrop() {
        const QStringList found = differences(layers(2, 0.5, true), "[4, 2, 3]");
        QCOMPARE(found.size(), 1);
        QVERIFY2(found[0].startsWith(u'%') && found[0].contains(u"no dropout between the layers"_s),
                 qPrintable(found[0]));
        for (const auto& same : {layers(1, 0.5, true), layers(2, 0, true), layers(2, 0.5, false)})
            QCOMPARE(differences(same, "[4, 2, 3]"), QStringList());
    }

    void labelsThatEnd() {
        const QStringList found = differences(
            "    return torch.multilabel_margin_loss(x, torch.tensor([[1, -1, 0], [0, 2, -1]]))\n", "[2, 3]");
        QCOMPARE(found.size(), 1);
        QVERIFY2(found[0].contains(u"after the end of the labels"_s), qPrintable(found[0]));
    }

    void stridesOfBatchNorm() {
        const std::string norm = "torch.batch_norm(y, None, None, None, None, True, 0.1, 1e-5, False)\n";
        const QStringList found = differences("    y = x.transpose(1, 2)\n    return " + norm, "[2, 5, 4]");
        QCOMPARE(found.size(), 1);
        QVERIFY2(found[0].contains(u"strides of its input"_s), qPrintable(found[0]));
        QCOMPARE(differences("    y = x.sin()\n    return " + norm, "[2, 5, 4]"), QStringList());
    }

    /// The output is conjugated lazily, its tangent is any tensor: a copy is conjugated where a kernel cannot.
    void tangentsOfConjugatedOutputs() {
        QCOMPARE(calls("    return torch.fft_ifft(x)\n", "[4, 6]", "aten.clone.default"), 1);
    }

    /// Python treats indices -1 and -2 as equal at first, and then merges neither.
    void equalSelectsAreMerged() {
        const std::string last = "x.select(0, -1)";
        QCOMPARE(calls("    return x.select(0, -2) * " + last + " + " + last + ".sin()\n", "[3]", "aten.select.int"),
                 2);
    }

    /// In Python they become float32, and are cast back: two more copies.
    void typeOfRunningStatistics() {
        const std::string zeros = "torch.zeros([4], dtype=15)";
        const std::string body = "    mean = " + zeros + "\n    variance = " + zeros +
                                 "\n    y = torch.batch_norm(x.to(15), None, None, mean, variance, True, 0.1, 1e-5, "
                                 "False)\n    return y, mean, variance\n";
        QCOMPARE(calls(body, "[2, 4, 5]", "aten._to_copy.default"), 2);  // of x, and of its gradient
    }

    /// A saved input that is written back: the saved list says that it is a copy, too.
    void savedInputsThatAreWritten() {
        const auto compiled =
            compile(moduleFrom("def forward(self, x: Tensor, s: Tensor):\n    h = (s.sigmoid() * x).tanh()\n"
                               "    s.mul_(0.9)\n    return h.cos()\n"),
                    R"([{"shape": [8], "requires_grad": true}, {"shape": [8]}])");
        const CompileRecord& record = compiled.record();
        const auto saved = std::ranges::find(record.partition->saved, "s", &SavedValue::label);
        QVERIFY(saved != record.partition->saved.end());
        QVERIFY2(saved->reason.starts_with("a copy"), saved->reason.c_str());
        QStringList found;
        for (const std::string& text : pythonDifferences(record)) found << q(text);
        QVERIFY2(found.size() == 1 && found[0].contains(u"('s')"_s) && found[0].contains(u"written back"_s),
                 qPrintable(found.join(u'\n')));
    }

    /// What is said of several operations is said once.
    void theSameIsSaidOnce() {
        const QStringList found = differences(
            "    labels = torch.tensor([[1, -1, 0], [0, 2, -1]])\n"
            "    return torch.multilabel_margin_loss(x, labels) + torch.multilabel_margin_loss(2 * x, labels)\n",
            "[2, 3]");
        QCOMPARE(found.size(), 1);
        QVERIFY2(found[0].contains(u", and 1 more like it: Python 2.13 adds losses"_s), qPrintable(found[0]));
    }

    void nothingToSay() { QCOMPARE(differences("    return x.sin().cos()\n", "[3]"), QStringList()); }

    /// Every difference on the manual's list names an existing test function.
    void everyProofIsThere() {
        const QString root = QStringLiteral(AOTSCOPE_SOURCE_DIR);
        QString sources;
        QDirIterator files(root + u"/tests"_s, {u"*.cpp"_s, u"*.h"_s}, QDir::Files, QDirIterator::Subdirectories);
        QSet<QString> names;
        while (files.hasNext()) {
            const QString text = QString::fromUtf8(contentOf(files.next()));
            names.insert(files.fileInfo().completeBaseName());
            sources += text;
        }
        const QString manual = QString::fromUtf8(contentOf(root + u"/resources/manual/python.md"_s));
        static const QRegularExpression proof(u"`(test_\\w+)::(\\w+)`"_s);
        int rows = 0;
        bool table = false;
        for (const QString& line : manual.split(u'\n')) {
            const bool row = line.startsWith(u'|') && !line.startsWith("|--"_L1);
            if (row && table) {
                QVERIFY2(proof.match(line).hasMatch(), qPrintable(u"no test: "_s + line));
                ++rows;
            }
            table = line.startsWith(u'|');
            for (auto match = proof.globalMatch(line); match.hasNext();) {
                const auto found = match.next();
                QVERIFY2(names.contains(found.captured(1)), qPrintable(found.captured(0)));
                QVERIFY2(sources.contains(QRegularExpression(u"void (\\w+::)?%1\\("_s.arg(found.captured(2)))),
                         qPrintable(found.captured(0)));
            }
        }
        QVERIFY(rows > 20);
    }
};

AOTSCOPE_TEST(TestPythonDifferences)

}  // namespace aotscope::test::python_differences_test

#include "test_python_differences.moc"
