// Colours for lengths: one scale for everything that is compared.
export const kStops = [0x5b6f9c, 0x3f93b5, 0x6fb98f, 0xf0c75e, 0xe07a3f, 0xb3303d];
const kSteps = 256;

// Linear light, as three.js wants vertex colours.
const table = makeTable();

function makeTable(): Float32Array {
  const linear = (value: number) => ((value / 255 + 0.055) / 1.055) ** 2.4;
  const colours = new Float32Array(3 * kSteps);
  for (let i = 0; i < kSteps; ++i) {
    const at = (i / (kSteps - 1)) * (kStops.length - 1), k = Math.min(Math.floor(at), kStops.length - 2);
    for (let c = 0; c < 3; ++c) {
      const from = (kStops[k]! >> (16 - 8 * c)) & 255, to = (kStops[k + 1]! >> (16 - 8 * c)) & 255;
      colours[3 * i + c] = linear(from + (at - k) * (to - from));
    }
  }
  return colours;
}

export const kHeatGradient =
  `linear-gradient(90deg, ${kStops.map((stop) => `#${stop.toString(16).padStart(6, '0')}`).join(', ')})`;

// The lengths of vectors (or of the differences from others) as colours, `largest` being the end of the scale. Returns
// the longest.
export function colourLengths(vectors: Float32Array, others: Float32Array | null, largest: number,
  colours: Float32Array): number {
  let longest = 0;
  for (let i = 0; i < vectors.length; i += 3) {
    let x = vectors[i]!, y = vectors[i + 1]!, z = vectors[i + 2]!;
    if (others !== null) {
      x -= others[i]!;
      y -= others[i + 1]!;
      z -= others[i + 2]!;
    }
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length > longest) longest = length;
    const step = 3 * Math.min(kSteps - 1, Math.floor((length / largest) * kSteps));
    colours[i] = table[step]!;
    colours[i + 1] = table[step + 1]!;
    colours[i + 2] = table[step + 2]!;
  }
  return longest;
}
