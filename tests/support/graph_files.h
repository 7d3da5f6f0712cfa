#pragma once

#include <QFile>
#include <QString>

#include <string>

namespace aotscope::test {

/// The text of tests/data/graphs/NAME.txt.
inline std::string graphText(const char* name) {
    QFile file(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/graphs/%1.txt").arg(QLatin1String(name)));
    if (!file.open(QIODevice::ReadOnly)) qFatal("%s is missing", qPrintable(file.fileName()));
    return file.readAll().toStdString();
}

}  // namespace aotscope::test
