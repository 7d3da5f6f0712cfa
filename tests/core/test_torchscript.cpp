// TorchScript programs: model files written by Python's compiler (tests/data/torchscript), each compared
// with eager, and the conditions under which graphs of data-dependent programs are valid.

#include "session/session.h"
#include "support/models.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"
#include "verify/check.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Generator.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/jit/api/module.h>

namespace aotscope::test::torchscript_test {
namespace {

const QString kFolder = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/torchscript/");

Options optionsFor(const QString& name) {
    return {.model = (kFolder + name + u".pt"_s).toStdString(),
            .inputs = parseInputSpec(contentOf(kFolder + name + u".json"_s).toStdString(), "spec"),
            .verify = true};
}

/// Texts of the conditions, one per line.
QString guardsOf(const CompileRecord& record) {
    QStringList lines;
    for (const Guard& guard : record.guards) lines << q(guard.text);
    return lines.join(u'\n');
}

/// A program with one input x of shape (2, 3) that requires a gradient.
Compiled compileUnary(const std::string& body, Attributes attributes = {}, const Options& options = {}) {
    return compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n" + body, std::move(attributes)),
                   R"({"values":[{"leaf":{"shape":[2,3],"pattern":[1,100,-2,1],"requires_grad":true}}],)"
                   R"("inputs":[{"tensor":0}]})",
                   options);
}

at::Tensor only(const std::vector<c10::IValue>& outputs) { return outputs.at(0).toTensor(); }

}  // namespace

