// Motions from files and joint limits, by the command line's own readers and retargeting as WebAssembly
// (viewer/wasm/motion.cc).
import { kTransformFloats, type Character } from '../runtime/runtime';

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  allocate(bytes: number): number;
  release(at: number): void;
  answerText(answer: number): number;
  answerTextBytes(answer: number): number;
  answerFloats(answer: number): number;
  answerFloatCount(answer: number): number;
  releaseAnswer(answer: number): void;
  openSkeleton(joints: number, names: number, parents: number, rests: number, limits: number, bytes: number): number;
  closeSkeleton(skeleton: number): void;
  readMotions(skeleton: number, bytes: number, size: number, file: number, in_place: number): number;
  writePose(skeleton: number, pose: number): number;
  jointAbove(skeleton: number, joint: number): number;
  jointRange(skeleton: number, joint: number, range: number): number;
  jointAngles(skeleton: number, joint: number, pose: number, angles: number): void;
  turnJoint(skeleton: number, joint: number, bend: number, side: number, twist: number, pose: number): void;
}

// A motion for one character: poses at a constant rate, ten floats a joint.
export interface Clip {
  name: string;
  rate: number;  // frames a second; 0: poses that belong to no time
  frames: Float32Array[];
  truth?: number[];  // which frame of the truth file each frame is
  carried?: boolean;  // another body's, whose limbs may pass through this one
}

export interface JointRange {
  kind: 'fixed' | 'limited' | 'free';
  bend: [number, number];  // radians
  side: [number, number];
  twist: [number, number];
}

export type Angles = [bend: number, side: number, twist: number];

interface Answer {
  json: Record<string, unknown>;
  floats: Float32Array;
}

export class MotionModule {
  private constructor(private readonly wasm: Exports) {}

  static async load(wasm: BufferSource | Response | Promise<Response>): Promise<MotionModule> {
    const instantiated = wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)
      ? WebAssembly.instantiate(wasm, noSystem())
      : WebAssembly.instantiateStreaming(wasm, noSystem());
    const exports = (await instantiated).instance.exports as unknown as Exports;
    exports._initialize();
    return new MotionModule(exports);
  }

  skeletonOf(character: Character): SkeletonHandle {
    const { wasm } = this;
    const names = new TextEncoder().encode(character.joints.map((joint) => `${joint.name}\0`).join(''));
    const parents = Int32Array.from(character.joints, (joint) => Math.max(-1, joint.parent));
    const limits = new TextEncoder().encode(character.info['limits'] ? JSON.stringify(character.info['limits']) : '');
    const open = (text: Uint8Array) => this.with([names, parents, character.restPose, text], (n, p, r, l) =>
      this.answer(wasm.openSkeleton(character.joints.length, n!, p!, r!, l!, text.length)));
    let answer: Answer;
    try {
      answer = open(limits);
    } catch {
      // Motions need no limits: joints that cannot be turned by hand are better than a skeleton that cannot move.
      answer = open(new Uint8Array(0));
    }
    return new SkeletonHandle(this, wasm, Number(answer.json['skeleton']), character);
  }

  // Copies arrays into the module for the length of a call.
  with<T>(arrays: ArrayBufferView[], call: (...addresses: number[]) => T): T {
    const addresses = arrays.map((array) => {
      const at = this.wasm.allocate(Math.max(1, array.byteLength));
      if (at === 0) throw new Error('the browser has no memory left for this file');
      return at;
    });
    arrays.forEach((array, i) => {
      const from = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      new Uint8Array(this.wasm.memory.buffer, addresses[i]!, array.byteLength).set(from);
    });
    try {
      return call(...addresses);
    } finally {
      for (const at of addresses) this.wasm.release(at);
    }
  }

  // Throws what the module says is wrong.
  answer(at: number): Answer {
    const { wasm } = this;
    const bytes = new Uint8Array(wasm.memory.buffer, wasm.answerText(at), wasm.answerTextBytes(at));
    const json = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    const floats = new Float32Array(wasm.memory.buffer, wasm.answerFloats(at), wasm.answerFloatCount(at)).slice();
    wasm.releaseAnswer(at);
    if (typeof json['problem'] === 'string') throw new Error(json['problem']);
    return { json, floats };
  }
}

