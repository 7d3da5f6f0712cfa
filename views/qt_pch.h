// Precompiled header of everything that uses Qt, tests included: slow headers, parsed once.
#pragma once

#include <QtConcurrent>
#include <QtWidgets>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/report.h"
#include "passes/record.h"
