// What is needed first, asked for before the program itself is here, so that all of it comes at once.

// docs/viewer.md
interface Site {
  version: number;
  characters: { name: string; bundle: string; truth?: string }[];
  motions: { name: string; file: string }[];
}

async function bytesOf(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

// A site's description; null where the page stands alone.
async function siteOf(): Promise<Site | null> {
  const response = await fetch('./site.json').catch(() => null);
  if (response === null || !response.ok) return null;
  const site = (await response.json().catch(() => null)) as Site | null;
  return site !== null && site.version === 1 ? site : null;
}

export interface Downloads {
  site: Site;
  characters: Promise<Uint8Array>[];
  motions: Promise<Uint8Array>[];
}

// All at once, as soon as it is known what there is.
async function download(): Promise<Downloads | null> {
  const site = await siteOf();
  if (site === null) return null;
  const characters = site.characters.map(({ bundle }) => bytesOf(bundle));
  const motions = site.motions.map(({ file }) => bytesOf(file));
  // Whoever waits for them says what failed.
  for (const bytes of [...characters, ...motions]) bytes.catch(() => undefined);
  return { site, characters, motions };
}

export interface Early {
  runtime: Promise<Response>;
  motions: Promise<Response>;
  downloads: Promise<Downloads | null>;
}

const early: Early = { runtime: fetch('./sinew.wasm'), motions: fetch('./motion.wasm'), downloads: download() };

import('./main').then(({ begin }) => begin(early)).catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  document.getElementById('messages')!.textContent = `This browser cannot show the page: ${text}`;
});
