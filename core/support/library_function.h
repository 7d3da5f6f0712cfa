#pragma once

#include <dlfcn.h>

namespace aotscope {

/// Stores the C function `name` of a library that dlopen has loaded, whose type is that of `function`; null if it has
/// none. Returns whether it has it.
template <typename Function>
bool findFunction(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    return function != nullptr;
}

}  // namespace aotscope
