// The form and the JSON of example inputs: one spec that can be edited in both.

#include "panels/dialogs/input_spec_dialog.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

namespace aotscope::test::input_dialog_test {
namespace {

enum Tab { Form, Json };

InputSpec specOf(const char* json) { return parseInputSpec(json, "spec"); }
QString printed(const InputSpec& spec) { return q(printInputSpec(spec)); }

constexpr const char* kTwoTensors =
    R"([{"shape":[2,3],"requires_grad":true},{"shape":[],"dtype":"int64","fill":{"randint":[0,9]}}])";

/// A shown dialog and its parts; fields are found by their accessible names.
struct Dialog {
    explicit Dialog(const char* json, const QStringList& names = {QStringLiteral("x"), QStringLiteral("y")},
                    const QString& folder = {})
        : dialog(specOf(json), names, nullptr, folder) {
        dialog.show();
    }
    template <typename Widget>
    Widget* find(const char* name) const {
        const auto widgets = dialog.findChildren<Widget*>();
        const auto it = std::find_if(widgets.begin(), widgets.end(), [&](const Widget* widget) {
            return widget->accessibleName() == QString::fromUtf8(name) && widget->isVisibleTo(&dialog);
        });
        return it == widgets.end() ? nullptr : *it;
    }
    CheckedLineEdit* field(const char* name) const { return find<CheckedLineEdit>(name); }
    QComboBox* list(const char* name) const { return find<QComboBox>(name); }
    QCheckBox* gradient(const char* name) const {
        return find<QCheckBox>((std::string(name) + " requires a gradient").c_str());
    }
    QTabWidget* tabs() const { return dialog.findChild<QTabWidget*>(); }
    QPlainTextEdit* json() const { return dialog.findChild<QPlainTextEdit*>(QStringLiteral("inputJson")); }
    QPushButton* ok() const { return dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok); }
    /// True if a message with `part` is shown.
    bool says(const char* part) const {
        const auto labels = dialog.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel* label) { return label->text().contains(QString::fromUtf8(part)); });
    }
    const LeafSpec& leaf(std::size_t value) const { return std::get<LeafSpec>(dialog.spec().values.at(value)); }
    InputSpecDialog dialog;
};

constexpr const char* kNamed =
    R"({"dims":{"batch":{"hint":8,"min":2,"max":64}},"values":[{"leaf":{"shape":["batch",3]}}],"inputs":[{"tensor":0}]})";

}  // namespace

class TestInputDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFormShowsTheSpec() {
        const Dialog d(kTwoTensors);
        QCOMPARE(d.tabs()->currentIndex(), int{Form});
        QCOMPARE(d.field("Shape of x")->text(), QStringLiteral("2, 3"));
        QCOMPARE(d.list("Type of x")->currentText(), QStringLiteral("float32"));
        QVERIFY(d.gradient("x")->isChecked() && !d.gradient("y")->isChecked());
        QVERIFY(d.gradient("x")->isEnabled() && !d.gradient("y")->isEnabled());
        QCOMPARE(d.list("Fill of x")->currentText(), QStringLiteral("randn"));
        QVERIFY(!d.field("Fill parameters of x"));
        QCOMPARE(d.field("Shape of y")->text(), QString());
        QCOMPARE(d.list("Type of y")->currentText(), QStringLiteral("int64"));
        QCOMPARE(d.list("Fill of y")->currentText(), QStringLiteral("randint"));
        QCOMPARE(d.field("Fill parameters of y")->text(), QStringLiteral("0, 9"));
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
             R"({"values":[],"inputs":[{"int":3},{"none":true},{"float":0.5},{"bool":true}]})",
             R"({"values":[{"leaf":{"shape":[1]}}],"inputs":[[{"tensor":0},{"int":1}],{"a":{"float":0.1},"b":[]}]})",
             R"([{"file":"a.npy"},{"file":"b.pt","shape":[],"dtype":"int8"},{"shape":[1],"device":"cuda:1"}])",
             R"({"dims":{"n":{"hint":4,"max":9},"m":2},"inputs":[{"tensor":1}],
                 "values":[{"leaf":{"shape":["n","m"]}},{"op":"view","of":0,"args":[["m","n"]]}]})",
             kNamed})
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

    void editsOfTheFormReachTheJson() {
        Dialog d(kTwoTensors);
        d.field("Shape of x")->setText(QStringLiteral("8, 3,64"));
        d.list("Type of x")->setCurrentText(QStringLiteral("float64"));
        d.field("Device of x")->setText(QStringLiteral("cpu"));
        d.gradient("x")->setChecked(false);
        d.field("Fill parameters of y")->setText(QStringLiteral("5, 7"));
        QVERIFY(d.ok()->isEnabled());
        QCOMPARE(d.leaf(0).shape, (std::vector<std::int64_t>{8, 3, 64}));
        QCOMPARE(d.leaf(0).dtype, DType::f64);
        QCOMPARE(d.leaf(0).device, std::string("cpu"));
        QVERIFY(!d.leaf(0).requiresGrad);
        QCOMPARE(std::get<Fill::Randint>(d.leaf(1).fill.how).high, std::int64_t{7});
        d.tabs()->setCurrentIndex(Json);
        QCOMPARE(d.json()->toPlainText(), printed(d.dialog.spec()));
        QVERIFY(d.json()->toPlainText().contains(QStringLiteral("64")));
    }

    void everyKindOfFill() {
        Dialog d(R"([{"shape":[2]}])", {QStringLiteral("x")});
        QComboBox* fill = d.list("Fill of x");
        fill->setCurrentText(QStringLiteral("randint"));
        CheckedLineEdit* detail = d.field("Fill parameters of x");
        QVERIFY(detail && !d.ok()->isEnabled() && !detail->problem().isEmpty());
        for (const char* name : {"zeros", "ones", "rand", "randn"}) {
            fill->setCurrentText(QString::fromUtf8(name));
            QVERIFY(d.ok()->isEnabled() && !detail->isVisible());
        }
        QVERIFY(std::holds_alternative<Fill::Plain>(d.leaf(0).fill.how));
        fill->setCurrentText(QStringLiteral("randint"));
        detail->setText(QStringLiteral("-2, 3"));
        QCOMPARE(std::get<Fill::Randint>(d.leaf(0).fill.how).low, std::int64_t{-2});
        fill->setCurrentText(QStringLiteral("pattern"));
        detail->setText(QStringLiteral("7, 16, -8, 0.125"));
        QCOMPARE(std::get<Fill::Pattern>(d.leaf(0).fill.how).scale, 0.125);
        QVERIFY(!d.find<QToolButton>("Choose a file for x"));
        fill->setCurrentText(QStringLiteral("file"));
        QVERIFY(d.find<QToolButton>("Choose a file for x"));
        QVERIFY(!d.ok()->isEnabled());
        detail->setText(QStringLiteral("x.npy"));
        QVERIFY(d.ok()->isEnabled());
        QVERIFY(d.leaf(0).dtypeOfFile && !d.leaf(0).shapeOfFile);
        d.field("Shape of x")->clear();
        QVERIFY(d.leaf(0).shapeOfFile);
        d.list("Type of x")->setCurrentText(QStringLiteral("int8"));
        QVERIFY(!d.leaf(0).dtypeOfFile);
        detail->setText(QStringLiteral("/no/such/file.safetensors:x"));
        QVERIFY(d.says("x, file: file '/no/such/file.safetensors' does not exist"));
        QVERIFY(!d.ok()->isEnabled());
        fill->setCurrentText(QStringLiteral("zeros"));
        QVERIFY(d.ok()->isEnabled() && !d.leaf(0).dtypeOfFile);
        QVERIFY(d.leaf(0).shape.empty() && !d.leaf(0).shapeOfFile);
    }

    void relativeFilesBecomeAbsolute() {
        const Dialog d(R"([{"file":"a.npy"}])", {QStringLiteral("x")}, QStringLiteral("/some/folder"));
        QCOMPARE(std::get<Fill::File>(std::get<LeafSpec>(d.dialog.spec().values[0]).fill.how).path,
                 std::string("/some/folder/a.npy"));
        QVERIFY(!d.ok()->isEnabled());
        QVERIFY(d.says("file '/some/folder/a.npy' does not exist"));
    }

    void namedDimensions() {
        Dialog d(kNamed, {QStringLiteral("x")});
        QCOMPARE(d.field("Shape of x")->text(), QStringLiteral("batch, 3"));
        QCOMPARE(d.field("Name of dimension 1")->text(), QStringLiteral("batch"));
        d.field("Size of dimension 1")->setText(QStringLiteral("16"));
        QCOMPARE(d.leaf(0).shape, (std::vector<std::int64_t>{16, 3}));
        d.field("Size of dimension 1")->setText(QStringLiteral("1"));
        QVERIFY(!d.ok()->isEnabled());
        QVERIFY(d.says("dimension 'batch': expected a hint from 2 to 64, found 1"));
        QVERIFY(!d.field("Size of dimension 1")->problem().isEmpty());
        d.field("Smallest size of dimension 1")->setText(QStringLiteral("1"));
        d.field("Largest size of dimension 1")->clear();
        QVERIFY(d.ok()->isEnabled());
        QCOMPARE(d.dialog.spec().dims.at(0).max, NamedDimension::kLargest);
    }

    void aNewNameBecomesADimension() {
        Dialog d(R"([{"shape":[8,3]}])", {QStringLiteral("x")});
        CheckedLineEdit* shape = d.field("Shape of x");
        QVERIFY(!d.field("Name of dimension 1"));
        shape->setFocus();
        shape->setText(QStringLiteral("batch, 3"));
        QVERIFY(!d.ok()->isEnabled());
        QVERIFY(d.says("x, shape: dimension 'batch' does not exist; press Enter to add it below"));
        QTest::keyClick(shape, Qt::Key_Return);
        QVERIFY(d.dialog.isVisible());
        QCOMPARE(d.field("Name of dimension 1")->text(), QStringLiteral("batch"));
        QCOMPARE(d.field("Size of dimension 1")->text(), QStringLiteral("8"));
        QVERIFY(d.ok()->isEnabled());
        QCOMPARE(d.leaf(0).dimNames, (std::vector<std::string>{"batch", ""}));
        d.find<QToolButton>("Remove dimension 1")->click();
        QVERIFY(!d.ok()->isEnabled());
        shape->setText(QStringLiteral("8, 3"));
        QVERIFY(d.ok()->isEnabled());
        QVERIFY(d.dialog.spec().dims.empty());
    }

    void dimensionsAreAddedAndRemoved() {
        Dialog d(kNamed, {QStringLiteral("x")});
        QTest::mouseClick(d.dialog.findChild<QPushButton*>(QStringLiteral("addDimension")), Qt::LeftButton);
        QVERIFY(!d.ok()->isEnabled());
        d.field("Name of dimension 2")->setText(QStringLiteral("batch"));
        QVERIFY(d.says("another dimension has this name"));
        d.field("Name of dimension 2")->setText(QStringLiteral("width"));
        QVERIFY(d.ok()->isEnabled());
        QCOMPARE(d.dialog.spec().dims.size(), std::size_t{2});
        d.find<QToolButton>("Remove dimension 2")->click();
        QCOMPARE(printed(d.dialog.spec()), printed(specOf(kNamed)));
    }

    void numbersCanBeEdited() {
        Dialog d(R"({"values":[],"inputs":[{"int":3},[{"float":0.5},{"bool":true}]]})");
        d.field("Value of x")->setText(QStringLiteral("7"));
        d.field("Value of y[0]")->setText(QStringLiteral("2.25"));
        d.field("Value of y[1]")->setText(QStringLiteral("false"));
        QVERIFY(d.ok()->isEnabled());
        QCOMPARE(printed(d.dialog.spec()),
                 printed(specOf(R"({"values":[],"inputs":[{"int":7},[{"float":2.25},{"bool":false}]]})")));
        d.field("Value of x")->setText(QStringLiteral("7.5"));
        QVERIFY(d.says("x, value: expected an integer"));
        d.field("Value of x")->setText(QStringLiteral("7"));
        d.field("Value of y[1]")->setText(QStringLiteral("no"));
        QVERIFY(d.says("y[1], value: expected true or false"));
        QVERIFY(!d.ok()->isEnabled());
    }

    void editsOfTheJsonReachTheForm() {
        Dialog d(kTwoTensors);
        d.tabs()->setCurrentIndex(Json);
        d.json()->setPlainText(QStringLiteral("[{\"shape\":[5],\"dtype\":\"int32\",\"fill\":\"ones\"}]"));
        QVERIFY(d.ok()->isEnabled());
        d.tabs()->setCurrentIndex(Form);
        QVERIFY(!d.field("Shape of y"));
        QCOMPARE(d.field("Shape of x")->text(), QStringLiteral("5"));
        QCOMPARE(d.list("Type of x")->currentText(), QStringLiteral("int32"));
        QCOMPARE(d.list("Fill of x")->currentText(), QStringLiteral("ones"));
    }

    void mistakesInTheForm_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        const QString shape = QStringLiteral("Shape of y"), detail = QStringLiteral("Fill parameters of y"),
                      sizes = QStringLiteral(
                          "y, shape: expected sizes from 0 to 2^40 or dimension names, separated by commas"),
                      range = QStringLiteral("y, randint: expected two integers");
        QTest::newRow("letter") << shape << "2, x"
                                << "y, shape: dimension 'x' does not exist";
        QTest::newRow("negative") << shape << "2, -3" << sizes;
        QTest::newRow("fraction") << shape << "2.5" << sizes;
        QTest::newRow("too large") << shape << "99999999999999999999" << sizes;
        QTest::newRow("too large together") << shape << "1048576, 1048577"
                                            << "a tensor can have at most 2^40 elements";
        QTest::newRow("no bounds") << detail << "" << range;
        QTest::newRow("one bound") << detail << "3" << range;
        QTest::newRow("empty range") << detail << "3, 3" << range;
        QTest::newRow("device") << "Device of y"
                                << "GPU 0"
                                << "y, device: expected a device such as cpu or cuda:0";
    }
    void mistakesInTheForm() {
        QFETCH(QString, field);
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        Dialog d(kTwoTensors);
        CheckedLineEdit* edit = d.field(field.toUtf8().constData());
        const QString good = edit->text();
        edit->setText(text);
        QVERIFY(!d.ok()->isEnabled());
        QVERIFY2(d.says(sentence.toUtf8().constData()), qPrintable(sentence));
        QVERIFY(sentence.contains(edit->problem().section(u';', 0, 0)) || edit->problem().contains(sentence) ||
                edit->problem().startsWith(QStringLiteral("expected two integers")));
        QCOMPARE(edit->toolTip(), edit->problem());
        QCOMPARE(d.ok()->toolTip().isEmpty(), false);
        edit->setText(good);
        QVERIFY(d.ok()->isEnabled());
        QVERIFY(edit->problem().isEmpty() && d.ok()->toolTip().isEmpty());
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
        QCOMPARE(printed(d.dialog.spec()), printed(specOf(kTwoTensors)));
        d.json()->setPlainText(QStringLiteral("[]"));
        QVERIFY(d.ok()->isEnabled());
    }

    /// The other tab shows the last valid spec, which can be accepted.
    void leavingAMistakeBehind() {
        Dialog d(kTwoTensors);
        d.tabs()->setCurrentIndex(Json);
        d.json()->setPlainText(QStringLiteral("["));
        d.tabs()->setCurrentIndex(Form);
        QCOMPARE(d.field("Shape of x")->text(), QStringLiteral("2, 3"));
        QVERIFY(d.ok()->isEnabled());
        QVERIFY(!d.says("JSON:"));
    }

    void derivedValuesAreShownAndKept() {
        Dialog d(
            R"({"values":[{"leaf":{"shape":[4]}},{"op":"view","of":0,"args":[[2,2]]}],"inputs":[{"tensor":1},{"tensor":0}]})");
        QVERIFY(d.says("view(y, [2, 2])"));
        d.field("Shape of y")->setText(QStringLiteral("2, 2"));
        QVERIFY(d.ok()->isEnabled());
        QCOMPARE(
            printed(d.dialog.spec()),
            printed(specOf(
                R"({"values":[{"leaf":{"shape":[2,2]}},{"op":"view","of":0,"args":[[2,2]]}],"inputs":[{"tensor":1},{"tensor":0}]})")));
    }

    /// An error that belongs to no field of the form.
    void aDimensionOfADerivationIsMissing() {
        Dialog d(R"({"dims":{"n":4},"values":[{"leaf":{"shape":[4]}},{"op":"view","of":0,"args":[["n"]]}],
                 "inputs":[{"tensor":1}]})");
        QVERIFY(d.ok()->isEnabled());
        d.find<QToolButton>("Remove dimension 1")->click();
        QVERIFY(!d.ok()->isEnabled());
        QVERIFY(d.says("the dimension 'n' is not in 'dims'"));
    }

    /// Inputs may be in another order than the values, and numbers have no value.
    void namesBelongToTheInputsThatUseTheValues() {
        const Dialog d(
            R"({"values":[{"leaf":{"shape":[1]}},{"leaf":{"shape":[2]}},{"leaf":{"shape":[3]}}],
            "inputs":[{"int":3},{"tensor":1},[{"k":{"tensor":0}}]]})",
            {QStringLiteral("steps"), QStringLiteral("x"), QStringLiteral("y")});
        QCOMPARE(d.field("Shape of y[0]['k']")->text(), QStringLiteral("1"));
        QCOMPARE(d.field("Shape of x")->text(), QStringLiteral("2"));
        QCOMPARE(d.field("Shape of value 2")->text(), QStringLiteral("3"));
    }

    void namesMayBeMissing() {
        const Dialog d(kTwoTensors, {});
        QVERIFY(d.field("Shape of input 0") && d.field("Shape of input 1"));
    }

    void everyFieldIsReachedByTheTabKey() {
        Dialog d(kNamed, {QStringLiteral("x")});
        d.field("Shape of x")->setFocus();
        QStringList reached;
        for (int i = 0; i < 14; ++i) {
            if (const QWidget* focus = d.dialog.focusWidget()) reached << focus->accessibleName();
            QTest::keyClick(d.dialog.focusWidget(), Qt::Key_Tab);
        }
        for (const char* name : {"Shape of x", "Type of x", "Device of x", "x requires a gradient", "Fill of x",
                                 "Name of dimension 1", "Size of dimension 1", "Smallest size of dimension 1",
                                 "Largest size of dimension 1", "Remove dimension 1"})
            QVERIFY2(reached.contains(QString::fromUtf8(name)),
                     qPrintable(reached.join(u',') + QString::fromUtf8(name)));
        QVERIFY(reached.indexOf(QStringLiteral("Fill of x")) > reached.indexOf(QStringLiteral("Type of x")));
        QVERIFY(reached.indexOf(QStringLiteral("Size of dimension 1")) > reached.indexOf(QStringLiteral("Fill of x")));
    }

    void specsAreSavedAndLoaded() {
        const Scratch scratch;
        const QString path = scratch.at(QStringLiteral("spec.json"));
        Dialog d(kNamed, {QStringLiteral("x")});
        d.dialog.save(path);
        QCOMPARE(printed(readInputSpec(path.toStdString())), printed(specOf(kNamed)));
        scratch.write(QStringLiteral("a.npy"), "x");
        scratch.write(QStringLiteral("other.json"), R"([{"file":"a.npy"}])");
        d.dialog.load(scratch.at(QStringLiteral("other.json")));
        QVERIFY(d.ok()->isEnabled());
        QCOMPARE(d.field("Fill parameters of x")->text(), scratch.at(QStringLiteral("a.npy")));
        scratch.write(QStringLiteral("broken.json"), "{");
        d.dialog.load(scratch.at(QStringLiteral("broken.json")));
        QVERIFY(d.says("it is not valid JSON"));
        QVERIFY(d.leaf(0).shapeOfFile);
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
        d.field("Shape of x")->setText(QStringLiteral("7"));
        QTest::mouseClick(d.ok(), Qt::LeftButton);
        QCOMPARE(accepted.count(), 1);
        QCOMPARE(d.leaf(0).shape, std::vector<std::int64_t>{7});
    }

    void aMistakeCannotBeAccepted() {
        Dialog d(kTwoTensors);
        QSignalSpy accepted(&d.dialog, &QDialog::accepted);
        d.field("Shape of x")->setText(QStringLiteral("seven"));
        QTest::mouseClick(d.ok(), Qt::LeftButton);
        QVERIFY(accepted.isEmpty());
        QVERIFY(d.dialog.isVisible());
    }
};

AOTSCOPE_TEST(TestInputDialog)

}  // namespace aotscope::test::input_dialog_test

#include "test_input_dialog.moc"
