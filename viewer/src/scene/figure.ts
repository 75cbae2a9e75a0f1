// One character on screen: an instance of the runtime and the meshes of its levels, whose vertex buffers are the
// runtime's own memory.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, Mesh } from 'three';
import type { PosedCollider } from '../runtime/contact';
import { Instance, type Character, type Evaluation, type Method } from '../runtime/runtime';
import { colourLengths } from './heat';
import type { LevelMaterial, Materials } from './materials';

export type Shown = Method | 'truth';
export type Surface = 'material' | 'corrective' | 'contact' | 'error';

export interface FigureRequest {
  shown: Shown;
  level: number;
  budgetMs: number;  // 0: no limit
  towardCoarser: number;
  surface: Surface;
  scale: number;  // the end of the heat map, in metres
  // Writes the true positions of a level; false: they are not there.
  truth: ((level: number, out: Float32Array) => boolean) | null;
  colliders: readonly PosedCollider[];
}

export interface FigureResult extends Evaluation {
  longest: number;       // of what the heat map shows, in metres; 0 without one
  truthMissing: boolean;  // was asked for and is not there (yet)
  // Positions without colliders, where the figure answers to some: a view that holds until memory grows.
  unpressed: Float32Array | null;
}

// Triangles and texture coordinates of a level, shared by all figures of a character.
class Topologies {
  private made = new Map<number, { index: BufferAttribute; uv: BufferAttribute | null }>();
  constructor(private readonly character: Character) {}
  of(level: number) {
    let found = this.made.get(level);
    if (found === undefined) {
      const texcoords = this.character.texcoords(level);
      found = {
        index: new BufferAttribute(this.character.triangles(level), 1),
        uv: texcoords === null ? null : new BufferAttribute(texcoords, 2),
      };
      this.made.set(level, found);
    }
    return found;
  }
}
const topologies = new WeakMap<Character, Topologies>();

interface LevelMesh {
  mesh: Mesh<BufferGeometry, LevelMaterial>;
  material: LevelMaterial;
  positions: BufferAttribute;
  normals: BufferAttribute;
  colours: BufferAttribute | null;
  truth: Float32Array<ArrayBuffer> | null;
}

export class Figure {
  readonly group = new Group();
  readonly instance: Instance;
  private readonly meshes = new Map<number, LevelMesh>();
  private unpressed: Instance | null = null;
  private visible: { of: LevelMesh; level: number; truth: Float32Array<ArrayBuffer> | null } | null = null;

  // shadow: whether it throws one.
  constructor(readonly character: Character, private readonly materials: Materials, private readonly shadow = true) {
    this.instance = new Instance(character);
    if (!topologies.has(character)) topologies.set(character, new Topologies(character));
  }

  close(): void {
    for (const { mesh } of this.meshes.values()) {
      // The index belongs to all figures of the character.
      mesh.geometry.setIndex(null);
      mesh.geometry.dispose();
    }
    this.group.clear();
    this.visible = null;
    this.instance.close();
    this.unpressed?.close();
  }

  update(pose: Float32Array, request: FigureRequest): FigureResult {
    const method = request.shown === 'truth' ? 'linear' : request.shown;
    const evaluation = this.instance.evaluate(pose, {
      level: request.level,
      method,
      normals: 'triangles',
      displacements: request.surface === 'corrective' && method !== 'dual',
      coarser: request.budgetMs > 0,
      budgetMs: request.budgetMs,
      towardCoarser: request.towardCoarser,
      colliders: request.colliders,
    });
    const level = Math.max(1, evaluation.level), of = this.meshOf(level);
    const truth = this.truthOf(of, level, request);
    const pressed = method === 'sinew' && request.colliders.length > 0;
    if (pressed) this.evaluateUnpressed(pose, level, level === request.level ? request.towardCoarser : 0);
    this.visible = { of, level, truth: request.shown === 'truth' ? truth : null };
    this.attach();
    of.positions.needsUpdate = of.normals.needsUpdate = true;
    if (this.visible.truth !== null) of.mesh.geometry.computeVertexNormals();
    const longest = this.heat(of, level, request, truth);
    for (const [number, { mesh }] of this.meshes) mesh.visible = number === level;
    const wants_truth = request.shown === 'truth' || request.surface === 'error';
    const unpressed = pressed ? this.unpressed!.positions(level) : null;
    return { ...evaluation, level, longest, truthMissing: wants_truth && truth === null, unpressed };
  }

