// The form and the JSON of example inputs: one spec that can be edited in both.

#include "panels/dialogs/input_spec_dialog.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>

namespace aotscope::test::input_dialog_test {
namespace {

enum Tab { Form, Json };

InputSpec specOf(const char* json) { return parseInputSpec(json, "spec"); }
QString printed(const InputSpec& spec) { return q(printInputSpec(spec)); }

constexpr const char* kTwoTensors =
    R"([{"shape":[2,3],"requires_grad":true},{"shape":[],"dtype":"int64","fill":{"randint":[0,9]}}])";

/// A shown dialog and its parts; fields are found by their accessible names.
struct Dialog {
    explicit Dialog(const char* json, const QStringList& names = {u"x"_s, u"y"_s}, const QString& folder = {})
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
    QPlainTextEdit* json() const { return dialog.findChild<QPlainTextEdit*>(u"inputJson"_s); }
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
        QCOMPARE(d.field("Shape of x")->text(), u"2, 3"_s);
        QCOMPARE(d.list("Type of x")->currentText(), u"float32"_s);
        QVERIFY(d.gradient("x")->isChecked() && !d.gradient("y")->isChecked());
        QVERIFY(d.gradient("x")->isEnabled() && !d.gradient("y")->isEnabled());
        QCOMPARE(d.list("Fill of x")->currentText(), u"randn"_s);
        QVERIFY(!d.field("Fill parameters of x"));
        QCOMPARE(d.field("Shape of y")->text(), QString());
        QCOMPARE(d.list("Type of y")->currentText(), u"int64"_s);
        QCOMPARE(d.list("Fill of y")->currentText(), u"randint"_s);
        QCOMPARE(d.field("Fill parameters of y")->text(), u"0, 9"_s);
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
        d.field("Shape of x")->setText(u"8, 3,64"_s);
        d.list("Type of x")->setCurrentText(u"float64"_s);
        d.field("Device of x")->setText(u"cpu"_s);
        d.gradient("x")->setChecked(false);
        d.field("Fill parameters of y")->setText(u"5, 7"_s);
        QVERIFY(d.ok()->isEnabled());
        QCOMPARE(d.leaf(0).shape, (std::vector<std::int64_t>{8, 3, 64}));
        QCOMPARE(d.leaf(0).dtype, DType::f64);
        QCOMPARE(d.leaf(0).device, std::string("cpu"));
        QVERIFY(!d.leaf(0).requiresGrad);
        QCOMPARE(std::get<Fill::Randint>(d.leaf(1).fill.how).high, std::int64_t{7});
        d.tabs()->setCurrentIndex(Json);
        QCOMPARE(d.json()->toPlainText(), printed(d.dialog.spec()));
        QVERIFY(d.json()->toPlainText().contains(u"64"_s));
    }

    void everyKindOfFill() {
        Dialog d(R"([{"shape":[2]}])", {u"x"_s});
        QComboBox* fill = d.list("Fill of x");
        fill->setCurrentText(u"randint"_s);
        CheckedLineEdit* detail = d.field("Fill parameters of x");
        QVERIFY(detail && !d.ok()->isEnabled() && !detail->problem().isEmpty());
        for (const char* name : {"zeros", "ones", "rand", "randn"}) {
            fill->setCurrentText(QString::fromUtf8(name));
            QVERIFY(d.ok()->isEnabled() && !detail->isVisible());
        }
        QVERIFY(std::holds_alternative<Fill::Plain>(d.leaf(0).fill.how));
        fill->setCurrentText(u"randint"_s);
        detail->setText(u"-2, 3"_s);
        QCOMPARE(std::get<Fill::Randint>(d.leaf(0).fill.how).low, std::int64_t{-2});
        fill->setCurrentText(u"pattern"_s);
        detail->setText(u"7, 16, -8, 0.125"_s);
        QCOMPARE(std::get<Fill::Pattern>(d.leaf(0).fill.how).scale, 0.125);
        QVERIFY(!d.find<QToolButton>("Choose a file for x"));
        fill->setCurrentText(u"file"_s);
        QVERIFY(d.find<QToolButton>("Choose a file for x"));
        QVERIFY(!d.ok()->isEnabled());
        detail->setText(u"x.npy"_s);
        QVERIFY(d.ok()->isEnabled());
        QVERIFY(d.leaf(0).dtypeOfFile && !d.leaf(0).shapeOfFile);
        d.field("Shape of x")->clear();
        QVERIFY(d.leaf(0).shapeOfFile);
        d.list("Type of x")->setCurrentText(u"int8"_s);
        QVERIFY(!d.leaf(0).dtypeOfFile);
        detail->setText(u"/no/such/file.safetensors:x"_s);
        QVERIFY(d.says("x, file: file '/no/such/file.safetensors' does not exist"));
        QVERIFY(!d.ok()->isEnabled());
        fill->setCurrentText(u"zeros"_s);
        QVERIFY(d.ok()->isEnabled() && !d.leaf(0).dtypeOfFile);
        QVERIFY(d.leaf(0).shape.empty() && !d.leaf(0).shapeOfFile);
    }

