#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QTimer>

namespace aotscope {

/// Tells when the file of the open model has been written anew, once nothing has touched it for a moment.
class ModelWatcher : public QObject {
    Q_OBJECT

public:
    explicit ModelWatcher(QObject* parent = nullptr);

    /// Watches `path` from now on, and no other; a path that is no file ("sample:mlp") is not watched.
    void watch(const QString& path);

Q_SIGNALS:
    void changed(const QString& path);

private:
    struct Version {
        QDateTime written;
        qint64 bytes = -1;
        bool operator==(const Version&) const = default;
    };
    Version version() const;
    void look();

    QFileSystemWatcher watcher_;
    QTimer settled_;
    QString path_;
    Version known_;
};

}  // namespace aotscope
