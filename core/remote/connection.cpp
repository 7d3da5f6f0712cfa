#include "remote/connection.h"

#include "remote/program_version.h"
#include "remote/remote_error.h"
#include "remote/request_object.h"
#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace aotscope {

namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr auto kPatience = 10s;      // of silence
constexpr auto kLongestStart = 60s;  // during which other output appears, or the user is asked for a password
constexpr std::size_t kWorthWaiting = std::size_t{1} << 10;  // of a message, that count as progress
constexpr auto kSilence = 3s;                                // after which the engine is pinged
constexpr auto kStopping = 500ms;                            // for a cancelled job
constexpr auto kFarewell = 300ms;                            // for an engine to end by itself, once it is of no use
constexpr std::size_t kMostUnread = 64;                      // messages that wait for one thread
constexpr int kStagesAtOnce = 64;
constexpr auto kBetweenStages = 20ms;  // after so many of them
constexpr std::size_t kQuoted = 200;
constexpr const char* kStillHere = "; what was received is still here";
constexpr int kCommandNotFound = 127, kWrongArguments = 2;

bool isSsh(const RemoteModel& there) { return there.command.front() == "ssh"; }

/// Without a terminal, ssh uses an askpass program, which needs a display.
bool mayAsk(const RemoteModel& there) {
    return isSsh(there) && (std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY"));
}

/// The command that connects, to try it out: "ssh -p 2222 me@box".
std::string inTerminal(const RemoteModel& there) {
    if (!isSsh(there)) return there.command.front();
    std::string line = "ssh";
    const auto port = std::ranges::find(there.command, "-p");
    if (port != there.command.end()) line += " -p " + port[1];
    return line + " " + std::ranges::find(there.command, "--")[1];
}

/// What to do after the command has printed `text` and ended.
std::string adviceOn(const RemoteModel& there, std::string_view text) {
    if (there.isHere()) return "; it needs LibTorch: install it again, for example with 'pip install torch'";
    const std::string line = inQuotes(inTerminal(there));
    if (isSsh(there) && text.find("Permission denied") != std::string_view::npos)
        return "; set up a key or ssh-agent, so that " + line +
               " in a terminal logs in without a password (ssh-copy-id sets up a key), or install ssh-askpass";
    if (isSsh(there) && text.find("Host key verification failed") != std::string_view::npos)
        return "; call " + line + " in a terminal once, which shows the key of the machine, and accept it";
    return "; try " + line + " in a terminal";
}

/// The last lines, as a clause: the reason is in what a program prints before it ends.
std::string lastLines(std::string_view text) {
    constexpr std::size_t most = 300;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
    if (text.size() > most) text.remove_prefix(text.size() - most);
    std::string lines;
    for (const char c : text) {
        if (c == '\r') continue;
        if (c == '\n') lines += "; ";
        else lines += c;
    }
    return oneLine(lines);
}

std::string howItEnded(const RemoteModel& there, std::optional<int> code) {
    if (!there.isHere())
        return code && *code < 0 ? "the command for it was ended by signal " + std::to_string(-*code)
                                 : "aotscope there has ended";
    if (!code || *code >= 0) return "it has ended" + (code ? " with exit code " + std::to_string(*code) : "");
    if (*code == -SIGKILL) return "it was killed, by the system if memory was short";
    return "it was ended by signal " + std::to_string(-*code) + " (" + ::strsignal(-*code) + ")";
}

/// The last message about a job.
bool isAnswer(const json& message) { return message.contains("result") || message.contains("error"); }

std::uint64_t nextNumber() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

/// Null for an engine on another machine, and if no folder can be made: whatever needs it then says why.
std::unique_ptr<TemporaryFolder> exchangeWith(const RemoteModel& there) {
    try {
        namespace fs = std::filesystem;
        return there.isHere() ? std::make_unique<TemporaryFolder>(fs::absolute(fs::temp_directory_path())) : nullptr;
    } catch (const std::filesystem::filesystem_error&) {
        return nullptr;
    }
}

std::filesystem::path pathOf(const TemporaryFolder* folder) {
    return folder ? folder->path() : std::filesystem::path();
}

std::vector<std::string> commandFor(const RemoteModel& there, const std::filesystem::path& exchange) {
    std::vector<std::string> command = there.command;
    if (!exchange.empty()) command.insert(command.end(), {"--exchange", exchange.string()});
    return command;
}

}  // namespace

