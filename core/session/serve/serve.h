#pragma once

#include <memory>

namespace aotscope {

class Engine;

/// The engine's side of sessions (see session_remote.h): executes requests in frames from the
/// descriptor `in` by `engine`, and writes to `out`. Returns when `in` ends. Jobs that do not stop soon keep their
/// threads, so that the process must then end, too. Throws Error if the input does not consist of frames.
void serve(std::shared_ptr<const Engine> engine, int in, int out);

}  // namespace aotscope
