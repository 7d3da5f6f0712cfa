#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QTimer>

namespace aotscope {

/// Reports changes of the open model's file, once it has been stable for a moment.
class ModelWatcher : public QObject {
    Q_OBJECT

public:
    explicit ModelWatcher(QObject* parent = nullptr);

    /// Watches `path` from now on, and no other; a path that is no file ("sample:mlp") is ignored.
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
