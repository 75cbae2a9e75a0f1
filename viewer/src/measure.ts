// How long the runtime takes in this browser, without drawing.
import { Instance, type Character } from './runtime/runtime';

const kTimed = 3;  // evaluations of a round that are timed, after one that is not

// Milliseconds of evaluations of each level, positions and normals from triangles, in poses near rest: the work does not
// depend on the pose. Levels take turns, round by round, and what a level reads was read just before, as `sinew bench --hot`
// times it.
export function measureLevels(character: Character, rounds: number): number[][] {
  const instance = new Instance(character), pose = character.restPose.slice();
  const times: number[][] = character.levels.map(() => []);
  const evaluate = (level: number) => instance.evaluate(pose, { level, method: 'sinew', normals: 'triangles' });
  for (let round = 0; round < rounds; ++round) {
    pose.set([0.02 * Math.sin(round), 0, 0, 1], 13);
    times.forEach((of, i) => {
      evaluate(i + 1);
      for (let k = 0; k < kTimed; ++k) {
        const start = performance.now();
        evaluate(i + 1);
        of.push(performance.now() - start);
      }
    });
  }
  instance.close();
  return times;
}
