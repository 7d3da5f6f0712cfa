#pragma once

#include <QString>
#include <QStringList>

#include <string>

#include <sys/types.h>

namespace aotscope::test {

/// A program that is loaded and waits for requests to be run: see fork_server.cpp. It ends with this process.
class ForkServer {
public:
    /// With these variables, NAME=VALUE, in its environment, though not in those of its runs.
    explicit ForkServer(const char* program, const QStringList& variables = {});
    ~ForkServer();
    ForkServer(const ForkServer&) = delete;
    ForkServer& operator=(const ForkServer&) = delete;

    const std::string& name() const { return name_; }

private:
    std::string name_;
    int connection_ = -1;
    pid_t process_ = -1;
};

/// The program aotscope-engine.
QString engineFile();
/// Its fork server.
const ForkServer& engineServer();

}  // namespace aotscope::test
