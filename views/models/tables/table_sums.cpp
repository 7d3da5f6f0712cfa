#include "models/tables/table_sums.h"

#include "io/tables/table_text.h"
#include "models/tables/table_cells.h"
#include "support/names.h"

namespace aotscope {

namespace {

std::string sumText(TableUnit unit, double sum) {
    if (unit == TableUnit::bytes) return formatBytes(static_cast<std::int64_t>(sum));
    return cellText({.unit = unit == TableUnit::alikeMilliseconds ? TableUnit::milliseconds : unit}, sum);
}

/// Missing numbers have a negative key.
double sumOver(const TableContent& content, std::size_t column, const std::vector<int>& rows) {
    double sum = 0;
    for (const int row : rows)
        sum += std::max(content.rows[static_cast<std::size_t>(row)].cells[column].sortKey.toDouble(), 0.0);
    return sum;
}

/// ": bytes 4.20 MB, storage 1.10 MB"; empty if there is nothing to add.
QString sumsOver(const TableContent& content, const std::vector<int>& rows) {
    QStringList sums;
    for (std::size_t c = 0; c < content.columns.size(); ++c) {
        const TableContent::Column& column = content.columns[c];
        const double sum = column.sum ? sumOver(content, c, rows) : 0;
        if (sum > 0) sums << column.title.toLower() + u' ' + toQString(sumText(*column.sum, sum));
    }
    return sums.isEmpty() ? QString() : QStringLiteral(": ") + sums.join(QStringLiteral(", "));
}

}  // namespace

QString sumsText(const TableContent& content, const TableRows& rows) {
    QStringList parts;
    if (rows.shown.size() < content.rows.size())
        parts
            << tr("%1 of %2").arg(QString::number(rows.shown.size()), toQString(counted(content.rows.size(), "row"))) +
                   sumsOver(content, rows.shown);
    if (rows.selected.size() > 1)
        parts << tr("%1 selected").arg(rows.selected.size()) + sumsOver(content, rows.selected);
    return parts.join(QStringLiteral("; "));
}

}  // namespace aotscope
