// Errors of a network on frames that it has not seen, beside those of linear blend skinning.
#ifndef SINEW_OFFLINE_GRAPHNET_TEST_MODEL_H_
#define SINEW_OFFLINE_GRAPHNET_TEST_MODEL_H_

#include <string>
#include <vector>

#include "sinew/offline/graphnet/predictor.h"

namespace sinew::graphnet {

// Distances to the true shape in millimetres, over frames and points; points count by their area at rest.
struct Errors {
  double mean = 0, rms = 0, max = 0;
};

struct TestRow {
  std::string name;    // of a body or a family
  std::string family;  // empty: not known
  int bodies = 1, frames = 0;
  Errors skinning, network;
};

struct TestTable {
  std::vector<TestRow> bodies;
  std::vector<TestRow> families;  // means over their bodies, max over them; none where no family is known
  TestRow all;                    // the same over all bodies
};

// Throws InputError, naming the dataset, if the network has seen one of the frames.
void RequireUnseen(const Predictor& predictor, const FrameSet& frames);

// Measures a network on frames, whatever it has seen. Throws InputError, naming the dataset, if a body has another
// skeleton.
TestTable MeasureModel(const Predictor& predictor, const FrameSet& frames);
// The same for frames that it has not seen. Throws InputError, naming the dataset, if it has seen one.
TestTable TestModel(const Predictor& predictor, const FrameSet& frames);

// Writes the figures of a test into a model, in place of an earlier test's. corpus: hash of the corpora that it was
// tested on; empty: there were none.
void RecordTest(const TestTable& table, const std::string& corpus, learn::Model& model);

std::string TextOf(const TestTable& table);
Json JsonOf(const TestTable& table);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_TEST_MODEL_H_
