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
    bool asOpened = false;  ///< modules are closed as they are for a person; else all are open
    /// What a person does before it is made, with the model open.
    std::function<void(Driver& driver)> act = [](Driver&) {};
    QString of = {};  ///< the dialog that it shows; empty: the window
};

const std::vector<Scene>& scenes();

}  // namespace aotscope::test
