// Graphs and partitions against those of PyTorch's AOTAutograd for the same model files. The files are
// too large for the repository: the test is skipped without them.

#include "compile/compilers.h"
#include "session/session.h"
#include "support/op_histogram.h"
#include "support/program.h"
#include "support/reference_files.h"
#include "support/test_program.h"
#include "support/text.h"

#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <iterator>

namespace aotscope::test::reference_test {
namespace {

/// A script calls the overloads for numbers that its Python code calls. Python's AOTAutograd, which was run on the
/// script for the record, gets those of TorchScript.
Histogram asInPython(Histogram recorded) {
    if (const int numbers = recorded.take(QStringLiteral("aten.add.Scalar")); numbers > 0)
        recorded[QStringLiteral("aten.add.Tensor")] += numbers;
    return recorded;
}

const QMap<QString, KnownDifference>& knownDifferences() {
    static const QMap<QString, KnownDifference> known = {
        {QStringLiteral("bert_base_tiny"),
         {{QStringLiteral("aten.slice.Tensor")}, "recorded from the full model, which slices its position ids"}},
        {QStringLiteral("lstm"),
         {{QStringLiteral("operator.getitem")},
          "Python calls oneDNN's layers as for inference, which keeps no workspace for their backward"}},
        {QStringLiteral("lstm_nomkldnn"), {{}, "recorded with oneDNN switched off, which no file says"}},
        {QStringLiteral("t_mut_nograd"),
         {{QStringLiteral("aten.add.Tensor"), QStringLiteral("aten.clone.default")},
          "Python sends a gradient through a mutation under no_grad"}},
        {QStringLiteral("t_duplicate_inputs"),
         {{QStringLiteral("aten.as_strided.default"), QStringLiteral("aten.as_strided_scatter.default")},
          "the file has two tensors over one storage, recorded was one tensor given twice"}},
    };
    return known;
}

/// Models that cannot be run as they are in the file, and the error.
const QMap<QString, QString>& refusedModels() {
    static const QMap<QString, QString> refused = {
        // The example input in the file is a leaf that requires grad: eager PyTorch refuses it with the same words.
        {QStringLiteral("t_mut_input_requires_grad"), QStringLiteral("writes into a leaf that requires a gradient")},
    };
    return refused;
}

struct Saved {
    int count = 0;
    qint64 activationBytes = 0;
    int relus = 0;
    qint64 reluBytes = 0;
    int statistics = 0;  ///< of batches, for batch norm
    qint64 statisticsBytes = 0;
};

Saved savedIn(const QJsonObject& report) {
    Saved saved;
    for (const auto& value : report[QLatin1String("partition")][QLatin1String("saved")].toArray()) {
        ++saved.count;
        if (value[QLatin1String("kind")].toString() != QLatin1String("activation")) continue;
        const qint64 bytes = value[QLatin1String("bytes")].toInteger();
        saved.activationBytes += bytes;
        const QString op = value[QLatin1String("op")].toString();
        if (op == QLatin1String("aten.relu.default")) {
            ++saved.relus;
            saved.reluBytes += bytes;
        } else if (op == QLatin1String("operator.getitem") && value[QLatin1String("shape")].toArray().size() == 1) {
            ++saved.statistics;
            saved.statisticsBytes += bytes;
        }
    }
    return saved;
}

}  // namespace

class TestReference : public QObject {
    Q_OBJECT

    ReferenceFiles reference_;
    QTemporaryDir reports_;

    QString file(const QString& name) const { return reference_.folder.filePath(QStringLiteral("zoo/") + name); }

    /// The report of a run; empty if the run fails, which fails the test, too.
    QJsonObject report(QStringList arguments, const QString& partition) {
        const QString path = reports_.filePath(QStringLiteral("report.json"));
        QFile::remove(path);
        arguments.prepend(QStringLiteral("run"));
        arguments << QStringLiteral("--report") << path << QStringLiteral("--partition")
                  << (partition == QLatin1String("default") ? QStringLiteral("default") : QStringLiteral("min-cut"));
        if (partition == QLatin1String("mincut_static_params")) arguments << QStringLiteral("--static-params");
        const ProgramRun run = runProgram(arguments);
        if (run.code == 0) return readJson(path);
        QTest::qFail(run.text().constData(), __FILE__, __LINE__);
        return {};
    }

