// The picture: the object seen from the front, its triangles, its handles, and the rigid things around it.
import { kStops } from '../scene/heat';
import type { SoftObject } from './module';
import type { Play, PlayedCollider, Pose } from './play';
import type { View } from './view';

export interface Palette {
  background: string;
  body: string;
  outline: string;
  mesh: string;
  collider: string;
  colliderEdge: string;
  floor: string;
  floorEdge: string;
  accent: string;
  text: string;
}

export interface Looks {
  palette: Palette;
  triangles: boolean;
  handles: boolean;
  stretch: boolean;      // colours of triangles: by how far they are stretched
  hover: Hover;
}

// What the mouse is over, or holds.
export type Hover = { kind: 'collider'; collider: number } | { kind: 'handle'; handle: number } | null;

export const kLargestStretch = 0.5;
const kColourSteps = 24;
const kHandlePixels = 5;

const heatColours = Array.from({ length: kColourSteps }, (_, i) => {
  const at = (i / (kColourSteps - 1)) * (kStops.length - 1), k = Math.min(Math.floor(at), kStops.length - 2);
  const mix = (shift: number) => {
    const from = (kStops[k]! >> shift) & 255, to = (kStops[k + 1]! >> shift) & 255;
    return Math.round(from + (at - k) * (to - from));
  };
  return `rgb(${mix(16)} ${mix(8)} ${mix(0)})`;
});

// The loops of an object's outline, each a list of nodes.
export function loopsOf(object: SoftObject): number[][] {
  const next = new Map<number, number>();
  for (let e = 0; e < object.edges.length; e += 2) next.set(object.edges[e]!, object.edges[e + 1]!);
  const loops: number[][] = [];
  while (next.size > 0) {
    const loop: number[] = [];
    let node: number | undefined = next.keys().next().value;
    while (node !== undefined && next.has(node)) {
      loop.push(node);
      const following: number | undefined = next.get(node);
      next.delete(node);
      node = following;
    }
    loops.push(loop);
  }
  return loops;
}

// How far each triangle is stretched or squeezed: the largest change of a length in it, as a share.
export class Stretch {
  readonly values: Float32Array;
  private readonly inverses: Float64Array;  // of the matrices of two edges at rest, row by row

  constructor(private readonly object: SoftObject) {
    const { triangles, rest } = object, count = triangles.length / 3;
    this.values = new Float32Array(count);
    this.inverses = new Float64Array(4 * count);
    for (let t = 0; t < count; ++t) {
      const [ax, ay, bx, by] = this.edges(t, rest), area = ax * by - bx * ay;
      if (area !== 0) this.inverses.set([by / area, -bx / area, -ay / area, ax / area], 4 * t);
    }
  }

  // Returns the largest.
  update(positions: Float64Array): number {
    let largest = 0;
    for (let t = 0; t < this.values.length; ++t) {
      const [ax, ay, bx, by] = this.edges(t, positions), m = this.inverses;
      const xx = ax * m[4 * t]! + bx * m[4 * t + 2]!, xy = ax * m[4 * t + 1]! + bx * m[4 * t + 3]!;
      const yx = ay * m[4 * t]! + by * m[4 * t + 2]!, yy = ay * m[4 * t + 1]! + by * m[4 * t + 3]!;
      // Singular values of the deformation gradient.
      const sum = Math.hypot(xx + yy, yx - xy), difference = Math.hypot(xx - yy, yx + xy);
      const most = Math.max(Math.abs((sum + difference) / 2 - 1), Math.abs((sum - difference) / 2 - 1));
      this.values[t] = most;
      if (most > largest) largest = most;
    }
    return largest;
  }

  private edges(t: number, from: Float64Array): [number, number, number, number] {
    const { triangles } = this.object, a = 2 * triangles[3 * t]!, b = 2 * triangles[3 * t + 1]!, c = 2 * triangles[3 * t + 2]!;
    return [from[b]! - from[a]!, from[b + 1]! - from[a + 1]!, from[c]! - from[a]!, from[c + 1]! - from[a + 1]!];
  }
}

