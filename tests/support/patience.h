#pragma once

namespace aotscope::test {

/// How long a test waits for what comes sooner or later, in milliseconds: more than any busy machine takes. How soon it
/// comes is a matter for tests/bench.
constexpr int kPatience = 600'000;

}  // namespace aotscope::test
