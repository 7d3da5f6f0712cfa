#pragma once

#include <QByteArray>
#include <QString>

#include <functional>

namespace aotscope::test {

/// Adds a row for every file in tests/golden/`folder` to a data table with the column "file". Returns their number.
int addTextCases(const QString& folder);

/// Runs `transform` on the part of `file` above the line "----" and compares with the part below it; with
/// UPDATE_GOLDEN=1 writes that part instead. Returns an empty text when equal, else the difference.
QString checkTextCase(const QString& file, const std::function<QByteArray(const QByteArray& input)>& transform);

}  // namespace aotscope::test
