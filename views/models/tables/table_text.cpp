#include "models/tables/table_text.h"

#include <algorithm>

namespace aotscope {

namespace {

QString cell(QString content, TableFormat format) {
    switch (format) {
        case TableFormat::text: return content.replace(u'\t', u' ').replace(u'\n', u' ');
        case TableFormat::markdown:
            return content.replace(u'\\', QLatin1String("\\\\"))
                .replace(u'|', QLatin1String("\\|"))
                .replace(u'\n', QLatin1String("<br>"));
        case TableFormat::csv: break;
    }
    const bool plain = std::none_of(content.cbegin(), content.cend(),
                                    [](QChar c) { return c == u',' || c == u'"' || c == u'\n' || c == u'\r'; });
    return plain ? content : u'"' + content.replace(u'"', QLatin1String("\"\"")) + u'"';
}

QString line(const QStringList& row, TableFormat format) {
    QStringList cells;
    for (const QString& content : row) cells << cell(content, format);
    switch (format) {
        case TableFormat::text: return cells.join(u'\t') + u'\n';
        case TableFormat::markdown:
            return QLatin1String("| ") + cells.join(QLatin1String(" | ")) + QLatin1String(" |\n");
        case TableFormat::csv: break;
    }
    return cells.join(u',') + QLatin1String("\r\n");
}

}  // namespace

QString tableText(const QStringList& headings, const QList<QStringList>& rows, TableFormat format) {
    QString text = line(headings, format);
    if (format == TableFormat::markdown) text += u'|' + QStringLiteral(" --- |").repeated(headings.size()) + u'\n';
    for (const QStringList& row : rows) text += line(row, format);
    return text;
}

QString tableText(const QAbstractItemModel& model, const QList<int>& rows, TableFormat format) {
    QStringList headings;
    for (int c = 0; c < model.columnCount(); ++c) headings << model.headerData(c, Qt::Horizontal).toString();
    QList<QStringList> content;
    const auto add = [&](int row) {
        QStringList cells;
        for (int c = 0; c < model.columnCount(); ++c) cells << model.index(row, c).data().toString();
        content << cells;
    };
    if (rows.isEmpty())
        for (int row = 0; row < model.rowCount(); ++row) add(row);
    for (const int row : rows) add(row);
    return tableText(headings, content, format);
}

}  // namespace aotscope
