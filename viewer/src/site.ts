// What a page shows at first: site.json beside it (docs/viewer.md).
export interface Site {
  version: number;
  characters: { name: string; bundle: string; truth?: string }[];
  motions: { name: string; file: string }[];
  objects?: { name: string; object: string; script?: string; fields: { name: string; file: string }[] }[];
}

export async function bytesOf(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

// A site's description; null where the page stands alone.
export async function siteOf(): Promise<Site | null> {
  const response = await fetch('./site.json').catch(() => null);
  if (response === null || !response.ok) return null;
  const site = (await response.json().catch(() => null)) as Site | null;
  return site !== null && site.version === 1 ? site : null;
}
