#pragma once

#include "support/scratch.h"

#include <QFile>

namespace aotscope::test {

/// While it exists, the given script is the only program found, as "dot"; an empty script: no program is found.
class FakeDot {
public:
    explicit FakeDot(const QByteArray& script) : path_(qgetenv("PATH")) {
        if (!script.isEmpty()) {
            const QString file = folder_.write(u"dot"_s, "#!/bin/sh\n" + script);
            QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        }
        qputenv("PATH", folder_.path().toLocal8Bit());
    }
    ~FakeDot() { qputenv("PATH", path_); }
    FakeDot(const FakeDot&) = delete;
    FakeDot& operator=(const FakeDot&) = delete;

private:
    Scratch folder_;
    QByteArray path_;
};

}  // namespace aotscope::test
