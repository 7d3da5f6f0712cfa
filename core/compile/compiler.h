#pragma once

#include "execute/compiled_graph.h"
#include "ir/graph.h"
#include "program/constant_table.h"

#include <map>
#include <memory>
#include <string>

namespace aotscope {

/// A compiler backend. The graph's types describe the example inputs; `constants` holds the tensors that it refers to
/// by name. Graphs run below autograd and autocast, as in the interpreter. compile() throws if it cannot compile a
/// graph.
class Compiler {
public:
    virtual ~Compiler() = default;
    virtual std::string name() const = 0;
    virtual std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const = 0;
};

/// All settings of a backend by name; unset ones have their defaults.
using CompilerSettings = std::map<std::string, std::string>;
using CompilerFactory = std::unique_ptr<Compiler> (*)(const CompilerSettings& settings);

/// Calls each operation's kernel in graph order.
std::unique_ptr<Compiler> makeInterpreter();

}  // namespace aotscope
