// A contact sheet of a corpus: bodies side by side, at rest and in some of their poses as the ground truth has them.
#ifndef SINEW_OFFLINE_CORPUS_CORPUS_PICTURE_H_
#define SINEW_OFFLINE_CORPUS_CORPUS_PICTURE_H_

#include "sinew/offline/corpus/load_corpus.h"
#include "sinew/offline/render/image.h"

namespace sinew::corpus {

struct CorpusPictureOptions {
  int bodies = 8;    // number of bodies, spread evenly over the corpus
  int poses = 3;     // number of poses of each, spread evenly over its frames, below its rest shape
  int height = 320;  // height and width of one panel, pixels
};

// Draws the sheet: one column per body, with its name, family and side. Throws InputError if the corpus has no body.
render::Image DrawCorpus(const Corpus& corpus, const CorpusPictureOptions& options);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_CORPUS_PICTURE_H_
