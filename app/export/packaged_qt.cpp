#include "export/packaged_qt.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace aotscope {

namespace {

void useFontsIn(const QDir& folder) {
    if (QFileInfo::exists(QStringLiteral("/etc/fonts/fonts.conf"))) return;
    if (qEnvironmentVariableIsSet("FONTCONFIG_FILE") || qEnvironmentVariableIsSet("FONTCONFIG_PATH")) return;
    const QString settings = folder.filePath(QStringLiteral("fonts.conf"));
    if (QFileInfo::exists(settings)) qputenv("FONTCONFIG_FILE", QFile::encodeName(QDir::cleanPath(settings)));
}

}  // namespace

void usePackagedQt() {
    // Qt itself looks for qt.conf only after an application was created.
    const QDir program = QFileInfo(QFileInfo(QStringLiteral("/proc/self/exe")).symLinkTarget()).dir();
    const QString file = program.filePath(QStringLiteral("qt.conf"));
    if (!QFileInfo::exists(file)) return;
    // PyQt, OpenCV and others set these for their own Qt when they start this program.
    for (const char* variable : {"QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH"}) qunsetenv(variable);
    const QSettings settings(file, QSettings::IniFormat);
    const QDir prefix(program.filePath(settings.value(QStringLiteral("Paths/Prefix")).toString()));
    useFontsIn(prefix.filePath(QStringLiteral("fonts")));
}

}  // namespace aotscope
