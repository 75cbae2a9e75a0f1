// node validator.mjs MODULES FOLDER: Khronos's validator over every .glb of FOLDER. No errors, and no warning that is
// not explained here.
import { createRequire } from 'node:module';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [modules, folder] = process.argv.slice(2);
const validator = createRequire(join(resolve(modules), 'package.json'))('gltf-validator');

const explained = {
  // Random triangles may name one vertex twice; so do some real files. We keep what we are given.
  MESH_PRIMITIVE_INDICES_DEGENERATE: true,
  ACCESSOR_INDEX_TRIANGLE_DEGENERATE: true,
  // A mesh with tangents or UVs needs no material or texture to make use of them yet.
  MESH_PRIMITIVE_GENERATED_TANGENT_SPACE: true,
  UNUSED_OBJECT: true,
  // A file's own node tree is kept as it was, also where a skinned mesh hangs below another node.
  NODE_SKINNED_MESH_NON_ROOT: (name) => name.startsWith('asset_') || name.startsWith('edited_'),
  // A file's own accessors and buffer views are kept as they were.
  BUFFER_VIEW_TARGET_MISSING: (name) => name.startsWith('asset_') || name.startsWith('edited_'),
};

let files = 0, failures = 0;
for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.glb'))) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(join(folder, name))), { maxIssues: 1000 });
  files += 1;
  for (const message of report.issues.messages) {
    const excuse = explained[message.code];
    const excused = excuse === true || (typeof excuse === 'function' && excuse(name));
    // Severities: 0 error, 1 warning, 2 information, 3 hint.
    if (message.severity > 1 || (message.severity === 1 && excused)) continue;
    failures += 1;
    console.log(`${name}: ${['error', 'warning'][message.severity]} ${message.code} at ${message.pointer}: ${message.message}`);
  }
}
console.log(`${files} files validated, ${failures} errors and unexplained warnings`);
process.exit(files > 0 && failures === 0 ? 0 : 1);
