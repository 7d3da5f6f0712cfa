#pragma once

#include "ops/operator_kinds.h"

#include <string>
#include <utility>
#include <vector>

namespace aotscope {

class Graph;

// Which operators a file may call: the one place that decides.
//
// It is asked for the code of a TorchScript archive before LibTorch loads it, for the graphs that LibTorch makes of
// that code, for the nodes of an exported program before they are planned, and for graphs that were printed or saved
// before they run or are traced. Graphs that are only shown are not asked about. A user's decomposition table can only
// choose among rules of ours, which call nothing but ATen. What a library (--library) or a plug-in (--plugin) registers
// is allowed: the user named it, and it has run its own code long before a file calls its operators.
//
// A kernel of LibTorch's that fails to check its arguments is no matter of this policy.

/// What the operator "aten::from_file" may do. Without an overload: what all its overloads may do in common.
OperatorKinds operatorKinds(const std::string& name, const std::string& overload = {});

/// The same for methods of a C++ class, "__torch__.torch.classes.c10d.ProcessGroup", including its __setstate__.
OperatorKinds customClassKinds(const std::string& name);

/// Whether an operator only assembles tensors and packed weights, as __setstate__ of quantized modules does, and may
/// therefore run while LibTorch loads a file.
bool mayRunAtLoad(const std::string& name);

/// The namespaces that LibTorch and aotscope register themselves. Call before the first library is loaded, since later
/// ones belong to that library.
void rememberOwnNamespaces();
/// Whether "aten::add" is in a namespace that LibTorch or aotscope has operators in.
bool belongsToLibTorch(const std::string& name);

/// Collects the operators of one file and reports those that are not allowed.
class OperatorJudge {
public:
    explicit OperatorJudge(OperatorKinds allowed) : allowed_(allowed) {}

    void call(const std::string& name, const std::string& overload = {}) { judge(name, operatorKinds(name, overload)); }
    void customClass(const std::string& name) { judge(name, customClassKinds(name)); }
    /// "its __setstate__" of a kind; `what` is what the sentence names.
    void judge(const std::string& what, OperatorKinds kinds);
    bool allows(OperatorKind kind) const { return allowed_.contains(kind); }

    /// Throws OperatorsRefused if any was not allowed; `opening` begins its message: "cannot open 'x.pt'".
    void require(const std::string& opening) const;

private:
    OperatorKinds allowed_;
    std::vector<std::pair<std::string, OperatorKinds>> refused_;
};

/// Checks every operation of a printed, saved or decomposed graph. Collectives may be traced, since without ranks there
/// is nothing to exchange tensors with.
void requireAllowed(const Graph& graph, OperatorKinds allowed);

}  // namespace aotscope
