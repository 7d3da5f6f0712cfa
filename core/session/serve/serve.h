#pragma once

namespace aotscope {

/// The far side of sessions on another machine (see openRemote): carries out what comes as frames from the descriptor
/// `in`, one job after the other, and writes to `out`. Returns when `in` ends; threads with jobs that do not stop soon
/// are left behind: then the process has to end, too. Throws Error if what comes are no frames.
void serve(int in, int out);

}  // namespace aotscope
