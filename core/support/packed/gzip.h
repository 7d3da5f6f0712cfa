#pragma once

#include <memory>
#include <string_view>

namespace aotscope {

/// Whether a file that begins so is compressed by gzip (RFC 1952).
bool looksLikeGzip(std::string_view beginning);

/// Unpacks a file of gzip piece by piece, in little memory; checks sums and sizes. `file` must outlive it.
class GzipStream {
public:
    explicit GzipStream(std::string_view file);
    GzipStream(const GzipStream&) = delete;
    GzipStream& operator=(const GzipStream&) = delete;
    ~GzipStream();

    /// The next bytes, valid until the next call; empty at the end. Throws Error, a clause, if the file is damaged or
    /// ends too early.
    std::string_view next();

private:
    struct Member;
    void begin();
    void finish();

    std::string_view rest_;
    std::unique_ptr<Member> member_;  ///< null between members
};

}  // namespace aotscope
