#pragma once

#include <QAbstractItemModel>
#include <QList>
#include <QStringList>

namespace aotscope {

/// How a table is written for other programs: tab-separated, as a table of Markdown, or as RFC 4180 has it.
enum class TableFormat { text, markdown, csv };

QString tableText(const QStringList& headings, const QList<QStringList>& rows, TableFormat format);
/// What a view shows of `model`; all rows if `rows` is empty.
QString tableText(const QAbstractItemModel& model, const QList<int>& rows, TableFormat format);

}  // namespace aotscope
