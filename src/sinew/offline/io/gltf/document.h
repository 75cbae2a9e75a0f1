// A parsed but untrusted glTF file: its JSON, its buffers, and checked access to both.
//
// No glTF library is used, since the packaged ones trust their input and a character's file may come from anywhere.
// Every number is checked here against the bytes that really exist before anything is allocated.
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

// Key in extras by which a file gives a role to a part (anatomy/roles.h).
constexpr const char* kRoleKey = "sinew_role";
// Key in a joint's extras by which a file names the joint that carries it (character/carriers.h).
constexpr const char* kCarrierKey = "sinew_carrier";

struct SourceDocument {
  std::string file;  // name of the file, for messages
  Json json = Json::object();
  std::vector<Bytes> buffers;   // one per entry of json["buffers"], each of its byteLength
  std::map<int, Bytes> images;  // by index: bytes of the images that are files of their own
  std::string skin;             // skin that the reader chose, so that the writer can read the same character again
};

// Parses a .glb or .gltf file. file: its name, for messages. folder: where buffers and images that are files of their
// own are looked for; empty: a buffer in a file of its own is an error. Throws InputError for anything but a
// well-formed glTF 2.0 container whose required extensions are known.
SourceDocument ParseDocument(std::span<const std::byte> bytes, const std::string& file,
                             const std::filesystem::path& folder);

// One object of a document's JSON, and its name in messages ("accessor 3"). Every getter throws InputError if the value
// exists and is of the wrong kind.
class Object {
 public:
  Object(const SourceDocument& document, const Json& json, std::string place);

  bool Has(const char* key) const { return json_->contains(key); }
  // Returns an integer in [low, high], or the fallback if there is none.
  int64_t Integer(const char* key, int64_t fallback, int64_t low, int64_t high) const;
  int64_t RequiredInteger(const char* key, int64_t low, int64_t high) const;
  // Returns an index into a list of the document ("nodes"), or -1 if there is none.
  int Index(const char* key, const char* list) const;
  std::vector<int> Indices(const char* key, const char* list) const;
  // Returns exactly `count` finite numbers, or none if the key does not exist.
  std::vector<float> Floats(const char* key, size_t count) const;
  bool Bool(const char* key) const;
  std::string String(const char* key) const;
  // Returns the object, or the list of objects, under a key, which must exist.
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

// Length of one of the document's top-level lists ("accessors"); 0 if it does not exist.
int Count(const SourceDocument& document, const char* list);
// Returns an element of such a list; the index must be in range.
Object Item(const SourceDocument& document, const char* list, int index);
// Encodes a file name as a URI: characters other than letters, digits, '.', '_' and '-' are percent-encoded.
std::string EncodeUri(const std::string& file_name);
// Index of the scene that is shown; -1 if the document has none.
int DefaultScene(const SourceDocument& document);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_DOCUMENT_H_
