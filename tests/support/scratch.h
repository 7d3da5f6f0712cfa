#pragma once

#include "support/literals.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <memory>

namespace aotscope::test {

/// A folder of files: a temporary one that lives as long as the object, or an existing one.
class Scratch {
public:
    Scratch() : folder_(std::make_unique<QTemporaryDir>()), path_(folder_->path()) {}
    explicit Scratch(QString path) : path_(std::move(path)) {}

    QString path() const { return path_; }
    QString at(const QString& name) const { return QDir(path_).filePath(name); }
    QStringList files() const { return QDir(path_).entryList(QDir::Files | QDir::Hidden); }

    /// Writes a file and returns its path.
    QString write(const QString& name, const QByteArray& content) const {
        QFile file(at(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write '%s'", qPrintable(name));
        return at(name);
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
    QString path_;
};

inline QByteArray contentOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read '%s'", qPrintable(path));
    return file.readAll();
}

}  // namespace aotscope::test
