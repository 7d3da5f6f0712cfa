// Decomposed joint graphs of exported models against those that PyTorch's own AOTAutograd makes of them. The files are
// too large for the repository: the test is skipped where they are absent.

#include "ops/decomposition_table.h"
#include "session.h"
#include "support/op_histogram.h"
#include "support/program.h"

#include <QDir>
#include <QtTest>

using namespace aotscope::test;

namespace {

/// Models whose joint graphs differ from PyTorch's without decompositions, too, and why.
const QMap<QString, QString>& knownDifferences() {
    static const QMap<QString, QString> known = {
        {QStringLiteral("gpt2"), QStringLiteral("Python's dropout of probability 0 copies its input")},
        {QStringLiteral("lstm"), QStringLiteral("Python takes LSTMs apart by itself")},
        {QStringLiteral("lstm_nomkldnn"), QStringLiteral("recorded with oneDNN switched off, which no file says")},
    };
    return known;
}

/// The joint graph as it was traced, without dead operations.
Histogram tracedJoint(const aotscope::CompileRecord& record) {
    for (const auto& pass : record.passes)
        if (pass.name == "dead-code") return histogram(*pass.graphs.back().second);
    return {};
}

}  // namespace

class TestDecomposedModels : public QObject {
    Q_OBJECT

    QDir folder_;
    QJsonObject models_;

private Q_SLOTS:
    void initTestCase() {
        aotscope::initializeTorch();
        const QString folder = qEnvironmentVariable("AOTSCOPE_REFERENCE");
        if (folder.isEmpty())
            QSKIP(
                "SKIPPED: no reference files; point AOTSCOPE_REFERENCE to a folder with zoo_reference.json and zoo/ "
                "to compare with PyTorch's graphs");
        folder_.setPath(folder);
        models_ = readJson(folder_.filePath(QStringLiteral("zoo_reference.json")));
        QVERIFY2(!models_.isEmpty(), qPrintable(QStringLiteral("no zoo_reference.json in '%1'").arg(folder)));
    }

    void joint_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("table");
        const QDir zoo(folder_.filePath(QStringLiteral("zoo")));
        for (const QString& name : zoo.entryList({QStringLiteral("*.pt2")}, QDir::Files))
            for (const char* table : {"core-aten", "inductor", "prims"})
                QTest::addRow("%s %s", qPrintable(name), table) << zoo.filePath(name) << table;
    }
    void joint() {
        QFETCH(QString, path);
        QFETCH(QString, table);
        const QString tag = QFileInfo(path).fileName().section(QLatin1Char('.'), 0, 0);
        const bool tiny = tag.endsWith(QLatin1String("_tiny"));
        const QString model = QString(tag).remove(QStringLiteral("_full")).remove(QStringLiteral("_tiny"));
        aotscope::Options options;
        options.model = path.toStdString();
        options.decompositions = aotscope::DecompositionTable::load(table.toStdString());
        const auto session = aotscope::Session::open(options, {});
        const QString error = QString::fromStdString(session->record()->error);
        // Python's eager refuses it, too: the example input in the file is a leaf that requires grad.
        if (model == QLatin1String("t_mut_input_requires_grad")) {
            QVERIFY2(error.contains(QStringLiteral("a leaf Variable that requires grad")), qPrintable(error));
            return;
        }
        QVERIFY2(error.isEmpty(), qPrintable(error));
        QVERIFY(session->record()->fallbacks.empty());
        const bool large = path.contains(QLatin1String("noweights"));  // a run takes minutes
        if (!large) QVERIFY(session->check({}).ok);
        const QJsonValue theirs =
            models_[model][QLatin1String("joint")][QString(table).replace(QLatin1Char('-'), QLatin1Char('_'))];
        if (tiny || !theirs.toObject().contains(QLatin1String("hist"))) return;  // the full model was recorded
        const QString found = difference(tracedJoint(*session->record()), histogram(theirs[QLatin1String("hist")]));
        if (!knownDifferences().contains(model)) return QVERIFY2(found.isEmpty(), qPrintable(found));
        QVERIFY2(!found.isEmpty(), "it does not differ any more");
        qInfo("%s: %s\n%s", qPrintable(tag), qPrintable(knownDifferences()[model]), qPrintable(found));
    }
};

QTEST_GUILESS_MAIN(TestDecomposedModels)
#include "test_decomposed_models.moc"
