#include "support/text_cases.h"
#include "support/literals.h"

#include "support/golden.h"

#include <QDir>
#include <QFile>
#include <QTest>

namespace aotscope::test {

namespace {

const QByteArray kSeparator = "----\n";

}  // namespace

int addTextCases(const QString& folder) {
    QTest::addColumn<QString>("file");
    const QDir directory(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/golden/") + folder);
    const QStringList files = directory.entryList({u"*.txt"_s}, QDir::Files, QDir::Name);
    for (const QString& file : files) QTest::newRow(qPrintable(file)) << folder + u'/' + file;
    return static_cast<int>(files.size());
}

QString checkTextCase(const QString& file, const std::function<QByteArray(const QByteArray&)>& transform) {
    QFile source(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/golden/") + file);
    if (!source.open(QIODevice::ReadOnly)) return u"cannot read %1"_s.arg(file);
    const QByteArray content = source.readAll();
    source.close();
    const auto end = content.indexOf(kSeparator);
    if (end < 0) return u"%1 has no line ----"_s.arg(file);
    const QByteArray input = content.left(end);
    return compareWithGolden(file, input + kSeparator + transform(input));
}

}  // namespace aotscope::test
