#pragma once

#include "canvas/theme.h"

#include <array>
#include <cmath>
#include <vector>

namespace aotscope::test {

/// An observer of a colour: converts linear RGB to the view with one kind of cone missing (Machado et al., 2009).
struct Eye {
    const char* name;
    std::array<double, 9> seen;
};

inline const std::vector<Eye>& eyes() {
    static const std::vector<Eye> all{
        {"all cones", {1, 0, 0, 0, 1, 0, 0, 0, 1}},
        {"protanopia", {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998}},
        {"deuteranopia", {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881}},
        {"tritanopia", {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}}};
    return all;
}

using Triple = std::array<double, 3>;

inline Triple times(const std::array<double, 9>& m, const Triple& v) {
    Triple result{};
    for (std::size_t row = 0; row < 3; ++row)
        result[row] = m[3 * row] * v[0] + m[3 * row + 1] * v[1] + m[3 * row + 2] * v[2];
    return result;
}

/// CIE L*a*b* for the white of sRGB.
inline Triple labOf(const QColor& colour, const Eye& eye) {
    const auto linear = [](double x) { return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); };
    Triple rgb = times(eye.seen, {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())});
    for (double& part : rgb) part = std::clamp(part, 0.0, 1.0);
    const Triple xyz = times({0.43395, 0.37622, 0.18983, 0.21267, 0.71515, 0.07218, 0.01776, 0.10947, 0.87277}, rgb);
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    return {116 * f(xyz[1]) - 16, 500 * (f(xyz[0]) - f(xyz[1])), 200 * (f(xyz[1]) - f(xyz[2]))};
}

/// CIEDE2000: 1 is just noticed side by side, 5 and more at a glance.
inline double differenceOf(const QColor& one, const QColor& other, const Eye& eye) {
    const Triple lab1 = labOf(one, eye), lab2 = labOf(other, eye);
    constexpr double degrees = 180 / 3.14159265358979323846;
    const auto share = [](double chroma) {
        return std::sqrt(std::pow(chroma, 7) / (std::pow(chroma, 7) + std::pow(25.0, 7)));
    };
    const double g = 0.5 * (1 - share((std::hypot(lab1[1], lab1[2]) + std::hypot(lab2[1], lab2[2])) / 2));
    const double a1 = (1 + g) * lab1[1], a2 = (1 + g) * lab2[1];
    const double c1 = std::hypot(a1, lab1[2]), c2 = std::hypot(a2, lab2[2]), c = (c1 + c2) / 2;
    const auto hueOf = [&](double a, double b) {
        const double hue = std::atan2(b, a) * degrees;
        return hue < 0 ? hue + 360 : hue;
    };
    const double h1 = hueOf(a1, lab1[2]), h2 = hueOf(a2, lab2[2]);
    const bool grey = c1 * c2 == 0, far = std::abs(h1 - h2) > 180;
    double dh = grey ? 0 : h2 - h1;
    if (far && !grey) dh += h2 > h1 ? -360 : 360;
    double h = grey ? h1 + h2 : (h1 + h2) / 2;
    if (far && !grey) h += h1 + h2 < 360 ? 180 : -180;
    const auto cosine = [&](double angle) { return std::cos(angle / degrees); };
    const double dL = lab2[0] - lab1[0], dC = c2 - c1, dH = 2 * std::sqrt(c1 * c2) * std::sin(dh / 2 / degrees);
    const double l = (lab1[0] + lab2[0]) / 2 - 50;
    const double t =
        1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6) - 0.20 * cosine(4 * h - 63);
    const double turn = -std::sin(2 * 30 * std::exp(-std::pow((h - 275) / 25, 2)) / degrees) * 2 * share(c);
    const double byL = dL / (1 + 0.015 * l * l / std::sqrt(20 + l * l)), byC = dC / (1 + 0.045 * c),
                 byH = dH / (1 + 0.015 * c * t);
    return std::sqrt(byL * byL + byC * byC + byH * byH + turn * byC * byH);
}

/// On light and on dark, with the usual palette and with the one for colour-blind people.
inline std::vector<Theme> everyTheme() {
    return {Theme::of({false, false}), Theme::of({true, false}), Theme::of({false, true}), Theme::of({true, true})};
}

}  // namespace aotscope::test
