// What the mouse does in the picture: it takes a collider, pulls the object by a handle, or moves the view.
import type { Play } from './play';
import type { Hover } from './drawing';
import type { Point, View } from './view';

const kNear = 12;  // pixels
export const kTurn = Math.PI / 36;

interface Held {
  pointer: number;
  what: Hover;
  turning: boolean;
  last: Point;    // pixels
  offset: Point;  // from the mouse to what is held, in the plane
}

export class Hand {
  hover: Hover = null;
  selected = -1;  // the collider that keys turn: the last one that was held
  private held: Held | null = null;

  // play: what is on screen now.
  constructor(private readonly canvas: HTMLCanvasElement, private readonly view: View, private readonly play: () => Play | null) {
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      canvas.addEventListener(end, (event) => this.up(event));
    }
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  // Lets go: what was held may be gone.
  release(): void {
    this.play()?.pull(null);
    this.held = null;
    this.hover = null;
  }

  // By keys and by the wheel.
  turn(by: number): void {
    const play = this.play(), c = this.hover?.kind === 'collider' ? this.hover.collider : this.selected, collider = play?.colliders[c];
    if (play === null || collider === undefined || collider.of.shape === 'plane') return;
    const from = collider.wanted ?? collider.pose;
    play.move(c, { x: from.x, y: from.y, angle: from.angle + by });
  }

  private at(event: { clientX: number; clientY: number }): Point {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private down(event: PointerEvent): void {
    const play = this.play(), at = this.at(event);
    if (play === null || this.held !== null || event.button === 1) return;
    this.canvas.setPointerCapture(event.pointerId);
    const what = this.find(at), here = this.view.toPlane(at.x, at.y), turning = event.button === 2 || event.ctrlKey;
    let offset = { x: 0, y: 0 };
    if (what?.kind === 'collider') {
      const { pose } = play.colliders[what.collider]!;
      offset = { x: pose.x - here.x, y: pose.y - here.y };
      this.selected = what.collider;
      play.move(what.collider, { ...pose });
    } else if (what?.kind === 'handle') {
      const place = play.handleAt(what.handle);
      offset = { x: place.x - here.x, y: place.y - here.y };
      play.pull({ handle: what.handle, ...place });
    }
    this.held = { pointer: event.pointerId, what, turning: turning && what?.kind === 'collider', last: at, offset };
    this.hover = what;
    this.showCursor();
  }

  private move(event: PointerEvent): void {
    const play = this.play(), at = this.at(event), { held } = this;
    if (play === null) return;
    if (held === null) {
      this.hover = this.find(at);
      return this.showCursor();
    }
    if (event.pointerId !== held.pointer) return;
    const dx = at.x - held.last.x, dy = at.y - held.last.y, here = this.view.toPlane(at.x, at.y);
    held.last = at;
    if (held.what === null) return this.view.pan(dx, dy);
    if (held.turning) return this.turn(-0.01 * (dx - dy));
    const x = here.x + held.offset.x, y = here.y + held.offset.y;
    if (held.what.kind === 'handle') return play.pull({ handle: held.what.handle, x, y });
    const { wanted, pose } = play.colliders[held.what.collider]!;
    play.move(held.what.collider, { x, y, angle: (wanted ?? pose).angle });
  }

  private up(event: PointerEvent): void {
    if (event.pointerId !== this.held?.pointer) return;
    this.held = null;
    this.play()?.pull(null);
    this.hover = this.find(this.at(event));
    this.showCursor();
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    if (this.held?.what?.kind === 'collider') return this.turn(-Math.sign(event.deltaY) * kTurn);
    const at = this.at(event);
    this.view.zoom(Math.exp(-0.0015 * event.deltaY), at.x, at.y);
  }

  // A handle that is near, a collider, or the handle nearest to a place of the object.
  private find(at: Point): Hover {
    const play = this.play();
    if (play === null) return null;
    const near = this.nearestHandle(play, at);
    if (near.pixels <= kNear) return { kind: 'handle', handle: near.handle };
    const here = this.view.toPlane(at.x, at.y), room = 4 / this.view.pixelsPerMetre;
    for (let c = play.colliders.length - 1; c >= 0; --c) {
      if (play.colliders[c]!.on && distanceTo(play, c, here) <= room) return { kind: 'collider', collider: c };
    }
    return isInside(play, here) ? { kind: 'handle', handle: near.handle } : null;
  }

  private nearestHandle(play: Play, at: Point): { handle: number; pixels: number } {
    let best = { handle: -1, pixels: Infinity };
    play.object.handles.forEach((_, handle) => {
      const place = play.handleAt(handle), there = this.view.toPage(place.x, place.y);
      const pixels = Math.hypot(there.x - at.x, there.y - at.y);
      if (pixels < best.pixels) best = { handle, pixels };
    });
    return best;
  }

  private showCursor(): void {
    this.canvas.style.cursor = this.held !== null ? 'grabbing' : this.hover !== null ? 'grab' : 'default';
  }
}

// Whether a ray to the right crosses the outline an odd number of times.
function isInside(play: Play, { x, y }: Point): boolean {
  const positions = play.simulation.positions(), { edges } = play.object;
  let inside = false;
  for (let e = 0; e < edges.length; e += 2) {
    const ax = positions[2 * edges[e]!]!, ay = positions[2 * edges[e]! + 1]!;
    const bx = positions[2 * edges[e + 1]!]!, by = positions[2 * edges[e + 1]! + 1]!;
    if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
  }
  return inside;
}

// From a collider that can be taken: infinite for planes, at most 0 inside.
export function distanceTo(play: Play, collider: number, at: Point): number {
  const { of, pose } = play.colliders[collider]!, dx = at.x - pose.x, dy = at.y - pose.y;
  if (of.shape === 'plane') return Infinity;
  if (of.shape === 'circle') return Math.hypot(dx, dy) - of.radius;
  const c = Math.cos(pose.angle), s = Math.sin(pose.angle), x = c * dx + s * dy, y = -s * dx + c * dy, { corners } = of;
  let nearest = Infinity, inside = false;
  for (let i = 0, j = corners.length - 2; i < corners.length; j = i, i += 2) {
    const ax = corners[j]!, ay = corners[j + 1]!, ex = corners[i]! - ax, ey = corners[i + 1]! - ay;
    const t = Math.min(1, Math.max(0, ((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey)));
    nearest = Math.min(nearest, Math.hypot(x - ax - t * ex, y - ay - t * ey));
    if (ay > y !== ay + ey > y && x < ax + (ex * (y - ay)) / ey) inside = !inside;
  }
  return (inside ? -nearest : nearest) - of.rounding;
}
