#pragma once

#include "remote/frame.h"
#include "remote/program_version.h"
#include "session/remote/pipe_engine.h"
#include "support/patience.h"
#include "support/processes.h"
#include "support/program.h"
#include "support/scratch.h"

#include <QTest>

#include <algorithm>
#include <csignal>
#include <vector>

namespace aotscope::test {

/// What an engine says first.
inline std::string greeting() {
    return std::string(kFrameStart) +
           frameOf({{"hello", {{"version", std::string(programVersion())}, {"torch", "2.13.0"}}}});
}

/// An engine that notes its processes.
class Engines {
public:
    /// `before`: lines of the shell that becomes the engine `program`.
    explicit Engines(const Scratch& scratch, const QString& before = {}, const QString& program = forkedProgram())
        : file_(scratch.at(u"engines"_s)) {
        QFile::remove(file_);
        program_ = scratch.write(
            u"engine"_s, u"#!/bin/sh\necho $$ >> %1\n%2\nexec %3 \"$@\"\n"_s.arg(file_, before, program).toUtf8());
        QFile::setPermissions(program_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    const QString& program() const { return program_; }
    std::shared_ptr<const Engine> start() const { return engineIn(program_.toStdString()); }
    /// Those that have been started so far.
    std::vector<pid_t> all() const {
        std::vector<pid_t> processes;
        if (QFile file(file_); file.open(QFile::ReadOnly))
            for (const QByteArray& number : file.readAll().simplified().split(' ')) processes.push_back(number.toInt());
        return processes;
    }
    pid_t last() const { return all().empty() ? 0 : all().back(); }
    void killLast(int signal) const {
        if (const pid_t process = last(); process > 0) kill(process, signal);
    }
    bool noneRuns() const {
        return QTest::qWaitFor([this] { return std::ranges::none_of(all(), runs); }, kPatience);
    }

private:
    QString file_, program_;
};

}  // namespace aotscope::test
