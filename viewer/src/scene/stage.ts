// Where characters stand: light, ground, camera, and the picture of them: one, two beside each other, or two halves of one.
import { Color, Fog, Group, PCFShadowMap, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Ground } from './ground';
import { Lights } from './lights';

// one: a picture of the first. pair: a picture of each, from the same side. split: one picture, in which the second begins at a share
// of the width.
export type Layout = { kind: 'one' } | { kind: 'pair' } | { kind: 'split'; at: number };

// Of a picture on the page, in its pixels from the top left.
export interface Cell {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(32, 1, 0.02, 400);
  readonly controls: OrbitControls;
  readonly first = new Group();
  readonly second = new Group();
  readonly both = new Group();
  private readonly renderer: WebGLRenderer;
  private readonly ground = new Ground();
  private readonly lights = new Lights();
  private size = { width: 1, height: 1 };
  private covered = 0;
  private height = 1;
  private layout: Layout = { kind: 'one' };
  private anchor = new Vector3();

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.autoClear = false;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = Math.PI * 0.62;
    this.scene.add(this.lights.group, this.first, this.second, this.both, this.ground.rings, this.ground.spot);
  }

  setTheme(background: string, ground: string, shade: number): void {
    this.scene.background = new Color(background);
    this.scene.fog = new Fog(background, 1, 2);
    this.ground.setTheme(ground, shade);
    this.fitFog();
  }

  setLayout(layout: Layout): void {
    const other = layout.kind !== this.layout.kind;
    this.layout = layout;
    if (other) this.resize(true);
  }

  // Looks at something of a height that stands at the origin, with room around it.
  frame(height: number, room: { height: number; width: number }, feet: number): void {
    this.setSize(height);
    const middle = feet + 0.5 * room.height, half = Math.tan((this.camera.fov * Math.PI) / 360);
    const distance = (0.62 * Math.max(room.height, room.width / Math.max(0.2, this.camera.aspect))) / half;
    this.place(new Vector3(0, middle, 0), new Vector3(0.33, 0.1, 0.94), distance);
    this.anchor.set(0, 0, 0);
    this.ground.place(0, 0, feet);
  }

  // Looks at a place from a direction, so that what is within the radius is in the picture.
  closeUp(place: Vector3, from: Vector3, radius: number): void {
    this.resize(true);
    const half = Math.tan((this.camera.fov * Math.PI) / 360) * Math.min(1, this.camera.aspect);
    this.place(place, from, radius / half);
  }

  // From a place toward another.
  look(from: Vector3, toward: Vector3): void {
    this.place(toward, from.clone().sub(toward), from.distanceTo(toward));
  }

  // The camera goes with what it follows from `at` on.
  hold(at: Vector3): void {
    this.anchor.copy(at);
  }
  follow(at: Vector3): void {
    const moved = at.clone().sub(this.anchor);
    this.anchor.copy(at);
    this.controls.target.add(moved);
    this.camera.position.add(moved);
  }

  placeGround(x: number, z: number, feet: number): void {
    this.ground.place(x, z, feet);
  }

  // How many pixels high something of that height at the target is.
  pixelsOf(height: number): number {
    return (height / this.seenHeight()) * this.cells()[0]!.height;
  }

  // The ray from the camera through a place on the page; null where there is no picture.
  rayAt(client_x: number, client_y: number): Raycaster | null {
    const box = this.canvas.getBoundingClientRect(), x = client_x - box.left, y = client_y - box.top;
    const cell = this.cells().find((one) => x >= one.x && x <= one.x + one.width && y >= one.y && y <= one.y + one.height);
    if (cell === undefined) return null;
    const ray = new Raycaster(), at = new Vector2((2 * (x - cell.x)) / cell.width - 1, 1 - (2 * (y - cell.y)) / cell.height);
    this.camera.updateMatrixWorld();
    ray.setFromCamera(at, this.camera);
    return ray;
  }

  // Where the camera looks to, and its axes.
  direction(): Vector3 {
    return this.camera.getWorldDirection(new Vector3());
  }
  axes(): { right: Vector3; up: Vector3 } {
    const axis = (column: number) => new Vector3().setFromMatrixColumn(this.camera.matrixWorld, column);
    return { right: axis(0), up: axis(1) };
  }

  // How long a pixel is at a place.
  pixelAt(place: Vector3): number {
    const away = place.clone().sub(this.camera.position).dot(this.direction());
    return (2 * Math.tan((this.camera.fov * Math.PI) / 360) * Math.max(away, this.camera.near)) / this.cells()[0]!.height;
  }

  // So many pixels at the bottom lie under something else: pictures fill what is left.
  cover(pixels: number): void {
    if (pixels === this.covered) return;
    this.covered = pixels;
    this.resize(true);
  }

  // The pictures: two beside each other, or above each other where the page is higher than wide.
  cells(): Cell[] {
    const { width } = this.size, height = Math.max(1, this.size.height - this.covered);
    if (this.layout.kind !== 'pair') return [{ x: 0, y: 0, width, height }];
    const across = width >= height, w = across ? Math.ceil(width / 2) : width, h = across ? height : Math.ceil(height / 2);
    return [{ x: 0, y: 0, width: w, height: h }, { x: width - w, y: height - h, width: w, height: h }];
  }

  resize(force = false): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!force && width === this.size.width && height === this.size.height) return;
    this.size = { width: Math.max(1, width), height: Math.max(1, height) };
    this.renderer.setSize(this.size.width, this.size.height, false);
    const cell = this.cells()[0]!;
    this.camera.aspect = cell.width / cell.height;
    this.camera.updateProjectionMatrix();
  }

  // swapped: the first and the second change places.
  draw(swapped: boolean): void {
    this.resize();
    this.controls.update();
    const { renderer, layout } = this, cells = this.cells();
    this.lights.place(this.camera, this.controls.target, this.height, 0.75 * this.seenHeight() * Math.max(1, this.camera.aspect));
    renderer.setScissorTest(false);
    renderer.clear();
    renderer.setScissorTest(true);
    cells.forEach((cell, i) => this.drawCell(cell, cell, (i === 1) !== swapped));
    if (layout.kind !== 'split') return;
    const cell = cells[0]!, at = Math.round(layout.at * cell.width);
    this.drawCell(cell, { ...cell, x: cell.x + at, width: cell.width - at }, !swapped);
  }

  // The part of a cell that is drawn anew.
  private drawCell(cell: Cell, part: Cell, second: boolean): void {
    const { renderer } = this, up = (of: Cell) => this.size.height - of.y - of.height;
    this.first.visible = !second;
    this.second.visible = second;
    renderer.setViewport(cell.x, up(cell), cell.width, cell.height);
    renderer.setScissor(part.x, up(part), part.width, part.height);
    renderer.render(this.scene, this.camera);
  }

  private place(target: Vector3, from: Vector3, distance: number): void {
    this.controls.target.copy(target);
    this.camera.position.copy(from).normalize().multiplyScalar(distance).add(target);
    this.controls.update();
  }

  private setSize(height: number): void {
    this.height = height;
    this.resize(true);
    this.camera.near = 0.01 * height;
    this.camera.far = 200 * height;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = 0.25 * height;
    this.controls.maxDistance = 40 * height;
    this.ground.resize(height);
    this.fitFog();
  }

  // Of what is in the picture at the target.
  private seenHeight(): number {
    return 2 * Math.tan((this.camera.fov * Math.PI) / 360) * this.camera.position.distanceTo(this.controls.target);
  }

  private fitFog(): void {
    const fog = this.scene.fog;
    if (fog instanceof Fog) {
      fog.near = 14 * this.height;
      fog.far = 60 * this.height;
    }
  }
}
