// What figures are made of: clay in the theme's colours, a heat map, or the colours and images that a bundle has.
import {
  ClampToEdgeWrapping, Color, DoubleSide, FrontSide, MeshStandardMaterial, MirroredRepeatWrapping, RepeatWrapping,
  SRGBColorSpace, Texture, type Wrapping,
} from 'three';
import type { Character } from '../runtime/runtime';
import type { MaterialInfo, Textures } from '../runtime/textures';

export type LevelMaterial = MeshStandardMaterial | MeshStandardMaterial[];

const kWraps: Record<number, Wrapping> = { 33071: ClampToEdgeWrapping, 33648: MirroredRepeatWrapping, 10497: RepeatWrapping };

export class Materials {
  readonly plain = new MeshStandardMaterial({ roughness: 0.72, metalness: 0 });
  readonly heated = new MeshStandardMaterial({ roughness: 0.85, metalness: 0, vertexColors: true });
  private readonly textured = new WeakMap<Character, MeshStandardMaterial[]>();
  private readonly all = new Set([this.plain, this.heated]);
  private wireframe = false;

  setColour(plain: string): void {
    this.plain.color = new Color(plain);
  }

  setWireframe(on: boolean): void {
    if (on === this.wireframe) return;
    this.wireframe = on;
    for (const material of this.all) material.wireframe = on;
  }

  // One material a part; clay for characters without colours of their own, and for parts without.
  of(character: Character, level: number): LevelMaterial {
    const { textures } = character;
    if (textures === null) return this.plain;
    const made = this.texturedOf(character, textures), numbers = textures.levels[level - 1] ?? [];
    return character.parts(level).map((_, part) => made[numbers[part] ?? -1] ?? this.plain);
  }

  private texturedOf(character: Character, textures: Textures): MeshStandardMaterial[] {
    let made = this.textured.get(character);
    if (made === undefined) {
      const images = textures.images.map((blob) => createImageBitmap(blob, { imageOrientation: 'none' }));
      for (const image of images) image.catch(() => undefined);
      made = textures.materials.map((info) => this.make(info, images));
      this.textured.set(character, made);
    }
    return made;
  }

  private make(info: MaterialInfo, images: Promise<ImageBitmap>[]): MeshStandardMaterial {
    const [r, g, b, a] = info.color;
    const material = new MeshStandardMaterial({
      name: info.name, roughness: 0.72, metalness: 0, color: new Color(r, g, b), wireframe: this.wireframe,
      side: info.double_sided ? DoubleSide : FrontSide, transparent: info.alpha === 'blend',
      opacity: info.alpha === 'blend' ? a : 1, alphaTest: info.alpha === 'mask' ? info.alpha_cutoff ?? 0.5 : 0,
    });
    this.all.add(material);
    // An image that the browser cannot decode leaves the colour.
    images[info.image]?.then((image) => {
      material.map = textureOf(image, info);
      material.needsUpdate = true;
    }, () => undefined);
    return material;
  }
}

function textureOf(image: ImageBitmap, info: MaterialInfo): Texture {
  const texture = new Texture(image);
  texture.flipY = false;
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  texture.wrapS = kWraps[info.wrap?.[0] ?? 10497] ?? RepeatWrapping;
  texture.wrapT = kWraps[info.wrap?.[1] ?? 10497] ?? RepeatWrapping;
  if (info.offset !== undefined) texture.offset.set(...info.offset);
  if (info.scale !== undefined) texture.repeat.set(...info.scale);
  if (info.rotation !== undefined) texture.rotation = info.rotation;
  texture.needsUpdate = true;
  return texture;
}