// A character's skeleton in the module.
export class SkeletonHandle {
  constructor(private readonly module: MotionModule, private readonly wasm: Exports, private readonly address: number,
    private readonly character: Character) {}

  close(): void {
    this.wasm.closeSkeleton(this.address);
  }

  // Throws an Error with a sentence for a file that is not a motion, or fits the character nowhere.
  read(bytes: Uint8Array, file: string, in_place: boolean): { clips: Clip[]; warnings: string[] } {
    const name = new TextEncoder().encode(`${file}\0`);
    const { json, floats } = this.module.with([bytes, name], (b, n) =>
      this.module.answer(this.wasm.readMotions(this.address, b!, bytes.length, n!, in_place ? 1 : 0)));
    const size = kTransformFloats * this.character.joints.length;
    const found = json['clips'] as { name: string; rate: number; frames: number; first: number; carried: boolean }[];
    const clips = found.map((clip) => ({
      name: clip.name || file.replace(/\.[^.]*$/, ''),
      rate: clip.rate,
      carried: clip.carried,
      frames: Array.from({ length: clip.frames }, (_, f) =>
        floats.subarray(clip.first + f * size, clip.first + (f + 1) * size)),
    }));
    return { clips, warnings: json['warnings'] as string[] };
  }

  // A pose as the text of a .bvh file with one frame, and what is lost in it.
  write(pose: Float32Array): { bvh: string; warnings: string[] } {
    const { json } = this.module.with([pose], (at) => this.module.answer(this.wasm.writePose(this.address, at!)));
    return { bvh: json['bvh'] as string, warnings: json['warnings'] as string[] };
  }

  // For each joint the one that a bone leads to it from, negative for none: the parent, or where a file keeps the joints
  // of a hand side by side, the one before it in the finger.
  bones(): number[] {
    return this.character.joints.map((_, j) => this.wasm.jointAbove(this.address, j));
  }

  range(joint: number): JointRange {
    return this.module.with([new Float64Array(6)], (at) => {
      const kind = this.wasm.jointRange(this.address, joint, at!);
      const r = new Float64Array(this.wasm.memory.buffer, at!, 6);
      return {
        kind: (['fixed', 'limited', 'free'] as const)[kind]!,
        bend: [r[0]!, r[1]!], side: [r[2]!, r[3]!], twist: [r[4]!, r[5]!],
      };
    });
  }

  angles(joint: number, pose: Float32Array): Angles {
    return this.module.with([pose, new Float64Array(3)], (from, to) => {
      this.wasm.jointAngles(this.address, joint, from!, to!);
      const a = new Float64Array(this.wasm.memory.buffer, to!, 3);
      return [a[0]!, a[1]!, a[2]!];
    });
  }

  // Turns a joint of the pose, inside its limits; what hangs on it goes with it.
  turn(joint: number, [bend, side, twist]: Angles, pose: Float32Array): void {
    this.module.with([pose], (at) => {
      this.wasm.turnJoint(this.address, joint, bend, side, twist, at!);
      pose.set(new Float32Array(this.wasm.memory.buffer, at!, pose.length));
    });
  }
}

// The C library would like a system. There is none: whatever it asks for fails, as on a machine without files.
function noSystem(): WebAssembly.Imports {
  const kNotSupported = 58;
  const nothing = () => new Proxy({}, {
    get: (_, name) => (...values: unknown[]) => {
      if (name === 'proc_exit' || name === 'abort') throw new Error(`the motion reader ended: ${String(values[0] ?? '')}`);
      return kNotSupported;
    },
  }) as WebAssembly.ModuleImports;
  return { env: nothing(), wasi_snapshot_preview1: nothing() };
}
