// Passes, tables and problems: their contents and signals, and how they react to changes from outside.

#include "panels/difference_text.h"
#include "panels/inspector/value_panel.h"
#include "panels/pass_panel.h"
#include "panels/problems_panel.h"
#include "panels/tables/table_panel.h"
#include "record/pass_graphs.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/records.h"

#include <QAction>
#include <QClipboard>
#include <QFontDatabase>
#include <QHeaderView>
#include <QScrollBar>

#include <limits>
#include <set>

namespace aotscope::test::panels_test {
namespace {

TableContent numbers() {
    TableContent t;
    t.columns = {{u"Name"_s, {}, false}, {u"Bytes"_s, {}, true}};
    t.summary = u"four rows"_s;
    t.whenEmpty = u"no rows"_s;
    const auto row = [&](const char* name, qint64 bytes, NodeId node) {
        t.rows.push_back({{{QString::fromUtf8(name), {}}, {QString::number(bytes), bytes}}, node, GraphKind::forward});
    };
    row("beta", 9, 11);
    row("alpha", 100, 12);
    row("gamma", 20, 11);
    row("total", 129, kNoNode);
    return t;
}

QStringList shownNames(const TablePanel& panel) {
    QStringList names;
    const auto* model = panel.view()->model();
    for (int row = 0; row < model->rowCount(); ++row) names << model->index(row, 0).data().toString();
    return names;
}

QStringList selectedNames(const TablePanel& panel) {
    QStringList names;
    for (const QModelIndex& index : panel.view()->selectionModel()->selectedRows()) names << index.data().toString();
    names.sort();
    return names;
}

QStringList words(const char* text) { return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts); }

/// A shown table and the signals that it has emitted.
struct Table {
    Table() : spy(&panel, &TablePanel::nodeSelected) {
        panel.resize(600, 300);
        panel.setContent(numbers());
        panel.show();
    }
    void click(int row, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers keys = {}) {
        const QPoint place = panel.view()->visualRect(panel.view()->model()->index(row, 0)).center();
        QTest::mouseClick(panel.view()->viewport(), button, keys, place);
    }
    /// The nodes emitted since the last call.
    std::vector<NodeId> taken() {
        std::vector<NodeId> nodes;
        for (const auto& arguments : spy) nodes.push_back(arguments[0].toInt());
        spy.clear();
        return nodes;
    }
    TablePanel panel;
    QSignalSpy spy;
};

}  // namespace