export class Drawing {
  largestStretch = 0;
  private readonly context: CanvasRenderingContext2D;
  private object: SoftObject | null = null;
  private loops: number[][] = [];
  private stretch: Stretch | null = null;

  constructor(readonly canvas: HTMLCanvasElement, private readonly view: View) {
    this.context = canvas.getContext('2d')!;
  }

  draw(play: Play | null, looks: Looks): void {
    const { context, canvas, view } = this, ratio = Math.min(2, window.devicePixelRatio);
    view.resize(canvas.clientWidth, canvas.clientHeight);
    const width = Math.round(view.width * ratio), height = Math.round(view.height * ratio);
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = looks.palette.background;
    context.fillRect(0, 0, view.width, view.height);
    if (play === null) return;
    this.prepare(play.object);
    const { collider: held } = looks.hover?.kind === 'collider' ? looks.hover : { collider: -1 };
    context.lineJoin = 'round';
    play.colliders.forEach((collider, c) => {
      if (collider.on) this.drawCollider(collider, c === held, looks.palette, play.dents);
    });
    const linear = play.linearPositions()?.slice() ?? null;
    this.drawBody(play.simulation.positions(), looks);
    if (linear !== null) this.drawDashed(linear, looks.palette);
    if (looks.handles || play.grab !== null) this.drawHandles(play, looks);
  }

  private prepare(object: SoftObject): void {
    if (object === this.object) return;
    this.object = object;
    this.loops = loopsOf(object);
    this.stretch = new Stretch(object);
  }

  // ---- The object ----

  private drawBody(positions: Float64Array, { palette, triangles, stretch }: Looks): void {
    const { context } = this, body = this.outline(positions);
    context.fillStyle = palette.body;
    context.fill(body, 'evenodd');
    this.largestStretch = stretch ? this.stretch!.update(positions) : 0;
    if (stretch) this.drawStretch(positions);
    if (triangles) {
      context.strokeStyle = palette.mesh;
      context.lineWidth = 0.6;
      context.stroke(this.mesh(positions));
    }
    context.strokeStyle = palette.outline;
    context.lineWidth = 1.8;
    context.stroke(body);
  }

  private outline(positions: Float64Array): Path2D {
    const path = new Path2D(), { view } = this;
    for (const loop of this.loops) {
      loop.forEach((node, i) => {
        const at = view.toPage(positions[2 * node]!, positions[2 * node + 1]!);
        if (i === 0) path.moveTo(at.x, at.y);
        else path.lineTo(at.x, at.y);
      });
      path.closePath();
    }
    return path;
  }

  private addTriangle(path: Path2D, t: number, positions: Float64Array): void {
    const { triangles } = this.object!;
    for (let k = 0; k < 3; ++k) {
      const node = triangles[3 * t + k]!, at = this.view.toPage(positions[2 * node]!, positions[2 * node + 1]!);
      if (k === 0) path.moveTo(at.x, at.y);
      else path.lineTo(at.x, at.y);
    }
    path.closePath();
  }

  private mesh(positions: Float64Array): Path2D {
    const path = new Path2D();
    for (let t = 0; t < this.object!.triangles.length / 3; ++t) this.addTriangle(path, t, positions);
    return path;
  }

  // One path per colour.
  private drawStretch(positions: Float64Array): void {
    const { context } = this, paths = new Map<number, Path2D>(), { values } = this.stretch!;
    values.forEach((value, t) => {
      const step = Math.min(kColourSteps - 1, Math.floor((value / kLargestStretch) * kColourSteps));
      if (!paths.has(step)) paths.set(step, new Path2D());
      this.addTriangle(paths.get(step)!, t, positions);
    });
    context.lineWidth = 0.7;
    for (const [step, path] of paths) {
      context.fillStyle = context.strokeStyle = heatColours[step]!;
      context.fill(path);
      // Between neighbours nothing shines through.
      context.stroke(path);
    }
  }

  private drawDashed(positions: Float64Array, palette: Palette): void {
    const { context } = this;
    context.setLineDash([6, 5]);
    context.strokeStyle = palette.text;
    context.lineWidth = 1.4;
    context.stroke(this.outline(positions));
    context.setLineDash([]);
  }

  // ---- Rigid things ----

