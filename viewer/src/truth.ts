// True shapes from a `.truth` file (docs/formats/truth.md), one frame at a time where the server can send parts of files.
import { kTransformFloats, type Character } from './runtime/runtime';
import type { Clip } from './motion/motions';

interface Head {
  joints: string[];
  levels: { vertices: number }[];
  clips: { name: string; motion: boolean; rate?: number }[];
  frames: [clip: number, frame: number][];
}

const kHeaderBytes = 24;
const kMagic = 'SINEWTRU';
const kUnknownRate = 30;

export type ReadPart = (first: number, bytes: number) => Promise<ArrayBuffer>;

export class Truth {
  private frames = new Map<number, DataView>();
  private loading = new Map<number, Promise<void>>();
  private coarse: DataView[] = [];  // level 1 of all frames, once the clips were read

  private constructor(readonly head: Head, private readonly first: number, private readonly stride: number,
    private readonly count: number, private readonly read: ReadPart) {}

  // Throws an Error with a sentence if the file is not one of truths, or of another character.
  static async open(read: ReadPart, character: Character, file: string): Promise<Truth> {
    const header = new DataView(await read(0, kHeaderBytes));
    const magic = header.byteLength < kHeaderBytes ? ''
      : new TextDecoder().decode(new Uint8Array(header.buffer, header.byteOffset, 8));
    if (magic !== kMagic) throw new Error(`${file}: is not a file of true shapes`);
    if (header.getUint32(8, true) !== 1) throw new Error(`${file}: was made by another version`);
    const head_bytes = header.getUint32(12, true), count = header.getUint32(16, true), stride = header.getUint32(20, true);
    const head = JSON.parse(new TextDecoder().decode(await read(kHeaderBytes, head_bytes))) as Head;
    const fits = head.joints.length === character.joints.length && head.levels.length === character.levels.length &&
      head.levels.every((level, i) => level.vertices === character.levels[i]!.vertices) && head.frames.length === count;
    if (!fits) throw new Error(`${file}: holds the shapes of another character`);
    if (stride !== recordBytes(head)) throw new Error(`${file}: has frames of another size than its head says`);
    return new Truth(head, kHeaderBytes + head_bytes, stride, count, read);
  }

  // The poses of the file as motions. Reads the poses of all frames, and the coarsest level, which is beside them and small.
  async clips(): Promise<Clip[]> {
    const pose_bytes = 4 * kTransformFloats * this.head.joints.length;
    const bytes = pose_bytes + levelBytes(this.head.levels[0]!.vertices);
    const parts = await Promise.all(this.head.frames.map((_, i) => this.read(this.first + i * this.stride, bytes)));
    this.coarse = parts.map((part) => new DataView(part, pose_bytes));
    return this.head.clips.map((clip, c) => {
      const truth = this.head.frames.flatMap(([of], i) => (of === c ? [i] : []));
      const rate = clip.motion ? clip.rate ?? kUnknownRate : 0;
      return { name: `${clip.name} (truth)`, rate, truth, frames: truth.map((i) => new Float32Array(parts[i]!, 0, pose_bytes / 4)) };
    }).filter((clip) => clip.frames.length > 0);
  }

  // Three floats a vertex of a level into `out`, or false if the frame is still on its way.
  positions(frame: number, level: number, out: Float32Array): boolean {
    const record = this.frames.get(frame);
    if (record === undefined) {
      void this.load(frame);
      return false;
    }
    let at = 4 * kTransformFloats * this.head.joints.length;
    for (let i = 1; i < level; ++i) at += levelBytes(this.head.levels[i - 1]!.vertices);
    decode(record, at, out);
    return true;
  }

  // As positions() of level 1, of any frame once the clips were read.
  coarsest(frame: number, out: Float32Array): boolean {
    const level = this.coarse[frame];
    if (level !== undefined) decode(level, 0, out);
    return level !== undefined;
  }

  load(frame: number): Promise<void> {
    if (frame < 0 || frame >= this.count || this.frames.has(frame)) return Promise.resolve();
    let loading = this.loading.get(frame);
    if (loading === undefined) {
      loading = this.read(this.first + frame * this.stride, this.stride).then((bytes) => {
        this.remember(frame, new DataView(bytes));
        this.loading.delete(frame);
      }, () => void this.loading.delete(frame));
      this.loading.set(frame, loading);
    }
    return loading;
  }

  // The last 200 MB.
  private remember(frame: number, record: DataView): void {
    this.frames.set(frame, record);
    const most = Math.max(4, Math.floor(200e6 / this.stride));
    for (const old of this.frames.keys()) {
      if (this.frames.size <= most) break;
      this.frames.delete(old);
    }
  }
}

// A level of a record, which begins at `at`.
function decode(record: DataView, at: number, out: Float32Array): void {
  const box = Array.from({ length: 6 }, (_, k) => record.getFloat32(at + 4 * k, true));
  const values = new Uint16Array(record.buffer, record.byteOffset + at + 24, out.length);
  for (let i = 0; i < out.length; ++i) out[i] = box[i % 3]! + (box[3 + (i % 3)]! * values[i]!) / 65535;
}

function levelBytes(vertices: number): number {
  return 24 + Math.ceil((6 * vertices) / 4) * 4;
}

function recordBytes(head: Head): number {
  const levels = head.levels.reduce((sum, level) => sum + levelBytes(level.vertices), 0);
  return 4 * kTransformFloats * head.joints.length + levels;
}

// Parts of a file on a server. One that sends whole files is asked once.
export function partsOf(url: string): ReadPart {
  let whole: Promise<ArrayBuffer> | null = null;
  return async (first, bytes) => {
    if (whole !== null) return (await whole).slice(first, first + bytes);
    const response = await fetch(url, { headers: { Range: `bytes=${first}-${first + bytes - 1}` } });
    if (response.status === 206) return response.arrayBuffer();
    if (!response.ok) throw new Error(`${url}: the server answered ${response.status}`);
    whole = response.arrayBuffer();
    return (await whole).slice(first, first + bytes);
  };
}
