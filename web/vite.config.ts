import { defineConfig } from 'vite';

// Fixed names and no source map: dist is committed and embedded in the program.
export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    modulePreload: false,
    sourcemap: false,
    cssCodeSplit: false,
    rollupOptions: {
      output: {
        entryFileNames: 'assets/app.js',
        assetFileNames: 'assets/app[extname]',
        inlineDynamicImports: true,
      },
    },
  },
});
