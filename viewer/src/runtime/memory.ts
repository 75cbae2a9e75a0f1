// The WebAssembly module's memory, handed out by the page: the runtime itself allocates nothing.

const kAlignment = 64;
const kPage = 65536;

interface Block {
  at: number;
  bytes: number;
}

export class Memory {
  // Sorted by address; neighbours are always joined.
  private free: Block[];
  private used = new Map<number, number>();

  constructor(private readonly memory: WebAssembly.Memory, base: number) {
    const start = Math.ceil(base / kAlignment) * kAlignment;
    this.free = [{ at: start, bytes: memory.buffer.byteLength - start }];
  }

  // Addresses are multiples of 64. What is there is not cleared. Throws where the browser gives no more memory.
  allocate(bytes: number): number {
    const wanted = Math.max(kAlignment, Math.ceil(bytes / kAlignment) * kAlignment);
    let found = this.free.findIndex((block) => block.bytes >= wanted);
    if (found < 0) {
      this.grow(wanted);
      found = this.free.length - 1;
    }
    const block = this.free[found]!;
    this.used.set(block.at, wanted);
    const at = block.at;
    if (block.bytes === wanted) this.free.splice(found, 1);
    else this.free[found] = { at: block.at + wanted, bytes: block.bytes - wanted };
    return at;
  }

  release(at: number): void {
    const bytes = this.used.get(at);
    if (bytes === undefined) throw new Error(`nothing was allocated at ${at}`);
    this.used.delete(at);
    this.insert({ at, bytes });
  }

  get usedBytes(): number {
    let sum = 0;
    for (const bytes of this.used.values()) sum += bytes;
    return sum;
  }

  // Changes when memory grows, and views made of it before are then empty.
  get buffer(): ArrayBuffer {
    return this.memory.buffer as ArrayBuffer;
  }
  bytes(at: number, count: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.buffer, at, count);
  }
  floats(at: number, count: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.buffer, at, count);
  }
  words(at: number, count: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.buffer, at, count);
  }
  text(at: number, bytes: number): string {
    return new TextDecoder().decode(this.bytes(at, bytes));
  }
  // Up to the zero that ends it.
  sentence(at: number): string {
    const bytes = new Uint8Array(this.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  private grow(bytes: number): void {
    const end = this.buffer.byteLength;
    const last = this.free[this.free.length - 1];
    const there = last !== undefined && last.at + last.bytes === end ? last.bytes : 0;
    // An eighth more than is needed: growing makes all views anew.
    const pages = Math.ceil((bytes - there) / kPage) + Math.ceil(end / 8 / kPage);
    try {
      this.memory.grow(pages);
    } catch {
      throw new Error(`the browser has no ${Math.ceil(bytes / 1e6)} MB of memory left for the page`);
    }
    this.insert({ at: end, bytes: this.buffer.byteLength - end });
  }

  private insert(block: Block): void {
    let i = this.free.findIndex((other) => other.at > block.at);
    if (i < 0) i = this.free.length;
    this.free.splice(i, 0, block);
    this.join(i);
    if (i > 0) this.join(i - 1);
  }

  private join(i: number): void {
    const a = this.free[i]!, b = this.free[i + 1];
    if (b === undefined || a.at + a.bytes !== b.at) return;
    this.free.splice(i, 2, { at: a.at, bytes: a.bytes + b.bytes });
  }
}