  // To be called before drawing if the runtime's memory has grown since the update: views of it are then empty.
  attach(): void {
    if (this.visible === null) return;
    const { of, level, truth } = this.visible;
    of.positions.array = truth ?? this.instance.positions(level);
    of.normals.array = this.instance.normals(level);
  }

  // As they were drawn last.
  positions(level: number): Float32Array {
    return (this.meshOf(level).positions.array as Float32Array).slice();
  }

  // The same without colliders, by an instance of its own.
  private evaluateUnpressed(pose: Float32Array, level: number, toward_coarser: number): void {
    this.unpressed ??= new Instance(this.character);
    this.unpressed.evaluate(pose, { level, method: 'sinew', towardCoarser: toward_coarser });
  }

  private truthOf(of: LevelMesh, level: number, request: FigureRequest): Float32Array<ArrayBuffer> | null {
    if (request.truth === null || (request.shown !== 'truth' && request.surface !== 'error')) return null;
    of.truth ??= new Float32Array(3 * this.character.level(level).vertices);
    return request.truth(level, of.truth) ? of.truth : null;
  }

  private heat(of: LevelMesh, level: number, request: FigureRequest, truth: Float32Array | null): number {
    const error = request.surface === 'error' && truth !== null;
    const corrective = request.surface === 'corrective' && request.shown !== 'truth' && request.shown !== 'dual';
    const contact = request.surface === 'contact' && request.shown === 'sinew' && request.colliders.length > 0;
    of.mesh.material = error || corrective || contact ? this.materials.heated : of.material;
    if (!error && !corrective && !contact) return 0;
    if (of.colours === null) {
      of.colours = new BufferAttribute(new Float32Array(3 * this.character.level(level).vertices), 3);
      of.mesh.geometry.setAttribute('color', of.colours);
    }
    of.colours.needsUpdate = true;
    const colours = of.colours.array as Float32Array;
    if (contact) return colourLengths(this.instance.positions(level), this.unpressed!.positions(level), request.scale, colours);
    return error
      ? colourLengths(of.positions.array as Float32Array, truth, request.scale, colours)
      : colourLengths(this.instance.displacements(level), null, request.scale, colours);
  }

  private meshOf(level: number): LevelMesh {
    const known = this.meshes.get(level);
    if (known !== undefined) return known;
    const geometry = new BufferGeometry();
    const { index, uv } = topologies.get(this.character)!.of(level);
    const positions = new BufferAttribute(this.instance.positions(level), 3).setUsage(DynamicDrawUsage);
    const normals = new BufferAttribute(this.instance.normals(level), 3).setUsage(DynamicDrawUsage);
    geometry.setIndex(index).setAttribute('position', positions).setAttribute('normal', normals);
    if (uv !== null) geometry.setAttribute('uv', uv);
    const material = this.materials.of(this.character, level);
    this.character.parts(level).forEach(({ first, count }, part) => geometry.addGroup(3 * first, 3 * count, part));
    const mesh = new Mesh<BufferGeometry, LevelMaterial>(geometry, material);
    // Its box changes with every frame, and the camera looks at it anyway.
    mesh.frustumCulled = false;
    mesh.castShadow = this.shadow;
    mesh.receiveShadow = true;
    this.group.add(mesh);
    const made = { mesh, material, positions, normals, colours: null, truth: null };
    this.meshes.set(level, made);
    return made;
  }
}
