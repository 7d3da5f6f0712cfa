#pragma once

namespace aotscope::test {

/// Built with the address sanitizer, which reserves terabytes of address space and locks its own allocator.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

}  // namespace aotscope::test
