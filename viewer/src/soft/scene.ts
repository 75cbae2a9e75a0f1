// What happens to a soft object: a script as docs/formats/scene.md has it. Numbers are checked: scripts come from elsewhere.

export interface PoseKey {
  seconds: number;
  x: number;
  y: number;
  angle: number;  // radians, counter-clockwise
}

export interface SceneCollider {
  shape: 'plane' | 'circle' | 'polygon';
  radius: number;
  corners: number[];
  rounding: number;
  friction: number;
  keys: PoseKey[];
}

// Handle that a spring pulls.
export interface DrivenHandle {
  handle: number;
  stiffness: number;
  keys: PoseKey[];
}

export interface Scene {
  seconds: number;
  step: number;
  gravity: [number, number];
  position: [number, number];
  angle: number;
  velocity: [number, number];
  colliders: SceneCollider[];
  handles: DrivenHandle[];
}

const kMaxColliders = 8, kMaxCorners = 256, kMaxKeys = 100000, kFarthest = 1e6;

type Fields = Record<string, unknown>;

function fail(what: string): never {
  throw new Error(`the script: ${what}`);
}

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(`${what} is not an object`);
  return value as Fields;
}

function listOf(value: unknown, what: string, most: number): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) fail(`${what} is not a list`);
  if (value.length > most) fail(`${what} has more than ${most}`);
  return value;
}

function number(fields: Fields, key: string, low: number, high: number, otherwise: number): number {
  const value = fields[key] ?? otherwise;
  if (typeof value !== 'number' || !(value >= low && value <= high)) fail(`"${key}" is not a number from ${low} to ${high}`);
  return value;
}

// Pairs are read as floats, as the command line reads them.
function pair(value: unknown, what: string, otherwise: [number, number], most: number): [number, number] {
  if (value === undefined) return otherwise;
  const [x, y] = listOf(value, what, 2);
  if (typeof x !== 'number' || typeof y !== 'number' || !(Math.abs(x) <= most && Math.abs(y) <= most)) fail(`${what} is not two numbers`);
  return [Math.fround(x), Math.fround(y)];
}

function keysOf(value: unknown, what: string): PoseKey[] {
  if (value === undefined) return [{ seconds: 0, x: 0, y: 0, angle: 0 }];
  const keys = listOf(value, `"keys" of ${what}`, kMaxKeys).map((key) => {
    const fields = fieldsOf(key, `a key of ${what}`), [x, y] = pair(fields['position'], `"position" of ${what}`, [0, 0], kFarthest);
    return { seconds: number(fields, 'seconds', 0, 1e6, 0), x, y, angle: number(fields, 'angle', -1e6, 1e6, 0) };
  });
  if (keys.length === 0) fail(`"keys" of ${what} has none`);
  for (let k = 1; k < keys.length; ++k) if (!(keys[k]!.seconds > keys[k - 1]!.seconds)) fail(`the keys of ${what} are not in order`);
  return keys;
}

function colliderOf(value: unknown, c: number): SceneCollider {
  const what = `collider ${c}`, fields = fieldsOf(value, what), shape = fields['shape'];
  if (shape !== 'plane' && shape !== 'circle' && shape !== 'polygon') fail(`${what} is neither plane, circle nor polygon`);
  const corners = shape !== 'polygon' ? [] : listOf(fields['corners'], `"corners" of ${what}`, kMaxCorners)
    .map((corner) => pair(corner, `a corner of ${what}`, [NaN, NaN], kFarthest));
  let area = 0;
  corners.forEach(([x, y], i) => {
    const [next_x, next_y] = corners[(i + 1) % corners.length]!;
    area += x * next_y - next_x * y;
  });
  if (shape === 'polygon' && !(corners.length >= 3 && area > 0)) fail(`the corners of ${what} do not go around counter-clockwise`);
  return {
    shape, corners: corners.flat(),
    radius: shape === 'circle' ? number(fields, 'radius', 1e-6, kFarthest, NaN) : 0,
    rounding: shape === 'polygon' ? number(fields, 'rounding', 0, kFarthest, 0) : 0,
    friction: number(fields, 'friction', 0, 10, 0.3),
    keys: keysOf(fields['keys'], what),
  };
}

// Throws an Error with a sentence for what is no script. handles: how many the object has.
export function sceneOf(json: unknown, handles: number): Scene {
  const fields = fieldsOf(json, 'it');
  return {
    seconds: number(fields, 'seconds', 1e-3, 3600, 2),
    step: number(fields, 'step', 1e-4, 0.1, 1 / 60),
    gravity: pair(fields['gravity'], '"gravity"', [0, -9.81], 1e4),
    position: pair(fields['position'], '"position"', [0, 0], kFarthest),
    angle: number(fields, 'angle', -1e6, 1e6, 0),
    velocity: pair(fields['velocity'], '"velocity"', [0, 0], 1e4),
    colliders: listOf(fields['colliders'], '"colliders"', kMaxColliders).map(colliderOf),
    handles: listOf(fields['handles'], '"handles"', handles).map((value, h) => {
      const driven = fieldsOf(value, `handle ${h}`), handle = number(driven, 'handle', 0, handles - 1, NaN);
      if (!Number.isInteger(handle)) fail(`"handle" is not a whole number`);
      return { handle, stiffness: number(driven, 'stiffness', 0, 1e12, NaN), keys: keysOf(driven['keys'], `handle ${h}`) };
    }),
  };
}

// Between keys evenly; before the first and after the last it stays.
export function poseAt(keys: readonly PoseKey[], seconds: number): PoseKey {
  const next = keys.findIndex((key) => key.seconds > seconds);
  if (next === 0) return keys[0]!;
  if (next < 0) return keys[keys.length - 1]!;
  const a = keys[next - 1]!, b = keys[next]!, t = (seconds - a.seconds) / (b.seconds - a.seconds);
  const between = (from: number, to: number) => (1 - t) * from + t * to;
  return { seconds, x: between(a.x, b.x), y: between(a.y, b.y), angle: between(a.angle, b.angle) };
}
