#pragma once

namespace aotscope {

class MainWindow;

/// Runs the application until its window is closed, and returns the exit status. The program then ends promptly: files
/// are complete, but nobody waits for other work in the background.
int runUntilClosed(MainWindow& window);

}  // namespace aotscope