    void relativeFilesBecomeAbsolute() {
        const Dialog d(R"([{"file":"a.npy"}])", {u"x"_s}, u"/some/folder"_s);
        QCOMPARE(std::get<Fill::File>(std::get<LeafSpec>(d.dialog.spec().values[0]).fill.how).path,
                 std::string("/some/folder/a.npy"));
        QVERIFY(!d.ok()->isEnabled());
        QVERIFY(d.says("file '/some/folder/a.npy' does not exist"));
    }

    void namedDimensions() {
        Dialog d(kNamed, {u"x"_s});
        QCOMPARE(d.field("Shape of x")->text(), u"batch, 3"_s);
        QCOMPARE(d.field("Name of dimension 1")->text(), u"batch"_s);
        d.field("Size of dimension 1")->setText(u"16"_s);
        QCOMPARE(d.leaf(0).shape, (std::vector<std::int64_t>{16, 3}));
        d.field("Size of dimension 1")->setText(u"1"_s);
        QVERIFY(!d.ok()->isEnabled());
        QVERIFY(d.says("dimension 'batch': expected a hint from 2 to 64, found 1"));
        QVERIFY(!d.field("Size of dimension 1")->problem().isEmpty());
        d.field("Smallest size of dimension 1")->setText(u"1"_s);
        d.field("Largest size of dimension 1")->clear();
        QVERIFY(d.ok()->isEnabled());
        QCOMPARE(d.dialog.spec().dims.at(0).max, NamedDimension::kLargest);
    }

    void aNewNameBecomesADimension() {
        Dialog d(R"([{"shape":[8,3]}])", {u"x"_s});
        CheckedLineEdit* shape = d.field("Shape of x");
        QVERIFY(!d.field("Name of dimension 1"));
        shape->setFocus();
        shape->setText(u"batch, 3"_s);
        QVERIFY(!d.ok()->isEnabled());
        QVERIFY(d.says("x, shape: dimension 'batch' does not exist; press Enter to add it below"));
        QTest::keyClick(shape, Qt::Key_Return);
        QVERIFY(d.dialog.isVisible());
        QCOMPARE(d.field("Name of dimension 1")->text(), u"batch"_s);
        QCOMPARE(d.field("Size of dimension 1")->text(), u"8"_s);
        QVERIFY(d.ok()->isEnabled());
        QCOMPARE(d.leaf(0).dimNames, (std::vector<std::string>{"batch", ""}));
        d.find<QToolButton>("Remove dimension 1")->click();
        QVERIFY(!d.ok()->isEnabled());
        shape->setText(u"8, 3"_s);
        QVERIFY(d.ok()->isEnabled());
        QVERIFY(d.dialog.spec().dims.empty());
    }

