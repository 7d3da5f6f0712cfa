#pragma once

#include "distributed/mailbox.h"
#include "distributed/rank_mesh.h"

#include <nlohmann/json.hpp>

namespace aotscope {

/// A message from one rank to another on their connection.
struct MeshMessage {
    enum class Kind : std::uint8_t {
        here,        ///< to rank 0: this rank's address
        addresses,   ///< from rank 0: all addresses
        collective,  ///< a contribution to one
        message,     ///< for one rank
        status,      ///< what the rank waits for
        failed,      ///< the ranks cannot continue
        told,        ///< the user was informed
        finished,
    };
    Kind kind = Kind::status;
    std::vector<RankAddress> addresses;    ///< for `here`: its own
    MeetingKey meeting;                    ///< for `collective`
    std::size_t ranks = 0, index = 0;      ///< size of its group, and this rank's index in it
    std::string text;                      ///< the key of a `message`, the reason of a `status` or `failed`
    std::uint64_t stamp = 0;               ///< for `status`
    Contribution contribution = {{}, {}};  ///< its tensors use the memory of the body
};

/// Parses a message from one of `ranks` ranks. Throws Error, a clause as in message_members.h, for anything else.
MeshMessage meshMessageFrom(std::string_view head, const MeshBody& body, std::size_t ranks);

/// A message with the address of a rank and its version of aotscope.
nlohmann::json addressJson(const RankAddress& address);
/// Throws Error, a clause, also for a different version.
RankAddress addressIn(const nlohmann::json& message);

}  // namespace aotscope