    static QStringList partitions() {
        return {QStringLiteral("default"), QStringLiteral("mincut"), QStringLiteral("mincut_static_params")};
    }

    /// Rows of everyFileAgreesWithEager.
    void addFiles(const QString& compiler) const {
        const QDir zoo(reference_.folder.filePath(QStringLiteral("zoo"))),
            cases(reference_.folder.filePath(QStringLiteral("cases")));
        for (const QString& name : zoo.entryList({QStringLiteral("*.trace.pt"), QStringLiteral("*.script.pt")}))
            QTest::addRow("%s, %s", qPrintable(name), qPrintable(compiler))
                << compiler << zoo.filePath(name)
                << zoo.filePath(name.section('.', 0, 0) + QStringLiteral(".inputs.pt"));
        for (const QString& name : cases.entryList({QStringLiteral("*.pt")}))
            QTest::addRow("%s, %s", qPrintable(name), qPrintable(compiler))
                << compiler << cases.filePath(name) << cases.filePath(name.chopped(2) + QStringLiteral("json"));
    }

private Q_SLOTS:
    void initTestCase() {
        aotscope::initializeTorch();
        reference_.open(QStringLiteral("zoo_reference.json"));
    }

    /// Every model file of the zoo and every small program with every compiler, against eager.
    void everyFileAgreesWithEager_data() {
        QTest::addColumn<QString>("compiler");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("inputs");
        for (const auto& compiler : aotscope::compilerList({})) addFiles(q(compiler.name));
    }
    void everyFileAgreesWithEager() {
        QFETCH(QString, compiler);
        QFETCH(QString, path);
        QFETCH(QString, inputs);
        // Programs that eager refuses, and mutated inputs that share memory in ways that no synthetic base can
        // represent.
        static const char* const refused[] = {"cannot mutate tensors with frozen storage",
                                              "non-differentiable view input mutations are not handled",
                                              "input mutations on views with different dtypes are not handled"};
        bool hasBackward = true;
        for (const char* partition : {"default", "min-cut"}) {
            QStringList arguments = {
                QStringLiteral("run"),        path,    QStringLiteral("--inputs"), inputs, QStringLiteral("--check"),
                QStringLiteral("--compiler"), compiler};
            if (hasBackward) arguments << QStringLiteral("--partition") << QLatin1String(partition);
            const ProgramRun run = runProgram(arguments);
            if (hasBackward && run.err.contains("there is no backward to partition")) {
                hasBackward = false;
                continue;
            }
            const bool known = std::any_of(std::begin(refused), std::end(refused),
                                           [&](const char* message) { return run.err.contains(message); });
            QVERIFY2(run.code == 0 || known, run.text().constData());
        }
    }

