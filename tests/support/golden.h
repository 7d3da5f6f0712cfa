#pragma once

#include <QByteArray>
#include <QString>

namespace aotscope::test {

/// Compares `actual` with the file tests/golden/`name`; with UPDATE_GOLDEN=1 in the environment writes it
/// instead. Returns an empty text when equal, else the first differing line of both.
QString compareWithGolden(const QString& name, const QByteArray& actual);

}  // namespace aotscope::test
