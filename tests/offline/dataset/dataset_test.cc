#include "sinew/offline/dataset/dataset.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/parallel.h"
#include "tests/support/datasets.h"
#include "tests/support/full_disk.h"
#include "tests/support/temporary_folder.h"

namespace sinew::dataset {
namespace {

namespace fs = std::filesystem;
using testing::FilesBelow;
using testing::TemporaryFolder;
using testing::WriteNumberedDataset;

class DatasetTest : public ::testing::Test {
 protected:
  const StoredCharacter stored_ = testing::StoredTestCharacter();
  const PoseSequence sequence_ = testing::TestSequence(stored_.character.skeleton, 5);
  const TemporaryFolder folder_;
  const fs::path path_ = folder_ / "a.dataset";

  void Write(const fs::path& path, FrameRange range = {0, 15}) {
    WriteNumberedDataset(path, stored_, sequence_, range);
  }
};

bool SamePose(const Pose& a, const Pose& b) {
  if (a.size() != b.size()) return false;
  for (size_t j = 0; j < a.size(); ++j) {
    if (ToEigen(a[j].rotation).coeffs() != ToEigen(b[j].rotation).coeffs()) return false;
    if (ToEigen(a[j].translation) != ToEigen(b[j].translation) || ToEigen(a[j].scale) != ToEigen(b[j].scale))
      return false;
  }
  return true;
}

TEST_F(DatasetTest, ComesBackBitForBit) {
  Write(path_);
  EXPECT_TRUE(IsDataset(path_));
  const Dataset dataset(path_);
  ASSERT_EQ(dataset.frame_count(), 15);
  EXPECT_EQ(dataset.manifest().motions.size(), 3u);
  EXPECT_TRUE(dataset.manifest().motions[0].timed);
  EXPECT_FALSE(dataset.manifest().motions[2].timed);
  EXPECT_EQ(dataset.manifest().chunks.size(), 4u);
  EXPECT_EQ(dataset.ReadCharacter(0).vertex_count(), stored_.entry.vertices);
  for (int i = 0; i < 15; ++i) {
    const FrameTruth truth = testing::NumberedTruth(stored_, i);
    EXPECT_EQ(dataset.frame(i).index, i);
    EXPECT_EQ(dataset.frame(i).motion, i / 5);
    EXPECT_EQ(dataset.frame(i).motion_frame, i % 5);
    EXPECT_EQ(dataset.frame(i).failure, truth.failure);
    EXPECT_TRUE(SamePose(dataset.pose(i), sequence_.poses[i]));
    EXPECT_EQ(dataset.Array(i, "steps").ToDoubles(), truth.arrays.at("steps").ToDoubles());
    if (truth.failure.empty()) {
      EXPECT_EQ(dataset.Shape(i), truth.shape);
      EXPECT_EQ(dataset.frame(i).hash, HashFrame(sequence_.poses[i], truth.shape));
    } else {
      EXPECT_TRUE(dataset.Shape(i).array().isNaN().all());
    }
  }
  EXPECT_EQ(dataset.OkFrames().size(), 13u);
  EXPECT_TRUE(FindDamage(dataset).empty());
}

TEST_F(DatasetTest, HasTheSameBytesWhateverTheNumberOfThreads) {
  SetThreads(1);
  Write(folder_ / "one");
  SetThreads(5);
  Write(folder_ / "five");
  SetThreads(0);
  EXPECT_EQ(FilesBelow(folder_ / "one"), FilesBelow(folder_ / "five"));
}

// Ends at frame `last`, as a kill would: by then some chunks are written, others are not. With several threads, frames
// that others have begun may keep any chunk from being finished.
TEST_F(DatasetTest, GoesOnWhereItEnded) {
  Write(folder_ / "whole");
  for (const int threads : {1, 5}) {
    SetThreads(threads);
    for (const int last : {0, 3, 6, 14}) {
      const fs::path path = folder_ / fmt::format("{} {}", threads, last);
      DatasetManifest start = StartManifest(stored_, sequence_, {{"maker", "test"}});
      start.chunk_frames = 4;
      {
        DatasetWriter writer(path, start, {{stored_.entry.file, stored_.file}});
        EXPECT_THROW(MakeFrames(writer, sequence_, {0, 15}, {.label = "test"},
                                [&](int i) {
                                  if (i == last) throw FailedError("ended");
                                  return testing::NumberedTruth(stored_, i);
                                }),
                     FailedError);
      }
      DatasetWriter writer(path);
      const auto kept = static_cast<int>(writer.manifest().frames.size());
      if (threads == 1) {
        EXPECT_EQ(kept, last / 4 * 4);
      }
      std::atomic<int> made = 0;
      MakeFrames(writer, sequence_, {0, 15}, {.label = "test"}, [&](int i) {
        ++made;
        return testing::NumberedTruth(stored_, i);
      });
      EXPECT_EQ(made, 15 - kept);
      EXPECT_EQ(FilesBelow(folder_ / "whole"), FilesBelow(path));
    }
  }
  SetThreads(0);
}

TEST_F(DatasetTest, AFullDiskLosesNothingThatWasThere) {
  Write(path_, {0, 8});
  const auto before = FilesBelow(path_);
  {
    const testing::FullDisk disk(5000);
    DatasetWriter writer(path_);
    EXPECT_THROW(MakeFrames(writer, sequence_, {0, 15}, {.label = "test"},
                            [&](int i) { return testing::NumberedTruth(stored_, i); }),
                 FailedError);
  }
  EXPECT_EQ(Dataset(path_).frame_count(), 8);
  EXPECT_EQ(FilesBelow(path_).at("dataset.json"), before.at("dataset.json"));
  EXPECT_TRUE(FindDamage(Dataset(path_)).empty());
}

TEST_F(DatasetTest, RefusesAFrameTwice) {
  Write(path_, {0, 8});
  DatasetWriter writer(path_);
  ChunkData chunk;
  chunk.frames = {sequence_.frames[5]};
  chunk.poses = {sequence_.poses[5]};
  chunk.arrays["shape"] =
      StackRows({MakeNpy(std::vector<float>(3 * stored_.entry.vertices), {stored_.entry.vertices, 3})});
  EXPECT_THROW(writer.Write(chunk), UsageError);
  chunk.frames = {sequence_.frames[8]};
  writer.Write(chunk);
  EXPECT_EQ(Dataset(path_).frame_count(), 9);
}

TEST_F(DatasetTest, HasOneWriterAtATime) {
  Write(path_, {0, 8});
  {
    const DatasetWriter writer(path_);
    EXPECT_THROW(DatasetWriter(path_).manifest(), FailedError);
    EXPECT_EQ(Dataset(path_).frame_count(), 8);
  }
  EXPECT_EQ(DatasetWriter(path_).manifest().frames.size(), 8u);
}

std::string Message(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(DatasetTest, SaysWhatIsWrongWithTheManifest) {
  Write(path_);
  const std::string text = ReadTextFile(path_ / "dataset.json");
  const auto has = [&](const std::function<void(Json&)>& spoil, const std::string& part) {
    Json json = ParseJson(text, "x");
    spoil(json);
    const std::string message = Message([&] { ParseDatasetManifest(json.dump(), "x"); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  has([](Json&) {}, "no error");
  has([](Json& j) { j["format"] = "other"; }, "is not a dataset's manifest");
  has([](Json& j) { j["version"] = 2; }, "\"version\" is not a whole number from 1 to 1");
  has([](Json& j) { j["metres_per_unit"] = 0; }, "\"metres_per_unit\" is not above 0");
  has([](Json& j) { j["settings"] = 3; }, "\"settings\" is not an object");
  has([](Json& j) { j["characters"][0]["file"] = "../x.glb"; }, "characters 0: \"file\" is not a plain path");
  has([](Json& j) { j["characters"][0]["file"] = "/x.glb"; }, "characters 0: \"file\" is not a plain path");
  has([](Json& j) { j["characters"][0]["file"] = "a/.b"; }, "characters 0: \"file\" is not a plain path");
  has([](Json& j) { j["characters"][0]["hash"] = "12"; }, "characters 0: \"hash\" is not 32");
  has([](Json& j) { j["characters"].clear(); }, "chunks 0: \"character\" is not a whole number from 0 to -1");
  has([](Json& j) { j["chunks"][1]["poses"] = 1; }, "chunks 1: \"poses\" is not a whole number from 0 to 0");
  has([](Json& j) { j["chunks"][1]["frames"].clear(); }, "chunks 1: holds 0 frames where there may be 1 to 4");
  has([](Json& j) { j["chunks"][1]["arrays"].erase("shape"); }, "chunks 1: has no array \"shape\"");
  has([](Json& j) { j["chunks"][1]["frames"][0]["index"] = 99; }, "frame 4: \"index\" is not a whole number");
  has([](Json& j) { j["chunks"][1]["frames"][0]["index"] = 3; }, "frame 4: is there twice, or not in its order");
  has([](Json& j) { j["chunks"][1]["frames"][1]["failed"] = ""; }, "frame 5: \"failed\" gives no reason");
  has([](Json& j) { j["chunks"][1]["frames"][1]["motion"] = 3; }, "frame 5: \"motion\" is not a whole number");
  for (size_t size = 0; size + 2 < text.size(); size += 37) {
    EXPECT_THROW(ParseDatasetManifest(text.substr(0, size), "x"), InputError) << size;
  }
  EXPECT_EQ(FormatDatasetManifest(ParseDatasetManifest(text, "x")), text);
}

// Every file, cut short, longer, or changed in one byte: the sentence names it, and nothing else happens.
TEST_F(DatasetTest, FindsEveryKindOfDamage) {
  Write(path_);
  for (const auto& [name, bytes] : FilesBelow(path_)) {
    if (name == "dataset.json") continue;
    for (const int kind : {0, 1, 2}) {
      Bytes spoilt = bytes;
      if (kind == 0) spoilt.resize(spoilt.size() / 2);
      if (kind == 1) spoilt.push_back(std::byte{0});
      if (kind == 2) spoilt[spoilt.size() - 9] ^= std::byte{1};
      WriteFileAtomic(path_ / name, spoilt);
      std::vector<std::string> damage;
      try {
        damage = FindDamage(Dataset(path_));
      } catch (const InputError& error) {
        damage.emplace_back(error.what());
      }
      ASSERT_EQ(damage.size(), 1u) << name << " " << kind;
      EXPECT_NE(damage[0].find(name), std::string::npos) << damage[0];
    }
    WriteFileAtomic(path_ / name, bytes);
  }
  EXPECT_TRUE(FindDamage(Dataset(path_)).empty());
}

// With checksums that fit, what they guard is looked at, too.
TEST_F(DatasetTest, TrustsNoArrayBehindAGoodChecksum) {
  Write(path_);
  const std::string text = ReadTextFile(path_ / "dataset.json");
  const auto message = [&](const char* name, const NpyArray& array) {
    Json json = ParseJson(text, "x");
    Json& entry = json["chunks"][1]["arrays"][name];
    const Bytes bytes = FormatNpy(array);
    entry["file"] = "chunks/other.npy";
    entry["hash"] = HashHex(bytes);
    WriteFileAtomic(path_ / "chunks/other.npy", bytes);
    WriteFileAtomic(path_ / "dataset.json", json.dump());
    return Message([&] {
      const Dataset dataset(path_);
      for (int i = 0; i < dataset.frame_count(); ++i) {
        dataset.Shape(i);
        dataset.Array(i, "steps");
      }
    });
  };
  const int vertices = stored_.entry.vertices, joints = stored_.entry.joints;
  std::vector<float> shapes(4 * vertices * 3, 1);
  EXPECT_EQ(message("shape", MakeNpy(shapes, {4, vertices, 3})), "no error");
  EXPECT_NE(message("shape", MakeNpy(shapes, {vertices, 4, 3})).find("is not a float32 array of 4 x"),
            std::string::npos);
  EXPECT_NE(message("steps", MakeNpy(std::vector<float>(3), {3})).find("is not an array of 4"), std::string::npos);
  EXPECT_NE(message("pose", MakeNpy(std::vector<float>(4 * joints * 10), {4, joints, 10})).find("is no pose"),
            std::string::npos);
  shapes[7] = std::nanf("");
  EXPECT_NE(message("shape", MakeNpy(shapes, {4, vertices, 3})).find("not finite"), std::string::npos);
}

TEST(FrameRanges, AreTwoNumbers) {
  const auto is = [](const char* text, int begin, int end) {
    const FrameRange range = ParseFrameRange(text, 10);
    EXPECT_EQ(range.begin, begin) << text;
    EXPECT_EQ(range.end, end) << text;
  };
  is("", 0, 10), is(":", 0, 10), is("3:", 3, 10), is(":4", 0, 4), is("2:5", 2, 5), is("2:99", 2, 10);
  for (const char* wrong : {"3", "a:b", "5:5", "10:20", "-1:4", "1:2:3", "1: 2"}) {
    EXPECT_THROW(ParseFrameRange(wrong, 10), UsageError) << wrong;
  }
}

}  // namespace
}  // namespace sinew::dataset
