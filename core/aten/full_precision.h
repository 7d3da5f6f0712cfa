#pragma once

namespace aotscope {

/// While it exists, cuDNN multiplies float32 in full: by default its convolutions and recurrent layers use TF32 on a
/// GPU, with an error of 1e-4, and only where a layer runs as one kernel of cuDNN's. Holds for all threads.
class FullPrecision {
public:
    FullPrecision();
    ~FullPrecision();
    FullPrecision(const FullPrecision&) = delete;
    FullPrecision& operator=(const FullPrecision&) = delete;
};

}  // namespace aotscope
