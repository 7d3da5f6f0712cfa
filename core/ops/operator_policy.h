#pragma once

#include "ops/operator_kinds.h"

#include <string>
#include <utility>
#include <vector>

namespace aotscope {

class Graph;

// Decides, in this one place, which operators a file may call.
//
// It is applied to the code of a TorchScript archive before LibTorch loads it, to the graphs that LibTorch compiles
// from that code, to the nodes of an exported program before they are planned, and to printed or saved graphs before
// they run or are traced. Graphs that are only shown are not checked. A user's decomposition table can only choose
// among our rules, which only call ATen. Operators registered by a library (--library) or a plug-in (--plugin) are
// allowed: the user named it, and it has run its own code long before a file calls its operators.
//
// LibTorch kernels that fail to check their arguments are outside of this policy.

/// What the operator "aten::from_file" may do. Without an overload: what all its overloads have in common.
OperatorKinds operatorKinds(const std::string& name, const std::string& overload = {});

/// The same for methods of a C++ class, "__torch__.torch.classes.c10d.ProcessGroup", including its __setstate__.
OperatorKinds customClassKinds(const std::string& name);

/// Whether the user allows the model's operators to do what is impossible on a confined thread.
inline bool mayDoAll(const OperatorKinds& allow) {
    return allow.contains(OperatorKind::writesFiles) || allow.contains(OperatorKind::loadsCode) ||
           allow.contains(OperatorKind::network) || allow.contains(OperatorKind::collectives);
}

/// Whether an operator only assembles tensors and packed weights, as __setstate__ of quantized modules does, and may
/// therefore run while LibTorch loads a file.
bool mayRunAtLoad(const std::string& name);

/// Records the namespaces of LibTorch and aotscope. Call before the first library is loaded, since later ones belong to
/// that library.
void rememberOwnNamespaces();
/// Whether "aten::add" is in a namespace of LibTorch or aotscope.
bool belongsToLibTorch(const std::string& name);

/// Collects the operators of one file and reports those that are not allowed.
class OperatorJudge {
public:
    explicit OperatorJudge(OperatorKinds allowed) : allowed_(allowed) {}

    void call(const std::string& name, const std::string& overload = {}) { judge(name, operatorKinds(name, overload)); }
    void customClass(const std::string& name) { judge(name, customClassKinds(name)); }
    /// Judges something else of a kind, such as "its __setstate__"; `what` names it in the error.
    void judge(const std::string& what, OperatorKinds kinds);
    bool allows(OperatorKind kind) const { return allowed_.contains(kind); }

    /// Throws OperatorsRefused if any was not allowed; `opening` begins its message: "cannot open 'x.pt'".
    void require(const std::string& opening) const;

private:
    OperatorKinds allowed_;
    std::vector<std::pair<std::string, OperatorKinds>> refused_;
};

/// Checks every operation of a printed, saved or decomposed graph. Collectives may be traced, since without ranks
/// nothing is exchanged.
void requireAllowed(const Graph& graph, OperatorKinds allowed);

}  // namespace aotscope
