// What frames cost: running means, because browsers round their clock.
import type { Evaluation, Instance } from './runtime/runtime';

export class Mean {
  value = 0;
  private count = 0;
  add(sample: number): void {
    this.count += 1;
    // A plain mean at first, then one that forgets.
    this.value += (sample - this.value) / Math.min(this.count, 40);
  }
}

// Milliseconds.
export interface LevelTime {
  networks: Mean;
  surface: Mean;  // upsampling, modes, skinning, normals
  reached: boolean;
}

export class Timings {
  levels: LevelTime[] = [];
  total = new Mean();
  draw = new Mean();
  crowd = new Mean();
  private frames = 0;
  private level = 0;

  reset(levels: number): void {
    this.levels = Array.from({ length: levels }, () => ({ networks: new Mean(), surface: new Mean(), reached: false }));
    this.total = new Mean();
    this.frames = 0;
  }

  // times[0] is the pose, the range tests and the networks of level 1; times[i] the rest of level i. How much of that its
  // networks are is asked in every eighth frame, by evaluating them alone.
  add(evaluation: Evaluation, instance: Instance, pose: Float32Array): void {
    const times = evaluation.times;
    const networks = this.frames % 8 === 0 ? instance.timeNetworks(pose, evaluation.level) : null;
    this.frames += 1;
    // A mean over two levels would be neither's.
    if (evaluation.level !== this.level) this.total = new Mean();
    this.level = evaluation.level;
    this.total.add(times.reduce((sum, time) => sum + time, 0));
    this.levels.forEach((level, i) => {
      level.reached = i < evaluation.level;
      if (!level.reached) return;
      if (i === 0) {
        level.networks.add(times[0]!);
        level.surface.add(times[1]!);
        return;
      }
      if (networks !== null) level.networks.add(networks[i + 1] ?? 0);
      level.surface.add(Math.max(0, times[i + 1]! - level.networks.value));
    });
  }
}
