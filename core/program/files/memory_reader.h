#pragma once

#include "support/mapped_file.h"

#include <caffe2/serialize/read_adapter_interface.h>

namespace aotscope {

/// Bytes in memory for LibTorch's archive reader, so that it reads what was checked instead of opening the file again
/// by name.
class MemoryReader final : public caffe2::serialize::ReadAdapterInterface {
public:
    explicit MemoryReader(std::string_view content) : content_(content) {}
    explicit MemoryReader(std::shared_ptr<const MappedFile> file) : file_(std::move(file)), content_(file_->text()) {}

    size_t size() const override { return content_.size(); }
    size_t read(uint64_t position, void* buffer, size_t count, const char* /*what*/) const override {
        if (position >= content_.size()) return 0;
        return content_.copy(static_cast<char*>(buffer), count, position);
    }

private:
    std::shared_ptr<const MappedFile> file_;  ///< null if the bytes are owned elsewhere
    std::string_view content_;
};

}  // namespace aotscope
