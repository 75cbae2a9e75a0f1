// sinew_bench [NAME...] [--rounds N] [--json]: see docs/benchmarks.md.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "bench/contact.h"
#include "bench/harness.h"
#include "bench/skinning.h"
#include "bench/upsampling.h"

namespace sinew::bench {
namespace {

struct Options {
  std::vector<std::string> names;  // none: all
  int rounds = 201;
  bool json = false;
  bool wrong = false;
};

Options Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0) {
      options.json = true;
    } else if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
      options.rounds = std::atoi(argv[++i]);
    } else if (argv[i][0] == '-') {
      options.wrong = true;
    } else {
      options.names.emplace_back(argv[i]);
    }
  }
  return options;
}

// The floor, and the groups that were asked for.
std::vector<Entry> Select(const std::vector<Entry>& all, const std::vector<std::string>& names) {
  std::vector<Entry> selected;
  for (const Entry& entry : all) {
    bool wanted = names.empty() || entry.group == "floor";
    for (const std::string& name : names) wanted |= entry.group == name;
    if (wanted) selected.push_back(entry);
  }
  return selected;
}

struct Row {
  Measurement m;
  double ns_per_vertex, floors, floors_fastest;  // times the floor: medians, and fastest runs
  double speedup;                                // over the scalar reference, fastest runs; 0: has none
};

std::vector<Row> Compare(const std::vector<Entry>& entries, const std::vector<Measurement>& measured) {
  std::vector<Row> rows;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Measurement& m = measured[i];
    double scalar = 0;
    const Measurement* floor = &measured[0];
    for (const Measurement& other : measured) {
      if (other.name == entries[i].scalar) scalar = other.fastest_ns;
      if (other.name == entries[i].floor) floor = &other;
    }
    rows.push_back({m, m.median_ns / Skinning::vertex_count(), m.median_ns / floor->median_ns,
                    m.fastest_ns / floor->fastest_ns, scalar / m.fastest_ns});
  }
  return rows;
}

void PrintTable(const std::vector<Row>& rows, int rounds) {
  std::printf("%d vertices, %d interleaved rounds; medians, and fastest runs in brackets\n", Skinning::vertex_count(),
              rounds);
  std::printf("%-30s %18s %18s %10s  %s\n", "", "ns per vertex", "times the floor", "x scalar", "state");
  for (const Row& row : rows) {
    std::printf("%-30s %8.2f (%7.2f) %9.2f (%6.2f) ", row.m.name.c_str(), row.ns_per_vertex,
                row.m.fastest_ns / Skinning::vertex_count(), row.floors, row.floors_fastest);
    row.speedup > 0 ? std::printf("%10.2f ", row.speedup) : std::printf("%10s ", "");
    row.m.hash != 0 ? std::printf(" %016" PRIx64 "\n", row.m.hash) : std::printf(" -\n");
  }
}

void PrintJson(const std::vector<Row>& rows, int rounds) {
  std::printf("{\"vertices\": %d, \"rounds\": %d, \"results\": [", Skinning::vertex_count(), rounds);
  const char* separator = "";
  for (const Row& row : rows) {
    std::printf(
        "%s\n  {\"name\": \"%s\", \"ns_per_vertex\": %.4f, \"fastest_ns_per_vertex\": %.4f, "
        "\"times_floor\": %.4f, \"fastest_times_floor\": %.4f, \"times_faster_than_scalar\": %.4f, "
        "\"state\": \"%016" PRIx64 "\"}",
        separator, row.m.name.c_str(), row.ns_per_vertex, row.m.fastest_ns / Skinning::vertex_count(), row.floors,
        row.floors_fastest, row.speedup, row.m.hash);
    separator = ",";
  }
  std::printf("\n]}\n");
}

}  // namespace
}  // namespace sinew::bench

int main(int argc, char** argv) {
  using namespace sinew::bench;
  const Options options = Parse(argc, argv);
  Skinning skinning;
  Upsampling upsampling;
  Contact contact;
  std::vector<Entry> all = skinning.Entries();
  for (Entry& entry : upsampling.Entries()) all.push_back(std::move(entry));
  for (Entry& entry : contact.Entries()) all.push_back(std::move(entry));
  const std::vector<Entry> entries = Select(all, options.names);
  if (options.wrong || entries.size() < 3) {
    std::fprintf(stderr, "usage: sinew_bench [linear] [dual] [normals] [upsampling] [contact] [--rounds N] [--json]\n");
    return 2;
  }
  std::vector<Variant> variants;
  variants.reserve(entries.size());
  for (const Entry& entry : entries) variants.push_back(entry.variant);
  const std::vector<Row> rows = Compare(entries, Measure(variants, options.rounds));
  options.json ? PrintJson(rows, options.rounds) : PrintTable(rows, options.rounds);
  return 0;
}