    void files_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("frontend");
        QTest::addColumn<QString>("partition");
        for (const char* model : {"mlp", "resnet18", "resnet50", "vgg11", "transformer_encoder"})
            for (const char* frontend : {"trace", "script"})
                for (const QString& partition : partitions())
                    QTest::addRow("%s %s %s", model, frontend, qPrintable(partition)) << model << frontend << partition;
    }
    void files() {
        QFETCH(QString, model);
        QFETCH(QString, frontend);
        QFETCH(QString, partition);
        const QJsonValue reference = reference_.entries[model][QLatin1String("frontends")];
        const QString tag = reference[QLatin1String("tag")].toString();
        const QJsonObject ours =
            report({file(QStringLiteral("%1.%2.pt").arg(tag, frontend)), QStringLiteral("--inputs"),
                    file(tag + QStringLiteral(".inputs.pt")), QStringLiteral("--check")},
                   partition);
        if (ours.isEmpty()) return;
        QVERIFY(ours[QLatin1String("check")][QLatin1String("backward_run")].toBool());
        QVERIFY(ours[QLatin1String("fallbacks")].toObject().isEmpty());
        const QJsonValue theirs = reference[frontend];
        if (!theirs.toObject().contains(QLatin1String("hist"))) return;  // PyTorch could not trace this file
        const QString joint =
            difference(histogram(ours[QLatin1String("graphs")][QLatin1String("joint")][QLatin1String("ops")]),
                       frontend == QLatin1String("script") ? asInPython(histogram(theirs[QLatin1String("hist")]))
                                                           : histogram(theirs[QLatin1String("hist")]));
        QVERIFY2(joint.isEmpty(), qPrintable(joint));

        const QJsonValue cut = theirs[partition];
        if (cut.isUndefined()) return;  // static parameters were recorded for the full models only
        Saved saved = savedIn(ours);
        if (ours[QLatin1String("graphs")][QLatin1String("joint")][QLatin1String("ops")].toObject().contains(
                QLatin1String("aten.native_batch_norm_backward.default"))) {
            // PyTorch also saves the running statistics, which that backward does not read in training.
            saved.count += saved.statistics;
            saved.activationBytes += saved.statisticsBytes;
        }
        if (partition == QLatin1String("default") && saved.count < cut[QLatin1String("saved_total")].toInt()) {
            // PyTorch saves the result of a relu twice if both the program and its backward use it.
            saved.count += saved.relus;
            saved.activationBytes += saved.reluBytes;
        }
        QCOMPARE(saved.count, cut[QLatin1String("saved_total")].toInt());
        QCOMPARE(saved.activationBytes, cut[QLatin1String("saved_activation_bytes")].toInteger());
    }

    void exportedModels_data() {
        QTest::addColumn<QString>("path");
        const QDir zoo(reference_.folder.filePath(QStringLiteral("zoo")));
        for (const QString& name : zoo.entryList({QStringLiteral("*.pt2")}, QDir::Files))
            QTest::newRow(qPrintable(name)) << zoo.filePath(name);
        QTest::newRow("one_of_everything.pt2")
            << QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/exported/one_of_everything.pt2");
    }
    void exportedModels() {
        QFETCH(QString, path);
        const QString tag = QFileInfo(path).fileName().section(QLatin1Char('.'), 0, 0);
        const bool full = tag.endsWith(QLatin1String("_full"));
        const QString model = QString(tag).remove(QStringLiteral("_full")).remove(QStringLiteral("_tiny"));
        aotscope::Options options;
        options.model = path.toStdString();
        const auto session = aotscope::Session::open(options, {});
        const QString error = QString::fromStdString(session->record()->error);
        if (refusedModels().contains(model)) {
            QVERIFY2(error.contains(refusedModels()[model]), qPrintable(error));
            return;
        }
        QVERIFY2(error.isEmpty(), qPrintable(error));
        // A run of the large models takes minutes.
        if (!full || !path.contains(QLatin1String("noweights"))) QVERIFY(session->check({}).ok);
        const QJsonValue frontends = reference_.entries[model][QLatin1String("frontends")];
        QJsonValue theirs =
            reference_.entries[model][QLatin1String("joint")][QLatin1String("none")][QLatin1String("hist")];
        if (frontends[QLatin1String("tag")].toString() == tag &&
            frontends[QLatin1String("pt2")].toObject().contains(QLatin1String("hist")))
            theirs = frontends[QLatin1String("pt2")][QLatin1String("hist")];
        if (!theirs.isObject()) return;  // not one of the zoo
        Histogram ours = histogram(*tracedJoint(*session->record())), expected = histogram(theirs);
        const auto known = knownDifferences().value(knownDifferences().contains(tag) ? tag : model);
        if (known.why) {
            const QString found = difference(ours, expected);
            QVERIFY2(!found.isEmpty(), "it does not differ any more");
            qInfo("%s: %s\n%s", qPrintable(tag), known.why, qPrintable(found));
            if (known.ops.isEmpty()) return;
        }
        for (const QString& op : known.ops) ours.remove(op), expected.remove(op);
        const QString found = difference(ours, expected);
        QVERIFY2(found.isEmpty(), qPrintable(found));
    }

