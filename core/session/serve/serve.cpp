#include "session/serve/serve.h"

#include "remote/frame.h"
#include "remote/program_version.h"
#include "remote/remote_error.h"
#include "remote/request_object.h"
#include "session/serve/served_requests.h"
#include "support/budget.h"
#include "support/error.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <set>
#include <thread>

#include <unistd.h>

namespace aotscope {

namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr auto kLongestWrite = 3600s;  // a client, even a suspended one, closes our input when it ends
constexpr auto kLastJob = 2s;          // for stopping by itself

/// The jobs of a client. Those about one object are executed in order, others side by side. Outlives serve() if a job
/// does not stop.
class ServedJobs : public std::enable_shared_from_this<ServedJobs> {
public:
    ServedJobs(std::shared_ptr<const Engine> engine, int out) : engine_(std::move(engine)), out_(out) {}

    void send(const json& message) {
        const std::string frame = frameOf(message);
        const std::scoped_lock lock(writing_);
        writeAll(out_, frame, kLongestWrite);  // if nobody reads it, our input also ends
    }

    void take(json request) {
        const std::uint64_t id = numberOf(request, "id");
        Progress progress([this, id](std::string_view stage) { send({{"id", id}, {"stage", std::string(stage)}}); });
        Job job{id, std::move(request), std::move(progress)};
        const std::uint64_t object = objectOf(job);
        const std::scoped_lock lock(mutex_);
        progress_.insert_or_assign(id, job.progress);
        auto& queue = queues_[object];
        queue.push_back(std::move(job));
        if (queue.size() == 1) std::thread([self = shared_from_this(), object] { self->work(object); }).detach();
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
        changed_.notify_all();
    }
    /// No more jobs follow.
    void end() {
        const std::scoped_lock lock(mutex_);
        ended_ = true;
        for (auto& [id, progress] : progress_) progress.cancel();
    }
    void waitUntilIdle(std::chrono::milliseconds patience) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, patience, [this] { return queues_.empty(); });
    }
    void dropAll() { objects_.dropAll(); }

private:
    struct Job {
        std::uint64_t id;
        json request;
        Progress progress;
    };

    /// The object that a job is about; itself, if it is about none, or does not change it.
    static std::uint64_t objectOf(const Job& job) {
        const auto what = job.request.find("do"), with = job.request.find("with");
        if (what == job.request.end() || !what->is_string() || with == job.request.end() ||
            runsAside(what->get_ref<const std::string&>()))
            return job.id;
        return objectIn(*with).value_or(job.id);
    }

    /// Executes the jobs about an object until none is left.
    void work(std::uint64_t object) {
        std::unique_lock lock(mutex_);
        while (true) {
            auto& queue = queues_.at(object);  // the job stays in it, so that no other thread is started
            const Job& job = queue.front();
            lock.unlock();
            carry(job);
            lock.lock();
            queue.pop_front();
            if (queue.empty()) break;
        }
        queues_.erase(object);
        changed_.notify_all();
    }

    void carry(const Job& job) {
        json reply = {{"id", job.id}};
        try {
            job.progress.throwIfCancelled();
            const ServedRequest request{job.id,
                                        memberOf(job.request, "with"),
                                        *engine_,
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
        } catch (const std::exception&) {  // too large, for a message or for memory
            reply = {{"id", job.id}, {"error", errorJson(std::current_exception())}};
            send(reply);
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
        changed_.wait(lock, job.progress.token(), [&] { return released_.contains(job.id); });
        released_.erase(job.id);
        job.progress.throwIfCancelled();
    }

    std::shared_ptr<const Engine> engine_;
    int out_;
    std::mutex writing_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::map<std::uint64_t, std::deque<Job>> queues_;  ///< unfinished jobs, by object
    std::map<std::uint64_t, Progress> progress_;       ///< of unfinished jobs
    std::set<std::uint64_t> released_;
    bool ended_ = false;
    ServedObjects objects_;
};

/// The client is told by the standard error output.
[[noreturn]] void endBecause(const std::string& why) {
    const std::string line = why + '\n';
    (void)!::write(STDERR_FILENO, line.data(), line.size());
    ::_exit(EXIT_FAILURE);
}

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

void serve(std::shared_ptr<const Engine> engine, int in, int out) {
    writeAll(out, kFrameStart, kLongestWrite);
    json hello = {{"version", std::string(programVersion())}, {"torch", engine->torchVersion()}};
    const Watchdog watchdog(endBecause);
    const auto jobs = std::make_shared<ServedJobs>(std::move(engine), out);
    jobs->send({{"hello", std::move(hello)}});
    std::exception_ptr failure;
    try {
        readRequests(in, *jobs);
    } catch (const Error& e) {
        failure = std::make_exception_ptr(Error(std::string("the standard input ") + e.what()));
    }
    jobs->end();
    jobs->waitUntilIdle(kLastJob);
    jobs->dropAll();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace aotscope
