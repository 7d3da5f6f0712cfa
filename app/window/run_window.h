#pragma once

namespace aotscope {

class MainWindow;

/// Runs the application until its window is closed, and returns the exit status. The program then ends promptly: files
/// are complete, but other background work is abandoned.
int runUntilClosed(MainWindow& window);

}  // namespace aotscope
