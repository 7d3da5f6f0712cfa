#pragma once

namespace aotscope {

/// Gives the calling thread a signal stack for its lifetime, so that a signal handler can run even after a stack
/// overflow. Keeps an existing one.
void useSignalStack();

}  // namespace aotscope
