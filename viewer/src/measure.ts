// How long the runtime takes in this browser, without drawing.
import { Instance, type Character } from './runtime/runtime';

// Milliseconds of an evaluation of each level, positions and skinned normals, in poses near rest: the work does not depend on the pose.
export function measureLevels(character: Character, rounds: number): { median: number; fastest: number }[] {
  const instance = new Instance(character), pose = character.restPose.slice();
  const measured = character.levels.map((_, i) => {
    const times = Array.from({ length: rounds }, (_round, k) => {
      pose.set([0.02 * Math.sin(k), 0, 0, 1], 13);
      const start = performance.now();
      instance.evaluate(pose, { level: i + 1, method: 'sinew', normals: 'skinned' });
      return performance.now() - start;
    }).sort((a, b) => a - b);
    return { median: times[Math.floor(rounds / 2)]!, fastest: times[0]! };
  });
  instance.close();
  return measured;
}
