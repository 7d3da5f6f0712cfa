#pragma once

#include "cost/variant_costs.h"
#include "record/compile_record.h"
#include "record/options/options.h"
#include "record/results/results.h"
#include "record/results/train_result.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// The file of a model, to find it again and check that it is unchanged.
struct ModelReference {
    std::filesystem::path path;  ///< absolute; empty: a sample, or unknown
    std::uint64_t size = 0;
    std::string hash;  ///< of its contents; empty: the file had changed since it was loaded
    bool operator==(const ModelReference&) const = default;
};

/// Another partition of the joint graph, stored under a name.
struct SavedVariant {
    std::string name;
    PartitionOptions options;
    std::shared_ptr<const Partition> partition;
    struct Measured {
        double forwardMs = 0, backwardMs = 0;
        std::int64_t peakBytes = 0;
    };
    std::optional<Measured> measured;
};

/// Native code that a session used. The file only names it: libraries and plug-ins are loaded only from options, and
/// options read from a file never name any.
struct RequestedCode {
    std::vector<std::filesystem::path> libraries;  ///< that register operators
    std::vector<std::filesystem::path> plugins;    ///< that provide compilers
    std::map<std::string, std::string> settings;   ///< of compilers that are not built in: "NAME.KEY" to value
    bool operator==(const RequestedCode&) const = default;
};

/// Another run of the same model. Its graphs are not kept: it is compiled again when it is shown.
struct SavedRun {
    int number = 0;        ///< 1, 2, ..., in the order in which the runs were made
    int parent = 0;        ///< the number of the run that it was made from; 0: of none
    Options options = {};  ///< without native code
    std::optional<VariantCosts> costs = {};
    std::optional<CheckResult> check = {};
    std::optional<BisectResult> bisect = {};
    std::optional<TimingResult> timing = {};
    std::optional<TrainResult> training = {};
    std::vector<SavedVariant> variants = {}, sweep = {};  ///< see SessionContent
};

/// Everything in a session file: the result of one run of the pipeline, and later results about it.
struct SessionContent {
    Options options;
    RequestedCode code;  ///< not in `options`
    InputSpec inputSpec;
    std::vector<std::string> inputNames;
    std::string notExecutable;  ///< why it could not be compiled originally; empty: it could
    bool runsAsItIs = false;    ///< its graphs run nevertheless if the file that they were printed in exists
    std::shared_ptr<const CompileRecord> record;
    ModelReference model;
    std::optional<CheckResult> check;
    std::optional<BisectResult> bisect;
    std::optional<TimingResult> timing;
    std::optional<TrainResult> training;
    std::vector<SavedVariant> variants;
    std::vector<SavedVariant> sweep;      ///< partitions at several memory budgets, in their order
    int number = 0, parent = 0;           ///< of this run among the others, see SavedRun; 0: the only one
    std::vector<SavedRun> runs;           ///< the others, by their numbers
    std::filesystem::path embeddedModel;  ///< the model's file, if it is embedded; empty: it is not
    std::string view;                     ///< the window's state, JSON that only the window reads
};

}  // namespace aotscope