Connection::Connection(const RemoteModel& there, const Progress& progress, LinkWatchers::Listener ended)
    : there_(there),
      number_(nextNumber()),
      ended_(std::move(ended)),
      exchange_(exchangeWith(there)),
      process_(commandFor(there, pathOf(exchange_.get())), pathOf(exchange_.get())),
      heard_(Clock::now()),
      pinged_(heard_) {
    progress.enter(there.isHere() ? "starting the engine" : "connecting to " + there.place);
    if (::pipe2(wake_, O_CLOEXEC) != 0) throw Error(std::string("cannot create a pipe: ") + std::strerror(errno));
    reader_ = std::thread([this] { read(); });
    try {
        waitForGreeting(progress);
    } catch (...) {
        stopReading();
        throw;
    }
}

Connection::~Connection() { stopReading(); }

void Connection::stopReading() {
    {
        const std::scoped_lock lock(mutex_);
        closing_ = true;
        changed_.notify_all();
    }
    ::close(wake_[1]);
    reader_.join();
    ::close(wake_[0]);
}

EngineLink Connection::link() const {
    const std::scoped_lock lock(mutex_);
    return {number_, failure_};
}

// --- requests ---

void Connection::waitForGreeting(const Progress& progress) {
    const auto begin = Clock::now();
    const auto patience = mayAsk(there_) ? kLongestStart : kPatience;
    std::unique_lock lock(mutex_);
    const auto decided = [this] { return greeted_ || !failure_.empty(); };
    const auto end = [&] { return std::min(heard_ + patience, begin + kLongestStart); };
    while (!changed_.wait_until(lock, progress.token(), end(), decided)) {
        progress.throwIfCancelled();
        if (Clock::now() < end()) continue;
        const std::string before = said();
        throw Error("no answer from " + nameOf(there_) + " within " + std::to_string(patience.count()) + " seconds" +
                    (before.empty() ? "" : " (" + before + ")") + "; try " + inQuotes(inTerminal(there_)) +
                    " in a terminal" + (isSsh(there_) ? ": if it asks for a password, set up a key or ssh-agent" : ""));
    }
    if (!greeted_) throw CannotStart(failure_);
}

Connection::Reply Connection::call(const std::string& what, json with, const Progress& progress,
                                   const Listener& listener) {
    progress.throwIfCancelled();
    std::uint64_t id = 0;
    {
        const std::scoped_lock lock(mutex_);
        if (!failure_.empty()) throw ConnectionLost({number_, failure_});
        id = ++last_;
        waiting_[id] = {objectIn(with).value_or(id), what == "command" ? Clock::duration(kPatience) : kStopping,
                        Clock::now()};
        heard_ = pinged_ = Clock::now();  // it was not expected to send anything
    }
    try {
        send({{"id", id}, {"do", what}, {"with", std::move(with)}});
        int stages = 0;
        while (true) {
            progress.throwIfCancelled();
            const auto message = await(id, progress);
            if (!message) keepAlive();
            else if (message->contains("stage")) {
                progress.enter(readAnswer(there_, [&] { return shortened(textOf(*message, "stage")); }));
                // More than anybody can read would keep busy whoever shows it.
                if (++stages % kStagesAtOnce == 0) std::this_thread::sleep_for(kBetweenStages);
            } else if (message->contains("event")) {
                if (!listener) throw Error("the answer of " + nameOf(there_) + " is damaged: sends unasked events");
                listener(memberOf(*message, "event"), id);
            } else {
                forget(id);
                if (message->contains("error"))
                    std::rethrow_exception(
                        readAnswer(there_, [&] { return remoteError(memberOf(*message, "error")); }));
                return {id, readAnswer(there_, [&] { return memberOf(*message, "result"); })};
            }
        }
    } catch (...) {
        drop(id);
        throw;
    }
}

/// The next message for `id`; nothing if it is time to see whether the engine is alive, or if cancelled.
std::optional<json> Connection::await(std::uint64_t id, const Progress& progress) {
    std::unique_lock lock(mutex_);
    auto& messages = waiting_[id].messages;
    changed_.wait_until(lock, progress.token(), std::min(heard_ + kPatience, std::max(heard_, pinged_) + kSilence),
                        [&] { return !messages.empty() || !failure_.empty(); });
    if (messages.empty()) {
        if (!failure_.empty()) throw ConnectionLost({number_, failure_});
        return std::nullopt;
    }
    json message = std::move(messages.front());
    messages.pop_front();
    changed_.notify_all();  // the reader may wait for room
    return message;
}

/// Its answer has come.
void Connection::forget(std::uint64_t id) {
    const std::scoped_lock lock(mutex_);
    waiting_.erase(id);
    changed_.notify_all();
}

