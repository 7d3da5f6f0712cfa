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

void ModelWatcher::watch(const QStringList& paths) {
    if (paths == paths_) return;
    settled_.stop();
    if (const QStringList old = watcher_.files() + watcher_.directories(); !old.isEmpty()) watcher_.removePaths(old);
    paths_ = paths;
    known_.clear();
    for (const QString& path : paths) {
        const QFileInfo file(path);
        if (!file.isFile()) continue;
        known_[path] = stateOf(path);
        // Writers replace the file by a new one: only its folder reports that.
        watcher_.addPaths({path, file.absolutePath()});
    }
}

void ModelWatcher::look() {
    QString last;
    for (auto known = known_.begin(); known != known_.end(); ++known) {
        const FileState now = stateOf(known.key());
        if (now.size < 0) continue;  // being replaced, or deleted
        if (!watcher_.files().contains(known.key())) watcher_.addPath(known.key());
        if (now != *known) last = known.key();
        *known = now;
    }
    if (!last.isEmpty()) Q_EMIT changed(last);
}

}  // namespace aotscope
