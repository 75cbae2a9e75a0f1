// The base colours and images of a bundle: a section that the runtime skips (docs/formats/bundle.md, textures).

export interface MaterialInfo {
  name: string;
  color: [number, number, number, number];  // linear light
  image: number;                            // -1: none
  double_sided?: boolean;
  alpha?: 'opaque' | 'mask' | 'blend';
  alpha_cutoff?: number;
  wrap?: [number, number];  // glTF's numbers
  offset?: [number, number];
  rotation?: number;
  scale?: [number, number];
}

export interface Textures {
  materials: MaterialInfo[];
  images: Blob[];
  levels: number[][];  // of every level, coarsest first: the material of every part, or -1
}

const kTextures = 5;
const kEntryBytes = 64;

// Null where there are none, or none that can be read: a character without its colours is still a character. The bundle's
// frame has been checked by the runtime.
export function texturesOf(bundle: Uint8Array): Textures | null {
  const section = sectionOf(bundle, kTextures);
  if (section === null || section.length < 8) return null;
  try {
    const json_bytes = new DataView(section.buffer, section.byteOffset).getUint32(0, true);
    const json = JSON.parse(new TextDecoder().decode(section.subarray(8, 8 + json_bytes))) as {
      materials: MaterialInfo[];
      images: { type: string; offset: number; bytes: number }[];
      levels: number[][];
    };
    const first = 8 + json_bytes;
    const images = json.images.map(({ type, offset, bytes }) =>
      new Blob([section.slice(first + offset, first + offset + bytes)], { type }));
    return Array.isArray(json.materials) && Array.isArray(json.levels) ? { ...json, images } : null;
  } catch {
    return null;
  }
}

function sectionOf(bundle: Uint8Array, type: number): Uint8Array<ArrayBuffer> | null {
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.length);
  const count = view.getUint32(12, true);
  for (let i = 0; i < count; ++i) {
    const entry = 64 + kEntryBytes * i;
    if (view.getUint32(entry, true) !== type) continue;
    const offset = Number(view.getBigUint64(entry + 24, true)), bytes = Number(view.getBigUint64(entry + 32, true));
    return Uint8Array.from(bundle.subarray(offset, offset + bytes));
  }
  return null;
}