    void dimensionsAreAddedAndRemoved() {
        Dialog d(kNamed, {u"x"_s});
        QTest::mouseClick(d.dialog.findChild<QPushButton*>(u"addDimension"_s), Qt::LeftButton);
        QVERIFY(!d.ok()->isEnabled());
        d.field("Name of dimension 2")->setText(u"batch"_s);
        QVERIFY(d.says("another dimension has this name"));
        d.field("Name of dimension 2")->setText(u"width"_s);
        QVERIFY(d.ok()->isEnabled());
        QCOMPARE(d.dialog.spec().dims.size(), std::size_t{2});
        d.find<QToolButton>("Remove dimension 2")->click();
        QCOMPARE(printed(d.dialog.spec()), printed(specOf(kNamed)));
    }

    void numbersCanBeEdited() {
        Dialog d(R"({"values":[],"inputs":[{"int":3},[{"float":0.5},{"bool":true}]]})");
        d.field("Value of x")->setText(u"7"_s);
        d.field("Value of y[0]")->setText(u"2.25"_s);
        d.field("Value of y[1]")->setText(u"false"_s);
        QVERIFY(d.ok()->isEnabled());
        QCOMPARE(printed(d.dialog.spec()),
                 printed(specOf(R"({"values":[],"inputs":[{"int":7},[{"float":2.25},{"bool":false}]]})")));
        d.field("Value of x")->setText(u"7.5"_s);
        QVERIFY(d.says("x, value: expected an integer"));
        d.field("Value of x")->setText(u"7"_s);
        d.field("Value of y[1]")->setText(u"no"_s);
        QVERIFY(d.says("y[1], value: expected true or false"));
        QVERIFY(!d.ok()->isEnabled());
    }

    void editsOfTheJsonReachTheForm() {
        Dialog d(kTwoTensors);
        d.tabs()->setCurrentIndex(Json);
        d.json()->setPlainText(u"[{\"shape\":[5],\"dtype\":\"int32\",\"fill\":\"ones\"}]"_s);
        QVERIFY(d.ok()->isEnabled());
        d.tabs()->setCurrentIndex(Form);
        QVERIFY(!d.field("Shape of y"));
        QCOMPARE(d.field("Shape of x")->text(), u"5"_s);
        QCOMPARE(d.list("Type of x")->currentText(), u"int32"_s);
        QCOMPARE(d.list("Fill of x")->currentText(), u"ones"_s);
    }

    void mistakesInTheForm_data() {
        const auto row = columns<QString, QString, QString>("field", "text", "sentence");
        const QString shape = u"Shape of y"_s, detail = u"Fill parameters of y"_s,
                      sizes = u"y, shape: expected sizes from 0 to 2^40 or dimension names, separated by commas"_s,
                      range = u"y, randint: expected two integers"_s;
        row("letter", shape, "2, x", "y, shape: dimension 'x' does not exist");
        row("negative", shape, "2, -3", sizes);
        row("fraction", shape, "2.5", sizes);
        row("too large", shape, "99999999999999999999", sizes);
        row("too large together", shape, "1048576, 1048577", "a tensor can have at most 2^40 elements");
        row("no bounds", detail, "", range);
        row("one bound", detail, "3", range);
        row("empty range", detail, "3, 3", range);
        row("device", "Device of y", "GPU 0", "y, device: expected a device such as cpu or cuda:0");
    }
    void mistakesInTheForm() {
        FETCH(QString, field, text, sentence);
        Dialog d(kTwoTensors);
        CheckedLineEdit* edit = d.field(field.toUtf8().constData());
        const QString good = edit->text();
        edit->setText(text);
        QVERIFY(!d.ok()->isEnabled());
        QVERIFY2(d.says(sentence.toUtf8().constData()), qPrintable(sentence));
        QVERIFY(sentence.contains(edit->problem().section(u';', 0, 0)) || edit->problem().contains(sentence) ||
                edit->problem().startsWith(u"expected two integers"_s));
        QCOMPARE(edit->toolTip(), edit->problem());
        QCOMPARE(d.ok()->toolTip().isEmpty(), false);
        edit->setText(good);
        QVERIFY(d.ok()->isEnabled());
        QVERIFY(edit->problem().isEmpty() && d.ok()->toolTip().isEmpty());
        QVERIFY(!d.says("expected"));
    }

