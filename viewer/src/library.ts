// Characters that are open, the motions that each of them makes its own, and their true shapes.
import { MotionModule, type Clip, type SkeletonHandle } from './motion/motions';
import type { Character, Runtime } from './runtime/runtime';
import { sentenceOf } from './sentence';
import { Truth } from './truth';

export interface Loaded {
  character: Character;
  skeleton: SkeletonHandle | null;
  clips: Clip[];
  truth: Truth | null;
  carried: number;  // how many of the motions' files its clips are of: the others come when it is shown
}

interface MotionFile {
  name: string;
  bytes: Uint8Array;
}

export class Library {
  readonly loaded: Loaded[] = [];
  private readonly motions: MotionFile[] = [];

  // say: takes sentences about what does not work but hinders nothing else.
  constructor(private readonly runtime: Runtime, private readonly module: MotionModule,
    private readonly say: (text: string, kind: 'error' | 'note') => void) {}

  // Throws an Error with a sentence for a file that is not a bundle.
  addCharacter(name: string, bytes: Uint8Array): Loaded {
    const character = this.runtime.open(bytes, name);
    let skeleton: SkeletonHandle | null = null;
    try {
      skeleton = this.module.skeletonOf(character);
    } catch (error) {
      this.say(sentenceOf(name, error), 'error');
    }
    const loaded: Loaded = { character, skeleton, clips: [], truth: null, carried: 0 };
    this.loaded.push(loaded);
    return loaded;
  }

  // For one character at once; others take it over by carryOverAll(). Returns its clips. Throws an Error with a sentence for a file that
  // is not a motion or does not fit the character.
  addMotion(name: string, bytes: Uint8Array, of: Loaded | null): Clip[] {
    const motion = { name, bytes }, before = of?.clips.length ?? 0;
    if (of !== null) {
      this.carryOver(motion, of);
      of.carried += 1;
    }
    this.motions.push(motion);
    return of?.clips.slice(before) ?? [];
  }

  async addTruth(name: string, read: Parameters<typeof Truth.open>[0], of: Character | undefined): Promise<void> {
    const loaded = this.loaded.find(({ character }) => character === of);
    if (loaded === undefined) throw new Error('open its character (.sinew) first');
    loaded.truth = await Truth.open(read, loaded.character, name);
    loaded.clips.push(...(await loaded.truth.clips()));
  }

  carryOverAll(loaded: Loaded): void {
    for (; loaded.carried < this.motions.length; ++loaded.carried) {
      const motion = this.motions[loaded.carried]!;
      try {
        this.carryOver(motion, loaded);
      } catch (error) {
        // It was fit for the character that it was opened for.
        this.say(sentenceOf(motion.name, error), 'note');
      }
    }
  }

  private carryOver(motion: MotionFile, loaded: Loaded): void {
    if (loaded.skeleton === null) throw new Error('the skeleton of this character takes no motions');
    loaded.clips.push(...loaded.skeleton.read(motion.bytes, motion.name, false).clips);
  }
}
