#pragma once

#include "load/exported/export_schema.h"
#include "load/torchscript/definitions.h"
#include "ops/decompositions/given_rules.h"

#include <map>
#include <memory>
#include <string>

namespace aotscope {

/// Whether `name` belongs neither to LibTorch nor to a loaded library.
bool isForeign(const c10::OperatorName& name);

/// An operator that a program calls and that no library has registered.
struct ForeignOperator {
    c10::OperatorHandle op;
    std::shared_ptr<const OperatorDefinition> definition;  ///< null: its calls can be traced, but not run
};

/// Throws Error if `node` takes fewer results than the definition of its operator returns. The definition also returns
/// the arguments that the operator writes to, unless calls were made functional.
void requireAllTaken(const exported::Node& node, const ForeignOperator& foreign);

/// A sentence about the operator `name`, which has no definition. `asWritten`: the program may write into arguments.
std::string whatIsUnknown(const std::string& name, bool asWritten);

/// The operators of an exported program that exist only in Python. Registers them with the definitions in the user's
/// file, the built-in ones, or the types of their arguments and results in the program, in this order.
class ForeignOperators {
public:
    /// `file` may be empty. Throws Error for definitions that cannot be read, and for operators without types.
    ForeignOperators(const exported::Document& document, const std::filesystem::path& file, OperatorKinds allow);

    /// Finds an operator by the node's target; null if it is already registered, or belongs to LibTorch.
    const ForeignOperator* find(const std::string& target) const;
    /// The rules of the user's file for LibTorch's operators.
    const GivenRules& rules() const { return rules_; }
    /// Operators without a definition: "realtest::scale".
    std::vector<std::string> opaque() const;

private:
    std::map<std::string, ForeignOperator> operators_;  ///< by target
    GivenRules rules_;
    std::shared_ptr<const Definitions> definitions_;  ///< kept for others that read the same file
};

}  // namespace aotscope
