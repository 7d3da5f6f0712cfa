#pragma once

#include "distributed/world_shape.h"
#include "ir/symbolic.h"
#include "ops/dialect.h"
#include "ops/operator_kinds.h"
#include "program/inputs/input_spec.h"
#include "record/options/compiler_choice.h"
#include "record/options/given_options.h"
#include "record/options/partition_options.h"
#include "support/limits.h"

#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace aotscope {

struct DecompositionTable;

/// The mode of the model's modules.
enum class ModuleMode : std::uint8_t {
    train,
    eval,
    asSaved  ///< as saved for each module; samples are in training mode
};
std::string_view name(ModuleMode mode);

/// The autocast for running the model: the device type, and the dtype that operations are cast to.
enum class Autocast : std::uint8_t { off, cpuBfloat16, cpuFloat16, cudaBfloat16, cudaFloat16 };
/// The spelling on the command line: "cpu:bfloat16".
std::string_view name(Autocast autocast);

/// The source of example inputs: the model itself, a spec, or a file of saved tensors.
using InputSource = std::variant<std::monostate, InputSpec, std::filesystem::path>;

/// A dynamic size: the name of a dimension in the input spec, a symbol of the model's file, INPUT.DIMENSION, or an
/// integer input; or all sizes that can be dynamic, as for torch.compile(dynamic=True).
struct DynamicRange {
    static constexpr const char* kAll = "all";

    std::string name;
    std::int64_t min = 2, max = Symbol::kNoMax;

    bool isAll() const { return name == kAll; }
};

/// All options of a run. Equal options give equal graphs.
struct Options {
    std::string model;                             ///< a path, "sample:NAME" or "script:CODE"
    std::string torch;                             ///< of the engine, see engineProgram; never saved in a session
    std::string modelName;                         ///< for a file with several models; empty: the only one
    std::string method = "forward";                ///< of a TorchScript module
    std::filesystem::path weights;                 ///< tensors by name that replace the model's own; empty: none
    std::vector<std::filesystem::path> libraries;  ///< shared libraries that register operators
    std::filesystem::path definitions;             ///< TorchScript functions for unregistered operators; empty: none
    OperatorKinds allow;  ///< what operators in the model's file may do besides computing; never saved in a session
    InputSource inputs;
    std::filesystem::path inputFolder;  ///< base of relative paths in the spec
    std::string device = "cpu";         ///< "cpu", "cuda:0"
    bool deviceGraphs = false;          ///< capture forward and backward on the device, and replay each as a whole
    ModuleMode mode = ModuleMode::asSaved;
    Autocast autocast = Autocast::off;
    bool inference = false;  ///< without gradients
    Dialect dialect = Dialect::python;
    PartitionOptions partition;
    std::shared_ptr<const DecompositionTable> decompositions;  ///< for the joint or inference graph; null: none
    CompilerChoice compilers;
    bool keepInputMutations = false;       ///< write mutated inputs back inside the graph where possible
    std::vector<DynamicRange> dynamic;     ///< in addition to sizes that are dynamic in the spec or the file
    bool staticShapes = false;             ///< no dynamic sizes, regardless of spec and file
    std::vector<SymbolValues> checkSizes;  ///< additional sizes for a check, by the names of `dynamic`
    std::size_t recompileLimit = 8;        ///< recompilations for inputs that violate the first one's guards
    std::uint64_t seed = 0;
    WorldShape world;            ///< the ranks of a distributed program
    std::string links = "h100";  ///< their interconnect, for estimates
    std::string compileId;       ///< for a log of printed graphs, the compilation to show; empty: the first
    bool repartition = false;    ///< split a printed joint graph with `partition` instead of using Python's partition
#ifdef NDEBUG
    bool verify = false;
#else
    bool verify = true;
#endif
    bool strict = false;                  ///< deviations from the request, and omissions, are errors
    bool crossCheckFake = false;          ///< during tracing, compare every fake result with that of the real kernel
    Limits limits;                        ///< for loading and tracing; belong to this machine, not to a session
    std::shared_ptr<GivenOptions> given;  ///< given options that are not used yet; null: not tracked

    /// Marks options as used, by their names on the command line.
    void use(std::initializer_list<std::string_view> names) const {
        if (given) given->use(names);
    }
    void use(std::string_view name) const { use({name}); }
    bool plans(GivenOptions::Purpose purpose) const { return !given || given->plans(purpose); }
};

}  // namespace aotscope
