#pragma once

#include "load/printed/syntax/scanner.h"

#include <map>
#include <string>
#include <vector>

namespace aotscope {

/// What is known of a forward() parameter before its node is created.
struct Parameter {
    std::string name, annotation, note;
};

/// The parameters of a forward(). Aliases and the flattened signature change them until the first operation.
class FunctionInputs {
public:
    explicit FunctionInputs(Scanner& scan) : scan_(scan) {}

    /// From "(" to the end of the line.
    void readSignature();
    /// forward(self, primals, tangents)
    bool isJoint() const;

    /// "a, b, = fx_pytree.tree_flatten_spec(...)": the names in a flattened signature.
    void unpack(const std::string& first);
    /// "x: "f32[2]cpu"" in a flattened signature; a line may have several.
    void declare(const std::string& name, const std::string& annotation);
    /// "x_1 = input" for a parameter: Python renamed its node.
    bool rename(const std::string& name);

    bool closed() const { return closed_; }
    /// The final parameters.
    std::vector<Parameter> close();

private:
    Scanner& scan_;
    std::vector<Parameter> parameters_;
    std::map<std::string, Parameter, std::less<>> declared_;  ///< "x: ann" lines in a flattened signature
    bool closed_ = false;
};

}  // namespace aotscope
