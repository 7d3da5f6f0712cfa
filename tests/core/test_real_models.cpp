// Real architectures from libraries of models: joint graphs against those of PyTorch's AOTAutograd, values against
// eager. The files are too large for the repository: the test is skipped without them.

#include "session/session.h"
#include "support/op_histogram.h"
#include "support/program.h"
#include "support/reference_files.h"
#include "support/test_program.h"
#include "support/text.h"

#include <QtTest>

namespace aotscope::test::real_models_test {
namespace {

const QMap<QString, KnownDifference>& knownDifferences() {
    static const QStringList checks = {
        QStringLiteral("<built-in function add>"), QStringLiteral("<built-in function ge>"),
        QStringLiteral("<built-in function le>"), QStringLiteral("aten._assert_scalar.default"),
        QStringLiteral("aten._local_scalar_dense.default")};
    static const QMap<QString, KnownDifference> known = {
        {QStringLiteral("item_dependent"),
         {checks, "sizes that depend on data are guards here, checks in the graph there"}},
        {QStringLiteral("moe_where"), {checks, "sizes that depend on data are guards here, checks in the graph there"}},
        {QStringLiteral("losses"),
         {{QStringLiteral("aten.permute.default"), QStringLiteral("aten.scalar_tensor.default"),
           QStringLiteral("aten.unsqueeze.default"), QStringLiteral("aten.where.self")},
          "Python's multilabel margin loss counts places after the end of the labels"}},
        {QStringLiteral("swin_hf"),
         {{QStringLiteral("aten._unsafe_view.default"), QStringLiteral("aten.clone.default"),
           QStringLiteral("aten.view.default")},
          "Python's fake tensors have other strides than the kernels"}},
        {QStringLiteral("patchtst"),
         {{QStringLiteral("aten._unsafe_view.default"), QStringLiteral("aten.add.Tensor"),
           QStringLiteral("aten.addmm.default"), QStringLiteral("aten.clone.default"),
           QStringLiteral("aten.mm.default"), QStringLiteral("aten.view.default")},
          "Python takes the strides of batch norm of a transposed input to be those of the input, and fails to run its "
          "graph"}},
        {QStringLiteral("lstm_seq2seq"),
         {{QStringLiteral("aten.native_dropout.default"), QStringLiteral("aten.native_dropout_backward.default"),
           QStringLiteral("operator.getitem")},
          "Python forgets the dropout between the layers of an LSTM"}},
    };
    return known;
}

}  // namespace

class TestRealModels : public QObject {
    Q_OBJECT

    ReferenceFiles reference_;

private Q_SLOTS:
    void initTestCase() {
        initializeTorch();
        reference_.open(QStringLiteral("real/reference.json"));
    }

    void jointGraphs_data() {
        QTest::addColumn<QString>("model");
        for (const QString& model : reference_.entries.keys()) QTest::newRow(qPrintable(model)) << model;
    }
    void jointGraphs() {
        QFETCH(QString, model);
        Options options;
        options.model = reference_.folder.filePath(QStringLiteral("real/%1.pt2").arg(model)).toStdString();
        if (model == QLatin1String("custom_op_lib"))
            options.definitions = std::string(AOTSCOPE_SOURCE_DIR) + "/tests/data/definitions/realtest.py";
        std::shared_ptr<const Session> session;
        QString error;
        try {
            session = Session::open(options, {});
            error = q(session->record()->error);
        } catch (const std::exception& e) {
            error = q(e.what());
        }
        QVERIFY2(error.isEmpty(), qPrintable(error));
        QVERIFY(session->check({}).ok);
        const QJsonValue theirs = reference_.entries[model][QLatin1String("joint_hist")];
        if (!theirs.isObject()) return;  // Python cannot read the file again
        Histogram ours = histogram(*tracedJoint(*session->record())), expected = histogram(theirs);
        const auto known = knownDifferences().value(model);
        if (known.why) {
            const QString found = difference(ours, expected);
            QVERIFY2(!found.isEmpty(), "it does not differ any more");
            qInfo("%s: %s\n%s", qPrintable(model), known.why, qPrintable(found));
        }
        for (const QString& op : known.ops) ours.remove(op), expected.remove(op);
        const QString found = difference(ours, expected);
        QVERIFY2(found.isEmpty(), qPrintable(found));
    }
};

AOTSCOPE_TEST(TestRealModels)

}  // namespace aotscope::test::real_models_test

#include "test_real_models.moc"
