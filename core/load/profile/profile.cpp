#include "load/profile/profile.h"

namespace aotscope {

double Profile::kernelMs() const {
    double us = 0;
    if (onGpu())
        for (const GpuActivity& activity : activities) us += activity.us;
    else
        for (const CpuOperation& operation : operations) us += operation.selfUs;
    return us / 1000;
}

}  // namespace aotscope
