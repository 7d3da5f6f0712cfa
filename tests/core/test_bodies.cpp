// Options and the graphs within a program (tests/data/higher_order): those run by cond, map, scan and while_loop,
// regions under autocast, vmap. Every option reaches them. Results equal eager's, and eager's those of Python.

#include "aten/random_state.h"
#include "ops/decompositions/decomposition_table.h"
#include "session/session.h"
#include "support/test_program.h"
#include "support/text.h"
#include "verify/model_autocast.h"
#include "verify/model_run.h"

namespace aotscope::test::bodies_test {
namespace {

QString dataFile(const QString& name) { return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/higher_order/") + name; }

QStringList models() {
    QStringList names;
    for (const QString& file : QDir(dataFile(QString())).entryList({u"*.pt2"_s})) names << file.chopped(4);
    return names;
}

Options optionsFor(const QString& model) { return {.model = dataFile(model + u".pt2"_s).toStdString()}; }

QJsonObject python(const QString& model) {
    QFile file(dataFile(u"reference.json"_s));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object()[model].toObject();
}

/// The output of an eager run of the loaded program, and the sums of its gradients.
std::map<QString, double> eagerRun(const Options& options) {
    const ModelRun modelRun(loadModel(options.model, ModuleMode::asSaved), options);
    const RunArguments arguments = modelRun.arguments(/*ownState=*/true);
    const auto autocast = modelAutocast(options);
    seedRandom(options.seed);
    const at::Tensor output = modelRun.function()(arguments.leaves).leaves.at(0).toTensor();
    std::map<QString, double> found{{u"output"_s, output.item().toDouble()}};
    if (output.requires_grad()) output.backward();
    for (std::size_t i = 0; i < arguments.differentiable.size(); ++i)
        if (const at::Tensor& gradient = arguments.differentiable[i].grad(); gradient.defined())
            found[q(arguments.differentiableNames[i])] = gradient.sum().item().toDouble();
    return found;
}

using Change = void (*)(Options&);

const std::map<QString, Change> kOptions = {
    {u"autocast"_s, [](Options& o) { o.autocast = Autocast::cpuBfloat16; }},
    {u"autocast to float16"_s, [](Options& o) { o.autocast = Autocast::cpuFloat16; }},
    {u"autocast, inference"_s,
     [](Options& o) {
         o.autocast = Autocast::cpuBfloat16;
         o.inference = true;
     }},
    {u"libtorch"_s, [](Options& o) { o.dialect = Dialect::libtorch; }},
    {u"core-aten"_s, [](Options& o) { o.decompositions = DecompositionTable::load("core-aten"); }},
    {u"inductor"_s, [](Options& o) { o.decompositions = DecompositionTable::load("inductor"); }},
    {u"inductor, autocast"_s,
     [](Options& o) {
         o.decompositions = DecompositionTable::load("inductor");
         o.autocast = Autocast::cpuBfloat16;
     }},
    {u"torchscript"_s, [](Options& o) { o.compilers.forward = "torchscript"; }},
    {u"fused"_s, [](Options& o) { o.compilers.forward = "fused"; }},
    {u"kept mutations"_s, [](Options& o) { o.keepInputMutations = true; }},
    {u"budget"_s, [](Options& o) { o.partition.memoryBudget = 0.3; }},
    {u"seed"_s, [](Options& o) { o.seed = 7; }},
};

}  // namespace

class TestBodies : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eagerIsPythons_data() {
        columns<QString, bool>("model", "autocast");
        for (const QString& model : models())
            for (const bool autocast : {false, true})
                QTest::addRow("%s%s", qPrintable(model), autocast ? ", autocast" : "") << model << autocast;
    }
    void eagerIsPythons() {
        QFETCH(QString, model);
        QFETCH(bool, autocast);
        const QJsonObject here = python(model)[QLatin1String(autocast ? "autocast" : "plain")].toObject(),
                          other = python(model)[QLatin1String(autocast ? "plain" : "autocast")].toObject();
        if (here["output"_L1].isNull()) return;  // PyTorch does not run it
        Options options = optionsFor(model);
        if (autocast) options.autocast = Autocast::cpuBfloat16;
        const auto found = eagerRun(options);
        const auto compare = [&](const QString& name, const QJsonValue& expected, const QJsonValue& otherwise) {
            // Much closer to the expected result than to that without autocast, or with it.
            const double value = expected.toDouble(), far = std::abs(value - otherwise.toDouble(value));
            const QByteArray text = u"%1: %2, Python has %3"_s.arg(name).arg(found.at(name)).arg(value).toUtf8();
            QVERIFY2(std::abs(found.at(name) - value) <= 0.25 * far + 1e-6 * std::abs(value) + 1e-7, text.data());
        };
        compare(u"output"_s, here["output"_L1], other["output"_L1]);
        // PyTorch 2.13 drops the gradients of all steps of a loop but one, and of the decay of an associative scan.
        if (model.contains(u"while"_s) || model == u"associativescan"_s) return;
        const QJsonObject gradients = here["gradients"_L1].toObject();
        for (auto it = gradients.begin(); it != gradients.end(); ++it)
            compare(it.key(), it.value(), other["gradients"_L1].toObject()[it.key()]);
    }

    void compiledIsEagers_data() {
        columns<QString, QString>("model", "option");
        for (const QString& model : models())
            for (const auto& [option, change] : kOptions) {
                // Eager's backward runs the graphs again, without the rules that the forward used for random numbers.
                if (option.startsWith(u"inductor"_s) && model.endsWith(u"random"_s)) continue;
                QTest::addRow("%s, %s", qPrintable(model), qPrintable(option)) << model << option;
            }
    }
    void compiledIsEagers() {
        FETCH(QString, model, option);
        Options options = optionsFor(model);
        kOptions.at(option)(options);
        const auto session = Session::open(options, {});
        // Their branches end up with two dtypes, which no graph allows.
        const bool mixed = model == u"nested"_s || model == u"condrandom"_s;
        if (mixed && options.autocast != Autocast::off) {
            QVERIFY(q(session->record()->error).contains(u"tensors of different sizes or dtypes"_s));
            return;
        }
        QCOMPARE(q(session->record()->error), QString());
        const CheckResult check = session->check({});
        QVERIFY2(check.ok, check.ok ? "" : check.details.front().c_str());
    }
};

AOTSCOPE_TEST(TestBodies)

}  // namespace aotscope::test::bodies_test

#include "test_bodies.moc"
