#pragma once

#include "support/scratch.h"

#include <QCoreApplication>
#include <QSettings>

namespace aotscope::test {

/// Settings and data in a folder of their own, so that tests and their child processes do not touch those of the user.
class Isolation {
public:
    Isolation() {
        for (const char* name : {"XDG_DATA_HOME", "XDG_CONFIG_HOME"}) qputenv(name, folder_.path().toUtf8());
        QCoreApplication::setOrganizationName(u"aotscope-tests"_s);
        QCoreApplication::setApplicationName(u"aotscope-tests"_s);
        for (const auto format : {QSettings::NativeFormat, QSettings::IniFormat})
            for (const auto scope : {QSettings::UserScope, QSettings::SystemScope})
                QSettings::setPath(format, scope, folder_.path());
    }
    /// Clears the settings, as on first start.
    void forget() const { QSettings().clear(); }
    QString file() const { return QSettings().fileName(); }
    const Scratch& folder() const { return folder_; }

private:
    Scratch folder_;
};

}  // namespace aotscope::test
