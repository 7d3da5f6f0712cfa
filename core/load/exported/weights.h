#pragma once

#include "load/exported/export_schema.h"
#include "program/files/archive.h"
#include "program/program.h"
#include "support/mapped_file.h"

#include <map>
#include <mutex>

namespace aotscope {

/// Tensors from outside the file, by their names in the model (--weights).
using TensorsByName = std::map<std::string, at::Tensor>;

/// Parameters, buffers and constants of an exported program. Their memory is the mapped file, copied on write. Tensors
/// without values in the file get memory that is untouched until fill().
class ExportedWeights {
public:
    /// `given`, which may be null, replaces parameters and persistent buffers. Throws Error naming the tensor.
    ExportedWeights(const std::shared_ptr<MappedFile>& file, const ZipArchive& archive,
                    const exported::Document& document, const std::string& modelName, const TensorsByName* given);

    /// Parameters, then buffers, then constants that are not literals, each in the order of the signature; tied tensors
    /// once.
    const std::vector<StateTensor>& state() const { return state_; }
    /// For every input of the graph, its index in state(); nothing for user inputs and literals.
    const std::vector<std::optional<std::size_t>>& stateOfInput() const { return stateOfInput_; }
    /// For every input of the graph, its value if it is a literal in the program's source, torch.tensor([1, 2]).
    /// Literals are never mutated: the program copies each before use.
    const std::vector<std::optional<at::Tensor>>& literals() const { return literals_; }
    /// The number of tensors without values in the file.
    std::size_t emptyCount() const { return empty_.size(); }

    /// Fills tensors without values with deterministic random ones. Thread-safe.
    void fill() const;

private:
    std::vector<StateTensor> state_, empty_;
    std::vector<std::optional<std::size_t>> stateOfInput_;
    std::vector<std::optional<at::Tensor>> literals_;
    std::size_t emptyBytes_ = 0;
    mutable std::once_flag filled_;
};

}  // namespace aotscope
