// Precompiled header of tests that see neither LibTorch nor widgets.
#pragma once

#include <QtTest>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>
