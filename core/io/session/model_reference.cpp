#include "io/session/model_reference.h"

#include "load/sample_texts.h"
#include "record/model_kind.h"
#include "support/error.h"
#include "support/mapped_file.h"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace aotscope {

FileStamp fileStamp(const std::string& file) {
    std::error_code failure;
    const auto time = std::filesystem::last_write_time(file, failure);
    return failure ? FileStamp() : FileStamp(time);
}

std::string modelHash(const std::string& model) {
    boost::uuids::name_generator_sha1 generate(boost::uuids::ns::oid());
    if (isScript(model)) return to_string(generate(model));
    if (!isSample(model)) {
        const MappedFileWatch watch;
        const auto file = MappedFile::open(model);
        const auto hash = generate(file->data(), file->size());
        watch.requireWhole();
        return to_string(hash);
    }
    std::string texts;
    for (const auto& [file, text] : sampleTexts()) texts += text;
    return to_string(generate(texts));
}

void embedModel(SessionContent& content) {
    const ModelReference& model = content.model;
    if (!content.embeddedModel.empty()) return;  // the session that was opened has it
    if (model.path.empty())
        throw UsageError("'" + content.options.model +
                         "' is not a file that could be put into the session; save without it");
    if (model.hash.empty() || modelHash(model.path.string()) != model.hash)
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
