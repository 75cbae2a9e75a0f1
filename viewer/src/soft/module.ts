// Soft objects in the browser: their dynamics, by the WebAssembly of the very sources that programs compile (viewer/wasm/soft.cc).
// Metres, Y up; per metre of depth.
import { Memory } from '../runtime/memory';

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  heapBase(): number;
  objectBytes(): number;
  openObject(at: number, bytes: number, size: number): number;
  fieldBytes(): number;
  openField(at: number, bytes: number, size: number): number;
  handleCount(object: number): number;
  nodeCount(object: number): number;
  triangleCount(object: number): number;
  edgeCount(object: number): number;
  pointCount(object: number): number;
  stateSize(object: number): number;
  objectSize(object: number): number;
  isFrame(object: number, handle: number): number;
  positionAt(object: number, handle: number): number;
  rest(object: number): number;
  triangles(object: number): number;
  edges(object: number): number;
  fits(field: number, object: number): number;
  fieldWidth(field: number): number;
  fieldCornerCount(field: number): number;
  fieldCorners(field: number): number;
  fieldRounding(field: number): number;
  fieldWindow(field: number): number;
  simulationBytes(): number;
  scratchBytes(object: number, width: number): number;
  openSimulation(at: number, object: number, scratch: number, bytes: number, width: number): number;
  setState(simulation: number, state: number, velocity: number): number;
  step(simulation: number, step: number): void;
  state(simulation: number): number;
  velocity(simulation: number): number;
  mass(simulation: number): number;
  positions(simulation: number, out: number, nodes: number): void;
}

export const kMaxColliders = 8;
// Flags of a step (src/sinew/dynamics/simulation.h).
export const kNotConverged = 1, kBadCollider = 2, kBadTarget = 4, kBadStep = 8, kTooFast = 16, kBadField = 32;

// A shape that the engine knows, and where it is.
export interface PosedCollider {
  shape: 'plane' | 'circle' | 'polygon';
  radius: number;
  rounding: number;
  friction: number;
  corners: readonly number[];  // of a polygon: two coordinates each, counter-clockwise
  x: number;
  y: number;
  angle: number;
  on: boolean;
  field: Field | null;
}

// Spring from a handle to where it is wanted. Without stiffness the handle is free.
export interface Target {
  stiffness: number;
  numbers: readonly number[];  // a position; of a frame, the columns of its matrix before it
}

export interface StepInput {
  seconds: number;
  gravity: readonly [number, number];
  colliders: readonly PosedCollider[];
  targets: readonly Target[];  // one per handle, or none
}

export interface StepReport {
  flags: number;
  iterations: number;
  touching: number;
}

const kShapes = { plane: 0, circle: 1, polygon: 2 };
const kColliderBytes = 80, kStepBytes = 56, kTargetBytes = 56;

export class SoftModule {
  private constructor(readonly wasm: Exports, readonly memory: Memory) {}

  static async load(wasm: BufferSource | Response | Promise<Response>): Promise<SoftModule> {
    const source = wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)
      ? WebAssembly.instantiate(wasm, {})
      : WebAssembly.instantiateStreaming(wasm, {});
    const exports = (await source).instance.exports as unknown as Exports;
    exports._initialize();
    return new SoftModule(exports, new Memory(exports.memory, exports.heapBase()));
  }

  // Both copy the bytes, and throw an Error with a sentence for bytes that are not what they should be.
  openObject(bytes: Uint8Array, name: string): SoftObject {
    const { wasm } = this;
    return new SoftObject(this, ...this.open(bytes, wasm.objectBytes(), wasm.openObject), name);
  }
  openField(bytes: Uint8Array, name: string): Field {
    const { wasm } = this;
    return new Field(this, ...this.open(bytes, wasm.fieldBytes(), wasm.openField), name);
  }

  doubles(at: number, count: number): Float64Array {
    return new Float64Array(this.memory.buffer, at, count);
  }

  private open(bytes: Uint8Array, table_bytes: number, open: (at: number, bytes: number, size: number) => number): [number, number] {
    const { memory } = this, at = memory.allocate(table_bytes);
    let file = 0;
    try {
      file = memory.allocate(bytes.length);
      memory.bytes(file, bytes.length).set(bytes);
      const problem = open(at, file, bytes.length);
      if (problem !== 0) throw new Error(memory.sentence(problem));
      return [at, file];
    } catch (error) {
      memory.release(at);
      if (file !== 0) memory.release(file);
      throw error;
    }
  }
}

