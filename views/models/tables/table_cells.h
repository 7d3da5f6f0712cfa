#pragma once

#include "io/text_report.h"
#include "models/tables/table_content.h"
#include "models/words/to_qstring.h"

#include <QObject>

namespace aotscope {

/// Writes the cells of all tables.
inline QString tr(const char* text) { return QObject::tr(text); }
inline TableContent::Cell textCell(const QString& text) { return {text, {}}; }
inline TableContent::Cell textCell(std::string_view text) { return {toQString(text), {}}; }
inline TableContent::Cell numberCell(qint64 n) { return {QString::number(n), n}; }
inline TableContent::Cell bytesCell(std::int64_t n) { return {toQString(formatBytes(n)), static_cast<qint64>(n)}; }

}  // namespace aotscope
