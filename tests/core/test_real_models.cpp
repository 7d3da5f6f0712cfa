// Real architectures from libraries of models: joint graphs against those of PyTorch's AOTAutograd, values against
// eager. The files are too large for the repository: the test is skipped without them.

#include "session/session.h"
#include "support/op_histogram.h"
#include "support/program.h"
#include "support/reference_files.h"
#include "support/test_program.h"
#include "support/text.h"

namespace aotscope::test::real_models_test {
namespace {

const QMap<QString, KnownDifference>& knownDifferences() {
    static const QStringList checks = {u"<built-in function add>"_s, u"<built-in function ge>"_s,
                                       u"<built-in function le>"_s, u"aten._assert_scalar.default"_s,
                                       u"aten._local_scalar_dense.default"_s};
    static const QMap<QString, KnownDifference> known = {
        {u"item_dependent"_s, {checks, "sizes that depend on data are guards here, checks in the graph there"}},
        {u"moe_where"_s, {checks, "sizes that depend on data are guards here, checks in the graph there"}},
        {u"losses"_s,
         {{u"aten.permute.default"_s, u"aten.scalar_tensor.default"_s, u"aten.unsqueeze.default"_s,
           u"aten.where.self"_s},
          "Python's multilabel margin loss counts places after the end of the labels"}},
        {u"swin_hf"_s,
         {{u"aten._unsafe_view.default"_s, u"aten.clone.default"_s, u"aten.view.default"_s},
          "Python's fake tensors have other strides than the kernels"}},
        {u"patchtst"_s,
         {{u"aten._unsafe_view.default"_s, u"aten.add.Tensor"_s, u"aten.addmm.default"_s, u"aten.clone.default"_s,
           u"aten.mm.default"_s, u"aten.view.default"_s},
          "Python takes the strides of batch norm of a transposed input to be those of the input, and fails to run its "
          "graph"}},
        {u"lstm_seq2seq"_s,
         {{u"aten.native_dropout.default"_s, u"aten.native_dropout_backward.default"_s, u"operator.getitem"_s},
          "Python forgets the dropout between the layers of an LSTM"}},
    };
    return known;
}

}  // namespace

class TestRealModels : public QObject {
    Q_OBJECT

    ReferenceFiles reference_;

private Q_SLOTS:
    void initTestCase() { reference_.open(u"real/reference.json"_s); }

    void jointGraphs_data() {
        QTest::addColumn<QString>("model");
        for (const QString& model : reference_.entries.keys()) QTest::newRow(qPrintable(model)) << model;
    }
    void jointGraphs() {
        QFETCH(QString, model);
        Options options{.model = reference_.folder.filePath(u"real/%1.pt2"_s.arg(model)).toStdString()};
        if (model == "custom_op_lib"_L1)
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
        const QJsonValue theirs = reference_.entries[model]["joint_hist"_L1];
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