export interface Handle {
  frame: boolean;
  position: number;  // where its position begins in a state
}

// What a .soft file holds.
export class SoftObject {
  readonly handles: Handle[];
  readonly nodes: number;
  readonly points: number;  // of contact
  readonly stateSize: number;
  readonly size: number;
  readonly rest: Float64Array;
  readonly triangles: Uint32Array;
  readonly edges: Uint32Array;

  constructor(readonly module: SoftModule, readonly at: number, private readonly file: number, readonly name: string) {
    const { wasm, memory } = module;
    this.handles = Array.from({ length: wasm.handleCount(at) }, (_, h) =>
      ({ frame: wasm.isFrame(at, h) !== 0, position: wasm.positionAt(at, h) }));
    this.nodes = wasm.nodeCount(at);
    this.points = wasm.pointCount(at);
    this.stateSize = wasm.stateSize(at);
    this.size = wasm.objectSize(at);
    // Copies, because views are empty when memory has grown.
    this.rest = module.doubles(wasm.rest(at), 2 * this.nodes).slice();
    this.triangles = memory.words(wasm.triangles(at), 3 * wasm.triangleCount(at)).slice();
    this.edges = memory.words(wasm.edges(at), 2 * wasm.edgeCount(at)).slice();
  }

  close(): void {
    this.module.memory.release(this.at);
    this.module.memory.release(this.file);
  }
}

// What a .dent file holds: how an object gives way to one rigid shape.
export class Field {
  readonly width: number;
  readonly corners: number[];
  readonly rounding: number;
  readonly window: number;  // distance beyond which nothing moves

  constructor(private readonly module: SoftModule, readonly at: number, private readonly file: number, readonly name: string) {
    const { wasm } = module;
    this.width = wasm.fieldWidth(at);
    this.corners = Array.from(module.doubles(wasm.fieldCorners(at), 2 * wasm.fieldCornerCount(at)));
    this.rounding = wasm.fieldRounding(at);
    this.window = wasm.fieldWindow(at);
  }

  fits(object: SoftObject): boolean {
    return this.module.wasm.fits(this.at, object.at) !== 0;
  }

  // Whether it was trained for a collider of this shape.
  isOf(corners: readonly number[], rounding: number): boolean {
    if (corners.length !== this.corners.length) return false;
    const size = Math.max(...this.corners.map(Math.abs));
    return [...corners.map((x, i) => x - this.corners[i]!), rounding - this.rounding].every((off) => Math.abs(off) <= 1e-5 * size);
  }

  close(): void {
    this.module.memory.release(this.at);
    this.module.memory.release(this.file);
  }
}

// An object in motion, with scratch of its own.
export class Simulation {
  private readonly blocks: number[] = [];
  private readonly at: number;
  private readonly stepAt: number;
  private readonly collidersAt: number;
  private readonly targetsAt: number;
  private readonly numbersAt: number;  // two states, or the positions of all nodes
  private readonly scratch: [at: number, bytes: number];
  private readonly width: number;

