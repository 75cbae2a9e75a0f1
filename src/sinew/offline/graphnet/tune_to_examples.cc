#include "sinew/offline/graphnet/tune_to_examples.h"

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::graphnet {

Tuning TuneToExamples(const Predictor& predictor, const Body& body, const layers::Graph& graph,
                      const std::vector<Example>& examples) {
  if (examples.size() < 2) throw UsageError("a network is tuned to two true shapes or more");
  const auto count = static_cast<int>(examples.size());
  std::vector<ResidualExample> given(count);
  std::vector<Predictor::Answer> answers(count);
  ParallelFor(count, 1, [&](int i) {
    const Body::Frame frame = body.Evaluate(examples[i].pose);
    answers[i] = predictor.AnswerOf(body, graph, frame);
    const RowMatrix missing = body.Targets(frame, examples[i].truth) - answers[i].displacements;
    given[i] = {std::move(answers[i].inputs), missing};
  });
  ResidualFit fit = FitPointResidual(given, answers[0].groups, body.areas(), body.neighbours());
  Tuning tuning{std::move(fit.residual), fit.error_before, fit.error_after, std::vector<Points>(count)};
  ParallelFor(count, 1, [&](int i) {
    tuning.held_out[i] = body.Apply(body.Evaluate(examples[i].pose), answers[i].displacements + fit.held_out[i]);
  });
  return tuning;
}

}  // namespace sinew::graphnet
