#include "controllers/background_job.h"

#include "support/signal_stack.h"

#include <QMetaObject>

namespace aotscope {

QString whyFailed(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const Cancelled&) {
        return {};
    } catch (const std::exception& e) {
        return QString::fromUtf8(e.what());
    }
}

BackgroundJob::BackgroundJob(QObject* parent) : QObject(parent) { pool_.setMaxThreadCount(1); }

BackgroundJob::~BackgroundJob() {
    if (progress_) progress_->cancel();
    pool_.waitForDone();
}

void BackgroundJob::cancel() {
    if (!progress_) return;
    progress_->cancel();
    progress_.reset();
    Q_EMIT finished();
}

void BackgroundJob::startErased(const QString& title, ErasedWork work) {
    if (progress_) progress_->cancel();
    auto token = std::make_shared<std::shared_ptr<Progress>>();
    auto progress = std::make_shared<Progress>([this, token](std::string_view stage) {
        const QString text = QString::fromUtf8(stage.data(), static_cast<qsizetype>(stage.size()));
        QMetaObject::invokeMethod(this, [this, text, mine = *token] {
            if (progress_ == mine) Q_EMIT stageEntered(text);
        });
    });
    *token = progress;
    progress_ = progress;
    Q_EMIT started(title);
    // The destructor waits for the pool, so `this` outlives the work.
    pool_.start([this, progress, token, work = std::move(work)] {
        useSignalStack();
        std::function<void()> done;
        std::exception_ptr error;
        try {
            done = work(*progress);
        } catch (...) {
            error = std::current_exception();
        }
        token->reset();
        QMetaObject::invokeMethod(
            this, [this, progress, done, error] { deliver(progress, done, error); }, Qt::QueuedConnection);
    });
}

void BackgroundJob::deliver(const std::shared_ptr<Progress>& token, const std::function<void()>& done,
                            const std::exception_ptr& error) {
    if (token != progress_) return;
    progress_.reset();
    Q_EMIT finished();
    if (error) Q_EMIT failed(error);
    else done();
}

}  // namespace aotscope
