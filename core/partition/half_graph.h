#pragma once

#include "partition/joint_facts.h"

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// A value of the joint graph that a half takes as an input.
struct HalfInput {
    int node;
    Role role;
};

/// The part of a joint graph that computes some of its values from others, and in which order.
struct Part {
    std::vector<bool> given, needed;  ///< by node
    std::vector<int> order;           ///< of the nodes between inputs and outputs
    bool has(int i) const { return needed[i] && !given[i]; }
};

/// A random operation that both halves run, and the RNG state for it: no value of the joint graph, so that its id and
/// its storage are none of that graph's.
struct RepeatedDraw {
    int node;
    NodeId state;
    std::int64_t storage;
};

/// What a half consists of. Inputs, outputs and slots are without the states of repeated draws.
struct Half {
    Stage stage = Stage::forward;
    std::vector<HalfInput> inputs;
    Part part;
    std::vector<Argument> outputs;
    std::vector<OutputSlot> slots;
};

/// Builds the forward or the backward. Of each of `draws`, the forward also returns the RNG state before it, after the
/// saved tensors, and the backward takes that, before the tangents, and draws the same numbers again.
std::unique_ptr<Graph> buildHalf(const JointFacts& facts, Half half, const std::vector<RepeatedDraw>& draws);

/// "rng_state_of_native_dropout".
std::string nameOfState(const JointFacts& facts, const RepeatedDraw& draw);
TensorType typeOfState(const JointFacts& facts, const RepeatedDraw& draw);

}  // namespace aotscope
