// Precompiled header of tests of the window and its parts.
#pragma once

#include "../../views/qt_pch.h"

#include <QtTest>