    void mistakesInTheJson_data() {
        rowsOf("text", {"", "[", "{}", "[{\"shape\":[2],\"dtyp\":\"float32\"}]", "[{\"shape\":\"2\"}]", "7"});
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
        d.json()->setPlainText(u"[]"_s);
        QVERIFY(d.ok()->isEnabled());
    }

    /// The other tab shows the last valid spec, which can be accepted.
    void leavingAMistakeBehind() {
        Dialog d(kTwoTensors);
        d.tabs()->setCurrentIndex(Json);
        d.json()->setPlainText(u"["_s);
        d.tabs()->setCurrentIndex(Form);
        QCOMPARE(d.field("Shape of x")->text(), u"2, 3"_s);
        QVERIFY(d.ok()->isEnabled());
        QVERIFY(!d.says("JSON:"));
    }

    void derivedValuesAreShownAndKept() {
        Dialog d(
            R"({"values":[{"leaf":{"shape":[4]}},{"op":"view","of":0,"args":[[2,2]]}],"inputs":[{"tensor":1},{"tensor":0}]})");
        QVERIFY(d.says("view(y, [2, 2])"));
        d.field("Shape of y")->setText(u"2, 2"_s);
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
            {u"steps"_s, u"x"_s, u"y"_s});
        QCOMPARE(d.field("Shape of y[0]['k']")->text(), u"1"_s);
        QCOMPARE(d.field("Shape of x")->text(), u"2"_s);
        QCOMPARE(d.field("Shape of value 2")->text(), u"3"_s);
    }

    void namesMayBeMissing() {
        const Dialog d(kTwoTensors, {});
        QVERIFY(d.field("Shape of input 0") && d.field("Shape of input 1"));
    }

    void everyFieldIsReachedByTheTabKey() {
        Dialog d(kNamed, {u"x"_s});
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
        QVERIFY(reached.indexOf(u"Fill of x"_s) > reached.indexOf(u"Type of x"_s));
        QVERIFY(reached.indexOf(u"Size of dimension 1"_s) > reached.indexOf(u"Fill of x"_s));
    }

    void specsAreSavedAndLoaded() {
        const Scratch scratch;
        const QString path = scratch.at(u"spec.json"_s);
        Dialog d(kNamed, {u"x"_s});
        d.dialog.save(path);
        QCOMPARE(printed(readInputSpec(path.toStdString())), printed(specOf(kNamed)));
        scratch.write(u"a.npy"_s, "x");
        scratch.write(u"other.json"_s, R"([{"file":"a.npy"}])");
        d.dialog.load(scratch.at(u"other.json"_s));
        QVERIFY(d.ok()->isEnabled());
        QCOMPARE(d.field("Fill parameters of x")->text(), scratch.at(u"a.npy"_s));
        scratch.write(u"broken.json"_s, "{");
        d.dialog.load(scratch.at(u"broken.json"_s));
        QVERIFY(d.says("it is not valid JSON"));
        QVERIFY(d.leaf(0).shapeOfFile);
    }

    void theReasonIsShown() {
        Dialog d(kTwoTensors);
        QVERIFY(!d.says("brings no inputs"));
        d.dialog.setReason(u"the model brings no inputs"_s);
        QVERIFY(d.says("brings no inputs"));
    }

    void acceptingGivesTheSpec() {
        Dialog d(kTwoTensors);
        QSignalSpy accepted(&d.dialog, &QDialog::accepted);
        d.field("Shape of x")->setText(u"7"_s);
        QTest::mouseClick(d.ok(), Qt::LeftButton);
        QCOMPARE(accepted.count(), 1);
        QCOMPARE(d.leaf(0).shape, std::vector<std::int64_t>{7});
    }

    void aMistakeCannotBeAccepted() {
        Dialog d(kTwoTensors);
        QSignalSpy accepted(&d.dialog, &QDialog::accepted);
        d.field("Shape of x")->setText(u"seven"_s);
        QTest::mouseClick(d.ok(), Qt::LeftButton);
        QVERIFY(accepted.isEmpty());
        QVERIFY(d.dialog.isVisible());
    }
};

AOTSCOPE_TEST(TestInputDialog)

}  // namespace aotscope::test::input_dialog_test

#include "test_input_dialog.moc"
