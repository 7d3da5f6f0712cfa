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

class DecompositionTable;

/// The mode of the model's modules.
enum class ModuleMode : std::uint8_t {
    train,
    eval,
    asSaved  ///< each module's own; samples are made in training mode
};
std::string_view name(ModuleMode mode);

/// The autocast that the model runs under: the type of device, and the dtype that operations there are cast to.
enum class Autocast : std::uint8_t { off, cpuBfloat16, cpuFloat16, cudaBfloat16, cudaFloat16 };
/// As the command line spells it: "cpu:bfloat16".
std::string_view name(Autocast autocast);

/// The source of example inputs: the model itself, a spec, or a file of saved tensors.
using InputSource = std::variant<std::monostate, InputSpec, std::filesystem::path>;

/// A dynamic size: the name of a dimension in the input spec, a symbol of the model's file, INPUT.DIMENSION, or an
/// integer input; or all sizes that may vary, as for torch.compile(dynamic=True).
struct DynamicRange {
    static constexpr const char* kAll = "all";

    std::string name;
    std::int64_t min = 2, max = Symbol::kNoMax;

    bool isAll() const { return name == kAll; }
};

/// All options of a run. The same options give the same graphs.
struct Options {
    std::string model;                             ///< a path, "sample:NAME" or "script:CODE"
    std::string modelName;                         ///< which of several models in one file; empty: the only one
    std::string method = "forward";                ///< of a TorchScript module: what to run
    std::filesystem::path weights;                 ///< tensors by name instead of the model's own; empty: none
    std::vector<std::filesystem::path> libraries;  ///< shared libraries that register operators
    std::filesystem::path definitions;  ///< TorchScript functions for operators that nobody registers; empty: none
    OperatorKinds allow;  ///< what operators of the model's file may do beyond computing; never part of a saved session
    InputSource inputs;
    std::filesystem::path inputFolder;  ///< where files that the spec names are looked up
    std::string device = "cpu";         ///< "cpu", "cuda:0"
    bool deviceGraphs = false;          ///< replay forward and backward on the device as one captured piece each
    ModuleMode mode = ModuleMode::asSaved;
    Autocast autocast = Autocast::off;
    bool inference = false;  ///< no gradients at all
    Dialect dialect = Dialect::python;
    PartitionOptions partition;
    std::shared_ptr<const DecompositionTable> decompositions;  ///< of the joint or inference graph; null: none
    CompilerChoice compilers;
    bool keepInputMutations = false;       ///< write mutated inputs back inside the graph where that is possible
    std::vector<DynamicRange> dynamic;     ///< in addition to sizes that the spec or the file lets vary
    bool staticShapes = false;             ///< no dynamic sizes, whatever spec and file say
    std::vector<SymbolValues> checkSizes;  ///< sizes that a check also runs at, by the names of `dynamic`
    std::size_t recompileLimit = 8;        ///< compilations for inputs that the first one's guards do not accept
    std::uint64_t seed = 0;
    WorldShape world;            ///< the ranks that a distributed program is for
    std::string links = "h100";  ///< what connects them, for estimates
    std::string compileId;       ///< of a log of printed graphs, the compilation to show; empty: the first
    bool repartition = false;    ///< split a printed joint graph with `partition` instead of showing Python's halves
#ifdef NDEBUG
    bool verify = false;
#else
    bool verify = true;
#endif
    bool strict = false;                  ///< what is done otherwise than asked for, or left out, is an error
    bool crossCheckFake = false;          ///< while tracing, compare every fake result with that of the real kernel
    Limits limits;                        ///< of loading and tracing; belongs to this machine, not to a session
    std::shared_ptr<GivenOptions> given;  ///< what somebody has typed, until it is used; null: nobody asks

    /// Whoever reads options says so, by their names on the command line.
    void use(std::initializer_list<std::string_view> names) const {
        if (given) given->use(names);
    }
    void use(std::string_view name) const { use({name}); }
    bool plans(GivenOptions::Purpose purpose) const { return !given || given->plans(purpose); }
};

}  // namespace aotscope
