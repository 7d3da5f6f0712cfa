#pragma once

#include "controllers/sessions/session_writer.h"

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
    void look();

    QFileSystemWatcher watcher_;
    QTimer settled_;
    QString path_;
    FileState known_;
};

}  // namespace aotscope
