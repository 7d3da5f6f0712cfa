#include "support/confinement.h"

#include "support/confine_thread.h"
#include "support/signal_stack.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include <unistd.h>

namespace aotscope {

namespace {

using Job = std::function<void()>;

/// A job that one thread passes to another, and its outcome.
struct Errand {
    const Job* job = nullptr;
    std::exception_ptr failure = nullptr;

    void run() {
        try {
            (*job)();
        } catch (...) {
            failure = std::current_exception();
        }
    }
};

/// A confined thread and the thread that it works for.
class Worker {
public:
    Worker() : process_(::getpid()), thread_([this] { work(); }) {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker() {
        {
            const std::scoped_lock lock(mutex_);
            ending_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

    bool isHere() const { return process_ == ::getpid(); }
    bool busy() const { return order_ != nullptr; }  // called only by the owner, who sets it

    /// For the owner: runs `job` on the thread, and meanwhile runs what that requests.
    void perform(const Job& job) {
        Errand errand{&job};
        std::unique_lock lock(mutex_);
        order_ = &errand;
        changed_.notify_all();
        while (order_) {
            changed_.wait(lock, [this] { return !order_ || request_; });
            if (Errand* request = request_) {
                lock.unlock();
                request->run();
                lock.lock();
                request_ = nullptr;
                changed_.notify_all();
            }
        }
        if (errand.failure) std::rethrow_exception(errand.failure);
    }

    /// For the thread itself: runs `job` on the owner.
    void request(const Job& job) {
        Errand errand{&job};
        std::unique_lock lock(mutex_);
        request_ = &errand;
        changed_.notify_all();
        changed_.wait(lock, [this] { return !request_; });
        lock.unlock();
        if (errand.failure) std::rethrow_exception(errand.failure);
    }

    /// The worker whose thread this is; null on every other thread.
    static Worker*& ofThisThread() {
        thread_local Worker* worker = nullptr;
        return worker;
    }

private:
    void work() {
        ofThisThread() = this;
        useSignalStack();
        confineThread();
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [this] { return ending_ || order_; });
            if (!order_) return;
            lock.unlock();
            order_->run();
            lock.lock();
            order_ = nullptr;
            changed_.notify_all();
        }
    }

    const pid_t process_;
    std::mutex mutex_;
    std::condition_variable changed_;
    Errand *order_ = nullptr, *request_ = nullptr;  ///< not null: being executed, or about to be
    bool ending_ = false;
    std::thread thread_;
};

/// The worker of one thread. After a fork, only its memory is left, which cannot be cleaned up: its condition waits for
/// a thread that does not exist.
class Kept {
public:
    Kept() = default;
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    ~Kept() {
        if (worker_ && worker_->isHere()) delete worker_;
    }
    Worker& get() {
        if (!worker_ || !worker_->isHere()) worker_ = new Worker;
        return *worker_;
    }

private:
    Worker* worker_ = nullptr;
};

}  // namespace

const Confinement& confinement() {
    static const Confinement offered = [] {
        Confinement found;
        std::thread([&] { found = confineThread(); }).join();
        return found;
    }();
    return offered;
}

std::string confinementText() {
    const auto& [landlock, seccomp] = confinement();
    const std::string files = "Landlock (ABI " + std::to_string(landlock) + ")";
    if (landlock && seccomp) return "operations are confined by " + files + " and seccomp";
    if (landlock)
        return "operations are confined by " + files +
               ", which keeps them from files and programs; the operator policy alone keeps them from the network";
    if (seccomp)
        return "operations are confined by seccomp, which keeps them from programs and the network; the operator "
               "policy alone keeps them from files";
    return "this kernel cannot confine threads; the operator policy alone holds";
}

void runConfined(const Job& job) {
    if (Worker::ofThisThread()) return job();
    thread_local Kept kept;
    if (kept.get().busy()) Worker().perform(job);  // it waits for this very thread
    else kept.get().perform(job);
}

void runUnconfined(const Job& job) {
    Worker* worker = Worker::ofThisThread();
    if (worker && worker->isHere()) worker->request(job);
    else job();
}

}  // namespace aotscope
