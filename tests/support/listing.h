#pragma once

#include "support/literals.h"

#include <QDateTime>
#include <QDirIterator>
#include <QStringList>

namespace aotscope::test {

/// Everything below a folder: names, sizes and times of modification.
inline QStringList listing(const QString& folder) {
    QStringList entries;
    QDirIterator it(folder, QDir::AllEntries | QDir::System | QDir::Hidden | QDir::NoDotAndDotDot,
                    QDirIterator::Subdirectories);
    while (it.hasNext()) {
        it.next();
        const QFileInfo info = it.fileInfo();
        entries << u"%1 %2 %3"_s.arg(info.filePath()).arg(info.size()).arg(info.lastModified().toMSecsSinceEpoch());
    }
    entries.sort();
    return entries;
}

}  // namespace aotscope::test
