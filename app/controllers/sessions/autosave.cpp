#include "controllers/sessions/autosave.h"

#include "crash/crash_handler.h"

#include <QFile>

#include <algorithm>
#include <utility>

namespace aotscope {

namespace {

constexpr int kPauseFactor = 10;     ///< pauses are that many times longer than writing
constexpr int kRetryMs = 60 * 1000;  ///< after a failure
constexpr int kLongestPauseMs = 300'000;

}  // namespace

Autosave::Autosave(std::function<std::optional<SaveRequest>()> unsaved, QObject* parent)
    : QObject(parent), unsaved_(std::move(unsaved)) {
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &Autosave::write);
    connect(&job_, &BackgroundJob::failed, this, &Autosave::onFailure);
}

Autosave::~Autosave() { end(); }

void Autosave::end() {
    timer_.stop();
    job_.cancel();
    job_.wait();  // otherwise the copy would reappear after it is removed
    copy_.reset();
    adoptedLock_.reset();
}

void Autosave::start(int delayMs) {
    copy_ = std::make_unique<RecoveryFile>();
    noteForCrashes(CrashNote::recovery, copy_->path().toStdString());
    delayMs_ = delayMs;
    changed();
}

void Autosave::changed() {
    ++revision_;
    if (!job_.running()) later();
}

void Autosave::later() {
    if (copy_ && !copy_->path().isEmpty() && !timer_.isActive())
        timer_.start(static_cast<int>(std::clamp<qint64>(kPauseFactor * tookMs_, delayMs_, kLongestPauseMs)));
}

void Autosave::write() {
    if (job_.running() || written_ == revision_) return;
    auto request = unsaved_();
    if (!request) {
        QFile::remove(copy_->path());
        written_ = revision_;
        return;
    }
    request->file = copy_->path();
    clock_.start();
    job_.start<FileState>(
        {}, [request = std::move(*request)](const Progress& progress) { return save(request, progress); },
        [this, revision = revision_](const FileState&) { onWritten(revision); });
}

void Autosave::onWritten(int revision) {
    written_ = revision;
    tookMs_ = clock_.elapsed();
    failing_ = false;
    forgetAdopted();
    if (written_ != revision_) later();
}

void Autosave::onFailure(const std::exception_ptr& error) {
    timer_.start(kRetryMs);
    if (!std::exchange(failing_, true)) Q_EMIT failed(error);
}

void Autosave::writeNow() {
    if (!copy_ || copy_->path().isEmpty()) return;
    job_.wait();
    auto request = unsaved_();
    if (!request) return removeNow();
    request->file = copy_->path();
    try {
        save(*request);
        forgetAdopted();
    } catch (const std::exception&) {
        // The previous copy still exists.
    }
}

void Autosave::removeNow() {
    job_.wait();
    if (!file().isEmpty()) QFile::remove(file());
}

void Autosave::adopt(const QString& file) {
    if (file == adopted_) return;
    adopted_.clear();
    adoptedLock_ = RecoveryFile::claim(file);
    if (adoptedLock_) adopted_ = file;
}

void Autosave::forgetAdopted() {
    if (adopted_.isEmpty()) return;
    QFile::remove(std::exchange(adopted_, {}));
    adoptedLock_.reset();  // and its file
}

}  // namespace aotscope
