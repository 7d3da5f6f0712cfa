#include "support/golden.h"
#include "support/literals.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace aotscope::test {

QString compareWithGolden(const QString& name, const QByteArray& actual) {
    const QString path = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/golden/") + name;
    if (qEnvironmentVariableIntValue("UPDATE_GOLDEN") == 1) {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) return u"cannot write %1"_s.arg(path);
        file.write(actual);
        return {};
    }
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return u"%1 is missing; run with UPDATE_GOLDEN=1 to make it"_s.arg(path);
    const auto expectedLines = file.readAll().split('\n'), actualLines = actual.split('\n');
    for (qsizetype i = 0; i < std::max(expectedLines.size(), actualLines.size()); ++i) {
        const QByteArray e = i < expectedLines.size() ? expectedLines[i] : QByteArray("(end)");
        const QByteArray a = i < actualLines.size() ? actualLines[i] : QByteArray("(end)");
        if (e != a)
            return u"%1, line %2:\n  expected %3\n  actual   %4"_s.arg(name).arg(i + 1).arg(QString::fromUtf8(e),
                                                                                            QString::fromUtf8(a));
    }
    return {};
}

}  // namespace aotscope::test