    /// Models with dynamic shapes: one compilation serves all sizes.
    void dynamicModels_data() {
        QTest::addColumn<QString>("path");
        const QDir zoo(reference_.folder.filePath(QStringLiteral("zoo")));
        for (const QString& name : zoo.entryList({QStringLiteral("*.dynamic*.pt2")}, QDir::Files))
            QTest::newRow(qPrintable(name)) << zoo.filePath(name);
    }
    void dynamicModels() {
        QFETCH(QString, path);
        // A run of the large models takes minutes.
        const bool runs = !path.contains(QLatin1String("_full.")) || !path.contains(QLatin1String("noweights"));
        QStringList arguments{path};
        if (runs) arguments << QStringLiteral("--check");
        for (const char* partition : {"default", "mincut"}) {
            const QJsonObject ours = report(arguments, QLatin1String(partition));
            if (ours.isEmpty()) return;
            QVERIFY(!ours[QLatin1String("symbols")].toArray().isEmpty());
            if (!runs) continue;
            const QJsonValue check = ours[QLatin1String("check")];
            const QJsonArray sizes = check[QLatin1String("sizes")].toArray();
            QVERIFY(check[QLatin1String("ok")].toBool());
            QVERIFY(sizes.size() >= 4);
            QCOMPARE(check[QLatin1String("cache")][QLatin1String("misses")].toInt(), 0);
        }
    }

    void fullModels_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("partition");
        for (const auto& [model, source] :
             {std::pair("mlp", "mlp_full.trace.pt"), std::pair("mlp", "mlp_full.script.pt"),
              std::pair("resnet18", "sample:resnet18"), std::pair("resnet50", "sample:resnet50")})
            for (const QString& partition : partitions())
                QTest::addRow("%s %s", source, qPrintable(partition)) << model << source << partition;
    }
    void fullModels() {
        QFETCH(QString, model);
        QFETCH(QString, source);
        QFETCH(QString, partition);
        const bool sample = source.startsWith(QLatin1String("sample:"));
        QStringList arguments{sample ? source : file(source)};
        if (!sample) arguments << QStringLiteral("--inputs") << file(model + QStringLiteral("_full.inputs.pt"));
        const QJsonObject ours = report(arguments, partition);
        if (ours.isEmpty()) return;
        const QJsonValue graphs = ours[QLatin1String("graphs")];
        const QJsonValue theirs =
            reference_.entries[model][QLatin1String("partition")][QLatin1String("none")][partition];
        const auto compare = [&](const char* graph, const QJsonValue& expected) {
            const auto name = QLatin1String(graph);
            return difference(histogram(graphs[name][QLatin1String("ops")]), histogram(expected));
        };
        const QString joint = compare(
            "joint", reference_.entries[model][QLatin1String("joint")][QLatin1String("none")][QLatin1String("hist")]);
        QVERIFY2(joint.isEmpty(), qPrintable(joint));
        const QString forward = compare("forward", theirs[QLatin1String("fw_hist")]);
        QVERIFY2(forward.isEmpty(), qPrintable(forward));
        const QString backward = compare("backward", theirs[QLatin1String("bw_hist")]);
        QVERIFY2(backward.isEmpty(), qPrintable(backward));
        // PyTorch saves running statistics, as large as those of the batch, for a backward that does not read them.
        QCOMPARE(ours[QLatin1String("partition")][QLatin1String("saved_unique_bytes")].toInteger() +
                     savedIn(ours).statisticsBytes,
                 theirs[QLatin1String("saved_activation_unique_storage_bytes")].toInteger());
        Histogram recomputed;
        for (const auto& value : ours[QLatin1String("partition")][QLatin1String("recomputed")].toArray())
            ++recomputed[value[QLatin1String("op")].toString()];
        const QString again = difference(recomputed, histogram(theirs[QLatin1String("recomputed")]));
        QVERIFY2(again.isEmpty(), qPrintable(again));
    }
};

AOTSCOPE_TEST(TestReference)

}  // namespace aotscope::test::reference_test

#include "test_reference.moc"
