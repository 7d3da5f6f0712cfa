// Graphs and partitions against those of PyTorch's AOTAutograd for the same model files. The files are
// too large for the repository: the test is skipped without them.

#include "compile/compilers.h"
#include "session/session.h"
#include "support/op_histogram.h"
#include "support/program.h"
#include "support/reference_files.h"
#include "support/test_program.h"
#include "support/text.h"

#include <algorithm>
#include <iterator>

namespace aotscope::test::reference_test {
namespace {

/// A script calls the overloads for numbers, as its Python code does. Python's AOTAutograd, which was run on the script
/// for the record, gets those of TorchScript.
Histogram asInPython(Histogram recorded) {
    if (const int numbers = recorded.take(u"aten.add.Scalar"_s); numbers > 0) recorded[u"aten.add.Tensor"_s] += numbers;
    return recorded;
}

const QMap<QString, KnownDifference>& knownDifferences() {
    static const QMap<QString, KnownDifference> known = {
        {u"bert_base_tiny"_s,
         {{u"aten.slice.Tensor"_s}, "recorded from the full model, which slices its position ids"}},
        {u"lstm"_s,
         {{u"operator.getitem"_s},
          "Python calls oneDNN's layers as for inference, which keeps no workspace for their backward"}},
        {u"lstm_nomkldnn"_s, {{}, "recorded with oneDNN switched off, which no file says"}},
        {u"t_mut_nograd"_s,
         {{u"aten.add.Tensor"_s, u"aten.clone.default"_s}, "Python sends a gradient through a mutation under no_grad"}},
        {u"t_duplicate_inputs"_s,
         {{u"aten.as_strided.default"_s, u"aten.as_strided_scatter.default"_s},
          "the file has two tensors over one storage, recorded was one tensor given twice"}},
    };
    return known;
}

/// Models that cannot be run as they are in the file, and the error.
const QMap<QString, QString>& refusedModels() {
    static const QMap<QString, QString> refused = {
        // The example input in the file is a leaf that requires grad: eager PyTorch refuses it with the same words.
        {u"t_mut_input_requires_grad"_s, u"writes into a leaf that requires a gradient"_s},
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
    for (const auto& value : report["partition"_L1]["saved"_L1].toArray()) {
        ++saved.count;
        if (value["kind"_L1].toString() != "activation"_L1) continue;
        const qint64 bytes = value["bytes"_L1].toInteger();
        saved.activationBytes += bytes;
        const QString op = value["op"_L1].toString();
        if (op == "aten.relu.default"_L1) {
            ++saved.relus;
            saved.reluBytes += bytes;
        } else if (op == "operator.getitem"_L1 && value["shape"_L1].toArray().size() == 1) {
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

    QString file(const QString& name) const { return reference_.folder.filePath(u"zoo/"_s + name); }

    /// The report of a run; empty if the run fails, which fails the test, too.
    QJsonObject report(QStringList arguments, const QString& partition) {
        const QString path = reports_.filePath(u"report.json"_s);
        QFile::remove(path);
        arguments.prepend(u"run"_s);
        arguments << u"--report"_s << path << u"--partition"_s
                  << (partition == "default"_L1 ? u"default"_s : u"min-cut"_s);
        if (partition == "mincut_static_params"_L1) arguments << u"--static-params"_s;
        const ProgramRun run = runProgram(arguments);
        if (run.code == 0) return readJson(path);
        QTest::qFail(run.text().constData(), __FILE__, __LINE__);
        return {};
    }

    static QStringList partitions() { return {u"default"_s, u"mincut"_s, u"mincut_static_params"_s}; }

    /// Rows of everyFileAgreesWithEager.
    void addFiles(const QString& compiler) const {
        const QDir zoo(reference_.folder.filePath(u"zoo"_s)), cases(reference_.folder.filePath(u"cases"_s));
        for (const QString& name : zoo.entryList({u"*.trace.pt"_s, u"*.script.pt"_s}))
            QTest::addRow("%s, %s", qPrintable(name), qPrintable(compiler))
                << compiler << zoo.filePath(name) << zoo.filePath(name.section('.', 0, 0) + u".inputs.pt"_s);
        for (const QString& name : cases.entryList({u"*.pt"_s}))
            QTest::addRow("%s, %s", qPrintable(name), qPrintable(compiler))
                << compiler << cases.filePath(name) << cases.filePath(name.chopped(2) + u"json"_s);
    }

private Q_SLOTS:
    void initTestCase() { reference_.open(u"zoo_reference.json"_s); }

    /// Every model file of the zoo and every small program with every compiler, against eager.
    void everyFileAgreesWithEager_data() {
        columns<QString, QString, QString>("compiler", "path", "inputs");
        for (const auto& compiler : aotscope::compilerList({})) addFiles(q(compiler.name));
    }
    void everyFileAgreesWithEager() {
        FETCH(QString, compiler, path, inputs);
        // Programs that eager refuses, and mutated inputs that share memory in ways that no synthetic base can
        // represent.
        static const char* const refused[] = {"cannot mutate tensors with frozen storage",
                                              "non-differentiable view input mutations are not handled",
                                              "input mutations on views with different dtypes are not handled"};
        bool hasBackward = true;
        for (const char* partition : {"default", "min-cut"}) {
            QStringList arguments = {u"run"_s, path, u"--inputs"_s, inputs, u"--check"_s, u"--compiler"_s, compiler};
            if (hasBackward) arguments << u"--partition"_s << QLatin1String(partition);
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
        columns<QString, QString, QString>("model", "frontend", "partition");
        for (const char* model : {"mlp", "resnet18", "resnet50", "vgg11", "transformer_encoder"})
            for (const char* frontend : {"trace", "script"})
                for (const QString& partition : partitions())
                    QTest::addRow("%s %s %s", model, frontend, qPrintable(partition)) << model << frontend << partition;
    }
    void files() {
        FETCH(QString, model, frontend, partition);
        const QJsonValue reference = reference_.entries[model]["frontends"_L1];
        const QString tag = reference["tag"_L1].toString();
        const QJsonObject ours =
            report({file(u"%1.%2.pt"_s.arg(tag, frontend)), u"--inputs"_s, file(tag + u".inputs.pt"_s), u"--check"_s},
                   partition);
        if (ours.isEmpty()) return;
        QVERIFY(ours["check"_L1]["backward_run"_L1].toBool());
        QVERIFY(ours["fallbacks"_L1].toObject().isEmpty());
        const QJsonValue theirs = reference[frontend];
        if (!theirs.toObject().contains("hist"_L1)) return;  // PyTorch could not trace this file
        const QString joint = difference(
            histogram(ours["graphs"_L1]["joint"_L1]["ops"_L1]),
            frontend == "script"_L1 ? asInPython(histogram(theirs["hist"_L1])) : histogram(theirs["hist"_L1]));
        QVERIFY2(joint.isEmpty(), qPrintable(joint));

        const QJsonValue cut = theirs[partition];
        if (cut.isUndefined()) return;  // static parameters were recorded for the full models only
        Saved saved = savedIn(ours);
        if (ours["graphs"_L1]["joint"_L1]["ops"_L1].toObject().contains("aten.native_batch_norm_backward.default"_L1)) {
            // PyTorch also saves the running statistics, which that backward does not read in training.
            saved.count += saved.statistics;
            saved.activationBytes += saved.statisticsBytes;
        }
        if (partition == "default"_L1 && saved.count < cut["saved_total"_L1].toInt()) {
            // PyTorch saves the result of a relu twice if both the program and its backward use it.
            saved.count += saved.relus;
            saved.activationBytes += saved.reluBytes;
        }
        QCOMPARE(saved.count, cut["saved_total"_L1].toInt());
        QCOMPARE(saved.activationBytes, cut["saved_activation_bytes"_L1].toInteger());
    }

    void exportedModels_data() {
        const auto row = columns<QString>("path");
        const QDir zoo(reference_.folder.filePath(u"zoo"_s));
        for (const QString& name : zoo.entryList({u"*.pt2"_s}, QDir::Files)) row(name, zoo.filePath(name));
        row("one_of_everything.pt2", QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/exported/one_of_everything.pt2"));
    }
    void exportedModels() {
        QFETCH(QString, path);
        const QString tag = QFileInfo(path).fileName().section(u'.', 0, 0);
        const bool full = tag.endsWith("_full"_L1);
        const QString model = QString(tag).remove(u"_full"_s).remove(u"_tiny"_s);
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
        if (!full || !path.contains("noweights"_L1)) QVERIFY(session->check({}).ok);
        const QJsonValue frontends = reference_.entries[model]["frontends"_L1];
        QJsonValue theirs = reference_.entries[model]["joint"_L1]["none"_L1]["hist"_L1];
        if (frontends["tag"_L1].toString() == tag && frontends["pt2"_L1].toObject().contains("hist"_L1))
            theirs = frontends["pt2"_L1]["hist"_L1];
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
        const auto row = columns<QString>("path");
        const QDir zoo(reference_.folder.filePath(u"zoo"_s));
        for (const QString& name : zoo.entryList({u"*.dynamic*.pt2"_s}, QDir::Files)) row(name, zoo.filePath(name));
    }
    void dynamicModels() {
        QFETCH(QString, path);
        // A run of the large models takes minutes.
        const bool runs = !path.contains("_full."_L1) || !path.contains("noweights"_L1);
        QStringList arguments{path};
        if (runs) arguments << u"--check"_s;
        for (const char* partition : {"default", "mincut"}) {
            const QJsonObject ours = report(arguments, QLatin1String(partition));
            if (ours.isEmpty()) return;
            QVERIFY(!ours["symbols"_L1].toArray().isEmpty());
            if (!runs) continue;
            const QJsonValue check = ours["check"_L1];
            const QJsonArray sizes = check["sizes"_L1].toArray();
            QVERIFY(check["ok"_L1].toBool());
            QVERIFY(sizes.size() >= 4);
            QCOMPARE(check["cache"_L1]["misses"_L1].toInt(), 0);
        }
    }

    void fullModels_data() {
        columns<QString, QString, QString>("model", "source", "partition");
        for (const auto& [model, source] :
             {std::pair("mlp", "mlp_full.trace.pt"), std::pair("mlp", "mlp_full.script.pt"),
              std::pair("resnet18", "sample:resnet18"), std::pair("resnet50", "sample:resnet50")})
            for (const QString& partition : partitions())
                QTest::addRow("%s %s", source, qPrintable(partition)) << model << source << partition;
    }
    void fullModels() {
        FETCH(QString, model, source, partition);
        const bool sample = source.startsWith("sample:"_L1);
        QStringList arguments{sample ? source : file(source)};
        if (!sample) arguments << u"--inputs"_s << file(model + u"_full.inputs.pt"_s);
        const QJsonObject ours = report(arguments, partition);
        if (ours.isEmpty()) return;
        const QJsonValue graphs = ours["graphs"_L1];
        const QJsonValue theirs = reference_.entries[model]["partition"_L1]["none"_L1][partition];
        const auto compare = [&](const char* graph, const QJsonValue& expected) {
            const auto name = QLatin1String(graph);
            return difference(histogram(graphs[name]["ops"_L1]), histogram(expected));
        };
        const QString joint = compare("joint", reference_.entries[model]["joint"_L1]["none"_L1]["hist"_L1]);
        QVERIFY2(joint.isEmpty(), qPrintable(joint));
        const QString forward = compare("forward", theirs["fw_hist"_L1]);
        QVERIFY2(forward.isEmpty(), qPrintable(forward));
        const QString backward = compare("backward", theirs["bw_hist"_L1]);
        QVERIFY2(backward.isEmpty(), qPrintable(backward));
        // PyTorch saves running statistics, as large as those of the batch, for a backward that does not read them.
        QCOMPARE(ours["partition"_L1]["saved_unique_bytes"_L1].toInteger() + savedIn(ours).statisticsBytes,
                 theirs["saved_activation_unique_storage_bytes"_L1].toInteger());
        Histogram recomputed;
        for (const auto& value : ours["partition"_L1]["recomputed"_L1].toArray())
            ++recomputed[value["op"_L1].toString()];
        const QString again = difference(recomputed, histogram(theirs["recomputed"_L1]));
        QVERIFY2(again.isEmpty(), qPrintable(again));
    }
};

AOTSCOPE_TEST(TestReference)

}  // namespace aotscope::test::reference_test

#include "test_reference.moc"
