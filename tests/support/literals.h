// u"text"_s is a QString, "text"_L1 a QLatin1StringView, made when the test is compiled.
#pragma once

#include <QString>

namespace aotscope::test {

using Qt::StringLiterals::operator""_L1;
using Qt::StringLiterals::operator""_s;

}  // namespace aotscope::test
