#pragma once

#include "partition/joint_facts.h"

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// A value of the joint graph that is an input of the forward or backward.
struct HalfInput {
    int node;
    Role role;
};

/// The part of a joint graph that computes some of its values from others, and its order.
struct Part {
    std::vector<bool> given, needed;  ///< by node
    std::vector<int> order;           ///< of the nodes between inputs and outputs
    bool has(int i) const { return needed[i] && !given[i]; }
};

/// A random operation that runs in both graphs, and its RNG state, which is not a value of the joint graph: its id and
/// storage are new.
struct RepeatedDraw {
    int node;
    NodeId state;
    std::int64_t storage;
};

/// The contents of a forward or backward. Inputs, outputs and slots exclude the RNG states of repeated draws.
struct Half {
    Stage stage = Stage::forward;
    std::vector<HalfInput> inputs;
    Part part;
    std::vector<Argument> outputs;
    std::vector<OutputSlot> slots;
};

/// Builds the forward or the backward. For each of `draws`, the forward also returns the RNG state before it, after the
/// saved tensors; the backward takes it, before the tangents, and draws the same numbers again.
std::unique_ptr<Graph> buildHalf(const JointFacts& facts, Half half, const std::vector<RepeatedDraw>& draws);

/// "rng_state_of_native_dropout".
std::string nameOfState(const JointFacts& facts, const RepeatedDraw& draw);
TensorType typeOfState(const JointFacts& facts, const RepeatedDraw& draw);

}  // namespace aotscope
