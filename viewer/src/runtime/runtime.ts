// Sinew's runtime in the browser: baked characters and their evaluation, by the WebAssembly of the very sources that
// engines compile (viewer/wasm/character.cc). Levels are numbered from 1, the coarsest. Metres, Y up.
import {
  contactNames, kColliderBytes, kMaxColliders, readCollider, writeColliders, type ContactExports, type LearnedCollider,
  type PosedCollider,
} from './contact';
import { Memory } from './memory';
import { texturesOf, type Textures } from './textures';

interface Exports extends ContactExports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  heapBase(): number;
  characterBytes(): number;
  openCharacter(at: number, bytes: number, size: number): number;
  unpackedBytes(character: number): number;
  unpack(character: number, to: number): void;
  levelCount(character: number): number;
  vertexCount(character: number, level: number): number;
  triangleCount(character: number, level: number): number;
  coefficientCount(character: number, level: number): number;
  hasNormals(character: number, level: number): number;
  precision(character: number, level: number): number;
  triangles(character: number, level: number, to: number): void;
  texcoords(character: number, level: number, to: number): number;
  jointCount(character: number): number;
  jointParent(character: number, joint: number): number;
  jointName(character: number, joint: number): number;
  jointNameBytes(character: number, joint: number): number;
  restPose(character: number): number;
  height(character: number): number;
  info(character: number): number;
  infoBytes(character: number): number;
  scratchBytes(character: number, level: number): number;
  evaluate(character: number, frame: number): void;
  dualQuaternionBytes(character: number, level: number): number;
  dualQuaternions(character: number, level: number, pose: number, memory: number, positions: number, normals: number,
    normalsFromTriangles: number): number;
  localToModel(character: number, pose: number, models: number): void;
}

// A joint's transform is ten floats: translation x y z, rotation x y z w, scale x y z, in its parent's frame.
export const kTransformFloats = 10;

export interface Level {
  vertices: number;
  triangles: number;
  coefficients: number;  // of this level alone
  precision: string;     // of its modes in the file: 'f32', 'f16', 'i8', or '' if it has none
}

export interface Joint {
  name: string;
  parent: number;  // an earlier joint, or negative
}

export type Method = 'linear' | 'dual' | 'sinew';

export interface Wanted {
  level: number;
  method: Method;
  // Also all coarser levels: so that there is something to show when time is up.
  coarser?: boolean;
  normals?: 'skinned' | 'triangles';
  displacements?: boolean;
  towardCoarser?: number;  // 0: the level's own shape; 1: the surface of the next coarser level
  budgetMs?: number;       // a level is begun only if it should be done in this time
  colliders?: readonly PosedCollider[];  // at most kMaxColliders; they press what Sinew shows, and nothing that only skins
}

export const kFaded = 2;
export const kInterrupted = 4;
export const kContactRefused = 8;
export const kContactBeyond = 16;

export interface Evaluation {
  level: number;       // the finest that is complete
  flags: number;       // of the constants above, or 1: the pose was refused
  outOfRange: number;  // at most 0 within what was trained; from 1 on some correctives are gone
  times: number[];     // milliseconds: [0] pose, range tests and the networks of level 1; [i] the rest of level i
}

const kPrecisions = ['f32', 'f16', 'i8'];
const kMaxLevels = 16;

export class Runtime {
  private constructor(readonly wasm: Exports, readonly memory: Memory) {}

