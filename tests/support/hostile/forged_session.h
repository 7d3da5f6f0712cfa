#pragma once

#include "support/scratch.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace aotscope::test {

/// A session of sample:mlp with arbitrary content, as another program could write it.
class ForgedSession {
public:
    ForgedSession();

    nlohmann::json& session() { return document_["session"]; }
    nlohmann::json& options() { return session()["options"]; }
    nlohmann::json& record() { return document_["shared"]["records"][0]; }
    nlohmann::json& document() { return document_; }
    /// Further records of the archive, by name.
    std::map<std::string, std::string> records;

    /// Names this file as the model.
    void nameModel(const std::string& path, std::uint64_t size, const std::string& hash);

    void setSummary(std::string summary) { summary_ = std::move(summary); }

    QString writeTo(const Scratch& scratch, const char* name) const;

private:
    nlohmann::json document_;
    std::string summary_;
};

/// `archive` after `head`: one file that is both.
QByteArray appended(const QByteArray& head, QByteArray archive);

/// `archive` with a comment at its end that makes it `size` bytes long.
QByteArray padded(QByteArray archive, qsizetype size);

}  // namespace aotscope::test
