#pragma once

#include "record/options/remote_model.h"
#include "remote/frame.h"
#include "remote/remote_process.h"
#include "support/error.h"
#include "support/progress.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <thread>

namespace aotscope {

/// aotscope on another machine, started by a command here. What is asked of it is answered in turn; while somebody
/// waits, ten seconds without a message, or a good piece of one, break the connection. Use from any thread.
class Connection {
public:
    /// Called with each event of a job; what it throws ends the waiting, and cancels the job.
    using Listener = std::function<void(const nlohmann::json& event, std::uint64_t id)>;
    struct Reply {
        std::uint64_t id = 0;  ///< of the request; what was made for it is known by it
        nlohmann::json result;
    };

    /// Starts it and waits until it is there. Throws Error, one sentence: the command fails, something else answers, it
    /// is of another version; Cancelled.
    Connection(const RemoteModel& there, const Progress& progress);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    bool alive() const { return why().empty(); }
    /// Why it is broken: one sentence; empty: it is not.
    std::string why() const;

    /// Asks for `what` and waits for the result. Stages of the job there are those of `progress`. Throws what the job
    /// throws there; Error if the connection breaks; Cancelled at once, and the job there stops at its next stage.
    Reply call(const std::string& what, nlohmann::json with, const Progress& progress, const Listener& listener = {});
    /// What a request made is not needed any more; what is not yet made need not be.
    void drop(std::uint64_t id) noexcept;
    /// A job that waits at an event may go on.
    void goOn(std::uint64_t id);

    struct Traffic {
        std::uint64_t sent = 0, received = 0;  ///< bytes
    };
    Traffic traffic() const;

private:
    using Clock = std::chrono::steady_clock;

    void waitForGreeting(const Progress& progress);
    std::optional<nlohmann::json> await(std::uint64_t id);
    void keepAlive();
    void send(const nlohmann::json& message);
    void fail(const std::string& why);

    void read();
    void follow();
    bool readOutput();
    void hear(std::size_t bytes, bool whole);
    bool readErrors();
    void dispatch(nlohmann::json message);
    std::string whyEnded(std::optional<int> code) const;
    std::string said() const;

    const RemoteModel there_;
    RemoteProcess process_;
    int wake_[2] = {-1, -1};  ///< ends the reader

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::uint64_t, std::deque<nlohmann::json>> waiting_;  ///< messages for those who wait
    std::uint64_t last_ = 0;
    std::string failure_;
    bool greeted_ = false;
    Clock::time_point heard_, pinged_;
    std::size_t unheard_ = 0;  ///< bytes since heard_
    Traffic traffic_;
    std::string before_;  ///< the beginning of what it has written, for errors
    std::string errors_;  ///< the end of what was written to its standard errors

    std::mutex sending_;
    FrameReader frames_{FrameReader::From::start, kGreetingLimits};  ///< the reader's alone
    std::thread reader_;
};

/// Runs `read` on what came from there; whatever is wrong with it becomes one sentence.
template <typename Read>
auto readAnswer(const RemoteModel& there, Read&& read) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        throw Error("the answer of aotscope on '" + there.place + "' is damaged: " + firstSentence(e.what()));
    }
}

}  // namespace aotscope
