// node run.mjs WORK_FOLDER TEST...: makes JavaScript of the tests that are named and runs them. Needs SINEW_FIXTURE and
// SINEW_WASM in the environment.
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const [work, ...tests] = process.argv.slice(2);
const made = tests.map((test) => join(resolve(work), `${test}.test.mjs`));
await build({
  entryPoints: Object.fromEntries(tests.map((test) => [`${test}.test`, join(here, `${test}.test.ts`)])),
  outdir: resolve(work), outExtension: { '.js': '.mjs' }, bundle: true, platform: 'node', format: 'esm', target: 'node18',
  external: ['playwright-core', 'vite'], logLevel: 'warning' });
const { status } = spawnSync(process.execPath, ['--test', ...made], { stdio: 'inherit' });
process.exit(status ?? 1);
