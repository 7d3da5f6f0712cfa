#pragma once

#include <torch/library.h>

#include <algorithm>
#include <string>
#include <utility>

namespace aotscope {

/// Defines operators of the namespace prims, each with one kernel for all devices, composed of ATen operators.
class PrimDefinitions {
public:
    template <typename Kernel>
    void add(const std::string& schema, Kernel&& kernel) {
        const std::string name(schema.begin(), std::ranges::find(schema, '('));
        library_.def(schema.c_str());
        library_.impl(name.c_str(),
                      torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, std::forward<Kernel>(kernel)));
        // Kernels consist of operators that autograd supports.
        library_.impl(name.c_str(), torch::dispatch(c10::DispatchKey::Autograd, torch::CppFunction::makeFallthrough()));
    }

    /// An operator whose result is a view of its argument, or the mutated argument: functionalization sees the
    /// operations inside.
    template <typename Kernel>
    void addAliasing(const std::string& schema, Kernel kernel) {
        add(schema, kernel);
        const std::string name(schema.begin(), std::ranges::find(schema, '('));
        library_.impl(name.c_str(), torch::dispatch(c10::DispatchKey::Functionalize, kernel));
    }

private:
    torch::Library library_{torch::Library::FRAGMENT, "prims", std::nullopt, __FILE__, __LINE__};
};

// The groups of operators; registerPrims() calls each once.

/// Views, copies with other shapes, and writes into arguments.
void definePrimsOfShapes(PrimDefinitions& all);
/// New tensors, including random ones and those of Inductor.
void definePrimsOfCreation(PrimDefinitions& all);
/// Transforms, matrix decompositions and other functions of whole tensors.
void definePrimsOfTensors(PrimDefinitions& all);

}  // namespace aotscope
