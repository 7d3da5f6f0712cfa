#include "models/tables/table_text.h"

#include "io/tables/csv.h"
#include "models/words/to_qstring.h"

namespace aotscope {

namespace {

QString line(const QStringList& row, TableFormat format) {
    QStringList cells = row;
    switch (format) {
        case TableFormat::text:
            for (QString& cell : cells) cell.replace(u'\t', u' ').replace(u'\n', u' ');
            return cells.join(u'\t') + u'\n';
        case TableFormat::markdown:
            for (QString& cell : cells)
                cell.replace(u'\\', QLatin1String("\\\\"))
                    .replace(u'|', QLatin1String("\\|"))
                    .replace(u'\n', QLatin1String("<br>"));
            return QLatin1String("| ") + cells.join(QLatin1String(" | ")) + QLatin1String(" |\n");
        case TableFormat::csv: break;
    }
    std::vector<std::string> texts;
    for (const QString& cell : row) texts.push_back(cell.toStdString());
    return toQString(csvLine(texts));
}

}  // namespace

QString tableText(const QStringList& headings, const QList<QStringList>& rows, TableFormat format) {
    QString text = line(headings, format);
    if (format == TableFormat::markdown) text += u'|' + QStringLiteral(" --- |").repeated(headings.size()) + u'\n';
    for (const QStringList& row : rows) text += line(row, format);
    return text;
}

QString tableText(const QAbstractItemModel& model, const QList<int>& rows, TableFormat format, QList<int> columns) {
    for (int c = columns.isEmpty() ? 0 : model.columnCount(); c < model.columnCount(); ++c) columns << c;
    QStringList headings;
    for (const int c : columns) headings << model.headerData(c, Qt::Horizontal).toString();
    QList<QStringList> content;
    const auto add = [&](int row) {
        QStringList cells;
        for (const int c : columns) cells << model.index(row, c).data().toString();
        content << cells;
    };
    if (rows.isEmpty())
        for (int row = 0; row < model.rowCount(); ++row) add(row);
    for (const int row : rows) add(row);
    return tableText(headings, content, format);
}

}  // namespace aotscope
