#pragma once

#include "record/compile_record.h"
#include "record/options/options.h"
#include "record/results/results.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// The file that a model came from, to find it again and check that it is the same.
struct ModelReference {
    std::filesystem::path path;  ///< absolute; empty: a sample, or nothing is known
    std::uint64_t size = 0;
    std::string hash;  ///< of its bytes; empty: the file had changed since it was loaded
    bool operator==(const ModelReference&) const = default;
};

/// Another partition of the joint graph, kept under a name.
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

/// Native code that a session was made with. The file only names it: libraries and plug-ins are loaded from options
/// alone, and options read from a file never name any.
struct RequestedCode {
    std::vector<std::filesystem::path> libraries;  ///< that register operators
    std::vector<std::filesystem::path> plugins;    ///< that bring compilers
    std::map<std::string, std::string> settings;   ///< of compilers that are not built in: "NAME.KEY" to value
    bool operator==(const RequestedCode&) const = default;
};

/// Everything in a session file: the result of one run of the pipeline, and later results about it.
struct SessionContent {
    Options options;
    RequestedCode code;          ///< beyond what is in `options`
    std::string decompositions;  ///< name or file of the table in `options`, which may not be there any more
    InputSpec inputSpec;
    std::vector<std::string> inputNames;
    std::string notExecutable;  ///< why it could not be compiled where it was made; empty: it could
    bool runsAsItIs = false;    ///< its graphs run nevertheless, where the file that they were printed in is
    std::shared_ptr<const CompileRecord> record;
    ModelReference model;
    std::optional<CheckResult> check;
    std::optional<BisectResult> bisect;
    std::optional<TimingResult> timing;
    std::vector<SavedVariant> variants;
    std::vector<SavedVariant> sweep;      ///< partitions at several memory budgets, in their order
    std::filesystem::path embeddedModel;  ///< the model's file, if it is to be carried along; empty: it is not
    std::string view;                     ///< what the window shows of it, JSON that only the window reads
};

}  // namespace aotscope
