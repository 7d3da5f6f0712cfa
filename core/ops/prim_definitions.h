#pragma once

#include <torch/library.h>

#include <algorithm>
#include <string>
#include <utility>

namespace aotscope {

/// Defines operators of the namespace prims, each with one kernel for all devices, made of operators of ATen's.
class PrimDefinitions {
public:
    template <typename Kernel>
    void add(const std::string& schema, Kernel&& kernel) {
        const std::string name(schema.begin(), std::ranges::find(schema, '('));
        library_.def(schema.c_str());
        library_.impl(name.c_str(),
                      torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, std::forward<Kernel>(kernel)));
        // Kernels are made of operators that autograd knows.
        library_.impl(name.c_str(), torch::dispatch(c10::DispatchKey::Autograd, torch::CppFunction::makeFallthrough()));
    }

    /// An operator whose result is a view of its argument, or is that argument after a change: functionalization sees
    /// what it is made of.
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

/// Views, copies of other shapes, and writes into their arguments.
void definePrimsOfShapes(PrimDefinitions& all);
/// New tensors, random ones among them, with those of Inductor.
void definePrimsOfCreation(PrimDefinitions& all);
/// Transforms, decompositions of matrices and other functions of whole tensors.
void definePrimsOfTensors(PrimDefinitions& all);

}  // namespace aotscope
