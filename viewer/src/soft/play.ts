// A soft object in its scene: the script moves the colliders until somebody takes them, handles are pulled, steps are made. With a
// learned field a second simulation, in the linear subspace alone, can go along for comparison.
import { Simulation, type Field, type PosedCollider, type SoftObject, type StepReport, type Target } from './module';
import { poseAt, type Scene, type SceneCollider } from './scene';

export interface Pose {
  x: number;
  y: number;
  angle: number;
}

// A collider: where it is, and where somebody wants it. wanted null: the script moves it.
export interface PlayedCollider {
  of: SceneCollider;
  field: Field | null;
  pose: Pose;
  wanted: Pose | null;
  on: boolean;
}

export interface Grab {
  handle: number;
  x: number;  // where the handle is wanted
  y: number;
}

// Sizes of the object that a collider moves in a second at most: what is faster would jump over the skin in one step.
const kFastest = 3, kFastestTurn = 8;  // radians per second
// How far the object's weight stretches the spring that pulls at it, in its sizes, at strength 1.
const kSag = 0.02, kGravity = 9.81;

export class Play {
  readonly colliders: PlayedCollider[];
  readonly simulation: Simulation;
  private readonly linear: Simulation | null;
  private linearOn = false;
  steps = 0;
  report: StepReport = { flags: 0, iterations: 0, touching: 0 };
  grab: Grab | null = null;
  gravity = true;
  dents = true;     // whether fields act
  strength = 1;     // of the spring that pulls
  touched = false;  // whether somebody has taken something since the start

