// Tables as text, and printed pictures.

#include "canvas/layout/layout_job.h"
#include "canvas/print_picture.h"
#include "models/tables/table_text.h"
#include "support/test_program.h"
#include "views/records.h"

#include <QPdfWriter>
#include <QStandardItemModel>

namespace aotscope::test::table_text_test {

class TestTableText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void formats_data() {
        const auto row = columns<int, QString>("format", "text");
        row("text", static_cast<int>(TableFormat::text), "Name\tBytes\n%a\t1, 2\nx|y \"z\"\ttwo lines\n");
        row("markdown", static_cast<int>(TableFormat::markdown),
            "| Name | Bytes |\n| --- | --- |\n| %a | 1, 2 |\n| x\\|y \"z\" | two<br>lines |\n");
        row("csv", static_cast<int>(TableFormat::csv),
            "Name,Bytes\r\n%a,\"1, 2\"\r\n\"x|y \"\"z\"\"\",\"two\nlines\"\r\n");
    }
    void formats() {
        QFETCH(int, format);
        QFETCH(QString, text);
        QStandardItemModel model(2, 2);
        model.setHorizontalHeaderLabels({u"Name"_s, u"Bytes"_s});
        model.setItem(0, 0, new QStandardItem(u"%a"_s));
        model.setItem(0, 1, new QStandardItem(u"1, 2"_s));
        model.setItem(1, 0, new QStandardItem(u"x|y \"z\""_s));
        model.setItem(1, 1, new QStandardItem(u"two\nlines"_s));
        QCOMPARE(tableText(model, {}, static_cast<TableFormat>(format)), text);
        const auto lines = tableText(model, {1}, TableFormat::text).split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[1].startsWith("x|y"_L1));
    }

    /// A long graph takes several pages, a small one fits on one.
    void pages() {
        for (const auto& [sample, many] : {std::pair{"mlp", false}, std::pair{"resnet18", true}}) {
            const auto record = recordOf(sample);
            const DrawnGraph drawn = drawGraph(*record->graph(GraphKind::joint), GraphKind::joint, *record);
            QBuffer buffer;
            QVERIFY(buffer.open(QIODevice::WriteOnly));
            int pages = 0;
            {
                QPdfWriter printer(&buffer);
                printer.setPageSize(QPageSize(QPageSize::A4));
                pages = printPicture(printer, drawn, layoutNow(drawn), {}, u"title"_s);
            }
            QCOMPARE(pages > 1, many);
            QCOMPARE(buffer.data().count("/Type /Page\n"), pages);
        }
    }
};

AOTSCOPE_TEST(TestTableText)

}  // namespace aotscope::test::table_text_test

#include "test_table_text.moc"