class TestPanels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- passes ---

    void stepsGoToPassesThatChangedSomething() {
        PassPanel panel;
        QSignalSpy spy(&panel, &PassPanel::passSelected);
        const auto record = recordOf("mlp");
        panel.setRecord(record);
        QCOMPARE(panel.currentPass(), -1);
        std::vector<int> expected{0};
        for (std::size_t i = 1; i < record->passes.size(); ++i)
            if (record->passes[i].changed) expected.push_back(static_cast<int>(i));
        QVERIFY(expected.size() >= 3);
        for (const int row : expected) {
            panel.step(1);
            QCOMPARE(panel.currentPass(), row);
            QCOMPARE(spy.takeLast().first().toInt(), row);
        }
        panel.step(1);  // there is no next one
        QCOMPARE(panel.currentPass(), expected.back());
        QVERIFY(spy.isEmpty());
        for (std::size_t i = expected.size() - 1; i-- > 0;) {
            panel.step(-1);
            QCOMPARE(panel.currentPass(), expected[i]);
        }
        panel.step(-1);
        QCOMPARE(panel.currentPass(), 0);
    }

    void arrowKeysStepThroughAllPasses() {
        PassPanel panel;
        panel.setRecord(recordOf("mlp"));
        panel.show();
        panel.setCurrentPass(0);
        QSignalSpy spy(&panel, &PassPanel::passSelected);
        for (int row = 1; row <= 3; ++row) {
            QTest::keyClick(panel.view(), Qt::Key_Down);
            QCOMPARE(panel.currentPass(), row);
            QCOMPARE(spy.takeLast().first().toInt(), row);
        }
        QTest::keyClick(panel.view(), Qt::Key_Up);
        QCOMPARE(panel.currentPass(), 2);
    }

    void aPassIsMarkedWithoutChoosingIt() {
        PassPanel panel;
        panel.setRecord(recordOf("mlp"));
        QSignalSpy selected(&panel, &PassPanel::passSelected), marked(&panel, &PassPanel::passMarked);
        panel.mark(3);
        QCOMPARE(panel.currentPass(), 3);
        QVERIFY(selected.isEmpty());
        QCOMPARE(marked.takeLast().first().toInt(), 3);
    }

    /// Whole lines, level, and scrolled together.
    void bothTextsOfADifferenceScrollTogether() {
        const auto record = recordOf("mlp");
        const auto graphs = graphsOf(*record);
        DifferenceText text;
        text.resize(500, 150);
        text.show();
        text.setDifference(DifferenceLines::of(std::make_shared<const GraphDifference>(
            compareGraphs(*record, graphs[0].graph, graphs[0].kind, graphs[1].graph, graphs[1].kind))));
        QTableView *before = text.view(DifferenceTextModel::Side::before),
                   *after = text.view(DifferenceTextModel::Side::after);
        QCOMPARE(before->viewport()->height(), after->viewport()->height());
        const QFontMetrics metrics(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        for (QTableView* view : {before, after})
            QVERIFY(view->columnWidth(0) >= metrics.horizontalAdvance(text.model().longestLine()));
        for (const auto& [first, second] : {std::pair{before, after}, std::pair{after, before}}) {
            QVERIFY(first->horizontalScrollBar()->maximum() > 0 && first->verticalScrollBar()->maximum() > 0);
            for (const auto bar : {&QTableView::horizontalScrollBar, &QTableView::verticalScrollBar}) {
                QScrollBar *own = (first->*bar)(), *other = (second->*bar)();
                own->setValue(own->maximum() / 2);
                QCOMPARE(other->value(), own->value());
                own->setValue(0);
                QCOMPARE(other->value(), 0);
            }
        }
        QSignalSpy spy(&text, &DifferenceText::rowChosen);
        before->selectRow(2);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(after->currentIndex().row(), 2);
        text.selectRow(4);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(before->currentIndex().row(), 4);
    }

    void withoutARecordThereIsNothingToStep() {
        PassPanel panel;
        QSignalSpy spy(&panel, &PassPanel::passSelected);
        panel.step(1);
        panel.step(-1);
        panel.setRecord(std::make_shared<const CompileRecord>());
        panel.step(1);
        panel.setRecord(nullptr);
        QCOMPARE(panel.currentPass(), -1);
        QVERIFY(spy.isEmpty());
    }

    void aPassThatFailedIsNotGoneTo() {
        auto record = std::make_shared<CompileRecord>(*recordOf("mlp"));
        record->error = PassFailure{"compile", "no room"}.text();
        const int last = static_cast<int>(record->passes.size());
        PassPanel panel;
        panel.setRecord(record);
        panel.hideIdle()->setChecked(true);
        QVERIFY(!panel.view()->isRowHidden(last));
        QSignalSpy selected(&panel, &PassPanel::passSelected);
        for (int step = 0; step <= last; ++step) panel.step(1);
        panel.setCurrentPass(last);
        for (const auto& arguments : selected) QVERIFY(arguments.front().toInt() < last);
    }

    void anotherRecordStartsAnew() {
        PassPanel panel;
        panel.setRecord(recordOf("mlp"));
        panel.setCurrentPass(5);
        panel.setRecord(recordOf("sincos", true));
        QCOMPARE(panel.currentPass(), -1);
        QCOMPARE(static_cast<std::size_t>(panel.view()->model()->rowCount()), recordOf("sincos", true)->passes.size());
    }

    // --- tables ---

    void aClickedRowIsEmitted() {
        Table table;
        table.click(1);
        QCOMPARE(table.spy.first()[1].value<GraphKind>(), GraphKind::forward);
        QCOMPARE(table.taken(), std::vector<NodeId>{12});
        table.click(3);  // represents no node
        QVERIFY(table.taken().empty());
        QTest::keyClick(table.panel.view(), Qt::Key_Up);
        QCOMPARE(table.taken(), std::vector<NodeId>{11});
    }

    void selectingFromOutsideDoesNotEmit() {
        Table table;
        table.panel.select({11});
        QCOMPARE(selectedNames(table.panel), words("beta gamma"));
        table.panel.select({12, 11});
        QCOMPARE(selectedNames(table.panel), words("alpha beta gamma"));
        table.panel.select({99});
        QVERIFY(selectedNames(table.panel).isEmpty());
        table.panel.select({kNoNode});
        QVERIFY(selectedNames(table.panel).isEmpty());
        QVERIFY(table.taken().empty());
    }

    /// The selection stays that of the table while others follow it.
    void severalRowsAreEmittedTogether() {
        Table table;
        QSignalSpy several(&table.panel, &TablePanel::nodesSelected);
        connect(&table.panel, &TablePanel::nodesSelected, &table.panel, [&] { table.panel.select({12}); });
        table.click(0);
        QCOMPARE(table.taken(), std::vector<NodeId>{11});
        table.click(1, Qt::LeftButton, Qt::ControlModifier);
        QVERIFY(table.taken().empty());
        QCOMPARE(several.takeFirst()[0].value<std::vector<NodeId>>(), (std::vector<NodeId>{12, 11}));
        QCOMPARE(selectedNames(table.panel), words("alpha beta"));
        table.click(0, Qt::RightButton);
        QCOMPARE(selectedNames(table.panel), words("alpha beta"));
        QVERIFY(several.isEmpty() && table.taken().empty());
    }

    /// After the selection has moved elsewhere, the previous current row can still be clicked.
    void theSameRowCanBeClickedAgain() {
        Table table;
        table.click(1);
        QCOMPARE(table.taken(), std::vector<NodeId>{12});
        table.panel.select({});
        table.click(1);
        QCOMPARE(table.taken(), std::vector<NodeId>{12});
    }

    void sortsByNumbers() {
        Table table;
        table.panel.view()->sortByColumn(1, Qt::AscendingOrder);
        QCOMPARE(shownNames(table.panel), words("beta gamma alpha total"));
        table.panel.view()->sortByColumn(0, Qt::DescendingOrder);
        QCOMPARE(shownNames(table.panel), words("total gamma beta alpha"));
        table.click(3);
        QCOMPARE(table.taken(), std::vector<NodeId>{12});
        table.panel.setContent(numbers());  // the default order again
        QCOMPARE(shownNames(table.panel), words("beta alpha gamma total"));
    }

    /// Wide columns get what there is, and leave enough for the others.
    void wideColumnsTakeWhatIsLeft() {
        TablePanel panel;
        TableContent t = numbers();
        t.columns = {{u"Name"_s, {}, false}, {u"Why"_s, {}, false}, {u"Bytes"_s, {}, true}, {u"Override"_s, {}, false}};
        for (auto& row : t.rows) row.cells = {row.cells[0], {QString(60, u'w'), {}}, row.cells[1], {QString(), {}}};
        panel.setContent(t);
        panel.resize(1400, 300);
        panel.show();
        const int whole = panel.view()->fontMetrics().horizontalAdvance(QString(60, u'w'));
        QVERIFY(panel.view()->columnWidth(1) >= whole);
        panel.resize(400, 300);
        QVERIFY(panel.view()->columnWidth(1) < whole);
        QVERIFY(panel.view()->columnViewportPosition(3) < panel.view()->viewport()->width());
        panel.view()->setColumnWidth(1, 50);
        panel.resize(1400, 300);
        QCOMPARE(panel.view()->columnWidth(1), 50);
    }

    void aFirstClickPutsTheLargestOnTop() {
        Table table;
        QHeaderView* header = table.panel.view()->horizontalHeader();
        const auto click = [&](int column) {
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                              {header->sectionViewportPosition(column) + 10, header->height() / 2});
            return shownNames(table.panel);
        };
        QCOMPARE(click(1), words("total alpha gamma beta"));
        QCOMPARE(click(1), words("beta gamma alpha total"));
        QCOMPARE(click(0), words("alpha beta gamma total"));
    }

    void filters() {
        Table table;
        auto* filter = table.panel.findChild<QLineEdit*>();
        QVERIFY(filter && filter->isVisible());
        QTest::keyClicks(filter, u"AM"_s);
        QCOMPARE(shownNames(table.panel), words("gamma"));
        table.panel.select({12});  // filtered out
        QVERIFY(selectedNames(table.panel).isEmpty());
        table.panel.select({11});
        QCOMPARE(selectedNames(table.panel), words("gamma"));
        filter->clear();
        QCOMPARE(shownNames(table.panel).size(), 4);
        QTest::keyClicks(filter, u"100"_s);  // any column
        QCOMPARE(shownNames(table.panel), words("alpha"));
    }

    void filteringChoosesNothing() {
        Table table;
        auto* filter = table.panel.findChild<QLineEdit*>();
        table.panel.select({11});
        QTest::keyClicks(filter, u"alpha"_s);
        filter->clear();
        QVERIFY(table.taken().empty());
    }

    void anEmptyTableSaysWhy() {
        Table table;
        const auto* summary = table.panel.findChild<QLabel*>();
        QCOMPARE(summary->text(), u"four rows"_s);
        TableContent empty = numbers();
        empty.rows.clear();
        table.panel.setContent(empty);
        QCOMPARE(summary->text(), u"no rows"_s);
        QVERIFY(!table.panel.view()->isVisible());
        table.panel.select({11});
        table.panel.setContent(numbers());
        QVERIFY(table.panel.view()->isVisible());
        QVERIFY(table.taken().empty());
    }

    void copiesRowsAsText() {
        Table table;
        QAction* copy = table.panel.view()->actions().value(0);
        QVERIFY(copy);
        table.panel.view()->sortByColumn(1, Qt::AscendingOrder);
        table.click(1);
        copy->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), u"Name\tBytes\ngamma\t20\n"_s);
        table.panel.view()->clearSelection();
        copy->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text().count(u'\n'), 5);
    }

    // --- problems ---

    void problemsAreListedAndRaised() {
        ProblemsPanel panel;
        QSignalSpy spy(&panel, &ProblemsPanel::raised);
        QCOMPARE(panel.count(), 0);
        QCOMPARE(panel.lastText(), QString());
        panel.add(ProblemsPanel::Kind::information, u"all well"_s);
        QVERIFY(spy.isEmpty());
        panel.add(ProblemsPanel::Kind::warning, u"take care"_s);
        panel.add(ProblemsPanel::Kind::error, u"it broke"_s);
        QCOMPARE(spy.count(), 2);
        QCOMPARE(panel.count(), 3);
        QCOMPARE(panel.problems(), 2);
        QVERIFY(panel.lastText().endsWith(u"it broke"_s));
        QSignalSpy counted(&panel, &ProblemsPanel::countChanged);
        panel.findChild<QToolButton*>(u"clearProblems"_s)->click();
        QVERIFY(panel.count() == 0 && panel.problems() == 0 && counted.count() == 1);
    }

    void problemsCanBeCopied() {
        ProblemsPanel panel;
        auto* list = panel.findChild<QListWidget*>(u"problems"_s);
        for (const char* text : {"one", "two", "three"}) panel.add(ProblemsPanel::Kind::error, QString::fromUtf8(text));
        QAction* copy = list->actions().value(0);
        copy->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text().split(u'\n').size(), 3);
        list->item(1)->setSelected(true);
        copy->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().endsWith(u"two"_s));
        QVERIFY(!QGuiApplication::clipboard()->text().contains(u'\n'));
        panel.findChild<QToolButton*>(u"copyProblems"_s)->click();
        QCOMPARE(QGuiApplication::clipboard()->text().split(u'\n').size(), 3);
    }

    // --- values ---

    void heatMapsDistinguishNumbersAndNaNs() {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
        HeatMap map;
        map.resize(400, 200);
        map.setImage({2, 3, {0, 1, 2, nan, 4, -inf}}, 2, 3);
        std::set<QRgb> colours;
        for (const double x : {0.0, 1.0, 2.0, 4.0, nan}) colours.insert(map.colourOf(x).rgb());
        QCOMPARE(colours.size(), std::size_t{5});
        // From dark to light, regardless of the hue, so that everybody sees the order.
        QVERIFY(qGray(map.colourOf(0).rgb()) < qGray(map.colourOf(2).rgb()));
        QVERIFY(qGray(map.colourOf(2).rgb()) < qGray(map.colourOf(4).rgb()));
        QCOMPARE(map.colourOf(-inf), map.colourOf(0));
        QCOMPARE(map.colourOf(inf), map.colourOf(4));
        // The painted cells, row by row.
        const QImage picture = map.grab().toImage();
        QCOMPARE(picture.pixelColor(20, 20), map.colourOf(0));
        QCOMPARE(picture.pixelColor(20, 150), map.colourOf(nan));
        QCOMPARE(picture.pixelColor(140, 150), map.colourOf(4));
        map.setImage({1, 1, {7}}, 1, 1);  // no range
        QVERIFY(map.colourOf(7).isValid());
    }

    void valuesAreShownWithTheirFacts() {
        ValuePanel panel;
        panel.resize(420, 700);
        panel.show();
        QVERIFY(!panel.edit()->isEnabled());
        ValueFacts facts;
        facts.type = "f32[2, 1, 3]";
        facts.sizes = {2, 1, 3};
        facts.tensor = true;
        facts.elements = 6;
        facts.nans = 1;
        facts.max = 4;
        facts.first = {0, 1, 2, 3, 4, std::numeric_limits<double>::quiet_NaN()};
        facts.histogram = {2, 1, 2};
        const ShownValue value{GraphKind::backward, 5, u"%mul"_s, facts};
        panel.setWatches({value, {GraphKind::forward, 6, u"%later"_s, {}}});
        const auto& rows = panel.watches()->content().rows;
        QCOMPARE(rows[0].cells[4].text, u"4"_s);
        QCOMPARE(rows[0].cells[7].text, u"1"_s);
        QCOMPARE(rows[1].cells[2].text, u"not computed yet"_s);
        QCOMPARE(rows[0].cells.size(), rows[1].cells.size());
        panel.showValue(value, ValueImage{1, 3, {0, 1, 2}});
        panel.setActive(true);
        QVERIFY(panel.edit()->isEnabled());
        QCOMPARE(panel.firstText().section(u'\n', 0, 0), u"0  1  2"_s);
        QCOMPARE(panel.indices().size(), std::size_t{1});
        QSignalSpy moved(&panel, &ValuePanel::leadingChanged), edited(&panel, &ValuePanel::editRequested);
        panel.indices()[0]->setValue(1);
        QCOMPARE(moved.count(), 1);
        QCOMPARE(panel.leading(), (std::vector<std::int64_t>{1}));
        panel.showValue(value, ValueImage{1, 3, {3, 4, 5}});  // the same sizes: the indices stay
        QCOMPARE(panel.leading(), (std::vector<std::int64_t>{1}));
        panel.edit()->setText(u" [0, 0, 1] = 2 "_s);
        QTest::keyClick(panel.edit(), Qt::Key_Return);
        QCOMPARE(edited.value(0).value(0).toString(), u"[0, 0, 1] = 2"_s);
        QVERIFY(!panel.grab().isNull());
        panel.clearValue();
        QVERIFY(!panel.heatMap()->isVisible() && !panel.edit()->isEnabled() && panel.indices().empty());
    }

    void histogramsHaveABarForEveryBin() {
        ValueHistogram histogram;
        histogram.resize(300, 90);
        histogram.setBins({1'000'000, 0, 1}, -1, 2);
        const QImage picture = histogram.grab().toImage();
        const QColor bar = Theme::light().estimated;
        const auto barsIn = [&](int left, int right) {
            int count = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = left; x < right; ++x) count += picture.pixelColor(x, y) == bar;
            return count;
        };
        QVERIFY(barsIn(10, 90) > 1000);
        QCOMPARE(barsIn(110, 190), 0);
        QVERIFY(barsIn(210, 290) > 0);  // one of a million is still visible
        QCOMPARE(histogram.tallestText(), u"tallest bar: 1,000,000 elements"_s);
    }
};

AOTSCOPE_TEST(TestPanels)

}  // namespace aotscope::test::panels_test

#include "test_panels.moc"
