// A folder of static files for this machine only, as any web server would serve it.
import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { resolve, sep } from 'node:path';
import type { AddressInfo } from 'node:net';

const kTypes: Record<string, string> = {
  html: 'text/html', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm', json: 'application/json',
};

// also: files from elsewhere, by their path on the server.
export async function serve(folder: string, also: Record<string, string> = {}): Promise<{ url: string; server: Server }> {
  const root = resolve(folder);
  const server = createServer((request, response) => {
    try {
      const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
      const file = also[path] ?? resolve(root, `.${path.endsWith('/') ? `${path}index.html` : path}`);
      if ((also[path] === undefined && !file.startsWith(root + sep)) || !statSync(file).isFile()) throw new Error('not there');
      const bytes = readFileSync(file), range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
      const headers = {
        'Content-Type': kTypes[file.split('.').pop() ?? ''] ?? 'application/octet-stream',
        // Browsers round the clock less for pages that are by themselves.
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Embedder-Policy': 'require-corp',
      };
      response.writeHead(range === null ? 200 : 206, headers);
      response.end(range === null ? bytes : bytes.subarray(Number(range[1]), Number(range[2]) + 1));
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  // A test that fails does not close it.
  server.unref();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}
