#pragma once

namespace aotscope {

/// Disables TF32 in cuDNN while it exists: by default, convolutions and recurrent layers in float32 use it on a GPU,
/// with an error of 1e-4, and only where a layer runs as one cuDNN kernel. Affects all threads.
class FullPrecision {
public:
    FullPrecision();
    ~FullPrecision();
    FullPrecision(const FullPrecision&) = delete;
    FullPrecision& operator=(const FullPrecision&) = delete;
};

}  // namespace aotscope
