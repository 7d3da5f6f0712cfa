#pragma once

#include <QAbstractItemModel>
#include <QList>
#include <QStringList>

namespace aotscope {

/// The format of a table for other programs: tab-separated, as a table of Markdown, or as in RFC 4180.
enum class TableFormat { text, markdown, csv };

QString tableText(const QStringList& headings, const QList<QStringList>& rows, TableFormat format);
/// The visible content of `model`; all rows if `rows` is empty, all columns if `columns` is.
QString tableText(const QAbstractItemModel& model, const QList<int>& rows, TableFormat format, QList<int> columns = {});

}  // namespace aotscope
