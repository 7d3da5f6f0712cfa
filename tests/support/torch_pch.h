// Precompiled header of tests that look at tensors.
#pragma once

#include "../../core/torch_pch.h"

#include <QtTest>
