#include "sinew/offline/contact/dent_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/runtime/base/checksum.h"

namespace sinew::contact {
namespace {

using dynamics::FieldTable;
using Header = FieldTable::Header;
using layers::RowMatrix;
constexpr const char* kRemedy = "make it again with sinew contact bench";

// Weight matrix or bias of a field's network, by the order of its tensors.
RowMatrix TensorOf(const ContactField& field, int index) {
  const layers::TensorPlace& place = field.network().tensors()[static_cast<size_t>(index)];
  return Eigen::Map<const RowMatrix>(field.parameters().data() + place.offset, place.rows, place.columns);
}

std::vector<float> Numbers(const RowMatrix& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }

// Arrays as they are stored; they must live until the block is written.
struct Stored {
  std::vector<FieldTable::Handle> handles;
  std::vector<double> corners;
  std::vector<float> place, state, bias, second, second_bias, output, output_bias;
};

// Rows of the first layer for lengths in metre. A frame's matrix is stored column by column there, and row by row here.
void StoreFirst(const PlaneObject& object, const ContactField& field, Stored& stored) {
  const float size = static_cast<float>(object.collider.size());
  RowMatrix W = TensorOf(field, 0);
  for (int i = 0; i < W.rows(); ++i) W.row(i) /= field.input_scales()[static_cast<size_t>(i)];
  stored.place = Numbers(W.topRows(2) / size);
  for (size_t j = 0; j < object.subspace.handles().size(); ++j) {
    const elasticity::Handle& handle = object.subspace.handles()[j];
    const bool is_frame = handle.kind == elasticity::HandleKind::kFrame;
    const int first = 2 + object.subspace.offsets()[j], position = first + handle.size() - 2;
    for (const int number : {0, 2, 1, 3}) {
      if (is_frame) stored.state.insert(stored.state.end(), W.row(first + number).begin(), W.row(first + number).end());
    }
    const std::vector<float> carried = Numbers(W.middleRows(position, 2) / size);
    stored.state.insert(stored.state.end(), carried.begin(), carried.end());
    stored.handles.push_back({.kind = is_frame ? dynamics::HandleKind::kFrame : dynamics::HandleKind::kPoint,
                              .reserved = 0,
                              .centre = {handle.centre[0], handle.centre[1]}});
  }
  stored.bias = Numbers(TensorOf(field, 1));
}

Stored Store(const PlaneObject& object, const ContactField& field) {
  Stored stored;
  for (const Eigen::Vector2d& corner : object.collider.corners()) {
    stored.corners.insert(stored.corners.end(), {corner[0], corner[1]});
  }
  StoreFirst(object, field, stored);
  const int layers = field.shape().hidden_layers;
  if (layers == 2) {
    stored.second = Numbers(TensorOf(field, 2));
    stored.second_bias = Numbers(TensorOf(field, 3));
  }
  const float metres = field.output_scale() * static_cast<float>(object.collider.size());
  stored.output = Numbers(metres * TensorOf(field, 2 * layers).transpose());
  stored.output_bias = Numbers(metres * TensorOf(field, 2 * layers + 1));
  return stored;
}

// Describes the fault of bytes that the table refuses.
std::string ProblemOf(std::span<const std::byte> bytes) {
  Header header{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), sizeof(header)),
              std::as_writable_bytes(std::span(&header, 1)).begin());
  if (bytes.size() < sizeof(header.magic) || header.magic != Header::kMagic) return "is not a contact field";
  if (bytes.size() < sizeof(header)) return "ends within its header";
  if (header.version > Header::kVersion) return "was made by a newer version of Sinew";
  if (header.bytes != bytes.size()) return "is cut short, or has bytes left over";
  if (header.checksum != runtime::Checksum(bytes.subspan(offsetof(Header, bytes)))) {
    return "is damaged: its checksum is wrong";
  }
  return "refers to what is not in it, or holds a number that is out of range";
}

}  // namespace

Block MakeDent(const PlaneObject& object, const ContactField& field, const DentOptions& options) {
  if (field.shape().kind != FieldKind::kSparse) {
    throw UsageError("only sparse fields can be simulated; train one with --methods sparse");
  }
  if (field.shape().width > static_cast<int>(FieldTable::kMaxWidth)) {
    throw UsageError(fmt::format("a field of {} units is too wide to be simulated; give at most {}",
                                 field.shape().width, FieldTable::kMaxWidth));
  }
  const double size = object.collider.size();
  const Stored stored = Store(object, field);
  Header header{};
  header.magic = Header::kMagic;
  header.version = Header::kVersion;
  header.handle_count = static_cast<uint32_t>(stored.handles.size());
  header.width = static_cast<uint32_t>(field.shape().width);
  header.basis_count = static_cast<uint32_t>(stored.state.size() / (2 * header.width));
  header.layers = static_cast<uint32_t>(field.shape().hidden_layers);
  header.corner_count = static_cast<uint32_t>(stored.corners.size() / 2);
  header.rounding = object.collider.rounding();
  header.window = options.window * size;
  header.touch = options.touch * size * size * size;
  BlockLayout layout;
  layout.Reserve(sizeof(header));
  header.handles_offset = layout.Add(stored.handles);
  header.corners_offset = layout.Add(stored.corners);
  header.place_offset = layout.Add(stored.place);
  header.state_offset = layout.Add(stored.state);
  header.bias_offset = layout.Add(stored.bias);
  header.second_offset = layout.Add(stored.second);
  header.second_bias_offset = layout.Add(stored.second_bias);
  header.output_offset = layout.Add(stored.output);
  header.output_bias_offset = layout.Add(stored.output_bias);
  Block block = layout.Write(header);
  SealDent(block.bytes());
  return block;
}

LoadedDent OpenDent(Block bytes, const std::string& file) {
  LoadedDent loaded{.file = std::move(bytes), .table = {}};
  if (FieldTable::Open(loaded.file.bytes(), &loaded.table) != runtime::Status::kOk) {
    throw InputError(file, "", ProblemOf(loaded.file.bytes()), kRemedy);
  }
  return loaded;
}

LoadedDent ReadDent(const std::filesystem::path& path) {
  const Bytes bytes = ReadFile(path);
  Block block(bytes.size());
  std::copy(bytes.begin(), bytes.end(), block.bytes().begin());
  return OpenDent(std::move(block), path.string());
}

void SealDent(std::span<std::byte> bytes) {
  if (bytes.size() < sizeof(Header)) return;
  const uint64_t size = bytes.size();
  std::memcpy(bytes.data() + offsetof(Header, bytes), &size, sizeof(size));
  const uint64_t checksum = runtime::Checksum(bytes.subspan(offsetof(Header, bytes)));
  std::memcpy(bytes.data() + offsetof(Header, checksum), &checksum, sizeof(checksum));
}

}  // namespace sinew::contact