  // Throws an Error with a sentence for an object that cannot be simulated.
  constructor(readonly object: SoftObject, readonly scene: Scene, readonly fields: readonly Field[]) {
    this.simulation = new Simulation(object, fields);
    try {
      this.linear = fields.length > 0 ? new Simulation(object, []) : null;
      this.colliders = scene.colliders.map((of) => ({
        of, field: fields.find((field) => of.shape === 'polygon' && field.isOf(of.corners, of.rounding)) ?? null,
        pose: poseAt(of.keys, 0), wanted: null, on: true,
      }));
      this.place();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get time(): number {
    return this.steps * this.scene.step;
  }
  // Whether the script has come to its end, and nobody has interfered.
  get over(): boolean {
    return !this.touched && this.time > this.scene.seconds + 0.5;
  }

  reset(): void {
    this.grab = null;
    this.touched = false;
    this.steps = 0;
    this.report = { flags: 0, iterations: 0, touching: 0 };
    for (const collider of this.colliders) {
      collider.pose = poseAt(collider.of.keys, 0);
      collider.wanted = null;
    }
    this.simulation.restart();
    this.place();
  }

  step(): void {
    const { scene } = this, seconds = scene.step;
    this.steps += 1;
    for (const collider of this.colliders) {
      collider.pose = collider.wanted === null ? poseAt(collider.of.keys, this.time) : this.toward(collider.pose, collider.wanted);
    }
    const input = { seconds, gravity: this.gravity ? scene.gravity : [0, 0] as const };
    this.report = this.simulation.step({ ...input, colliders: this.posed(this.dents), targets: this.targets(this.simulation) });
    if (this.comparing) this.linear!.step({ ...input, colliders: this.posed(false), targets: this.targets(this.linear!) });
  }

  // ---- The linear subspace for comparison ----

  get comparable(): boolean {
    return this.linear !== null;
  }
  get comparing(): boolean {
    return this.linearOn && this.linear !== null;
  }
  // It begins from the state that is on screen.
  set comparing(on: boolean) {
    if (on && !this.linearOn && this.linear !== null) {
      this.linear.restart();
      this.linear.setState(this.simulation.state.slice(), this.simulation.velocity.slice());
    }
    this.linearOn = on;
  }
  // Of all nodes; a view that is good until the next call of anything.
  linearPositions(): Float64Array | null {
    return this.comparing ? this.linear!.positions() : null;
  }

  // ---- What people do ----

  handleAt(handle: number): { x: number; y: number } {
    const { state } = this.simulation, at = this.object.handles[handle]!.position;
    return { x: state[at]!, y: state[at + 1]! };
  }

  move(collider: number, wanted: Pose): void {
    this.touched = true;
    this.colliders[collider]!.wanted = wanted;
  }

  pull(grab: Grab | null): void {
    this.touched ||= grab !== null;
    this.grab = grab;
  }

  // Newton per metre: what lifts the object with a little sag.
  get stiffness(): number {
    return (this.strength * this.simulation.mass * kGravity) / (kSag * this.object.size);
  }

  close(): void {
    this.simulation.close();
    this.linear?.close();
  }

  // The whole object turned and moved: columns of matrices and positions turn, positions move, too.
  private place(): void {
    const { scene, object, simulation } = this, state = simulation.state.slice(), velocity = new Float64Array(state.length);
    const c = Math.cos(scene.angle), s = Math.sin(scene.angle);
    for (let k = 0; k < state.length; k += 2) {
      const x = state[k]!, y = state[k + 1]!;
      state[k] = c * x - s * y;
      state[k + 1] = s * x + c * y;
    }
    for (const { position } of object.handles) {
      for (const r of [0, 1] as const) {
        state[position + r]! += scene.position[r];
        velocity[position + r] = scene.velocity[r];
      }
    }
    simulation.setState(state, velocity);
    const { linearOn } = this;
    this.comparing = false;
    this.comparing = linearOn;
  }

  private posed(dents: boolean): PosedCollider[] {
    return this.colliders.map(({ of, pose, on, field }) => ({
      shape: of.shape, radius: of.radius, rounding: of.rounding, friction: of.friction, corners: of.corners, ...pose, on,
      field: dents ? field : null,
    }));
  }

  private toward(from: Pose, to: Pose): Pose {
    const { step } = this.scene, most = kFastest * this.object.size * step, turn = kFastestTurn * step;
    const dx = to.x - from.x, dy = to.y - from.y, far = Math.hypot(dx, dy), share = far > most ? most / far : 1;
    const by = Math.max(-turn, Math.min(turn, to.angle - from.angle));
    return { x: from.x + share * dx, y: from.y + share * dy, angle: from.angle + by };
  }

  private targets(of: Simulation): Target[] {
    const { scene, object, grab } = this;
    if (scene.handles.length === 0 && grab === null) return [];
    const targets: Target[] = object.handles.map(() => ({ stiffness: 0, numbers: [] }));
    for (const { handle, stiffness, keys } of scene.handles) {
      const { x, y, angle } = poseAt(keys, this.time), c = Math.cos(angle), s = Math.sin(angle);
      targets[handle] = { stiffness, numbers: object.handles[handle]!.frame ? [c, s, -s, c, x, y] : [x, y] };
    }
    if (grab === null) return targets;
    const { frame, position } = object.handles[grab.handle]!, { state, velocity } = of;
    // A frame is pulled at its position. Its matrix is wanted where it goes by itself.
    const matrix = frame ? [4, 3, 2, 1].map((k) => state[position - k]! + scene.step * velocity[position - k]!) : [];
    targets[grab.handle] = { stiffness: this.stiffness, numbers: [...matrix, grab.x, grab.y] };
    return targets;
  }
}

// ---- Scenes for objects that have none ----

function boundsOf(object: SoftObject): { left: number; right: number; low: number; high: number } {
  let left = Infinity, right = -Infinity, low = Infinity, high = -Infinity;
  for (let i = 0; i < object.rest.length; i += 2) {
    left = Math.min(left, object.rest[i]!);
    right = Math.max(right, object.rest[i]!);
    low = Math.min(low, object.rest[i + 1]!);
    high = Math.max(high, object.rest[i + 1]!);
  }
  return { left, right, low, high };
}

// It falls on a floor, as `sinew dynamics my.soft` plays it.
export function fallOf(object: SoftObject): Scene {
  const floor = boundsOf(object).low - object.size / 4;
  return {
    seconds: 2, step: 1 / 60, gravity: [0, -9.81], position: [0, 0], angle: 0, velocity: [0, 0], handles: [],
    colliders: [{ shape: 'plane', radius: 0, corners: [], rounding: 0, friction: 0.5, keys: [{ seconds: 0, x: 0, y: floor, angle: 0 }] }],
  };
}

// The scene with what there is to poke with: a collider of each field's shape, and a ball where nothing could be dragged. They wait
// beside the object.
export function withTools(scene: Scene, object: SoftObject, fields: readonly Field[]): Scene {
  const colliders = [...scene.colliders], { right, low, high } = boundsOf(object), size = object.size;
  let beside = right + scene.position[0] + 0.1 * size;
  const add = (collider: Omit<SceneCollider, 'keys' | 'friction'>, reach: number) => {
    if (colliders.length >= 8) return;
    colliders.push({ ...collider, friction: 0.3, keys: [{ seconds: 0, x: beside + reach, y: (low + high) / 2 + scene.position[1], angle: 0 }] });
    beside += 2 * reach + 0.05 * size;
  };
  for (const field of fields) {
    const { corners, rounding } = field;
    if (colliders.some((of) => of.shape === 'polygon' && field.isOf(of.corners, of.rounding))) continue;
    let reach = 0;
    for (let i = 0; i < corners.length; i += 2) reach = Math.max(reach, Math.hypot(corners[i]!, corners[i + 1]!));
    add({ shape: 'polygon', radius: 0, corners, rounding }, reach + rounding);
  }
  if (!colliders.some(({ shape }) => shape !== 'plane')) {
    add({ shape: 'circle', radius: size / 14, corners: [], rounding: 0 }, size / 14);
  }
  return { ...scene, colliders };
}
