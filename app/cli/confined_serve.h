#pragma once

namespace aotscope {

/// Whether these are the arguments of the command serve.
bool isServed(char** argv);

/// Limits a process that serves the window of this machine, as its arguments say, before it has a second thread: its
/// temporary files are in the folder `--exchange`, and it takes no more memory than there is. With `--confined`, it
/// cannot start programs, use the network, or write anywhere except in that folder, to crash reports and to the
/// calibration of the machine. Does nothing for other commands.
void confineServed(char** argv);

}  // namespace aotscope
