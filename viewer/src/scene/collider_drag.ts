// Colliders under the mouse: dragged in the plane of the picture, pushed away from the camera, turned.
import { Plane, Quaternion, Vector3, type Raycaster } from 'three';
import type { Contact } from '../contact';
import type { Stage } from './stage';

const kTurn = 0.01;       // radians a pixel
const kWheelPixels = 0.1;  // of the picture a pixel of the wheel is worth

type Kind = 'move' | 'depth' | 'turn';

export class ColliderDrag {
  private pointer: number | null = null;
  private grabbed = new Vector3();
  private at = { x: 0, y: 0 };

  constructor(private readonly stage: Stage, private readonly contact: Contact) {
    const { canvas } = stage, early = { capture: true };
    // Before the camera's own listeners, which must not see what moves a collider.
    canvas.addEventListener('pointerdown', (event) => this.begin(event), early);
    canvas.addEventListener('pointermove', (event) => this.drag(event), early);
    canvas.addEventListener('wheel', (event) => this.wheel(event), { capture: true, passive: false });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      canvas.addEventListener(end, (event) => this.end(event), early);
    }
  }

  private begin(event: PointerEvent): void {
    if (this.pointer !== null || event.button === 1) return;
    const found = this.find(event);
    if (found === null) return;
    this.contact.colliders.selected = found.contact;
    this.grabbed = found.point;
    this.pointer = event.pointerId;
    this.at = { x: event.clientX, y: event.clientY };
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.stage.canvas.style.cursor = 'grabbing';
    event.stopImmediatePropagation();
  }

  private drag(event: PointerEvent): void {
    if (this.pointer === null) {
      this.stage.canvas.style.cursor = event.buttons === 0 && this.find(event) !== null ? 'grab' : '';
      return;
    }
    if (event.pointerId !== this.pointer) return;
    event.stopImmediatePropagation();
    const dx = event.clientX - this.at.x, dy = event.clientY - this.at.y;
    const kind: Kind = (event.buttons & 2) !== 0 || event.ctrlKey ? 'turn' : event.shiftKey ? 'depth' : 'move';
    if (kind === 'move') this.moveTo(event);
    else if (kind === 'depth') this.push(-dy);
    else this.turn(dx, dy);
    this.at = { x: event.clientX, y: event.clientY };
  }

  private end(event: PointerEvent): void {
    if (event.pointerId !== this.pointer) return;
    this.pointer = null;
    this.stage.canvas.style.cursor = '';
    event.stopImmediatePropagation();
  }

  // As long as a collider is held.
  private wheel(event: WheelEvent): void {
    if (this.pointer === null) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.push(-kWheelPixels * event.deltaY);
  }

  private find(event: PointerEvent): { contact: number; point: Vector3 } | null {
    if (!this.contact.colliders.any) return null;
    const ray = this.stage.rayAt(event.clientX, event.clientY);
    return ray === null ? null : this.contact.hit(ray);
  }

  private moveTo(event: PointerEvent): void {
    const ray: Raycaster | null = this.stage.rayAt(event.clientX, event.clientY);
    const plane = new Plane().setFromNormalAndCoplanarPoint(this.stage.direction(), this.grabbed);
    const to = ray?.ray.intersectPlane(plane, new Vector3()) ?? null;
    if (to === null) return;
    this.contact.move(to.clone().sub(this.grabbed));
    this.grabbed = to;
  }

  // So many pixels away from the camera.
  private push(pixels: number): void {
    const by = this.stage.direction().multiplyScalar(pixels * this.stage.pixelAt(this.grabbed));
    this.contact.move(by);
    this.grabbed.add(by);
  }

  private turn(dx: number, dy: number): void {
    const { up, right } = this.stage.axes();
    this.contact.rotate(new Quaternion().setFromAxisAngle(up, kTurn * dx).multiply(new Quaternion().setFromAxisAngle(right, kTurn * dy)));
  }
}
