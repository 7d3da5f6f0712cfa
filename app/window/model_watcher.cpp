#include "window/model_watcher.h"

#include <QFileInfo>

namespace aotscope {

namespace {

constexpr int kSettledMs = 400;  // a file is written in several steps

}  // namespace

ModelWatcher::ModelWatcher(QObject* parent) : QObject(parent) {
    settled_.setSingleShot(true);
    settled_.setInterval(kSettledMs);
    connect(&settled_, &QTimer::timeout, this, &ModelWatcher::look);
    const auto touched = [this] { settled_.start(); };
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, touched);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, touched);
}

void ModelWatcher::watch(const QString& path) {
    if (path == path_) return;
    settled_.stop();
    if (const QStringList old = watcher_.files() + watcher_.directories(); !old.isEmpty()) watcher_.removePaths(old);
    const QFileInfo file(path);
    path_ = file.isFile() ? path : QString();
    known_ = stateOf(path_);
    // Writers replace the file by a new one: only its folder reports that.
    if (!path_.isEmpty()) watcher_.addPaths({path_, file.absolutePath()});
}

void ModelWatcher::look() {
    const FileState now = stateOf(path_);
    if (now.size < 0) return;  // being replaced, or deleted
    if (!watcher_.files().contains(path_)) watcher_.addPath(path_);
    if (now == known_) return;
    known_ = now;
    Q_EMIT changed(path_);
}

}  // namespace aotscope
