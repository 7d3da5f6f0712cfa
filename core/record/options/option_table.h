#pragma once

#include "record/options/options.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace aotscope {

/// A member of Options, for readers and writers that handle all options of a type alike.
using OptionField =
    std::variant<bool*, std::uint64_t*, double*, std::string*, std::filesystem::path*, std::vector<std::string>*,
                 std::vector<std::filesystem::path>*, std::map<std::string, std::string>*, std::vector<DynamicRange>*,
                 std::vector<SymbolValues>*, std::set<NodeId>*, ModuleMode*, Autocast*, Dialect*, PartitionAlgorithm*,
                 KnapsackSolver*, RuntimeEstimator*, OperationOrdering*>;

/// What an option affects, which decides whether it can be given for a saved session.
enum class OptionScope : std::uint8_t {
    model,      ///< how the graphs are traced: no, a session has its own
    partition,  ///< how the joint graph is split: yes, a session is repartitioned
    run,        ///< this machine or this run: yes, it does not change graphs
};

/// How many values an option may have.
enum class OptionValues : std::uint8_t {
    one,
    repeated,  ///< by repeating the option
    several,   ///< by repeating the option, or listing them after it
};

/// Everything about one option. The command line, --against, session files, the report and the window's options are
/// generated from these entries.
struct OptionEntry {
    std::string_view flag;        ///< with its short form, "--memory-budget,--budget"; empty: not on the command line
    std::string_view value = {};  ///< its argument, "N"; empty: none, or one of `choices`
    std::string help = {};        ///< for --help and tooltips
    std::string_view see = {};    ///< reference in --help for details, "aotscope compilers"
    OptionScope scope = OptionScope::model;
    std::string_view commands = {};  ///< the only subcommands with it; empty: all that open a model
    std::string_view session = {};   ///< key in session files, "partition.cut.recomputeViews"; empty: not saved
    std::string_view report = {};    ///< keys in the report's options, separated by spaces; empty: not reported
    std::string_view label = {};     ///< in the window's options; empty: not shown
    std::string_view group = {};     ///< heading of related entries in the window
    bool ofExecution = false;        ///< affects how graphs run, whatever their source: also valid for printed ones
    double least = 0, most = 1e19;   ///< for numbers
    OptionValues values = OptionValues::one;
    std::function<OptionField(Options&)> field = {};  ///< empty: accessed only by `set` and `get`
    /// Sets the option from the command line; null: by the field's type. Throws UsageError.
    void (*set)(Options&, const std::vector<std::string>& values) = {};
    /// The value in the report; null: by the field's type.
    nlohmann::json (*get)(const Options&) = {};
    /// Why the option has no effect with these: one sentence, or empty. Null: it always has an effect.
    std::string (*needs)(const Options&) = {};

    /// "--memory-budget".
    std::string_view name() const { return flag.substr(0, flag.find(',')); }
    bool isFlag() const;  ///< has no value
};

/// All options, in the order of --help.
std::span<const OptionEntry> optionTable();

/// The entry of "--seed", which must exist.
const OptionEntry& optionNamed(std::string_view name);

}  // namespace aotscope
