// The form and the JSON of example inputs: one spec, edited either way.

#include "panels/input_spec_dialog.h"
#include "support/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

using namespace aotscope;
using namespace aotscope::test;

namespace {

enum Column { Name, Shape, Type, Gradient, FillColumn };
enum Tab { Form, Json };

InputSpec specOf(const char* json) { return parseInputSpec(json, "spec"); }
QString printed(const InputSpec& spec) { return q(printInputSpec(spec)); }

constexpr const char* kTwoTensors =
    R"([{"shape":[2,3],"requires_grad":true},{"shape":[],"dtype":"int64","fill":{"randint":[0,9]}}])";

/// A shown dialog and its parts.
struct Dialog {
    explicit Dialog(const char* json, const QStringList& names = {QStringLiteral("x"), QStringLiteral("y")})
        : dialog(specOf(json), names) {
        dialog.show();
    }
    QTabWidget* tabs() const { return dialog.findChild<QTabWidget*>(); }
    QTableWidget* form() const { return dialog.findChild<QTableWidget*>(QStringLiteral("inputForm")); }
    QPlainTextEdit* json() const { return dialog.findChild<QPlainTextEdit*>(QStringLiteral("inputJson")); }
    QPushButton* ok() const { return dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok); }
    QString cell(int row, int column) const { return form()->item(row, column)->text(); }
    QComboBox* type(int row) const { return qobject_cast<QComboBox*>(form()->cellWidget(row, Type)); }
    QCheckBox* gradient(int row) const { return qobject_cast<QCheckBox*>(form()->cellWidget(row, Gradient)); }
    /// True if a sentence with `part` is to be read below the form.
    bool says(const char* part) const {
        const auto labels = dialog.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel* label) { return label->text().contains(QString::fromUtf8(part)); });
    }
    const LeafSpec& leaf(std::size_t value) const { return std::get<LeafSpec>(dialog.spec().values.at(value)); }
    InputSpecDialog dialog;
};

}  // namespace

class TestInputDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFormShowsTheSpec() {
        const Dialog d(kTwoTensors);
        QCOMPARE(d.tabs()->currentIndex(), int{Form});
        QCOMPARE(d.form()->rowCount(), 2);
        QCOMPARE(d.cell(0, Name), QStringLiteral("x"));
        QCOMPARE(d.cell(0, Shape), QStringLiteral("2, 3"));
        QCOMPARE(d.type(0)->currentText(), QStringLiteral("float32"));
        QVERIFY(d.gradient(0)->isChecked() && !d.gradient(1)->isChecked());
        QCOMPARE(d.cell(0, FillColumn), QStringLiteral("randn"));
        QCOMPARE(d.cell(1, Shape), QString());
        QCOMPARE(d.type(1)->currentText(), QStringLiteral("int64"));
        QCOMPARE(d.cell(1, FillColumn), QStringLiteral("randint 0 9"));
        QVERIFY(d.ok()->isEnabled());
    }

    void showingChangesNothing_data() {
        QTest::addColumn<QString>("json");
        for (
            const char* json :
            {kTwoTensors, R"([{"shape":[4],"fill":{"randint":[-3,5]}}])",
             R"([{"shape":[4],"dtype":"bool","fill":"zeros"},{"shape":[0,2],"fill":"ones"},{"shape":[1],"fill":"rand"}])",
             R"({"values":[{"leaf":{"shape":[4],"pattern":[7,16,-8,0.125]}}],"inputs":[{"tensor":0},{"int":3}]})",
             R"({"values":[{"leaf":{"shape":[4]}},{"op":"view","of":0,"args":[[2,2]]}],"inputs":[{"tensor":1}]})",
             R"([{"shape":[2],"dtype":"uint16","fill":"zeros"}])", R"([{"shape":[2],"dtype":"complex64"}])",
             R"({"values":[],"inputs":[{"int":3},{"none":true},{"float":0.5}]})"})
            QTest::newRow(json) << json;
    }
    void showingChangesNothing() {
        QFETCH(QString, json);
        Dialog d(json.toUtf8().constData());
        const QString before = printed(specOf(json.toUtf8().constData()));
        QCOMPARE(printed(d.dialog.spec()), before);
        for (const int tab : {Json, Form, Json}) d.tabs()->setCurrentIndex(tab);
        QCOMPARE(printed(d.dialog.spec()), before);
        QVERIFY(d.ok()->isEnabled());
    }

    void whatIsTypedIntoTheFormIsInTheJson() {
        Dialog d(kTwoTensors);
        d.form()->item(0, Shape)->setText(QStringLiteral("8, 3,64"));
        d.type(0)->setCurrentText(QStringLiteral("float64"));
        d.gradient(0)->setChecked(false);
        d.form()->item(1, FillColumn)->setText(QStringLiteral("randint 5 7"));
        QVERIFY(d.ok()->isEnabled());
        QCOMPARE(d.leaf(0).shape, (std::vector<std::int64_t>{8, 3, 64}));
        QCOMPARE(d.leaf(0).dtype, DType::f64);
        QVERIFY(!d.leaf(0).requiresGrad);
        d.tabs()->setCurrentIndex(Json);
        QCOMPARE(d.json()->toPlainText(), printed(d.dialog.spec()));
        QVERIFY(d.json()->toPlainText().contains(QStringLiteral("64")));
    }

    void whatIsTypedIntoTheJsonIsInTheForm() {
        Dialog d(kTwoTensors);
        d.tabs()->setCurrentIndex(Json);
        d.json()->setPlainText(QStringLiteral("[{\"shape\":[5],\"dtype\":\"int32\",\"fill\":\"ones\"}]"));
        QVERIFY(d.ok()->isEnabled());
        d.tabs()->setCurrentIndex(Form);
        QCOMPARE(d.form()->rowCount(), 1);
        QCOMPARE(d.cell(0, Shape), QStringLiteral("5"));
        QCOMPARE(d.type(0)->currentText(), QStringLiteral("int32"));
        QCOMPARE(d.cell(0, FillColumn), QStringLiteral("ones"));
    }

    void mistakesInTheForm_data() {
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        const QString sizes = QStringLiteral("sizes separated by commas are expected");
        const QString fills = QStringLiteral("zeros, ones, randn, rand or 'randint LOW HIGH' is expected");
        QTest::newRow("letter") << int{Shape} << "2, x" << sizes;
        QTest::newRow("negative") << int{Shape} << "2, -3" << sizes;
        QTest::newRow("fraction") << int{Shape} << "2.5" << sizes;
        QTest::newRow("too large") << int{Shape} << "99999999999999999999" << sizes;
        QTest::newRow("unknown fill") << int{FillColumn} << "noise" << fills;
        QTest::newRow("no fill") << int{FillColumn} << "" << fills;
        QTest::newRow("no bounds") << int{FillColumn} << "randint" << fills;
        QTest::newRow("empty range") << int{FillColumn} << "randint 3 3" << fills;
    }
    void mistakesInTheForm() {
        QFETCH(int, column);
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        Dialog d(kTwoTensors);
        const QString good = d.cell(1, column);
        d.form()->item(1, column)->setText(text);
        QVERIFY(!d.ok()->isEnabled());
        QVERIFY(d.says(sentence.toUtf8().constData()));
        d.form()->item(1, column)->setText(good);
        QVERIFY(d.ok()->isEnabled());
        QVERIFY(!d.says("expected"));
    }

    void mistakesInTheJson_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "[", "{}", "[{\"shape\":[2],\"dtyp\":\"float32\"}]", "[{\"shape\":\"2\"}]", "7"})
            QTest::newRow(text) << text;
    }
    void mistakesInTheJson() {
        QFETCH(QString, text);
        Dialog d(kTwoTensors);
        d.tabs()->setCurrentIndex(Json);
        d.json()->setPlainText(text);
        const QString sentence = errorOf([&] { parseInputSpec(text.toStdString(), "JSON"); });
        QVERIFY(!sentence.isEmpty());
        QVERIFY(!d.ok()->isEnabled());
        QVERIFY(d.says(sentence.toUtf8().constData()));
        QCOMPARE(d.form()->rowCount(), 2);  // the last good spec is kept
        QCOMPARE(printed(d.dialog.spec()), printed(specOf(kTwoTensors)));
        d.json()->setPlainText(QStringLiteral("[]"));
        QVERIFY(d.ok()->isEnabled());
    }

    /// The other tab shows the last good spec, which can be accepted.
    void leavingAMistakeBehind() {
        Dialog d(kTwoTensors);
        d.tabs()->setCurrentIndex(Json);
        d.json()->setPlainText(QStringLiteral("["));
        d.tabs()->setCurrentIndex(Form);
        QCOMPARE(d.cell(0, Shape), QStringLiteral("2, 3"));
        QVERIFY(d.ok()->isEnabled());
        QVERIFY(!d.says("JSON:"));
    }

    void whatTheFormCannotShowIsJson() {
        Dialog d(R"({"values":[{"leaf":{"shape":[4]}},{"op":"view","of":0,"args":[[2,2]]}],"inputs":[{"tensor":1}]})");
        QCOMPARE(d.tabs()->currentIndex(), int{Json});
        QVERIFY(!d.tabs()->isTabEnabled(Form));
        QVERIFY(d.json()->toPlainText().contains(QStringLiteral("view")));
        d.json()->setPlainText(QString::fromUtf8(kTwoTensors));
        QVERIFY(d.tabs()->isTabEnabled(Form));
    }

    /// Inputs need not be in the order of the values, and numbers have no value at all.
    void namesBelongToTheInputsThatUseTheValues() {
        const Dialog d(
            R"({"values":[{"leaf":{"shape":[1]}},{"leaf":{"shape":[2]}}],"inputs":[{"int":3},{"tensor":1},{"tensor":0}]})",
            {QStringLiteral("steps"), QStringLiteral("x"), QStringLiteral("y")});
        QCOMPARE(d.cell(0, Name), QStringLiteral("y"));
        QCOMPARE(d.cell(1, Name), QStringLiteral("x"));
    }

    void namesMayBeMissing() {
        const Dialog d(kTwoTensors, {});
        QCOMPARE(d.form()->rowCount(), 2);
        QVERIFY(!d.cell(0, Name).isEmpty());
    }

    void theReasonIsShown() {
        Dialog d(kTwoTensors);
        QVERIFY(!d.says("brings no inputs"));
        d.dialog.setReason(QStringLiteral("the model brings no inputs"));
        QVERIFY(d.says("brings no inputs"));
    }

    void acceptingGivesTheSpec() {
        Dialog d(kTwoTensors);
        QSignalSpy accepted(&d.dialog, &QDialog::accepted);
        d.form()->item(0, Shape)->setText(QStringLiteral("7"));
        QTest::mouseClick(d.ok(), Qt::LeftButton);
        QCOMPARE(accepted.count(), 1);
        QCOMPARE(d.leaf(0).shape, std::vector<std::int64_t>{7});
    }

    void aMistakeCannotBeAccepted() {
        Dialog d(kTwoTensors);
        QSignalSpy accepted(&d.dialog, &QDialog::accepted);
        d.form()->item(0, Shape)->setText(QStringLiteral("seven"));
        QTest::mouseClick(d.ok(), Qt::LeftButton);
        QVERIFY(accepted.isEmpty());
        QVERIFY(d.dialog.isVisible());
    }
};

QTEST_MAIN(TestInputDialog)
#include "test_input_dialog.moc"
