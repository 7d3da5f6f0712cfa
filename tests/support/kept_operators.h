#pragma once

#include <QDir>
#include <QString>

namespace aotscope::test {

/// Forgets what operations took in runs of earlier tests, in this process and in those that it has started.
inline void forgetOperators() {
    QDir folder(qEnvironmentVariable("XDG_CACHE_HOME") + QStringLiteral("/aotscope"));
    for (const QString& name : folder.entryList({QStringLiteral("operators-*")}, QDir::Files)) folder.remove(name);
}

/// Base of what starts as for a new user.
struct NothingMeasured {
    NothingMeasured() { forgetOperators(); }
};

}  // namespace aotscope::test
