#pragma once

#include "partition/joint_facts.h"
#include "record/options/partition_options.h"

#include <optional>
#include <vector>

namespace aotscope {

/// What activation checkpointing, the user's policies, collectives and effects request for the values of a joint graph,
/// by node number. Sources: cleanup_recompute_tags, force_save_collectives, force_save_effectful_ops and
/// force_save_bw_mutation_src in torch/_functorch/partitioners.py (PyTorch 2.13).
class RecomputeTags {
public:
    /// `options` must be a result of withOverrides; overrides take precedence over tags. Throws Error for a policy that
    /// is invalid or matches no operation.
    RecomputeTags(const JointFacts& facts, const PartitionOptions& options);

    /// PyTorch does not distinguish the two policies that recompute.
    bool mustRecompute(int i) const;
    /// The reason; nothing without one.
    const std::optional<BanReason>& mustSave(int i) const { return tag(i).saved; }

private:
    struct Tag : CheckpointTag {
        std::optional<BanReason> saved;
    };
    const Tag& tag(int i) const { return tags_[static_cast<std::size_t>(i)]; }
    Tag& tag(int i) { return tags_[static_cast<std::size_t>(i)]; }
    void save(int i, BanReason reason);
    bool isTaggable(int i) const;
    void readTags();
    void apply(const std::vector<std::string>& policies);
    std::int32_t numberRegions();
    void dropWhatCannotBeRepeated();
    void saveBetweenRegions();
    void saveCollectivesAndEffects();
    void saveSourcesOfMutation();

    const JointFacts& facts_;
    std::vector<Tag> tags_;
};

}  // namespace aotscope
