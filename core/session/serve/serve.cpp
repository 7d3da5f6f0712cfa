#include "session/serve/serve.h"

#include "remote/frame.h"
#include "remote/program_version.h"
#include "remote/remote_error.h"
#include "session/serve/served_requests.h"
#include "support/error.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <set>
#include <thread>

#include <unistd.h>

namespace aotscope {

namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr auto kWait = 5ms;            // how often a waiting job checks whether to continue
constexpr auto kLongestWrite = 3600s;  // a client, even a suspended one, closes our input when it ends
constexpr auto kLastJob = 2s;          // for stopping by itself

/// The jobs of a client, and the thread that executes them. Outlives serve() if a job does not stop.
class ServedJobs : public std::enable_shared_from_this<ServedJobs> {
public:
    explicit ServedJobs(int out) : out_(out) {}

    void send(const json& message) {
        const std::string frame = frameOf(message);
        const std::scoped_lock lock(writing_);
        writeAll(out_, frame, kLongestWrite);  // if nobody reads it, our input also ends
    }

    void take(json request) {
        const std::uint64_t id = numberOf(request, "id");
        Progress progress([this, id](std::string_view stage) { send({{"id", id}, {"stage", std::string(stage)}}); });
        Job job{id, std::move(request), std::move(progress)};
        const bool aside = runsAside(job.request);
        {
            const std::scoped_lock lock(mutex_);
            progress_.insert_or_assign(id, job.progress);
            if (!aside) {
                queue_.push_back(std::move(job));
                changed_.notify_all();
                return;
            }
        }
        std::thread([self = shared_from_this(), job = std::move(job)] { self->carry(job); }).detach();
    }
    /// Cancels an unfinished job, and removes its objects.
    void drop(std::uint64_t id) {
        {
            const std::scoped_lock lock(mutex_);
            if (const auto found = progress_.find(id); found != progress_.end()) return found->second.cancel();
        }
        objects_.drop(id);
    }
    void goOn(std::uint64_t id) {
        const std::scoped_lock lock(mutex_);
        released_.insert(id);
    }
    /// No more jobs follow.
    void end() {
        const std::scoped_lock lock(mutex_);
        ended_ = true;
        queue_.clear();
        for (auto& [id, progress] : progress_) progress.cancel();
        changed_.notify_all();
    }
    void waitUntilIdle(std::chrono::milliseconds patience) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, patience, [this] { return finished_; });
    }
    void dropAll() { objects_.dropAll(); }

    void work() {
        while (auto job = next()) carry(*job);
        const std::scoped_lock lock(mutex_);
        finished_ = true;
        changed_.notify_all();
    }

private:
    struct Job {
        std::uint64_t id;
        json request;
        Progress progress;
    };

    /// Whether it copies the session's model file, which is sent while jobs run.
    static bool runsAside(const json& request) {
        const auto what = request.find("do");
        return what != request.end() && *what == "reference";
    }

    std::optional<Job> next() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ended_ || !queue_.empty(); });
        if (ended_) return std::nullopt;
        Job job = std::move(queue_.front());
        queue_.pop_front();
        return job;
    }

    void carry(const Job& job) {
        json reply = {{"id", job.id}};
        try {
            job.progress.throwIfCancelled();
            const ServedRequest request{job.id,
                                        memberOf(job.request, "with"),
                                        objects_,
                                        job.progress,
                                        [&](json event) {
                                            send({{"id", job.id}, {"event", std::move(event)}});
                                        },
                                        [&] { waitFor(job); }};
            reply["result"] = carryOut(textOf(job.request, "do"), request);
        } catch (...) {
            reply["error"] = errorJson(std::current_exception());
        }
        if (!finish(job)) return;
        try {
            send(reply);
        } catch (const Error&) {  // too large
            send({{"id", job.id}, {"error", errorJson(std::current_exception())}});
        }
    }

    /// False if the client is gone.
    bool finish(const Job& job) {
        const std::scoped_lock lock(mutex_);
        progress_.erase(job.id);
        released_.erase(job.id);
        if (job.progress.cancelled()) objects_.drop(job.id);  // the client does not know of it
        return !ended_;
    }

    void waitFor(const Job& job) {
        std::unique_lock lock(mutex_);
        while (released_.erase(job.id) == 0) {
            job.progress.throwIfCancelled();
            changed_.wait_for(lock, kWait);
        }
    }

    int out_;
    std::mutex writing_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> queue_;
    std::map<std::uint64_t, Progress> progress_;  ///< of unfinished jobs
    std::set<std::uint64_t> released_;
    bool ended_ = false, finished_ = false;
    ServedObjects objects_;
};

void dispatchTo(ServedJobs& jobs, json message) {
    if (message.contains("ping")) jobs.send({{"pong", true}});
    else if (message.contains("drop")) jobs.drop(numberOf(message, "drop"));
    else if (message.contains("goOn")) jobs.goOn(numberOf(message, "goOn"));
    else jobs.take(std::move(message));
}

/// Until the input ends, or is invalid.
void readRequests(int in, ServedJobs& jobs) {
    FrameReader frames(FrameReader::From::here, kRequestLimits);
    std::array<char, std::size_t{64} << 10> piece;
    while (true) {
        const auto count = ::read(in, piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        frames.add({piece.data(), static_cast<std::size_t>(count)});
        while (auto message = frames.next()) dispatchTo(jobs, std::move(*message));
    }
}

}  // namespace

void serve(int in, int out) {
    writeAll(out, kFrameStart, kLongestWrite);
    const auto jobs = std::make_shared<ServedJobs>(out);
    jobs->send({{"hello", {{"version", std::string(programVersion())}}}});
    std::thread worker([jobs] { jobs->work(); });
    std::exception_ptr failure;
    try {
        readRequests(in, *jobs);
    } catch (const Error& e) {
        failure = std::make_exception_ptr(Error(std::string("the standard input ") + e.what()));
    }
    jobs->end();
    worker.detach();
    jobs->waitUntilIdle(kLastJob);
    jobs->dropAll();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace aotscope
