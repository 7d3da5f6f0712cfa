#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aotscope {

/// A summary of a value in a run, copied from it. Complex elements are represented by their absolute values.
struct ValueFacts {
    std::string type;                 ///< "f32[8, 512]", "int", ...
    std::vector<std::int64_t> sizes;  ///< for a tensor
    bool tensor = false, complex = false;
    std::int64_t elements = 0, nans = 0, infs = 0, zeros = 0;
    /// Statistics of the finite elements, as doubles; sample standard deviation, as in torch.std. NaN if no element is
    /// finite.
    double min = 0, max = 0, mean = 0, deviation = 0, absMax = 0;
    std::vector<std::int64_t> histogram;  ///< of the finite elements: equal bins from min to max
    std::vector<double> first;            ///< up to 64 elements in row-major order

    bool finite() const { return nans + infs < elements; }  ///< whether any element is
};

/// The last two dimensions of a tensor: row-major, averaged down to at most 256 x 256 cells; NaN if a cell contains
/// one.
struct ValueImage {
    std::int64_t rows = 0, columns = 0;
    std::vector<double> cells;
};

/// "f32[2, 3]: 6 elements from -1 to 2, mean 0.5, deviation 1, 1 NaN": one line.
std::string describe(const ValueFacts& facts);

/// A number for display: six digits, "nan", "-inf".
std::string numberText(double number);

}  // namespace aotscope
