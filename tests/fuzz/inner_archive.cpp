#include "fuzz/inner_archive.h"

#include <caffe2/serialize/inline_container.h>

namespace aotscope::fuzz {

std::string archiveOf(const std::map<std::string, std::string_view>& records) {
    std::string packed;
    caffe2::serialize::PyTorchStreamWriter writer([&packed](const void* data, std::size_t size) {
        packed.append(static_cast<const char*>(data), size);
        return size;
    });
    for (const auto& [name, content] : records) writer.writeRecord(name, content.data(), content.size());
    writer.writeEndOfFile();
    return packed;
}

}  // namespace aotscope::fuzz
