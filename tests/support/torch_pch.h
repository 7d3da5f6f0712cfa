// Precompiled header of tests that use tensors.
#pragma once

#include "../../core/torch_pch.h"

#include <QtTest>
