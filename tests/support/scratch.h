#pragma once

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

namespace aotscope::test {

/// A folder of files that lives as long as the object.
class Scratch {
public:
    QString path() const { return folder_.path(); }
    QString at(const QString& name) const { return folder_.filePath(name); }
    QStringList files() const { return QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden); }

    /// Writes a file and returns its path.
    QString write(const QString& name, const QByteArray& content) const {
        QFile file(at(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write '%s'", qPrintable(name));
        return at(name);
    }

private:
    QTemporaryDir folder_;
};

inline QByteArray contentOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read '%s'", qPrintable(path));
    return file.readAll();
}

}  // namespace aotscope::test
