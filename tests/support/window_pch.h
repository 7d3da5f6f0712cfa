// Precompiled header of tests of the window and of what it is made of.
#pragma once

#include "../../views/qt_pch.h"

#include <QtTest>
