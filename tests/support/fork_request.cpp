#include "support/fork_request.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace aotscope::test {

int connectToServer(const std::string& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (name.size() >= sizeof address.sun_path) return -1;
    std::ranges::copy(name, address.sun_path + 1);  // no file: its name begins with '\0'
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    const int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (connect(connection, reinterpret_cast<const sockaddr*>(&address), size) == 0) return connection;
    close(connection);
    return -1;
}

bool sendRequest(int connection, const std::vector<std::string>& arguments, const ForkDescriptors& descriptors) {
    std::string request = std::to_string(arguments.size()) + '\0';
    for (const std::string& argument : arguments) request += argument + '\0';
    for (char** variable = environ; *variable; ++variable) request.append(*variable, std::strlen(*variable) + 1);
    if (request.size() > kLongestRequest) return false;
    iovec text{request.data(), request.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof descriptors)> control{};
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* passed = CMSG_FIRSTHDR(&message);
    passed->cmsg_level = SOL_SOCKET;
    passed->cmsg_type = SCM_RIGHTS;
    passed->cmsg_len = CMSG_LEN(sizeof descriptors);
    std::memcpy(CMSG_DATA(passed), descriptors.data(), sizeof descriptors);
    return sendmsg(connection, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(request.size());
}

bool receiveReply(int connection, ForkReply& reply) {
    ssize_t size = 0;
    while ((size = recv(connection, &reply, sizeof reply, 0)) < 0 && errno == EINTR) {}
    return size == sizeof reply;
}

}  // namespace aotscope::test
