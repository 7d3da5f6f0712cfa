#include "support/file.h"

#include "support/error.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <unistd.h>

namespace aotscope {

namespace fs = std::filesystem;

void writeFileAtomically(const fs::path& path, std::string_view content) {
    const fs::path temporary = path.string() + ".tmp-" + std::to_string(::getpid());
    errno = 0;
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    out.close();
    if (!out) {
        const std::string reason = errno ? std::strerror(errno) : "write error";
        std::error_code ignored;
        fs::remove(temporary, ignored);
        throw Error("cannot write '" + path.string() + "': " + reason + "; choose another folder or free some space");
    }
    std::error_code failure;
    fs::rename(temporary, path, failure);
    if (failure) {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        throw Error("cannot write '" + path.string() + "': " + failure.message() + "; choose another folder");
    }
}

std::string readFile(const fs::path& path, std::uintmax_t limit) {
    std::error_code failure;
    if (!fs::exists(path, failure)) throw Error("cannot read '" + path.string() + "': no such file; check the path");
    if (fs::is_directory(path, failure))
        throw Error("cannot read '" + path.string() + "': it is a folder, a file is expected");
    const auto size = fs::file_size(path, failure);
    if (!failure && size > limit)
        throw Error("cannot read '" + path.string() + "': " + std::to_string(size) + " bytes, at most " +
                    std::to_string(limit) + " are expected");
    std::ifstream in(path, std::ios::binary);
    std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (!in.good() && !in.eof()) throw Error("cannot read '" + path.string() + "': read error; check its permissions");
    return content;
}

}  // namespace aotscope
