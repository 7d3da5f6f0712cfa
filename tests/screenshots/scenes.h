#pragma once

#include "app/window_driver.h"

#include <functional>
#include <vector>

namespace aotscope::test {

/// A picture of README or manual.
struct Scene {
    QString name;  ///< of its file
    QString model;
    QSize size;
    bool dark = false;
    bool asOpened = false;  ///< modules are closed by default; else all are open
    /// The user's actions before it, with the model open.
    std::function<void(Driver& driver)> act = [](Driver&) {};
    QString of = {};  ///< its dialog; empty: the window
};

const std::vector<Scene>& scenes();

}  // namespace aotscope::test
