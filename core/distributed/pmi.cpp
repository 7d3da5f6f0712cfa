#include "distributed/pmi.h"

#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <poll.h>
#include <unistd.h>

namespace aotscope {

namespace {

using Clock = std::chrono::steady_clock;

/// The manager ends lines of more bytes.
constexpr std::size_t kLongestLine = 4096;

/// One conversation with the process manager.
class ProcessManager {
public:
    ProcessManager(int descriptor, Clock::time_point end) : descriptor_(descriptor), end_(end) {}

    /// Sends a command, and reads the line that answers it; `answer` is its name. Throws Error unless it is that.
    std::string ask(const std::string& command, std::string_view answer) {
        const std::string line = "cmd=" + command + "\n";
        if (::write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            throw Error("the process manager does not listen");
        std::string found = readLine();
        const std::string rc = member(found, "rc");
        if (member(found, "cmd") != answer || (!rc.empty() && rc != "0"))
            throw Error("the process manager answers " + inQuotes(found) + " to " + inQuotes("cmd=" + command));
        return found;
    }

    /// The value of "name=value" among words; empty if it is not there.
    static std::string member(std::string_view line, std::string_view name) {
        while (!line.empty()) {
            const auto space = std::min(line.find(' '), line.size());
            const std::string_view word = line.substr(0, space);
            if (word.size() > name.size() && word.starts_with(name) && word[name.size()] == '=')
                return std::string(word.substr(name.size() + 1));
            line.remove_prefix(std::min(space + 1, line.size()));
        }
        return {};
    }

private:
    std::string readLine() {
        std::string line;
        while (line.size() < kLongestLine) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
            pollfd wanted{descriptor_, POLLIN, 0};
            char byte = 0;
            if (left.count() <= 0 || ::poll(&wanted, 1, static_cast<int>(left.count())) == 0)
                throw Error("the process manager does not answer in time");
            if (::read(descriptor_, &byte, 1) != 1) throw Error("the process manager has ended");
            if (byte == '\n') return line;
            line += byte;
        }
        throw Error("the process manager sends more than a line");
    }

    int descriptor_;
    Clock::time_point end_;
};

/// What it calls itself.
std::string nameOfThisMachine() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

}  // namespace

PmiJob jobByPmi(int descriptor, bool isFirst, std::chrono::milliseconds limit) {
    ProcessManager manager(descriptor, Clock::now() + limit);
    manager.ask("init pmi_version=1 pmi_subversion=1", "response_to_init");
    PmiJob job;
    job.name = ProcessManager::member(manager.ask("get_my_kvsname", "my_kvsname"), "kvsname");
    const std::string space = " kvsname=" + job.name;
    if (isFirst) manager.ask("put" + space + " key=aotscope value=" + nameOfThisMachine(), "put_result");
    manager.ask("barrier_in", "barrier_out");  // when all ranks have come here, what rank 0 has put is everywhere
    const std::string found = manager.ask("get" + space + " key=aotscope", "get_result");
    manager.ask("finalize", "finalize_ack");
    job.firstRanksMachine = ProcessManager::member(found, "value");
    if (job.firstRanksMachine.empty()) throw Error("the process manager answers " + inQuotes(found));
    return job;
}

}  // namespace aotscope
