#pragma once

#include "distributed/links.h"

namespace aotscope {

/// How ranks of this process exchange tensors.
enum class ExchangedIn : std::uint8_t {
    absentWorld,  ///< the others are not there: this rank does what it would do with their tensors
    turns,        ///< all of them are threads, one of which runs at any moment
};

/// What exchanging tensors costs each of `ranks` ranks of this process: latency and bandwidth of all-gathers of a small
/// and of a large tensor, as they are measured now. Takes about 0.1 s.
Links linksOfThisProcess(std::size_t ranks, ExchangedIn how);

}  // namespace aotscope
