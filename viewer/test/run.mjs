// node run.mjs TEST...: makes JavaScript of the tests that are named and runs them. What they need from the environment is
// said at their heads.
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const tests = process.argv.slice(2);
// Where they find the packages that they import.
const work = resolve(here, '..', 'node_modules', '.tests');
const made = tests.map((test) => join(work, `${test}.test.mjs`));
await build({
  entryPoints: Object.fromEntries(tests.map((test) => [`${test}.test`, join(here, `${test}.test.ts`)])),
  outdir: work, outExtension: { '.js': '.mjs' }, bundle: true, platform: 'node', format: 'esm', target: 'node18',
  external: ['playwright-core', 'vite'], logLevel: 'warning' });
const { status } = spawnSync(process.execPath, ['--test', ...made], { stdio: 'inherit' });
process.exit(status ?? 1);
