#include "distributed/mesh_message.h"

#include "distributed/tensor_message.h"
#include "support/enumerators.h"
#include "support/error.h"
#include "support/json/message_members.h"

#include <limits>

namespace aotscope {

namespace {

using nlohmann::json;
using MessageKind = MeshMessage::Kind;

/// The format of messages between ranks.
constexpr std::uint64_t kMeshFormat = 2;

MessageKind messageKind(const json& head) {
    const std::string kind = textOf(head, "kind");
    if (const auto known = enumeratorSpelled<MessageKind>(kind)) return *known;
    throw Error("sends a message of an unknown kind, '" + kind + "'");
}

void readCollective(MeshMessage& message, const json& head, const MeshBody& body, std::size_t ranks) {
    message.meeting = {textOf(head, "group"), numberOf(head, "number")};
    message.ranks = numberOf(head, "size");
    message.index = numberOf(head, "index");
    if (message.ranks > ranks || message.index >= message.ranks)
        throw Error("speaks for place " + std::to_string(message.index) + " of a group of " +
                    std::to_string(message.ranks) + " ranks; there are " + std::to_string(ranks) + " ranks");
    message.contribution = contributionOf(objectOf(head, "contribution"), body);
}

void readAddresses(MeshMessage& message, const json& head, std::size_t ranks) {
    for (const json& each : listOf(head, "ranks")) message.addresses.push_back(addressIn(each));
    if (message.addresses.size() != ranks)
        throw Error("says where " + std::to_string(message.addresses.size()) + " ranks are; there are " +
                    std::to_string(ranks));
}

}  // namespace

MeshMessage meshMessageFrom(std::string_view text, const MeshBody& body, std::size_t ranks) {
    const json head = messageIn(text);
    MeshMessage message;
    message.kind = messageKind(head);
    switch (message.kind) {
        case MessageKind::here: message.addresses = {addressIn(head)}; break;
        case MessageKind::addresses: readAddresses(message, head, ranks); break;
        case MessageKind::collective: readCollective(message, head, body, ranks); break;
        case MessageKind::message:
            message.text = textOf(head, "key");
            message.contribution = contributionOf(objectOf(head, "contribution"), body);
            if (message.contribution.tensors.empty()) throw Error("sends a message without a tensor");
            break;
        case MessageKind::status:
            message.text = textOf(head, "waits");
            message.stamp = numberOf(head, "stamp");
            break;
        case MessageKind::failed: message.text = textOf(head, "why"); break;
        case MessageKind::told:
        case MessageKind::finished: break;
    }
    return message;
}

json addressJson(const RankAddress& address) {
    return {{"host", address.host}, {"port", address.port}, {"format", kMeshFormat}};
}

RankAddress addressIn(const json& message) {
    if (numberOf(message, "format") != kMeshFormat)
        throw Error("is another version of aotscope; all ranks must run the same one");
    const std::uint64_t port = numberOf(message, "port");
    if (port < 1 || port > std::numeric_limits<std::uint16_t>::max())
        throw Error("sends 'port' as " + std::to_string(port) + "; expected 1 to 65535");
    return {textOf(message, "host"), static_cast<std::uint16_t>(port)};
}

}  // namespace aotscope
