#include "export/packaged_fonts.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace aotscope {

void usePackagedFonts() {
    if (QFileInfo::exists(QStringLiteral("/etc/fonts/fonts.conf"))) return;
    if (qEnvironmentVariableIsSet("FONTCONFIG_FILE") || qEnvironmentVariableIsSet("FONTCONFIG_PATH")) return;
    // Qt itself reads qt.conf only once there is an application.
    const QDir program = QFileInfo(QFileInfo(QStringLiteral("/proc/self/exe")).symLinkTarget()).dir();
    const QSettings paths(program.filePath(QStringLiteral("qt.conf")), QSettings::IniFormat);
    const QDir prefix(program.filePath(paths.value(QStringLiteral("Paths/Prefix")).toString()));
    const QString fonts = prefix.filePath(QStringLiteral("fonts/fonts.conf"));
    if (QFileInfo::exists(fonts)) qputenv("FONTCONFIG_FILE", QFile::encodeName(QDir::cleanPath(fonts)));
}

}  // namespace aotscope
