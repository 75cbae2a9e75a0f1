// Clocks of a build: the wall clock, and the processor time that was spent.
#ifndef SINEW_OFFLINE_PIPELINE_CLOCKS_H_
#define SINEW_OFFLINE_PIPELINE_CLOCKS_H_

namespace sinew::pipeline {

// Seconds since some moment in the past.
double WallSeconds();
// Processor seconds of the calling thread, and of all threads of the process. Other programs that keep the machine busy
// do not count.
double ThreadSeconds();
double ProcessSeconds();

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_CLOCKS_H_
