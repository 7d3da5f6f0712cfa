#pragma once

#include "remote/connection.h"
#include "remote/engine_program.h"
#include "session/remote/message_fields.h"
#include "session/session.h"
#include "session/within.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

namespace aotscope {

/// Files of this machine, and when they were written.
using FileTimes = std::vector<std::pair<std::filesystem::path, std::filesystem::file_time_type>>;

inline FileTimes timesOf(const std::vector<std::filesystem::path>& files) {
    FileTimes times;
    std::error_code missing;
    for (const std::filesystem::path& file : files)
        times.emplace_back(file, std::filesystem::last_write_time(file, missing));
    return times;
}

/// Of the code that the engine loads for a model on this machine.
inline FileTimes codeFor(const Options& options) {
    return isRemote(options.model) ? FileTimes() : timesOf(codeFiles(options));
}

/// The engine of one or several sessions, and the connection to it. Models may differ from its first one.
class RemoteHost {
public:
    /// `reader`: the program aotscope, which takes the place of an engine that cannot start; empty: none does.
    explicit RemoteHost(RemoteModel there, std::filesystem::path reader = {})
        : there_(std::move(there)), reader_(std::move(reader)) {}

    const RemoteModel& there() const { return there_; }
    /// The existing one, or a new one: see Connection::leaveIfItHangs. `code`: files that the engine is about to load;
    /// one that has changed since it was loaded needs a new engine. Throws Error, Cancelled.
    std::shared_ptr<Connection> connection(const Progress& progress, const FileTimes& code = {}) {
        const auto lock = mutex_.lock(progress);
        if (connection_) connection_->leaveIfItHangs();
        const auto hasChanged = [this](const auto& file) {
            const auto known = loaded_.find(file.first);
            return known != loaded_.end() && known->second != file.second;
        };
        if (!connection_ || !connection_->alive() || std::ranges::any_of(code, hasChanged)) {
            connection_.reset();
            loaded_.clear();
            connection_ = connect(progress);
        }
        loaded_.insert(code.begin(), code.end());
        return connection_;
    }
    /// The same for an engine that nothing is asked of now, without waiting for whoever uses it.
    void leaveIfItHangs() {
        Progress impatient;
        impatient.cancel();
        try {
            const auto lock = mutex_.lock(impatient);
            if (connection_) connection_->leaveIfItHangs();
        } catch (const Cancelled&) {  // it is being started
        }
    }

    /// They are told of every end of a connection, and of sessions that are opened in a new one.
    LinkWatchers& watchers() const { return *watchers_; }

    static constexpr std::chrono::seconds kSoon{10};   ///< for what the window waits for in the thread that draws
    static constexpr std::chrono::seconds kLater{60};  ///< for jobs

    /// The answer to a request about no session that nobody can cancel. Throws Error; one is that it takes longer than
    /// `patience`.
    nlohmann::json answer(const char* what, nlohmann::json with, std::chrono::seconds patience = kLater,
                          const FileTimes& code = {}) {
        return answerWithin(patience, nameOf(there_), [&](const Progress& progress) {
            return connection(progress, code)->call(what, std::move(with), progress).result;
        });
    }
    /// The value in it.
    template <typename T>
    T ask(const char* what, nlohmann::json with, std::chrono::seconds patience = kLater, const FileTimes& code = {}) {
        return session_format::valueIn<T>(there_, answer(what, std::move(with), patience, code));
    }

private:
    std::shared_ptr<Connection> connect(const Progress& progress) const {
        const auto ended = [watchers = watchers_](const EngineLink& link) { watchers->tell(link); };
        try {
            return std::make_shared<Connection>(there_, progress, ended);
        } catch (const CannotStart& e) {
            if (reader_.empty()) throw;
            RemoteModel instead = EngineStart{reader_}.served(EngineRights::confined);
            instead.command.insert(instead.command.end(), {kWithoutEngine, e.what()});
            return std::make_shared<Connection>(instead, progress, ended);
        }
    }

    RemoteModel there_;
    std::filesystem::path reader_;
    PatientMutex mutex_;
    std::shared_ptr<Connection> connection_;
    std::map<std::filesystem::path, std::filesystem::file_time_type> loaded_;  ///< by the engine of connection_
    std::shared_ptr<LinkWatchers> watchers_ = std::make_shared<LinkWatchers>();
};

/// The host of a model on another machine, or for another torch: that of `beside`, which may be null, if it is the same
/// one. Throws like engineProgram.
inline std::shared_ptr<RemoteHost> hostOf(const Options& options, const Session* beside) {
    const bool far = isRemote(options.model);
    options.use(far ? "--remote-command" : "--torch");
    const RemoteModel there =
        far ? remoteModel(options.model) : engineProgram(options.torch).served(rightsFor(options));
    const auto known = beside ? beside->host() : nullptr;
    if (known && known->there().command == there.command) return known;
    return std::make_shared<RemoteHost>(there);
}

}  // namespace aotscope
