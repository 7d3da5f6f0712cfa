#pragma once

#include "controllers/sessions/session_writer.h"

#include <QFileSystemWatcher>
#include <QTimer>

namespace aotscope {

/// Reports changes of the files of the open model, once they have been stable for a moment.
class ModelWatcher : public QObject {
    Q_OBJECT

public:
    explicit ModelWatcher(QObject* parent = nullptr);

    /// Watches these from now on, and no others; a path that is no file ("sample:mlp") is ignored.
    void watch(const QStringList& paths);

Q_SIGNALS:
    /// One of them.
    void changed(const QString& path);

private:
    void look();

    QFileSystemWatcher watcher_;
    QTimer settled_;
    QStringList paths_;
    QMap<QString, FileState> known_;
};

}  // namespace aotscope
