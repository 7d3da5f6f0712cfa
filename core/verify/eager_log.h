#pragma once

#include "verify/judge/comparison.h"
#include "verify/judge/reference_values.h"
#include "verify/model_run.h"

#include <map>
#include <memory>

namespace aotscope {

/// The result of every operation below autograd in one eager run, forward and backward. A node of a traced graph is
/// correct if an operation with its name, sizes and dtype computed its value: functionalization adds and moves
/// operations, so their number and order cannot be compared.
class EagerLog final : public PassReference {
public:
    /// Runs the program on fresh arguments, with the RNG state of the options' seed.
    static std::unique_ptr<EagerLog> record(const ModelRun& modelRun, const Options& options, const SymbolValues& sizes,
                                            const Arithmetic& arithmetic = {});
    /// Measures how far rounding may move each result: repeats the runs in other arithmetics.
    void measure(const ModelRun& modelRun, const Options& options, const SymbolValues& sizes);

    Judgement judge(const Node& node, const c10::IValue& value) const override;
    OperationChange changeOf(const Node& node) const override;
    std::string missingFrom(const Graph& graph) const override;
    std::string name() const override { return "eager"; }

private:
    class Recording;
    struct Entry {
        std::string literals;  ///< the operation's arguments other than tensors
        at::Tensor value;
    };

    NamedTensors values() const;
    Tolerance toleranceOf(std::size_t entry) const;
    bool isReturned(const Node& node) const;
    const Entry* find(const std::vector<std::size_t>& among, const at::Tensor& value, bool exactly) const;

    std::optional<Difference> closest(const std::vector<std::size_t>& among, const std::string& what,
                                      const at::Tensor& value) const;

    std::vector<Entry> entries_;
    std::optional<NoiseEstimate> noise_;                                     ///< by entry number
    std::map<std::string, int> calls_;                                       ///< by name
    std::map<std::string, std::size_t> returns_;                             ///< number of results, by name
    std::unordered_map<std::string, std::vector<std::size_t>> byOperation_;  ///< name, sizes and dtype
    std::unordered_map<std::string, std::vector<std::size_t>> byShape_;
    std::unordered_map<std::string, std::vector<std::size_t>> byName_;
};

}  // namespace aotscope