  // fields: of which colliders may have one. Throws an Error with a sentence for an object that cannot be simulated.
  constructor(readonly object: SoftObject, fields: readonly Field[]) {
    const { wasm, memory } = object.module;
    this.width = Math.max(0, ...fields.map((field) => field.width));
    const take = (bytes: number) => {
      const at = memory.allocate(bytes);
      this.blocks.push(at);
      return at;
    };
    const bytes = wasm.scratchBytes(object.at, this.width);
    if (bytes === 0) throw new Error('is too large for the page');
    try {
      this.at = take(wasm.simulationBytes());
      this.stepAt = take(kStepBytes);
      // Corners of polygons lie behind the colliders.
      this.collidersAt = take(kMaxColliders * (kColliderBytes + 16 * 256));
      this.targetsAt = take(kTargetBytes * object.handles.length);
      this.numbersAt = take(16 * Math.max(object.nodes, object.stateSize));
      this.scratch = [take(bytes), bytes];
      this.restart();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  // As it was when it was made: at rest, and knowing nothing of earlier steps.
  restart(): void {
    const { module, at } = this.object, problem = module.wasm.openSimulation(this.at, at, ...this.scratch, this.width);
    if (problem !== 0) throw new Error(module.memory.sentence(problem));
  }

  get mass(): number {
    return this.object.module.wasm.mass(this.at);
  }
  // Views that are good until the next step.
  get state(): Float64Array {
    const { module, stateSize } = this.object;
    return module.doubles(module.wasm.state(this.at), stateSize);
  }
  get velocity(): Float64Array {
    const { module, stateSize } = this.object;
    return module.doubles(module.wasm.velocity(this.at), stateSize);
  }

  setState(state: ArrayLike<number>, velocity: ArrayLike<number>): void {
    const { module, stateSize } = this.object, numbers = module.doubles(this.numbersAt, 2 * stateSize);
    numbers.set(state, 0);
    numbers.set(velocity, stateSize);
    if (module.wasm.setState(this.at, this.numbersAt, this.numbersAt + 8 * stateSize) === 0) {
      throw new Error('starts where nothing can be simulated');
    }
  }

  step(input: StepInput): StepReport {
    const { module } = this.object, { memory } = module;
    const colliders = input.colliders.slice(0, kMaxColliders), bytes = kColliderBytes + 16 * 256;
    const view = new DataView(memory.buffer, this.collidersAt, kMaxColliders * bytes);
    colliders.forEach((collider, c) => this.writeCollider(view, c, collider));
    if (input.targets.length > 0) this.writeTargets(input.targets);
    const step = new DataView(memory.buffer, this.stepAt, kStepBytes);
    [input.seconds, ...input.gravity].forEach((value, i) => step.setFloat64(8 * i, value, true));
    [this.collidersAt, colliders.length, this.targetsAt, input.targets.length].forEach((value, i) => step.setInt32(24 + 4 * i, value, true));
    module.wasm.step(this.at, this.stepAt);
    return { flags: step.getUint32(40, true), iterations: step.getInt32(44, true), touching: step.getInt32(48, true) };
  }

  // Two numbers per node; a view that is good until the next call of any function.
  positions(): Float64Array {
    const { module, nodes } = this.object;
    module.wasm.positions(this.at, this.numbersAt, nodes);
    return module.doubles(this.numbersAt, 2 * nodes);
  }

  close(): void {
    for (const at of this.blocks.splice(0)) this.object.module.memory.release(at);
  }

  private writeCollider(view: DataView, c: number, from: PosedCollider): void {
    const at = c * kColliderBytes, corners = kMaxColliders * kColliderBytes + c * 16 * 256;
    [from.radius, from.rounding, from.friction, Math.cos(from.angle), Math.sin(from.angle), from.x, from.y]
      .forEach((value, i) => view.setFloat64(at + 8 * i, value, true));
    [kShapes[from.shape], from.corners.length / 2, Number(from.on), from.field?.at ?? 0, this.collidersAt + corners, 0]
      .forEach((value, i) => view.setInt32(at + 56 + 4 * i, value, true));
    from.corners.slice(0, 512).forEach((value, i) => view.setFloat64(corners + 8 * i, value, true));
  }

  private writeTargets(targets: readonly Target[]): void {
    const { module } = this.object, numbers = module.doubles(this.targetsAt, 7 * targets.length).fill(0);
    targets.forEach(({ stiffness, numbers: wanted }, h) => numbers.set([stiffness, ...wanted.slice(0, 6)], 7 * h));
  }
}
