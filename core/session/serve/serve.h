#pragma once

namespace aotscope {

/// The remote side of sessions on another machine (see openRemote): executes requests in frames from the descriptor
/// `in`, one job after the other, and writes to `out`. Returns when `in` ends. Jobs that do not stop soon keep their
/// threads, so that the process must then end, too. Throws Error if the input does not consist of frames.
void serve(int in, int out);

}  // namespace aotscope
