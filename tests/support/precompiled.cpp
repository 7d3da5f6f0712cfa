// Empty: CMake makes precompiled headers only for targets with sources.
