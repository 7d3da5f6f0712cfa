#pragma once

#include "record/options/remote_model.h"
#include "remote/engine_link.h"
#include "remote/frame.h"
#include "remote/remote_process.h"
#include "support/error.h"
#include "support/progress.h"
#include "support/temporary_folder.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>

namespace aotscope {

/// The engine ended before its greeting, or said something else.
class CannotStart : public Error {
public:
    using Error::Error;
};

/// A connection to an engine: aotscope in another process, here or on another machine, started by a local command.
/// Requests about one object are answered in order, others side by side; while a call waits, ten seconds without a
/// message, or a substantial part of one, break the connection. Thread-safe.
class Connection {
public:
    /// Called with each event of a job; an exception ends the wait, and cancels the job.
    using Listener = std::function<void(const nlohmann::json& event, std::uint64_t id)>;
    struct Reply {
        std::uint64_t id = 0;  ///< of the request; identifies what it has made there
        nlohmann::json result;
    };

    /// Starts it and waits for its greeting. Throws Error, one sentence; CannotStart if the command fails, something
    /// else answers, or its version differs; Cancelled. `ended` is called once, on another thread, when the connection
    /// breaks.
    Connection(const RemoteModel& there, const Progress& progress, LinkWatchers::Listener ended = {});
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    bool alive() const { return link().why.empty(); }
    EngineLink link() const;
    /// Of the LibTorch there.
    std::string torchVersion() const {
        const std::scoped_lock lock(mutex_);
        return torchVersion_;
    }

    /// A folder for files of an engine on this machine, which has no other to write to. Removed with this object.
    /// Throws Error if it could not be made.
    std::filesystem::path exchange() const {
        if (!exchange_ || !exchange_->exists())
            throw Error("there is no folder for temporary files; set TMPDIR to one");
        return exchange_->path();
    }

    /// Requests `what` and waits for the result. Stages of the job are reported to `progress`. Throws what that
    /// job throws; ConnectionLost if the connection breaks; Cancelled at once, and the job stops at its next stage.
    Reply call(const std::string& what, nlohmann::json with, const Progress& progress, const Listener& listener = {});
    /// Releases what a request has made there, and cancels what is not yet created.
    void drop(std::uint64_t id) noexcept;
    /// Lets a job continue that waits at an event.
    void goOn(std::uint64_t id);

    /// Kills an engine on this machine that has not stopped a cancelled job within half a second, and waits for it that
    /// long (a debugger's command, of which people cancel many, has ten seconds); not if something else is waited for,
    /// except what has waited as long for the object of such a job. All calls then throw.
    void leaveIfItHangs();

private:
    using Clock = std::chrono::steady_clock;

    /// Something with a request's place in the order of those about one object.
    struct Asked {
        std::uint64_t object = 0;    ///< that the request is about; its own id: none
        Clock::duration patience{};  ///< after which it hangs
        Clock::time_point since;     ///< it is asked, or abandoned

        bool hangsAt(Clock::time_point now) const { return now - since >= patience; }
        std::deque<nlohmann::json> messages = {};
    };

    void waitForGreeting(const Progress& progress);
    std::optional<nlohmann::json> await(std::uint64_t id, const Progress& progress);
    void keepAlive();
    void send(const nlohmann::json& message);
    bool hangs();
    void fail(const std::string& why);
    void forget(std::uint64_t id);

    void read();
    void stopReading();
    void follow();
    bool readOutput();
    void hear(std::size_t bytes, bool whole);
    bool readErrors();
    void dispatch(nlohmann::json message);
    std::string broken() const;
    std::string whyEnded(std::optional<int> code) const;
    std::string said() const;

    const RemoteModel there_;
    const std::uint64_t number_;
    const LinkWatchers::Listener ended_;
    const std::unique_ptr<TemporaryFolder> exchange_;
    RemoteProcess process_;
    int wake_[2] = {-1, -1};  ///< ends the reader

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::map<std::uint64_t, Asked> waiting_;    ///< with messages for the waiting threads
    std::map<std::uint64_t, Asked> abandoned_;  ///< jobs that nobody waits for any more
    std::uint64_t last_ = 0;
    std::string failure_, torchVersion_;
    bool greeted_ = false, closing_ = false;
    Clock::time_point heard_, pinged_;
    std::size_t unheard_ = 0;  ///< bytes since heard_
    std::string before_;       ///< the beginning of its output, for errors
    std::string errors_;       ///< the end of its standard error output

    std::mutex sending_;
    FrameReader frames_{FrameReader::From::start, kGreetingLimits};  ///< used only by the reader
    std::thread reader_;
};

/// As readSent.
template <typename Read>
auto readAnswer(const std::string& whom, Read&& read) {
    return readSent("the answer of " + whom + " is damaged: ", std::forward<Read>(read));
}
template <typename Read>
auto readAnswer(const RemoteModel& there, Read&& read) {
    return readAnswer(nameOf(there), std::forward<Read>(read));
}

}  // namespace aotscope
