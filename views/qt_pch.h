// Precompiled header of everything that uses Qt, including tests: slow headers, parsed once. None of our own: a cached
// precompiled header remembers their times, and would not recognize them again.
#pragma once

#include <QtConcurrent>
#include <QtWidgets>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>
