#include "support/deflate.h"

#include "support/error.h"

#include <boost/beast/zlib/deflate_stream.hpp>
#include <boost/beast/zlib/inflate_stream.hpp>

namespace aotscope {

namespace zlib = boost::beast::zlib;

std::string deflated(std::string_view content) {
    zlib::deflate_stream stream;
    std::string packed(stream.upper_bound(content.size()), '\0');
    zlib::z_params z;
    z.next_in = content.data();
    z.avail_in = content.size();
    z.next_out = packed.data();
    z.avail_out = packed.size();
    boost::system::error_code end;
    stream.write(z, zlib::Flush::finish, end);
    check(end == zlib::error::end_of_stream, "the bound of a deflated text holds");
    packed.resize(packed.size() - z.avail_out);
    return packed;
}

std::optional<std::string> inflated(std::string_view packed, std::size_t size) {
    zlib::inflate_stream stream;
    std::string content(size + 1, '\0');  // one more than expected shows that there are more
    zlib::z_params z;
    z.next_in = packed.data();
    z.avail_in = packed.size();
    z.next_out = content.data();
    z.avail_out = content.size();
    boost::system::error_code end;
    stream.write(z, zlib::Flush::finish, end);
    if (end != zlib::error::end_of_stream || z.avail_in != 0 || z.avail_out != 1) return std::nullopt;
    content.resize(size);
    return content;
}

}  // namespace aotscope
