import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { faceFilesPlugin } from './build/face-files-plugin.ts'
import { iconWeightsPlugin } from './build/icon-weights-plugin.ts'
import { routerPartsPlugin } from './build/router-parts-plugin.ts'
import { screenTextsPlugin } from './build/screen-texts-plugin.ts'
import { scriptFiles } from './build/script-files.ts'
import { textsPlugin } from './build/texts-plugin.ts'

const FINDER = '../../node_modules/@vladmandic/human/dist/human.esm.js'

/** The server's address while Vite serves the page. */
const serverOrigin = process.env.DUET_SERVER ?? 'http://127.0.0.1:3000'
// The server answers only its own origins, and this page has another origin.
const behind = { target: serverOrigin, changeOrigin: true, headers: { Origin: serverOrigin } }

export default defineConfig({
  plugins: [
    textsPlugin(),
    screenTextsPlugin(),
    iconWeightsPlugin(),
    faceFilesPlugin(),
    routerPartsPlugin(),
    tailwindcss(),
    react(),
  ],
  // The form for browsers, also where the landing page is prerendered.
  resolve: { alias: { '@vladmandic/human': fileURLToPath(new URL(FINDER, import.meta.url)) } },
  build: {
    target: 'baseline-widely-available',
    manifest: true,
    modulePreload: { polyfill: false },
    // The portraits of the landing page stay files: its page decides when they are fetched.
    assetsInlineLimit: 1024,
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['z'] },
      output: { codeSplitting: { groups: scriptFiles() } },
    },
  },
  server: {
    port: 5173,
    proxy: {
      '/api': behind,
      '/media': behind,
      '/upload': behind,
      // A GET of this path is a page.
      '/unsubscribe': {
        ...behind,
        bypass: ({ method, url }) => (method === 'GET' ? url : undefined),
      },
      '/quality': behind,
      '/socket.io': { ...behind, ws: true, rewriteWsOrigin: true },
      '/signal': { ...behind, ws: true, rewriteWsOrigin: true },
    },
  },
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}', 'build/**/*.test.ts'] },
})