void Connection::keepAlive() {
    bool silent = false, ask = false;
    {
        const std::scoped_lock lock(mutex_);
        const auto now = Clock::now();
        silent = now - heard_ >= kPatience;
        ask = !silent && now - std::max(heard_, pinged_) >= kSilence;
        if (ask) pinged_ = now;
    }
    if (silent) fail("has been silent for ten seconds");
    if (ask) send({{"ping", true}});
}

void Connection::drop(std::uint64_t id) noexcept {
    try {
        {
            const std::scoped_lock lock(mutex_);
            if (const auto job = waiting_.find(id); job != waiting_.end()) {
                if (std::ranges::none_of(job->second.messages, isAnswer))
                    abandoned_[id] = {job->second.object, job->second.patience, Clock::now()};
                waiting_.erase(job);
                changed_.notify_all();
            }
            if (!failure_.empty()) return;
        }
        send({{"drop", id}});
    } catch (const std::exception&) {  // it is gone with the connection
    }
}

bool Connection::hangs() {
    std::unique_lock lock(mutex_);
    const auto stands = [&](const auto& job) { return job.second.hangsAt(Clock::now()); };
    const auto end = Clock::now() + kStopping;
    const auto mayStop = [&](const auto& job) { return !stands(job) && job.second.hangsAt(end); };
    changed_.wait_until(lock, end, [&] {
        return !failure_.empty() || std::ranges::any_of(abandoned_, stands) ||
               std::ranges::none_of(abandoned_, mayStop);
    });
    const auto waitsForIt = [&](const auto& job) {
        return stands(job) && std::ranges::any_of(abandoned_, [&](const auto& other) {
                   return other.second.object == job.second.object && other.first < job.first && stands(other);
               });
    };
    return failure_.empty() && std::ranges::any_of(abandoned_, stands) && std::ranges::all_of(waiting_, waitsForIt);
}

void Connection::leaveIfItHangs() {
    if (!there_.isHere() || !hangs()) return;
    fail("did not stop when it was cancelled, and was replaced");
    process_.kill();
}

void Connection::goOn(std::uint64_t id) { send({{"goOn", id}}); }

void Connection::send(const json& message) {
    const std::string frame = frameOf(message);
    bool written = false;
    int error = 0;
    {
        const std::scoped_lock lock(sending_);
        if (!alive()) throw ConnectionLost(link());
        written = writeAll(process_.input(), frame, std::chrono::milliseconds(kPatience));
        error = errno;
    }
    if (written) return;
    if (error == EPIPE) {  // the reader is about to learn the reason
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, 1s, [this] { return !failure_.empty(); });
    }
    fail(std::string("cannot be written to: ") + std::strerror(error));
    throw ConnectionLost(link());
}

void Connection::fail(const std::string& why) {
    const std::scoped_lock lock(mutex_);
    (void)!::write(wake_[1], "", 1);  // nothing is left to read
    if (failure_.empty())
        failure_ = greeted_ ? broken() + "it " + why + kStillHere : "cannot start " + nameOf(there_) + ": it " + why;
    changed_.notify_all();
}

// --- the reader ---

void Connection::read() {
    follow();
    if (greeted_ && !alive() && ended_) ended_(link());
    {
        const std::scoped_lock lock(sending_);
        process_.closeInput();  // which tells it to end
    }
    if (!alive() && !process_.outcome(kFarewell)) process_.kill();
}

/// Runs until the connection is broken or closed.
void Connection::follow() {
    bool errorsOpen = true;
    while (true) {
        std::array<pollfd, 3> wanted{
            {{wake_[0], POLLIN, 0}, {process_.output(), POLLIN, 0}, {errorsOpen ? process_.errors() : -1, POLLIN, 0}}};
        if (::poll(wanted.data(), wanted.size(), -1) < 0 && errno == EINTR) continue;
        if (wanted[0].revents != 0) return;
        try {
            if (wanted[2].revents != 0) errorsOpen = readErrors();
            if (wanted[1].revents != 0 && !readOutput()) break;
        } catch (const std::exception& e) {
            std::unique_lock lock(mutex_);
            const std::string before = said();
            lock.unlock();
            return fail(e.what() + (before.empty() ? std::string() : " (" + before + ")"));
        }
    }
    const auto code = process_.outcome(1s);
    pollfd more{process_.errors(), POLLIN, 0};
    while (::poll(&more, 1, 0) > 0 && readErrors()) {  // its remaining output
    }
    const std::scoped_lock lock(mutex_);
    if (failure_.empty()) failure_ = whyEnded(code);
    changed_.notify_all();
}

