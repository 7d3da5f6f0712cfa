#pragma once

namespace aotscope {

/// Gives the calling thread a stack of its own for signal handlers, for as long as it lives: a handler can then run
/// even when the thread has run out of its stack. A thread that has one keeps it.
void useSignalStack();

}  // namespace aotscope
