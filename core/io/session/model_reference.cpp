#include "io/session/model_reference.h"

#include "load/sample_texts.h"
#include "record/model_kind.h"
#include "support/error.h"

#include <boost/uuid/detail/sha1.hpp>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace aotscope {

FileStamp fileStamp(const std::string& file) {
    std::error_code failure;
    const auto time = std::filesystem::last_write_time(file, failure);
    return failure ? FileStamp() : FileStamp(time);
}

namespace {

/// Equals name_generator_sha1 of the file's bytes, without reading all of them into memory.
std::string fileHash(const OpenFile& file) {
    const boost::uuids::uuid space = boost::uuids::ns::oid();
    boost::uuids::detail::sha1 sha;
    sha.process_bytes(&*space.begin(), space.size());
    file.readAll([&](std::string_view bytes) { sha.process_bytes(bytes.data(), bytes.size()); });
    boost::uuids::detail::sha1::digest_type digest;
    sha.get_digest(digest);
    boost::uuids::uuid hash;
    constexpr std::size_t part = sizeof digest[0];  // bytes or, in older versions of Boost, words
    for (std::size_t i = 0; i < hash.size(); ++i)
        *(hash.begin() + i) = static_cast<std::uint8_t>(digest[i / part] >> (8 * (part - 1 - i % part)));
    *(hash.begin() + 8) = static_cast<std::uint8_t>((*(hash.begin() + 8) & 0x3F) | 0x80);  // RFC 4122
    *(hash.begin() + 6) = static_cast<std::uint8_t>((*(hash.begin() + 6) & 0x0F) | 0x50);  // version 5
    return to_string(hash);
}

}  // namespace

std::string modelHash(const std::string& model, const FileAccess& models, const Progress& progress) {
    boost::uuids::name_generator_sha1 generate(boost::uuids::ns::oid());
    if (isScript(model)) return to_string(generate(model));
    if (!isSample(model)) return fileHash(*models.open(model, progress));
    std::string texts;
    for (const auto& [file, text] : sampleTexts()) texts += text;
    return to_string(generate(texts));
}

void embedModel(SessionContent& content, const FileAccess& models, const Progress& progress) {
    const ModelReference& model = content.model;
    if (!content.embeddedModel.empty()) return;  // the opened session has it
    if (model.path.empty())
        throw UsageError("'" + content.options.model +
                         "' is not a file that could be put into the session; save without it");
    if (model.hash.empty() || modelHash(model.path.string(), models, progress) != model.hash)
        throw Error("the model '" + model.path.string() +
                    "' is not the one that the session was made from: its content has changed; open it again");
    content.embeddedModel = model.path;
}

ModelReference CachedReference::get(const std::string& model, const FileStamp& stamp) const {
    const std::scoped_lock lock(mutex_);
    if (known_) return *known_;
    ModelReference reference;
    if (!namesFile(model)) {
        reference.hash = modelHash(model);
    } else if (std::error_code failure; std::filesystem::is_regular_file(model, failure)) {
        reference.path = std::filesystem::absolute(model);
        reference.size = std::filesystem::file_size(model, failure);
        if (fileStamp(model) == stamp) reference.hash = modelHash(model);
    }
    known_ = reference;
    return reference;
}

}  // namespace aotscope
