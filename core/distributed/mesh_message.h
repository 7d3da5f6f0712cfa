#pragma once

#include "distributed/mailbox.h"
#include "distributed/rank_mesh.h"

#include <nlohmann/json.hpp>

namespace aotscope {

/// What one rank says to another by their connection.
struct MeshMessage {
    enum class Kind : std::uint8_t {
        here,        ///< to rank 0: where the others can reach it
        addresses,   ///< from rank 0: where all are
        collective,  ///< what it brings to one
        message,     ///< for one rank
        status,      ///< what it waits for
        failed,      ///< the ranks cannot go on
        told,        ///< the user knows why
        finished,
    };
    Kind kind = Kind::status;
    std::vector<RankAddress> addresses;    ///< of `here`: its own
    MeetingKey meeting;                    ///< of `collective`
    std::size_t ranks = 0, index = 0;      ///< of its group, and the place there
    std::string text;                      ///< the key of `message`; of `status`, what for; of `failed`, why
    std::uint64_t stamp = 0;               ///< of `status`
    Contribution contribution = {{}, {}};  ///< its tensors are in the memory of the body
};

/// Reads one from one of `ranks` ranks. Throws Error for anything else: a clause as message_members.h has them.
MeshMessage meshMessageFrom(std::string_view head, const MeshBody& body, std::size_t ranks);

/// A message that says where a rank is, and which version of aotscope it is.
nlohmann::json addressJson(const RankAddress& address);
/// Throws Error, a clause, also for another version.
RankAddress addressIn(const nlohmann::json& message);

}  // namespace aotscope
