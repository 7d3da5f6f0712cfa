#pragma once

#include "support/progress.h"

#include <QObject>
#include <QThreadPool>
#include <exception>
#include <functional>
#include <memory>

namespace aotscope {

/// What an error says; empty: the work was cancelled.
QString whyFailed(const std::exception_ptr& error);

/// Runs one piece of work at a time off the GUI thread. Starting another, or cancelling, stops the current one at its
/// next stage; its result is dropped.
class BackgroundJob : public QObject {
    Q_OBJECT

public:
    explicit BackgroundJob(QObject* parent = nullptr);
    ~BackgroundJob() override;

    bool running() const { return progress_ != nullptr; }
    void cancel();
    /// Blocks until all work has ended, including cancelled work. Results are delivered later.
    void wait() { pool_.waitForDone(); }

    /// `work` runs in the background with a Progress; `done` gets its result on this object's thread. An
    /// exception goes to failed() instead.
    template <typename Result>
    void start(const QString& title, std::function<Result(const Progress&)> work, std::function<void(Result)> done) {
        startErased(
            title, [work = std::move(work), done = std::move(done)](const Progress& progress) -> std::function<void()> {
                auto result = std::make_shared<Result>(work(progress));
                return [done, result] { done(std::move(*result)); };
            });
    }

Q_SIGNALS:
    void started(const QString& title);
    void stageEntered(const QString& stage);
    void failed(std::exception_ptr error);
    /// After success, failure or cancellation.
    void finished();

private:
    using ErasedWork = std::function<std::function<void()>(const Progress&)>;
    void startErased(const QString& title, ErasedWork work);
    void deliver(const std::shared_ptr<Progress>& token, const std::function<void()>& done,
                 const std::exception_ptr& error);

    std::shared_ptr<Progress> progress_;  ///< of the current job; also its identity
    QThreadPool pool_;
};

}  // namespace aotscope
