#include "session/remote/message_fields.h"

namespace aotscope::session_format {

SketchedNumber sketchedNumber(const Argument& element) {
    SketchedNumber number;
    if (const auto* integer = element.integer()) number.integer = *integer;
    else if (const auto* truth = std::get_if<bool>(&element.value)) number.truth = *truth;
    else if (const auto* real = std::get_if<double>(&element.value)) number.real = *real;
    else if (const auto* complex = std::get_if<std::complex<double>>(&element.value)) {
        number.isComplex = true;
        number.real = complex->real(), number.imaginary = complex->imag();
    }
    return number;
}

Argument elementFrom(const SketchedNumber& number) {
    if (number.integer) return *number.integer;
    if (number.truth) return *number.truth;
    if (number.isComplex) return std::complex<double>(number.real, number.imaginary);
    return number.real;
}

}  // namespace aotscope::session_format
