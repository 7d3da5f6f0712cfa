#pragma once

#include <QSize>

class QWidget;

namespace aotscope {

/// Makes a window no larger than the screen has room for; it fills a screen on which it has none for its frame.
void fitToScreen(QWidget& window, QSize screen);

class MainWindow;

/// Runs the application until its window is closed, and returns the exit status. The program then ends promptly: files
/// are complete, but other background work is abandoned.
int runUntilClosed(MainWindow& window);

}  // namespace aotscope
