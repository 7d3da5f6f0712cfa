#pragma once

#include "record/options/options.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace aotscope {

/// A member of Options, for readers and writers that know a type instead of every option of that type.
using OptionField =
    std::variant<bool*, std::uint64_t*, double*, std::string*, std::filesystem::path*, std::vector<std::string>*,
                 std::vector<std::filesystem::path>*, std::map<std::string, std::string>*, std::vector<DynamicRange>*,
                 std::vector<SymbolValues>*, std::set<NodeId>*, ModuleMode*, Autocast*, Dialect*, PartitionAlgorithm*,
                 KnapsackSolver*, RuntimeEstimator*>;

/// What an option is about, which decides whether it can be given for a saved session.
enum class OptionScope : std::uint8_t {
    model,      ///< how the graphs are made: no, a session has its own
    partition,  ///< how the joint graph is split: yes, a session's is repartitioned
    run,        ///< of this machine or this run: yes, it changes no graph
};

/// How many values an option may have.
enum class OptionValues : std::uint8_t {
    one,
    repeated,  ///< by giving it again
    several,   ///< by giving it again, or one after the other
};

/// Everything about one option. The command line, --against, session files, the report and the window's options are
/// made from these entries.
struct OptionEntry {
    std::string_view flag;        ///< with its short form, "--memory-budget,--budget"; empty: not on the command line
    std::string_view value = {};  ///< what it takes, "N"; empty: nothing, or one of `choices`
    std::string help = {};        ///< what it does, for --help and tooltips
    std::string_view see = {};    ///< where --help sends for more, "aotscope compilers"
    OptionScope scope = OptionScope::model;
    std::string_view commands = {};  ///< the only subcommands that take it; empty: all that open a model
    std::string_view session = {};   ///< key in session files, "partition.cut.recomputeViews"; empty: not kept
    std::string_view report = {};    ///< keys in the report's options, separated by spaces; empty: not reported
    std::string_view label = {};     ///< in the window's options; empty: not there
    std::string_view group = {};     ///< of entries that belong together, the heading above them in the window
    bool ofExecution = false;        ///< how graphs run, wherever they come from: printed ones take it, too
    double least = 0, most = 1e19;   ///< of numbers
    OptionValues values = OptionValues::one;
    OptionField (*field)(Options&) = {};  ///< null: only `set` and `get` know it
    /// What the command line gives; null: by the field's type. Throws UsageError.
    void (*set)(Options&, const std::vector<std::string>& values) = {};
    /// What the report says; null: by the field's type.
    nlohmann::json (*get)(const Options&) = {};
    /// Why the option has no effect beside these: one sentence; empty: it has. Null: it always has.
    std::string (*needs)(const Options&) = {};

    /// "--memory-budget".
    std::string_view name() const { return flag.substr(0, flag.find(',')); }
    bool isFlag() const;  ///< takes no value
};

/// All options, in the order of --help.
std::span<const OptionEntry> optionTable();

/// The entry of "--seed"; it has to be there.
const OptionEntry& optionNamed(std::string_view name);

}  // namespace aotscope
