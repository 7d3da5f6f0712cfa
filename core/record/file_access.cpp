#include "record/file_access.h"

namespace aotscope {

void OpenFile::readAll(const ByteSink& sink) const {
    std::string piece(std::size_t{4} << 20, '\0');
    std::uint64_t at = 0;
    while (const std::size_t got = readAt(at, piece.data(), piece.size())) {
        sink({piece.data(), got});
        at += got;
    }
}

}  // namespace aotscope
