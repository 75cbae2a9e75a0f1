// A glTF file taken apart, but not yet believed: its JSON, its buffers, and checked access to both.
//
// Why there is no glTF library underneath: the ones that are packaged trust their input, and a character's file comes
// from anywhere. Every number is checked here against the bytes that are really there, before anything is allocated.
#ifndef SINEW_OFFLINE_IO_GLTF_DOCUMENT_H_
#define SINEW_OFFLINE_IO_GLTF_DOCUMENT_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"

namespace sinew::gltf {

struct SourceDocument {
  std::string file;  // for messages
  Json json = Json::object();
  std::vector<Bytes> buffers;   // as many as json["buffers"], each of its byteLength
  std::map<int, Bytes> images;  // by index: the bytes of images that were files of their own
  std::string skin;             // the reader's choice, so that the writer can read the same character again
};

// Throws InputError for anything but a well-formed glTF 2.0 container (.glb or .gltf) whose required extensions we
// know. folder: where buffers and images that are files of their own are looked for; empty: such a file is an error.
SourceDocument ParseDocument(std::span<const std::byte> bytes, const std::string& file,
                             const std::filesystem::path& folder);

// One object of a document's JSON, and what messages call it ("accessor 3"). Every getter throws InputError if the
// value is there and of the wrong kind.
class Object {
 public:
  Object(const SourceDocument& document, const Json& json, std::string place);

  bool Has(const char* key) const { return json_->contains(key); }
  // A whole number in [low, high]; the fallback if there is none.
  int64_t Integer(const char* key, int64_t fallback, int64_t low, int64_t high) const;
  int64_t RequiredInteger(const char* key, int64_t low, int64_t high) const;
  // An index into a list of the document ("nodes"); -1 if there is none.
  int Index(const char* key, const char* list) const;
  std::vector<int> Indices(const char* key, const char* list) const;
  // Exactly `count` finite numbers, or none.
  std::vector<float> Floats(const char* key, size_t count) const;
  bool Bool(const char* key) const;
  std::string String(const char* key) const;
  // The object or the list of objects under a key, which must be there.
  Object Child(const char* key) const;
  std::vector<Object> Children(const char* key) const;

  [[noreturn]] void Fail(const std::string& problem, const std::string& remedy = "export the file again") const;
  const Json& json() const { return *json_; }
  const std::string& place() const { return place_; }

 private:
  const Json& At(const char* key) const;
  int CheckedIndex(const Json& value, const char* key, const char* list) const;

  const SourceDocument* document_;
  const Json* json_;
  std::string place_;
};

// The length of one of the document's own lists ("accessors"); 0 if it has none.
int Count(const SourceDocument& document, const char* list);
// An element of such a list; the index must be in range.
Object Item(const SourceDocument& document, const char* list, int index);
// A file name as a URI: what is not plain is percent-encoded.
std::string EncodeUri(const std::string& file_name);
// The scene that is shown: -1 if the document has none.
int DefaultScene(const SourceDocument& document);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_DOCUMENT_H_
