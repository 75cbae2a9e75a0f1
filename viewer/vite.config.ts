import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vite';

const build = join(__dirname, '..', 'build');

export default defineConfig({
  // Works from any folder of any server.
  base: './',
  build: {
    outDir: join(build, 'viewer'),
    emptyOutDir: true,
    // Characters, and soft objects.
    rollupOptions: { input: [join(__dirname, 'index.html'), join(__dirname, 'soft.html')] },
    target: 'es2022',
    // three.js is most of it.
    chunkSizeWarningLimit: 1000,
  },
  plugins: [{
    name: 'wasm',
    closeBundle() {
      for (const module of ['sinew.wasm', 'motion.wasm', 'soft.wasm']) {
        copyFileSync(join(build, 'wasm', 'bin', module), join(build, 'viewer', module));
      }
    },
  }],
});