  private drawCollider(collider: PlayedCollider, held: boolean, palette: Palette, dents: boolean): void {
    const { context, view } = this, { of, pose, wanted, field } = collider;
    if (of.shape === 'plane') return this.drawFloor(pose, palette);
    const path = this.shape(of, pose), rounding = 2 * of.rounding * view.pixelsPerMetre;
    // How far its field reaches.
    if (field !== null && dents && held) {
      context.strokeStyle = palette.collider;
      context.globalAlpha = 0.12;
      context.lineWidth = rounding + 2 * field.window * view.pixelsPerMetre;
      context.stroke(path);
      context.globalAlpha = 1;
    }
    // A stroke of twice the rounding draws the rounded outline.
    context.fillStyle = context.strokeStyle = held ? palette.accent : palette.colliderEdge;
    context.lineWidth = rounding + 3;
    context.stroke(path);
    context.fillStyle = context.strokeStyle = palette.collider;
    context.lineWidth = rounding;
    if (rounding > 0) context.stroke(path);
    context.fill(path);
    if (wanted !== null && Math.hypot(wanted.x - pose.x, wanted.y - pose.y) * view.pixelsPerMetre > 4) {
      context.setLineDash([3, 4]);
      context.strokeStyle = palette.accent;
      context.lineWidth = 1;
      context.stroke(this.shape(of, wanted));
      context.setLineDash([]);
    }
  }

  private shape(of: PlayedCollider['of'], pose: Pose): Path2D {
    const path = new Path2D(), { view } = this, c = Math.cos(pose.angle), s = Math.sin(pose.angle);
    if (of.shape === 'circle') {
      const at = view.toPage(pose.x, pose.y);
      path.arc(at.x, at.y, of.radius * view.pixelsPerMetre, 0, 2 * Math.PI);
      return path;
    }
    for (let i = 0; i < of.corners.length; i += 2) {
      const x = of.corners[i]!, y = of.corners[i + 1]!, at = view.toPage(pose.x + c * x - s * y, pose.y + s * x + c * y);
      if (i === 0) path.moveTo(at.x, at.y);
      else path.lineTo(at.x, at.y);
    }
    path.closePath();
    return path;
  }

  // As much of a half plane as the picture can show.
  private drawFloor(pose: Pose, palette: Palette): void {
    const { context, view } = this, at = view.toPage(pose.x, pose.y);
    const far = 2 * (view.width + view.height) + Math.hypot(at.x - view.width / 2, at.y - view.height / 2);
    context.save();
    context.translate(at.x, at.y);
    context.rotate(-pose.angle);
    context.fillStyle = palette.floor;
    context.fillRect(-far, 0, 2 * far, far);
    context.fillStyle = palette.floorEdge;
    context.fillRect(-far, 0, 2 * far, 1.5);
    context.restore();
  }

  // ---- Handles ----

  private drawHandles(play: Play, looks: Looks): void {
    const { context, view } = this, { palette, hover } = looks;
    play.object.handles.forEach(({ frame }, h) => {
      const place = play.handleAt(h), at = view.toPage(place.x, place.y), held = hover?.kind === 'handle' && hover.handle === h;
      if (!looks.handles && !held) return;
      context.fillStyle = held ? palette.accent : palette.background;
      context.strokeStyle = palette.accent;
      context.lineWidth = 1.8;
      context.beginPath();
      const r = kHandlePixels + (held ? 2 : 0);
      // Points are round, frames square.
      if (frame) context.rect(at.x - r, at.y - r, 2 * r, 2 * r);
      else context.arc(at.x, at.y, r, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    });
    if (play.grab !== null) this.drawSpring(play.handleAt(play.grab.handle), play.grab, palette);
  }

  private drawSpring(from: { x: number; y: number }, to: { x: number; y: number }, palette: Palette): void {
    const { context, view } = this, a = view.toPage(from.x, from.y), b = view.toPage(to.x, to.y);
    context.strokeStyle = context.fillStyle = palette.accent;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(a.x, a.y);
    context.lineTo(b.x, b.y);
    context.stroke();
    context.beginPath();
    context.arc(b.x, b.y, 3.5, 0, 2 * Math.PI);
    context.fill();
  }
}
