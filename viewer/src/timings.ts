// What frames cost: running means, because browsers round their clock.
import type { Evaluation, Instance } from './runtime/runtime';
import type { Shown } from './scene/figure';

export class Mean {
  value = 0;
  private count = 0;
  add(sample: number): void {
    this.count += 1;
    // A plain mean at first, then one that forgets.
    this.value += (sample - this.value) / Math.min(this.count, 40);
  }
}

const kFirstFrames = 3;

// Of one figure, in milliseconds: of the method and the level that it shows, and of no other.
export class FigureTimes {
  shown: Shown | null = null;
  level = 0;
  total = new Mean();
  private share = new Mean();
  private frames = 0;

  // Networks, the pose that they see and whether it is within what was trained; 0 for skinning.
  get corrections(): number {
    return this.share.value * this.total.value;
  }
  // The rest: upsampling, modes, skinning, normals.
  get surface(): number {
    return this.total.value - this.corrections;
  }

  // What share of the time corrections take is asked in every eighth frame, by evaluating them alone.
  add(shown: Shown, evaluation: Evaluation, instance: Instance, pose: Float32Array): void {
    // A mean over two methods or levels would be neither's.
    if (shown !== this.shown || evaluation.level !== this.level) this.begin(shown, evaluation.level);
    // True shapes are read from a file.
    if (shown === 'truth') return;
    const sum = (times: number[]) => times.reduce((all, time) => all + time, 0);
    this.frames += 1;
    // The browser is still compiling.
    if (this.frames <= kFirstFrames) return;
    const total = sum(evaluation.times);
    this.total.add(total);
    if (shown !== 'sinew' || (this.frames - kFirstFrames) % 8 !== 1 || total === 0) return;
    this.share.add(Math.min(1, sum(instance.timeNetworks(pose, evaluation.level)) / total));
  }

  private begin(shown: Shown, level: number): void {
    this.shown = shown;
    this.level = level;
    this.frames = 0;
    this.share = new Mean();
    this.total = new Mean();
  }
}

export class Timings {
  first = new FigureTimes();
  second = new FigureTimes();
  draw = new Mean();
  crowd = new Mean();

  reset(): void {
    this.first = new FigureTimes();
    this.second = new FigureTimes();
  }
}
