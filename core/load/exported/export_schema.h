#pragma once

#include "ir/symbolic.h"
#include "ir/types.h"

#include <complex>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The checked content of models/NAME.json in a torch.export file, as plain structs. Follows
/// torch/_export/serde/schema.py. Does not use LibTorch.
namespace aotscope::exported {

/// The prefixes of the targets of operators and higher-order operators.
inline constexpr std::string_view kOperators = "torch.ops.", kHigherOrder = "torch.ops.higher_order.";

/// An integer that may depend on the sizes of the inputs.
struct Integer {
    std::int64_t value = 0;                  ///< the value itself, or the one at export
    bool known = true;                       ///< false: an expression without a value at export
    bool symbolic = false;                   ///< an expression
    std::string symbol;                      ///< the expression, if it is a plain symbol
    std::optional<SymExpr> expression = {};  ///< nothing for a number, or if it cannot be parsed
};

struct TensorMeta {
    DType dtype = DType::f32;
    std::vector<Integer> sizes, strides;
    Integer storageOffset;
    Device device;
    Layout layout = Layout::strided;
    bool requiresGrad = false;
};

struct Graph;

/// An argument, a result, or an element of a list of these.
struct Argument {
    struct Reference {
        std::string name;  ///< of a tensor or number defined elsewhere
    };
    /// A value without a counterpart in a graph of tensor operations.
    struct Foreign {
        std::string what;  ///< "the custom object 'obj' of class 'my.Class'"
    };
    /// An operator that the operation calls.
    struct Operator {
        std::string target;  ///< "torch.ops.my.scale_.default"
    };
    using List = std::vector<Argument>;
    std::variant<std::monostate, Reference, std::int64_t, double, bool, std::string, std::complex<double>, DType,
                 Layout, MemoryFormat, Device, List, std::shared_ptr<const Graph>, Operator, Foreign>
        value;

    const Reference* reference() const { return std::get_if<Reference>(&value); }
    const List* list() const { return std::get_if<List>(&value); }
};

struct NamedArgument {
    std::string name;  ///< according to the operator's schema; empty for higher-order operators
    Argument value;
    bool keyword = false;  ///< passed by keyword
};

struct Node {
    std::string name, target;
    std::vector<NamedArgument> inputs;
    std::vector<Argument> outputs;
    std::string stackTrace, moduleStack;
};

struct Graph {
    std::vector<Argument> inputs, outputs;
    std::vector<Node> nodes;
    std::map<std::string, TensorMeta> tensors;
    std::map<std::string, Integer> integers;  ///< numbers computed by nodes, by name
};

struct InputSpec {
    enum class Kind { parameter, buffer, constant, user, userConstant } kind = Kind::user;
    std::string target;  ///< the tensor's name in the model, or the constant's
    Argument value;      ///< the graph's input; for userConstant, its value at export
};

struct OutputSpec {
    enum class Kind { user, stateMutation, userInputMutation } kind = Kind::user;
    std::string target;  ///< mutations: name of the tensor in the model, or of the user input in the graph
    Argument value;
};

struct Range {
    std::optional<std::int64_t> min, max;
};

struct Document {
    std::string torchVersion;
    std::int64_t major = 0, minor = 0;
    /// The program is not functionalized: operators may write into their arguments (the dialect TRAINING). Otherwise it
    /// is functional, as after run_decompositions().
    bool asWritten = false;
    Graph graph;
    std::vector<InputSpec> inputs;
    std::vector<OutputSpec> outputs;
    std::string inputStructure, outputStructure;  ///< JSON texts
    std::vector<std::string> argumentNames;       ///< of the model's forward(); may be empty
    std::map<std::string, std::vector<std::string>> namedTuples;
    std::map<std::string, Range> ranges;  ///< by symbol
};

/// The place of a tensor's elements in the archive.
struct Payload {
    std::string record;
    bool pickled = false;
    std::optional<TensorMeta> meta;
};

inline constexpr std::int64_t kSchemaMajor = 8, kSchemaMinor = 20;

/// Both throw Error with the path of an invalid value.
Document readDocument(std::string_view json, const std::string& record);
std::map<std::string, Payload> readPayloads(std::string_view json, const std::string& record);

}  // namespace aotscope::exported