  static async load(wasm: BufferSource | Response | Promise<Response>): Promise<Runtime> {
    const imports = { page: { now: () => performance.now() } };
    const source = wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)
      ? WebAssembly.instantiate(wasm, imports)
      : WebAssembly.instantiateStreaming(wasm, imports);
    const exports = (await source).instance.exports as unknown as Exports;
    exports._initialize();
    return new Runtime(exports, new Memory(exports.memory, exports.heapBase()));
  }

  // Copies the bytes. Throws an Error whose message says what is wrong with them. halves: what half floats
  // become. WebAssembly has no instruction for them: as floats they take twice the memory, and a fraction of the time in every frame.
  open(bytes: Uint8Array, name: string, halves: 'floats' | 'as stored' = 'floats'): Character {
    const { memory, wasm } = this;
    const at = memory.allocate(wasm.characterBytes());
    let file = 0;
    try {
      file = memory.allocate(bytes.length);
      memory.bytes(file, bytes.length).set(bytes);
      this.openAt(at, file, bytes.length);
      const precisions = this.precisionsOf(at);
      if (halves === 'floats') file = this.unpacked(at, file);
      return new Character(this, at, file, bytes.length, name, texturesOf(bytes), precisions);
    } catch (error) {
      memory.release(at);
      if (file !== 0) memory.release(file);
      throw error;
    }
  }

  private openAt(at: number, file: number, bytes: number): void {
    const problem = this.wasm.openCharacter(at, file, bytes);
    if (problem !== 0) throw new Error(this.memory.sentence(problem));
  }

  // Puts the same file with floats in place of half floats in the place of the one that was opened, and returns where it is.
  private unpacked(at: number, file: number): number {
    const { memory, wasm } = this, bytes = wasm.unpackedBytes(at);
    if (bytes === 0) return file;
    const floats = memory.allocate(bytes);
    try {
      wasm.unpack(at, floats);
      this.openAt(at, floats, bytes);
    } catch (error) {
      memory.release(floats);
      throw error;
    }
    memory.release(file);
    return floats;
  }

  private precisionsOf(at: number): string[] {
    return Array.from({ length: this.wasm.levelCount(at) }, (_, i) => kPrecisions[this.wasm.precision(at, i + 1)] ?? '');
  }
}

export class Character {
  readonly levels: Level[] = [];
  readonly joints: Joint[] = [];
  readonly restPose: Float32Array;
  readonly height: number;
  // Names, parts, joint limits, settings, as the bundle has them.
  readonly info: Record<string, unknown>;
  // Of the colliders whose contact was learned; none where the bundle has no contact.
  readonly contacts: string[];
  private readonly colliders = new Map<number, LearnedCollider>();
  private topology = new Map<number, { triangles: Uint32Array; texcoords: Float32Array | null }>();

  // From Runtime.open().
  constructor(readonly runtime: Runtime, readonly address: number, private readonly file: number,
    readonly bytes: number, readonly name: string, readonly textures: Textures | null, precisions: string[]) {
    const { wasm, memory } = runtime;
    for (let i = 1; i <= wasm.levelCount(address); ++i) {
      const before = i > 1 ? wasm.coefficientCount(address, i - 1) : 0;
      this.levels.push({
        vertices: wasm.vertexCount(address, i),
        triangles: wasm.triangleCount(address, i),
        coefficients: wasm.coefficientCount(address, i) - before,
        precision: precisions[i - 1] ?? '',
      });
    }
    for (let j = 0; j < wasm.jointCount(address); ++j) {
      const name_of = memory.text(wasm.jointName(address, j), wasm.jointNameBytes(address, j));
      this.joints.push({ name: name_of, parent: wasm.jointParent(address, j) });
    }
    this.restPose = memory.floats(wasm.restPose(address), kTransformFloats * this.joints.length).slice();
    this.height = wasm.height(address);
    this.info = parsed(memory.text(wasm.info(address), wasm.infoBytes(address)));
    this.contacts = contactNames(wasm, memory, address);
  }

  // One of `contacts`.
  collider(contact: number): LearnedCollider {
    const name = this.contacts[contact], known = this.colliders.get(contact);
    if (name === undefined) throw new Error(`${this.name} has learned ${this.contacts.length} colliders: there is no number ${contact}`);
    if (known !== undefined) return known;
    const made = readCollider(this.runtime.wasm, this.runtime.memory, this.address, contact, name);
    this.colliders.set(contact, made);
    return made;
  }

