// The floor: rings that fade away, without a horizon, and a soft spot of shade under the body.
import { CanvasTexture, Mesh, MeshBasicMaterial, PlaneGeometry } from 'three';

type Plane = Mesh<PlaneGeometry, MeshBasicMaterial>;

export class Ground {
  readonly rings = plane(ringTexture(), 1);
  readonly spot = plane(spotTexture(), 2);
  private height = 1;

  setTheme(colour: string, shade: number): void {
    this.rings.material.color.set(colour);
    this.spot.material.opacity = shade;
  }

  // For a body of this height.
  resize(height: number): void {
    this.height = height;
    this.rings.scale.setScalar(14 * height);
    this.spot.scale.setScalar(1.1 * height);
  }

  // Under a body whose first joint is at (x, z).
  place(x: number, z: number, feet: number): void {
    this.spot.position.set(x, feet - 0.001 * this.height, z);
    this.rings.position.y = feet - 0.002 * this.height;
  }
}

function plane(texture: CanvasTexture, order: number): Plane {
  const material = new MeshBasicMaterial({ map: texture, transparent: true, depthWrite: false, fog: false });
  const mesh = new Mesh(new PlaneGeometry(1, 1), material);
  mesh.rotation.x = -Math.PI / 2;
  mesh.renderOrder = -10 + order;
  return mesh;
}

function paint(size: number, draw: (context: CanvasRenderingContext2D) => void): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  draw(canvas.getContext('2d')!);
  const texture = new CanvasTexture(canvas);
  texture.anisotropy = 8;
  return texture;
}

function ringTexture(): CanvasTexture {
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

function spotTexture(): CanvasTexture {
  return paint(256, (context) => {
    const fade = context.createRadialGradient(128, 128, 8, 128, 128, 126);
    fade.addColorStop(0, 'rgba(0,0,0,0.55)');
    fade.addColorStop(0.5, 'rgba(0,0,0,0.2)');
    fade.addColorStop(1, 'rgba(0,0,0,0)');
    context.fillStyle = fade;
    context.fillRect(0, 0, 256, 256);
  });
}
