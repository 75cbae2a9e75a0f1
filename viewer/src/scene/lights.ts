// Light that shows creases: a key light from the side, whose shadows fall into folds, and little light from elsewhere. All of it
// turns with the camera, so that a fold is lit from the side wherever it is looked at from.
import { DirectionalLight, Group, HemisphereLight, type PerspectiveCamera, Vector3 } from 'three';

const kShadowPixels = 2048;
// Where lights stand, as shares of right, up and toward the camera.
const kKey = [-0.95, 0.85, 0.55] as const, kFill = [0.9, 0.5, 0.75] as const, kRim = [0.7, 0.7, -1] as const;

export class Lights {
  readonly group = new Group();
  private readonly key = new DirectionalLight(0xfff1e2, 2.9);
  private readonly fill = new DirectionalLight(0xf3f1ff, 0.85);
  private readonly rim = new DirectionalLight(0xdfe9ff, 0.9);

  constructor() {
    const sky = new HemisphereLight(0xe8eeff, 0x4a4038, 0.75);
    for (const light of [this.key, this.fill, this.rim]) this.group.add(light, light.target);
    this.group.add(sky);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(kShadowPixels, kShadowPixels);
    this.key.shadow.radius = 2.5;
    // Forms are seen in shadow, too.
    this.key.shadow.intensity = 0.8;
  }

  // Around what the camera looks at. height: of the body. seen: half the size of what is in the picture there; the shadow's pixels are
  // spent on that, since what throws a shadow on it lies on the way to the light.
  place(camera: PerspectiveCamera, target: Vector3, height: number, seen: number): void {
    const toward = camera.position.clone().sub(target).setY(0);
    if (toward.lengthSq() < 1e-12 * height * height) toward.set(0, 0, 1);
    toward.normalize();
    const right = new Vector3(toward.z, 0, -toward.x);
    const stand = (light: DirectionalLight, [x, y, z]: readonly [number, number, number]) => {
      light.position.copy(right).multiplyScalar(x).addScaledVector(toward, z).setY(y).normalize().multiplyScalar(3 * height).add(target);
      light.target.position.copy(target);
    };
    stand(this.key, kKey);
    stand(this.fill, kFill);
    stand(this.rim, kRim);
    this.fitShadow(height, Math.min(1.5 * height, seen));
  }

  private fitShadow(height: number, half: number): void {
    const { shadow } = this.key, { camera } = shadow;
    camera.left = camera.bottom = -half;
    camera.right = camera.top = half;
    camera.near = 0.5 * height;
    camera.far = 6 * height;
    camera.updateProjectionMatrix();
    // A surface is not in its own shadow: a pixel and a half of the map along its normal.
    shadow.normalBias = (3 * half) / kShadowPixels;
    shadow.bias = -0.0002;
  }
}
