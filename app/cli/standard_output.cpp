#include "cli/standard_output.h"

#include "support/error.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>

#include <fcntl.h>
#include <unistd.h>

namespace aotscope {

namespace {

/// Replaces a closed descriptor by one that cannot be written or read.
void occupyClosedDescriptors() {
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(standard, F_GETFD) < 0 && errno == EBADF)
            ::open("/dev/null", standard == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

StandardOutput::StandardOutput() {
    occupyClosedDescriptors();
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    previous_ = std::cout.rdbuf(this);
    std::cout.exceptions(std::ios::badbit);  // lets the error through
}

StandardOutput::~StandardOutput() {
    std::cout.exceptions(std::ios::goodbit);
    std::cout.rdbuf(previous_);
}

StandardOutput::int_type StandardOutput::overflow(int_type character) {
    empty();
    if (!traits_type::eq_int_type(character, traits_type::eof())) sputc(traits_type::to_char_type(character));
    return traits_type::not_eof(character);
}

int StandardOutput::sync() {
    empty();
    return 0;
}

/// Output that could not be written is not retried.
void StandardOutput::empty() {
    const std::string_view text(pbase(), static_cast<std::size_t>(pptr() - pbase()));
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    write(text);
}

void StandardOutput::write(std::string_view text) {
    while (!text.empty()) {
        const auto count = ::write(descriptor_, text.data(), text.size());
        if (count >= 0) {
            text.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno == EPIPE) {  // the parent process ignored the signal
            std::signal(SIGPIPE, SIG_DFL);
            std::raise(SIGPIPE);
        } else if (errno != EINTR) {
            const std::string reason = errno == EBADF ? "it is closed" : std::strerror(errno);
            throw Error("cannot write to the standard output: " + reason + "; redirect it to a file or a terminal");
        }
    }
}

}  // namespace aotscope
