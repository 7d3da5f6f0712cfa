// Nothing: a precompiled header is made for a target that has a source.