class TestTorchScript : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void files_data() {
        QTest::addColumn<QString>("message");
        const QMap<QString, QString> refused = {
            {u"AssignsNumber"_s, u"the model assigns to its attribute 'calls'"_s},
            {u"DataText"_s, u"the model formats a tensor as text"_s},
            {u"NoForward"_s, u"has no method 'forward' (it has: encode)"_s},
            {u"Packed"_s, u"packed sequences (pack_padded_sequence) keep their lengths"_s},
            {u"PickedByNumber"_s, u"the model selects a submodule by an index or key"_s},
            {u"RandomBranch"_s, u"depends on random numbers of 'aten.rand.default'"_s},
        };
        const auto files = QDir(kFolder).entryList({u"*.pt"_s});
        QVERIFY(files.size() > 30);
        for (const QString& file : files) {
            const QString name = file.chopped(3);
            QTest::newRow(qPrintable(name)) << refused.value(name);
        }
    }
    void files() {
        QFETCH(QString, message);
        const Options options = optionsFor(QString::fromLatin1(QTest::currentDataTag()));
        QString error;
        std::shared_ptr<const Session> session;
        error = errorOf([&] { session = Session::open(options, {}); });
        if (session) error = q(session->record()->error);
        if (!message.isEmpty()) {
            QVERIFY2(error.contains(message), qPrintable(error));
            return;
        }
        QVERIFY2(error.isEmpty(), qPrintable(error));
        const CheckResult check = session->check({});
        QVERIFY2(check.ok, check.details.empty() ? "" : check.details.front().c_str());
    }

    void everyForwardNodeHasItsPlace_data() {
        const auto row = columns<QString>("message");
        for (const QString& file : QDir(kFolder).entryList({u"*.pt"_s})) row(file.chopped(3), QString());
    }
    void everyForwardNodeHasItsPlace() {
        std::shared_ptr<const Session> session;
        errorOf([&] { session = Session::open(optionsFor(QString::fromLatin1(QTest::currentDataTag())), {}); });
        if (!session || !session->record()->graph(GraphKind::functional)) return;  // refused, see above
        for (const Node* node : session->record()->graph(GraphKind::functional)->nodes()) {
            if (node->kind() != NodeKind::call) continue;
            const bool placed = node->source && !node->source->text.empty() && node->source->line > 0;
            QVERIFY2(placed, qPrintable(u'%' + q(node->name())));
        }
    }

    void modulePathsAreKept() {
        const auto session = Session::open(optionsFor(u"Containers"_s), {});
        QStringList modules;
        for (const Node* node : session->record()->graph(GraphKind::functional)->nodes())
            if (node->isCall("aten.addmm.default")) modules << q(node->source->module);
        QCOMPARE(modules, QStringList({u"listed.0.linear"_s, u"listed.1.linear"_s, u"named.a.linear"_s, u"named.b.0"_s,
                                       u"listed.1.linear"_s, u"named.a.linear"_s}));
    }

    // --- conditions on data ---

    void conditionsNameValueAndLine() {
        const Compiled branch =
            compileUnary("    s = x.sum()\n    if bool(s > 0):\n        x = x * 2\n    return x.sin()");
        QCOMPARE(guardsOf(branch.record()), u"bool(aten.gt(sum, 0)) is True (model.py:4)"_s);
        QCOMPARE(branch.record().guards[0].kind, Guard::Kind::value);
        QCOMPARE(q(branch.record().guards[0].source->text), u"if bool(s > 0):"_s);

        const Compiled shape = compileUnary("    return x[x > 0] * 2");
        QCOMPARE(guardsOf(shape.record()), u"aten.index(x, [gt]) has sizes [3] (model.py:3)"_s);
        QCOMPARE(shape.record().guards[0].kind, Guard::Kind::shape);

        const Compiled number = compileUnary("    return x * int(x.argmax())");
        QCOMPARE(guardsOf(number.record()), u"int(aten.argmax(x)) == 5 (model.py:3)"_s);
        QVERIFY(compileUnary("    return x.sin()").record().guards.empty());
    }

    void kernelsThatReadDataAreLogged() {
        const auto logged = [](const Compiled& compiled) {
            QStringList lines;
            for (const PassRecord& pass : compiled.record().passes)
                for (const std::string& line : pass.log)
                    if (line.find("reads data") != std::string::npos) lines << q(line);
            return lines;
        };
        // sum, gt, bool, mul
        const Compiled reading = compileUnary("    if bool(x.sum() > 0):\n        return x * 2\n    return x.sin()");
        QCOMPARE(logged(reading),
                 QStringList{u"the model reads data, for which it ran once on the example inputs: 4 real kernels"_s});
        QCOMPARE(reading.record().dataKernels, std::size_t{4});
        const Compiled plain = compileUnary("    return x.sin()");
        QCOMPARE(logged(plain), QStringList());
        QCOMPARE(plain.record().dataKernels, std::size_t{0});
    }

    void otherInputsAreRefused() {
        const Compiled branch = compileUnary("    if bool(x.sum() > 0):\n        return x * 2\n    return x.sin()", {});
        const at::Tensor like = at::full({2, 3}, 5.0), other = at::full({2, 3}, -5.0);
        QVERIFY(!branch.function().failedGuard({like}));
        QVERIFY(at::equal(only(branch.function()({like})), like * 2));
        QCOMPARE(q(branch.function().failedGuard({other}).value_or("")),
                 u"'bool(aten.gt(sum, 0)) is True (model.py:3)' does not hold: found False"_s);
        QCOMPARE(errorOf([&] { branch.function()({other}); }),
                 u"the inputs do not fit what was compiled ('bool(aten.gt(sum, 0)) is True (model.py:3)' "
                 "does not hold: found False); compile for these inputs"_s);
    }

    void conditionsHoldForInferenceToo() {
        const Options options{.inference = true};
        const Compiled shape = compileUnary("    return x[x > 0] * 2", {}, options);
        const at::Tensor more = at::ones({2, 3});
        QCOMPARE(q(shape.function().failedGuard({more}).value_or("")),
                 u"'aten.index(x, [gt]) has sizes [3] (model.py:3)' does not hold: found [6]"_s);
        const at::Tensor elsewhere = at::arange(6, at::kFloat).view({2, 3}).sub(2.5);
        QVERIFY(at::equal(only(shape.function()({elsewhere})), at::arange(3, at::kFloat).add(0.5).mul(2)));
    }

    /// Later conditions cannot be computed if an earlier one fails.
    void conditionsThatCannotBeComputedFail() {
        const Compiled chain = compileUnary(
            "    n = int(x[0, 0])\n    y = x.view(-1)[n + 2:].view([2, 3])\n"
            "    return y * int(y.sum())");
        at::Tensor other = at::ones({2, 3});
        const auto reason = chain.function().failedGuard({other});
        QVERIFY(reason && reason->find("does not hold") != std::string::npos);
    }

    void constantsNeedNoCondition() {
        const Compiled constant = compileUnary(
            "    t = torch.tensor([1.0, 2.0])\n    if bool(t.sum() > 2):\n        x = x * 2\n"
            "    if bool(x.sum() > 0):\n        x = x + 1\n    return x");
        QCOMPARE(guardsOf(constant.record()), u"bool(aten.gt(sum, 0)) is True (model.py:6)"_s);
    }

    void masksOfWritesAreConditionsOnlyForGradients() {
        const Compiled fill = compileUnary("    y = x.clone()\n    y[x > 0] = 0.5\n    return y");
        QCOMPARE(guardsOf(fill.record()), QString());
        const Compiled update = compileUnary("    y = x.clone()\n    y[x > 0] = x[0].clone()\n    return y");
        QCOMPARE(guardsOf(update.record()), u"aten.gt(x, 0) holds in 3 places (model.py:4)"_s);
    }

    /// The eager run that finds the data must have no side effects.
    void lookingAtDataChangesNothing() {
        const auto buffer = [] { return Attributes{ModuleBuilder::buffer("count", at::ones({}))}; };
        at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
        const at::Tensor before = generator.get_state();
        const auto module = moduleFrom(
            "def forward(self, x: Tensor) -> Tensor:\n    self.count.add_(1)\n"
            "    y = torch.dropout(x, 0.5, True)\n"
            "    if bool(self.count > 1.5):\n        return y * self.count\n    return y",
            buffer());
        const Compiled compiled = compile(module, R"([{"shape":[2,3],"requires_grad":true}])");
        QVERIFY(compiled.compilation.function);
        QCOMPARE(module->attr("count").toTensor().item<double>(), 1.0);
        QVERIFY(at::equal(generator.get_state(), before));
    }
};

AOTSCOPE_TEST(TestTorchScript)

}  // namespace aotscope::test::torchscript_test

#include "test_torchscript.moc"