/// False at the end of the output.
bool Connection::readOutput() {
    std::array<char, std::size_t{64} << 10> piece;
    const auto count = ::read(process_.output(), piece.data(), piece.size());
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    if (count == 0) return false;
    {
        const std::scoped_lock lock(mutex_);
        if (!greeted_ && before_.size() < kQuoted)
            before_.append(piece.data(), std::min(static_cast<std::size_t>(count), kQuoted));
    }
    frames_.add({piece.data(), static_cast<std::size_t>(count)});
    bool whole = !frames_.started();
    while (auto message = frames_.next()) {
        dispatch(std::move(*message));
        whole = true;
    }
    hear(static_cast<std::size_t>(count), whole);
    return true;
}

/// Small parts of a message do not count: a sender of one byte per second must not keep anyone waiting.
void Connection::hear(std::size_t bytes, bool whole) {
    const std::scoped_lock lock(mutex_);
    unheard_ += bytes;
    if (!whole && unheard_ < kWorthWaiting) return;
    heard_ = Clock::now();
    unheard_ = 0;
}

bool Connection::readErrors() {
    constexpr std::size_t most = std::size_t{4} << 10;
    std::array<char, most> piece;
    const auto count = ::read(process_.errors(), piece.data(), piece.size());
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    if (there_.isHere()) (void)!::write(STDERR_FILENO, piece.data(), static_cast<std::size_t>(count));
    const std::scoped_lock lock(mutex_);
    errors_.append(piece.data(), static_cast<std::size_t>(count));
    if (errors_.size() > most) errors_.erase(0, errors_.size() - most);
    return count > 0;
}

void Connection::dispatch(json message) {
    if (message.contains("hello")) {
        const json& hello = memberOf(message, "hello");
        if (const std::string version = textOf(hello, "version"); version != programVersion())
            throw Error("has version " + inQuotes(version) + " there and version '" + std::string(programVersion()) +
                        "' here; install the same one on both");
        const std::scoped_lock lock(mutex_);
        torchVersion_ = shortened(textOf(hello, "torch"));
        greeted_ = true;
        frames_.limit({});
        changed_.notify_all();
        return;
    }
    if (message.contains("pong")) return;
    const std::uint64_t id = numberOf(message, "id");
    std::unique_lock lock(mutex_);
    const auto hasRoom = [&] {
        const auto found = waiting_.find(id);
        return found == waiting_.end() || found->second.messages.size() < kMostUnread;
    };
    changed_.wait(lock, [&] { return hasRoom() || closing_ || !failure_.empty(); });  // so must the sender, then
    if (isAnswer(message)) abandoned_.erase(id);
    if (const auto found = waiting_.find(id); found != waiting_.end())
        found->second.messages.push_back(std::move(message));
    changed_.notify_all();
}

/// The beginning of the sentence about its end.
std::string Connection::broken() const {
    return there_.isHere() ? "the engine is gone: " : "the connection to '" + there_.place + "' is broken: ";
}

/// Its output and how it ended, as one sentence.
std::string Connection::whyEnded(std::optional<int> code) const {
    const std::string before = said(), text = before.empty() ? "" : ": " + before;
    if (const auto crash = before.find("crashed (signal"); greeted_ && there_.isHere() && crash != std::string::npos)
        return broken() + "it " + before.substr(crash) + kStillHere;
    if (greeted_)
        return broken() + howItEnded(there_, code) + (frames_.within() ? " in the middle of a message" : "") + text +
               kStillHere;
    if (there_.isHere()) return "cannot start the engine" + text + adviceOn(there_, before);
    if (code == kWrongArguments && before.find("--stdio") != std::string::npos)
        return "aotscope on '" + there_.place + "' is too old: it cannot serve another machine; install version " +
               std::string(programVersion()) + " there";
    if (code == kCommandNotFound)
        return "'" + there_.place + "' has no program 'aotscope' in its PATH" + text +
               "; install it there, or give --remote-command with its path at the end";
    return "cannot start aotscope on '" + there_.place + "'" +
           (text.empty() ? ": the command for it has ended" : text) +
           (code && *code != 0 ? " (exit code " + std::to_string(*code) + ")" : "") + adviceOn(there_, before);
}

/// For errors: what arrived instead of our frames, and the standard error output. Call with the lock held.
std::string Connection::said() const {
    std::string errors = lastLines(errors_);
    const std::string_view before = std::string_view(before_).substr(0, before_.find(kFrameStart));
    if (greeted_ || before.empty()) return errors;
    return "it says " + inQuotes(before) + (errors.empty() ? "" : " and " + errors);
}

}  // namespace aotscope
