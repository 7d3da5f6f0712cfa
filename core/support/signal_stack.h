#pragma once

namespace aotscope {

/// Gives the calling thread a signal stack for its lifetime, so that a signal handler can run even after a stack
/// overflow. An existing one is kept.
void useSignalStack();

}  // namespace aotscope
