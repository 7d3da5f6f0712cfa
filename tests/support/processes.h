#pragma once

#include "support/literals.h"

#include <QFile>

#include <sys/types.h>

namespace aotscope::test {

/// A process that has ended but was not waited for does not run.
inline bool runs(pid_t process) {
    QFile file(u"/proc/%1/stat"_s.arg(process));
    const QByteArray stat = file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
    const auto state = stat.lastIndexOf(')') + 2;
    return state >= 2 && state < stat.size() && stat[state] != 'Z';
}

}  // namespace aotscope::test
