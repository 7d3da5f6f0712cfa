#pragma once

#include <dlfcn.h>

namespace aotscope {

/// Stores the C function `name` of a library loaded by dlopen in `function`, which has its type; null if it does not
/// exist. Returns whether it exists.
template <typename Function>
bool findFunction(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    return function != nullptr;
}

}  // namespace aotscope
