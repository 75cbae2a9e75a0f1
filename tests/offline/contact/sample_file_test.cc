#include "sinew/offline/contact/sample_file.h"

#include <gtest/gtest.h>

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

std::string MessageOf(const Bytes& bytes, const std::string& inputs = kSmallShardInputs) {
  const std::string error = sinew::testing::ErrorOf([&] { DecodeShard(bytes, inputs, "a.contacts"); });
  return error == "no error" ? "" : error;
}

TEST(ContactSamples, ComeBackAsTheyWere) {
  const ContactShard shard = SmallContactShard();
  const sinew::testing::TemporaryFolder folder;
  WriteShard(shard, kSmallShardInputs, folder / "a.contacts");
  EXPECT_EQ(ReadShard(folder / "a.contacts", kSmallShardInputs), shard);
}

TEST(ContactSamples, EveryTruncationAndBrokenByteIsACleanError) {
  const Bytes bytes = EncodeShard(SmallContactShard(), kSmallShardInputs);
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

// A file of the first version, kept for ever.
TEST(ContactSamples, ReadsTheFirstVersion) {
  const std::string path = SINEW_SOURCE_DIR "/tests/golden/contacts_v1.contacts";
  EXPECT_EQ(ReadShard(path, kSmallShardInputs), SmallContactShard());
  EXPECT_EQ(ReadFile(path), EncodeShard(SmallContactShard(), kSmallShardInputs));
}

}  // namespace
}  // namespace sinew::contact
