#pragma once

namespace aotscope::test {

/// How long a test waits for an event, in milliseconds: more than any busy machine takes. Speed is measured by
/// tests/bench.
constexpr int kPatience = 600'000;

}  // namespace aotscope::test
