#pragma once

#include <nlohmann/json.hpp>

#include <QString>

#include <map>
#include <string>

namespace aotscope::test {

/// The records of a torch.export file, to be changed and written again.
struct ExportedFile {
    std::map<std::string, std::string> records;  ///< names without the archive's folder

    static ExportedFile read(const std::string& path);
    QString write(const QString& path, bool deflated = false) const;

    /// Changes the JSON in `record`.
    template <typename Change>
    void edit(const std::string& record, Change&& change) {
        auto json = nlohmann::json::parse(records.at(record));
        change(json);
        records[record] = json.dump();
    }
};

/// A file of tests/data/exported.
std::string exportedPath(const std::string& name);

/// A program of a parameter `w` = 1, 2, 3, 4 (p_w) and an input `x` of 3x4 (x) with `nodes`, each made by
/// exportedNode(), that returns the values called `outputs`.
ExportedFile exportedProgram(const nlohmann::json& nodes, const std::vector<std::string>& outputs);
/// `inputs`: {"self": {"as_tensor": {"name": "x"}}}, in that order; `outputs` as in the file.
nlohmann::json exportedNode(const std::string& target, const nlohmann::ordered_json& inputs,
                            const nlohmann::json& outputs);
nlohmann::json exportedTensor(const std::string& name);
/// The type of a contiguous tensor of floats, for "tensor_values".
nlohmann::json exportedTensorMeta(const std::vector<int>& sizes);

}  // namespace aotscope::test
