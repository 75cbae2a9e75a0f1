// Recipe of a corpus: which bodies, which poses, which ground truth, and what is kept for validation and tests. Format:
// docs/formats/corpus.md.
#ifndef SINEW_OFFLINE_CORPUS_RECIPE_H_
#define SINEW_OFFLINE_CORPUS_RECIPE_H_

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/dataset/split_frames.h"

namespace sinew::corpus {

using dataset::Side;

// Returns the side of this name ("train", "validation", "test"); none for another name.
std::optional<Side> SideNamed(std::string_view name);

// Group of bodies that are made in one way.
struct BodyGroup {
  std::string name;
  // Source of the bodies; exactly one of the three is not empty.
  std::string embedded;             // kind of embedded character; every body has a random shape of its own
  std::filesystem::path files;      // folder of .glb files, one body each
  std::vector<std::string> mix_of;  // groups of one topology; every body is a random mix of their training bodies

  int count = 0;         // number of bodies; with `files`, 0 means all of them
  int vertices = 8000;   // number of vertices of embedded bodies
  std::string family;    // generator of the bodies
  std::string topology;  // bodies of one topology have the same triangles
  // Beginning of the identities of `files`: an identity is this and the number at the end of the file's name, so that a
  // body and its dressed copy in another folder are the same. Empty: the file's name without extension.
  std::string identity;
  std::optional<Side> side;                   // side of all bodies of the group; none: as SplitRecipe says
  std::array<double, 2> bone_scale = {1, 1};  // range of the factors on the lengths of bones; {1, 1}: none
  double dressed = 0;                         // share of the bodies that wear a dress recipe (DressRecipes)
  // Garments to put on, .glb files or folders of them, and the share of the bodies that wear one; those wear no dress
  // recipe.
  std::vector<std::filesystem::path> garments;
  double garment_share = 1;
  std::array<int, 2> remesh = {0, 0};  // range of the number of points after remeshing; {0, 0}: none
};

struct PoseRecipe {
  int wide = 60;                // number of samples per body that fill the joint limits evenly
  int human = 30;               // number of samples per body as people take them
  int rare = 10;                // number of samples per body as people rarely take them
  double rare_spread = 2;       // SampleOptions::human_spread of the rare ones
  bool clear = true;            // whether limbs are moved out of the body
  std::filesystem::path clips;  // folder of .bvh files; empty: no clips
  int clip_frames = 0;          // number of frames per body from training clips
  int unseen_clip_frames = 0;   // number of frames per body from validation clips, and from test clips
  double clip_distance = 15;    // least distance of two frames of a clip, degrees (poses::PoseMetric)
  int whole_clips = 0;          // number of test clips that every test body plays from beginning to end
  double whole_clip_rate = 10;  // frames per second of those
  // Person of a clip by its file's name without extension. Clips that are not listed: the part before the first '_'.
  std::map<std::string, std::string> people;
};

struct TruthRecipe {
  bool simulated = true;          // false: by formula (dataset/procedural.h)
  std::string quality = "quick";  // of the simulation
  int tets = 0;                   // number of tetrahedra of the simulation; 0: as the quality says
  double tolerance = 0;           // flesh::FleshSettings::tolerance; 0: as the quality says
};

struct SplitRecipe {
  double validation = 0.1, test = 0.1;                      // shares of each family's identities
  std::vector<std::string> test_families;                   // families all of whose bodies are test bodies
  std::vector<std::string> validation_people, test_people;  // people whose clips are not trained on
  // Number of dress recipes per side; no recipe is on two of them.
  int train_dresses = 80, validation_dresses = 8, test_dresses = 16;
};

struct Recipe {
  std::string name;
  uint64_t seed = 1;
  // Embedded kind whose joints every body must have, by name and in their order; empty: any joints.
  std::string skeleton = "biped";
  std::vector<BodyGroup> bodies;
  PoseRecipe poses;
  TruthRecipe truth;
  SplitRecipe splits;
  std::string text;  // of the file

  const BodyGroup& Group(std::string_view name) const;
  // Seed of something that the recipe makes, which does not change when other things come or go. 48 bits, so that every
  // JSON reader keeps them.
  uint64_t SeedOf(std::string_view name) const;
};

// Parses a recipe. file: its path, for messages, and because folders in it are relative to that of the file. Throws
// InputError with the line number; for an unknown key also with the nearest known one.
Recipe ParseRecipe(std::string_view text, const std::filesystem::path& file);
Recipe ReadRecipe(const std::filesystem::path& file);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_RECIPE_H_
