#include "sinew/offline/contact/sample_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "tests/support/error_of.h"
#include "tests/support/small_contact_shard.h"
#include "tests/support/temporary_folder.h"

namespace sinew::contact {
namespace {

using sinew::testing::kSmallShardInputs;
using sinew::testing::SmallContactShard;
using sinew::testing::SmallSolidShard;

std::string MessageOf(const Bytes& bytes, const std::string& inputs = kSmallShardInputs) {
  const std::string error = sinew::testing::ErrorOf([&] { DecodeShard(bytes, inputs, "a.contacts"); });
  return error == "no error" ? "" : error;
}

TEST(ContactSamples, ComeBackAsTheyWere) {
  const sinew::testing::TemporaryFolder folder;
  for (const ContactShard& shard : {SmallContactShard(), SmallSolidShard()}) {
    WriteShard(shard, kSmallShardInputs, folder / "a.contacts");
    EXPECT_EQ(ReadShard(folder / "a.contacts", kSmallShardInputs), shard);
  }
}

class BrokenSamples : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(PlaneAndSpace, BrokenSamples, ::testing::Bool());

TEST_P(BrokenSamples, EveryTruncationAndBrokenByteIsACleanError) {
  const Bytes bytes = EncodeShard(GetParam() ? SmallSolidShard() : SmallContactShard(), kSmallShardInputs);
  for (size_t size = 0; size < bytes.size(); ++size) {
    Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_NE(MessageOf(cut), "") << size;
    SealFile(cut);
    EXPECT_NE(MessageOf(cut), "") << size;
  }
  for (size_t at = 0; at < bytes.size(); ++at) {
    Bytes broken = bytes;
    broken[at] ^= std::byte{0x40};
    EXPECT_NE(MessageOf(broken), "") << at;
  }
  Bytes longer = bytes;
  longer.push_back(std::byte{0});
  SealFile(longer);
  EXPECT_NE(MessageOf(longer), "");
}

TEST(ContactSamples, SaysWhatIsWrong) {
  const Bytes bytes = EncodeShard(SmallContactShard(), kSmallShardInputs);
  EXPECT_NE(MessageOf(bytes, "other").find("a.contacts: inputs: was made from another plan"), std::string::npos);
  ContactShard shard = SmallContactShard();
  shard.samples[0].r[1] = 0x7c00;
  EXPECT_NE(MessageOf(EncodeShard(shard, kSmallShardInputs)).find("sample 0, displacements"), std::string::npos);
  shard = SmallContactShard();
  shard.samples[1].depth = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(MessageOf(EncodeShard(shard, kSmallShardInputs)).find("sample 1, depth"), std::string::npos);
  shard = SmallContactShard();
  shard.size = 0;
  EXPECT_NE(MessageOf(EncodeShard(shard, kSmallShardInputs)).find("size of the collider"), std::string::npos);
  shard = SmallContactShard();
  shard.positions.clear();
  EXPECT_NE(MessageOf(EncodeShard(shard, kSmallShardInputs)).find("number of nodes"), std::string::npos);
}

TEST(ContactSamples, RotationsAreUnitQuaternions) {
  ContactShard shard = SmallSolidShard();
  shard.samples[1].turn.quaternion = {0, 0, 0, 2};
  EXPECT_NE(MessageOf(EncodeShard(shard, kSmallShardInputs)).find("sample 1, rotation"), std::string::npos);
}

// Files of each version, kept for ever. The first is of the plane alone.
TEST(ContactSamples, ReadsAllVersions) {
  const std::string golden = SINEW_SOURCE_DIR "/tests/golden/";
  EXPECT_EQ(ReadShard(golden + "contacts_v1.contacts", kSmallShardInputs), SmallContactShard());
  if (std::getenv("SINEW_WRITE_GOLDEN_CONTACT") != nullptr) {
    WriteShard(SmallSolidShard(), kSmallShardInputs, golden + "contacts_v2.contacts");
  }
  EXPECT_EQ(ReadShard(golden + "contacts_v2.contacts", kSmallShardInputs), SmallSolidShard());
  EXPECT_EQ(ReadFile(golden + "contacts_v2.contacts"), EncodeShard(SmallSolidShard(), kSmallShardInputs));
}

}  // namespace
}  // namespace sinew::contact
