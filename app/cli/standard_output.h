#pragma once

#include <array>
#include <streambuf>
#include <string_view>

namespace aotscope {

/// Takes the place of std::cout's buffer, so that what cannot be written is an error: Error, thrown from where it is
/// written, instead of a silent end. When whoever reads has gone, as "| head -1" does, the program ends quietly by
/// SIGPIPE, as others do.
///
/// Standard descriptors that are closed are given to nobody else: a file that is opened would get their number and what
/// is printed.
class StandardOutput final : private std::streambuf {
public:
    StandardOutput();
    StandardOutput(const StandardOutput&) = delete;
    StandardOutput& operator=(const StandardOutput&) = delete;
    ~StandardOutput() override;

private:
    int_type overflow(int_type character) override;
    int sync() override;
    void empty();
    void write(std::string_view text);

    std::array<char, 1 << 14> bytes_{};
    std::streambuf* previous_;
};

}  // namespace aotscope
