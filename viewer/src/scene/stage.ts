// Where characters stand: light, ground, camera, and one picture of them or two halves side by side.
import {
  AmbientLight, CanvasTexture, Color, DirectionalLight, Fog, Group, HemisphereLight, Mesh, MeshBasicMaterial,
  PerspectiveCamera, PlaneGeometry, Scene, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(32, 1, 0.02, 400);
  readonly controls: OrbitControls;
  readonly left = new Group();   // what is shown, or its left half
  readonly right = new Group();  // the right half, where there is one
  readonly both = new Group();
  private readonly renderer: WebGLRenderer;
  private readonly ground: Mesh<PlaneGeometry, MeshBasicMaterial>;
  private readonly shadow: Mesh<PlaneGeometry, MeshBasicMaterial>;
  private size = { width: 1, height: 1 };
  private covered = 0;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.autoClear = false;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = Math.PI * 0.62;
    this.light();
    this.ground = this.plane(groundTexture(), 1);
    this.shadow = this.plane(shadowTexture(), 2);
    this.scene.add(this.left, this.right, this.both, this.ground, this.shadow);
  }

  setTheme(background: string, ground: string, shadow: number): void {
    this.scene.background = new Color(background);
    this.scene.fog = new Fog(background, 1, 2);
    this.ground.material.color = new Color(ground);
    this.shadow.material.opacity = shadow;
    this.fit_fog();
  }

  // Looks at something of a height that stands at the origin, with room around it.
  frame(height: number, room: { height: number; width: number }, feet: number): void {
    this.height = height;
    this.resize(true);
    const middle = feet + 0.5 * room.height, half = Math.tan((this.camera.fov * Math.PI) / 360);
    const distance = (0.62 * Math.max(room.height, room.width / Math.max(0.2, this.camera.aspect))) / half;
    this.controls.target.set(0, middle, 0);
    this.camera.position.set(0.33, 0.1, 0.94).normalize().multiplyScalar(distance).add(this.controls.target);
    this.camera.near = 0.01 * height;
    this.camera.far = 200 * height;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = 0.25 * height;
    this.controls.maxDistance = 40 * height;
    this.ground.scale.setScalar(14 * height);
    this.ground.position.y = feet - 0.002 * height;
    this.shadow.scale.setScalar(1.1 * height);
    this.shadow.position.y = feet - 0.001 * height;
    this.fit_fog();
  }
  private height = 1;

  // Keeps the body in view as it walks.
  follow(x: number, z: number, ground: number): void {
    const moved = new Vector3(x - this.controls.target.x, 0, z - this.controls.target.z);
    this.controls.target.add(moved);
    this.camera.position.add(moved);
    this.shadow.position.set(x, ground - 0.001 * this.height, z);
    this.ground.position.y = ground - 0.002 * this.height;
  }

  // How many pixels high something of that height at the target is.
  pixelsOf(height: number): number {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return (height / distance / (2 * Math.tan((this.camera.fov * Math.PI) / 360))) * this.size.height;
  }

  // So many pixels at the bottom lie under something else: the picture moves into the middle of what is left, and shrinks.
  cover(pixels: number): void {
    if (pixels === this.covered) return;
    this.covered = pixels;
    this.resize(true);
  }

  resize(force = false): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!force && width === this.size.width && height === this.size.height) return;
    this.size = { width: Math.max(1, width), height: Math.max(1, height) };
    this.renderer.setSize(this.size.width, this.size.height, false);
    this.camera.aspect = this.size.width / this.size.height;
    // A narrow picture has room above and below, so that it need not shrink as much as what is left does.
    const { width: w, height: h } = this.size, left = h - this.covered, scale = Math.max(left / h, 0.75);
    this.camera.setViewOffset(w, h, (w - w / scale) / 2, (h - left / scale) / 2, w / scale, h / scale);
  }

  // split: where the right half begins, as a share of the width; null: one picture.
  draw(split: number | null): void {
    this.resize();
    this.controls.update();
    const { renderer } = this;
    renderer.setScissorTest(false);
    renderer.clear();
    if (split === null) {
      this.drawHalf(true, false);
      return;
    }
    const at = Math.round(split * this.size.width);
    renderer.setScissorTest(true);
    renderer.setScissor(0, 0, at, this.size.height);
    this.drawHalf(true, false);
    renderer.setScissor(at, 0, this.size.width - at, this.size.height);
    this.drawHalf(false, true);
  }

  private drawHalf(left: boolean, right: boolean): void {
    this.left.visible = left;
    this.right.visible = right;
    this.renderer.render(this.scene, this.camera);
  }

  private light(): void {
    const key = new DirectionalLight(0xfff4e8, 2.1), rim = new DirectionalLight(0xdfe9ff, 1.1);
    key.position.set(2, 3.5, 3);
    rim.position.set(-2.5, 2, -3);
    this.scene.add(new HemisphereLight(0xf2f5ff, 0x6b6560, 1.15), new AmbientLight(0xffffff, 0.15), key, rim);
  }

  private plane(texture: CanvasTexture, order: number): Mesh<PlaneGeometry, MeshBasicMaterial> {
    const material = new MeshBasicMaterial({ map: texture, transparent: true, depthWrite: false, fog: false });
    const mesh = new Mesh(new PlaneGeometry(1, 1), material);
    mesh.rotation.x = -Math.PI / 2;
    mesh.renderOrder = -10 + order;
    return mesh;
  }

  private fit_fog(): void {
    const fog = this.scene.fog;
    if (fog instanceof Fog) {
      fog.near = 14 * this.height;
      fog.far = 60 * this.height;
    }
  }
}

function paint(size: number, draw: (context: CanvasRenderingContext2D) => void): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  draw(canvas.getContext('2d')!);
  const texture = new CanvasTexture(canvas);
  texture.anisotropy = 8;
  return texture;
}

// Rings that fade away: a floor without a horizon.
function groundTexture(): CanvasTexture {
  const size = 2048, middle = size / 2;
  return paint(size, (context) => {
    const fade = context.createRadialGradient(middle, middle, 0, middle, middle, middle);
    fade.addColorStop(0, 'rgba(255,255,255,0.34)');
    fade.addColorStop(0.4, 'rgba(255,255,255,0.12)');
    fade.addColorStop(1, 'rgba(255,255,255,0)');
    context.strokeStyle = fade;
    context.lineWidth = 1;
    for (let i = 1; i < 14; ++i) {
      context.beginPath();
      context.arc(middle, middle, (i * size) / 28, 0, 2 * Math.PI);
      context.stroke();
    }
  });
}

function shadowTexture(): CanvasTexture {
  return paint(256, (context) => {
    const fade = context.createRadialGradient(128, 128, 8, 128, 128, 126);
    fade.addColorStop(0, 'rgba(0,0,0,0.55)');
    fade.addColorStop(0.5, 'rgba(0,0,0,0.2)');
    fade.addColorStop(1, 'rgba(0,0,0,0)');
    context.fillStyle = fade;
    context.fillRect(0, 0, 256, 256);
  });
}