  // All instances must be closed before.
  close(): void {
    this.runtime.memory.release(this.address);
    this.runtime.memory.release(this.file);
  }

  level(i: number): Level {
    const level = this.levels[i - 1];
    if (level === undefined) throw new Error(`${this.name} has the levels 1 to ${this.levels.length}, not ${i}`);
    return level;
  }

  // Which triangles of a level are of which part, as the bundle's info says; one part of all where it says nothing sound.
  parts(level: number): { first: number; count: number }[] {
    const levels = this.info['levels'] as { parts?: { first_triangle: number; triangles: number }[] }[] | undefined;
    const parts = levels?.[level - 1]?.parts?.map((part) => ({ first: part.first_triangle, count: part.triangles })) ?? [];
    const all = this.level(level).triangles;
    const sound = parts.length > 0 && parts.every(({ first, count }) => first >= 0 && count >= 0 && first + count <= all);
    return sound ? parts : [{ first: 0, count: all }];
  }

  triangles(level: number): Uint32Array {
    return this.topologyOf(level).triangles;
  }
  texcoords(level: number): Float32Array | null {
    return this.topologyOf(level).texcoords;
  }

  private topologyOf(number: number): { triangles: Uint32Array; texcoords: Float32Array | null } {
    const known = this.topology.get(number);
    if (known !== undefined) return known;
    const { wasm, memory } = this.runtime;
    const level = this.level(number);
    const at = memory.allocate(4 * Math.max(3 * level.triangles, 2 * level.vertices));
    wasm.triangles(this.address, number, at);
    const triangles = memory.words(at, 3 * level.triangles).slice();
    const has_texcoords = wasm.texcoords(this.address, number, at) !== 0;
    const texcoords = has_texcoords ? memory.floats(at, 2 * level.vertices).slice() : null;
    memory.release(at);
    const made = { triangles, texcoords };
    this.topology.set(number, made);
    return made;
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

// What one level of an instance writes into; addresses, 0 where there is nothing yet.
interface Streams {
  positions: number;
  normals: number;
  displacements: number;
}

// One character on screen: its own memory, made when it is first needed and kept.
export class Instance {
  private readonly frame: number;
  private readonly outputs: number;
  private readonly pose: number;
  private readonly models: number;
  private colliders = 0;
  private scratch = 0;
  private scratchLevel = 0;
  private dual = 0;
  private dualLevel = 0;
  private streams: Streams[];

  constructor(readonly character: Character) {
    const memory = character.runtime.memory;
    this.frame = memory.allocate(4 * (kFrame.times + 1 + kMaxLevels));
    this.outputs = memory.allocate(kLevelBytes * character.levels.length);
    this.pose = memory.allocate(4 * kTransformFloats * character.joints.length);
    this.models = memory.allocate(64 * character.joints.length);
    this.streams = character.levels.map(() => ({ positions: 0, normals: 0, displacements: 0 }));
  }

  close(): void {
    const memory = this.character.runtime.memory;
    const made = [this.frame, this.outputs, this.pose, this.models, this.colliders, this.scratch, this.dual];
    for (const of of this.streams) made.push(of.positions, of.normals, of.displacements);
    for (const at of made) if (at !== 0) memory.release(at);
    this.streams = [];
  }

  // pose: ten floats a joint.
  evaluate(pose: Float32Array, wanted: Wanted): Evaluation {
    const { character } = this;
    if (pose.length !== kTransformFloats * character.joints.length) {
      throw new Error(`${character.name} has ${character.joints.length} joints, the pose ${pose.length / 10}`);
    }
    character.level(wanted.level);
    return wanted.method === 'dual' ? this.dualQuaternions(pose, wanted) : this.evaluateLevels(pose, wanted);
  }

  // Three floats a vertex, in model space. A view: it holds until the next evaluation of this instance, or until memory
  // grows.
  positions(level: number): Float32Array<ArrayBuffer> {
    return this.view(level, 'positions');
  }
  normals(level: number): Float32Array<ArrayBuffer> {
    return this.view(level, 'normals');
  }
  // The correctives, before skinning.
  displacements(level: number): Float32Array<ArrayBuffer> {
    return this.view(level, 'displacements');
  }

  // Milliseconds that the networks of levels 1 to `level` take by themselves, level by level; [0] is the pose, the range
  // tests and level 1's networks.
  timeNetworks(pose: Float32Array, level: number): number[] {
    const { wasm, memory } = this.character.runtime;
    const at = memory.allocate(4 * Math.max(1, wasm.coefficientCount(this.character.address, level)));
    this.prepare(level);
    this.setPose(pose);
    this.setFrame(0, false, 0, at, level);
    wasm.evaluate(this.character.address, this.frame);
    memory.release(at);
    return this.result().times.slice(0, level + 1);
  }

  // Column-major 4x4 matrices of the joints in model space: a view, as positions() is.
  jointMatrices(pose: Float32Array): Float32Array {
    const { wasm, memory } = this.character.runtime;
    this.setPose(pose);
    wasm.localToModel(this.character.address, this.pose, this.models);
    return memory.floats(this.models, 16 * this.character.joints.length);
  }

  private setPose(pose: Float32Array): void {
    this.character.runtime.memory.floats(this.pose, pose.length).set(pose);
  }

  private evaluateLevels(pose: Float32Array, wanted: Wanted): Evaluation {
    const { wasm } = this.character.runtime;
    this.prepare(wanted.level);
    const from = wanted.coarser ? 1 : wanted.level;
    for (let i = from; i <= wanted.level; ++i) this.makeStreams(i, wanted);
    this.setPose(pose);
    for (let i = 1; i <= wanted.level; ++i) this.setOutput(i, i >= from ? wanted : null);
    this.setFrame(wanted.level, wanted.method === 'linear', wanted.budgetMs ?? 0, 0, 0);
    this.setColliders(wanted.colliders ?? []);
    wasm.evaluate(this.character.address, this.frame);
    return this.result();
  }

  // After setFrame().
  private setColliders(colliders: readonly PosedCollider[]): void {
    const { memory } = this.character.runtime;
    if (colliders.length === 0) return;
    if (colliders.length > kMaxColliders) throw new Error(`${colliders.length} colliders at once: at most ${kMaxColliders} can press`);
    if (this.colliders === 0) this.colliders = memory.allocate(kMaxColliders * kColliderBytes);
    writeColliders(memory, this.colliders, colliders);
    const words = memory.words(this.frame, kFrame.times);
    words[kFrame.colliders] = this.colliders;
    words[kFrame.colliderCount] = colliders.length;
  }

  private dualQuaternions(pose: Float32Array, wanted: Wanted): Evaluation {
    const { wasm, memory } = this.character.runtime;
    if (this.dualLevel < wanted.level) {
      if (this.dual !== 0) memory.release(this.dual);
      this.dual = memory.allocate(wasm.dualQuaternionBytes(this.character.address, wanted.level));
      this.dualLevel = wanted.level;
    }
    this.makeStreams(wanted.level, { ...wanted, displacements: false });
    this.setPose(pose);
    const streams = this.streamsOf(wanted.level);
    const start = performance.now();
    const done = wasm.dualQuaternions(this.character.address, wanted.level, this.pose, this.dual, streams.positions,
      wanted.normals === undefined ? 0 : streams.normals, wanted.normals === 'triangles' ? 1 : 0);
    if (done === 0) throw new Error(`${this.character.name}: dual quaternion skinning was refused`);
    const times: number[] = new Array<number>(1 + kMaxLevels).fill(0);
    times[wanted.level] = performance.now() - start;
    return { level: wanted.level, flags: 0, outOfRange: -1, times };
  }

  private prepare(level: number): void {
    if (this.scratchLevel >= level) return;
    const { wasm, memory } = this.character.runtime;
    if (this.scratch !== 0) memory.release(this.scratch);
    this.scratch = memory.allocate(wasm.scratchBytes(this.character.address, level));
    this.scratchLevel = level;
  }

  private streamsOf(level: number): Streams {
    const streams = this.streams[level - 1];
    if (streams === undefined) throw new Error(`there is no level ${level}`);
    return streams;
  }

  private makeStreams(level: number, wanted: Wanted): void {
    const { wasm, memory } = this.character.runtime;
    const streams = this.streamsOf(level), bytes = 12 * this.character.level(level).vertices;
    const has_normals = wasm.hasNormals(this.character.address, level) !== 0;
    if (streams.positions === 0) streams.positions = memory.allocate(bytes);
    if (wanted.normals !== undefined && has_normals && streams.normals === 0) streams.normals = memory.allocate(bytes);
    if (wanted.displacements && streams.displacements === 0) streams.displacements = memory.allocate(bytes);
  }

  private setOutput(level: number, wanted: Wanted | null): void {
    const at = this.outputs + kLevelBytes * (level - 1);
    const { memory } = this.character.runtime;
    const words = memory.words(at, 5), floats = memory.floats(at, 5), streams = this.streamsOf(level);
    words.fill(0);
    if (wanted === null) return;
    words[0] = streams.positions;
    if (wanted.normals !== undefined) words[1] = streams.normals;
    if (wanted.displacements) words[2] = streams.displacements;
    if (level === wanted.level && level > 1) floats[3] = wanted.towardCoarser ?? 0;
    words[4] = wanted.normals === 'triangles' ? 1 : 0;
  }

  private setFrame(levels: number, skin_only: boolean, budget: number, coefficients: number, coefficient_level: number) {
    const { wasm, memory } = this.character.runtime;
    const words = memory.words(this.frame, kFrame.times), floats = memory.floats(this.frame, kFrame.times);
    words[kFrame.pose] = this.pose;
    words[kFrame.scratch] = this.scratch;
    words[kFrame.scratchBytes] = wasm.scratchBytes(this.character.address, this.scratchLevel);
    words[kFrame.levels] = this.outputs;
    words[kFrame.levelCount] = levels;
    words[kFrame.coefficients] = coefficients;
    words[kFrame.coefficientLevel] = coefficient_level;
    words[kFrame.skinOnly] = skin_only ? 1 : 0;
    floats[kFrame.budgetMs] = budget;
    words[kFrame.colliders] = words[kFrame.colliderCount] = 0;
  }

  private result(): Evaluation {
    const { memory } = this.character.runtime;
    const words = memory.words(this.frame, kFrame.times);
    const floats = memory.floats(this.frame, kFrame.times + 1 + kMaxLevels);
    if (words[kFrame.status] !== 0) throw new Error(`${this.character.name}: the runtime refused an evaluation`);
    return {
      level: words[kFrame.level]!,
      flags: words[kFrame.flags]!,
      outOfRange: floats[kFrame.outOfRange]!,
      times: Array.from(floats.subarray(kFrame.times)),
    };
  }

  private view(level: number, stream: keyof Streams): Float32Array<ArrayBuffer> {
    const at = this.streamsOf(level)[stream];
    if (at === 0) throw new Error(`${stream} of level ${level} were not asked for`);
    return this.character.runtime.memory.floats(at, 3 * this.character.level(level).vertices);
  }
}

// PageLevel and PageFrame of viewer/wasm/character.cc: which 4-byte member is where.
const kLevelBytes = 20;
const kFrame = {
  pose: 0, scratch: 1, scratchBytes: 2, levels: 3, levelCount: 4, coefficients: 5, coefficientLevel: 6, skinOnly: 7,
  budgetMs: 8, colliders: 9, colliderCount: 10, status: 11, level: 12, flags: 13, outOfRange: 14, times: 15,
};
