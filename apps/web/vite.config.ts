import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { iconWeightsPlugin } from './build/icon-weights-plugin.ts'
import { textsPlugin } from './build/texts-plugin.ts'

/** Where the server is while the page is served by Vite. */
const server_origin = process.env.DUET_SERVER ?? 'http://127.0.0.1:3000'
const behind = Object.fromEntries(
  ['/api', '/media', '/upload', '/quality'].map((path) => [path, { target: server_origin }]),
)

export default defineConfig({
  plugins: [textsPlugin(), iconWeightsPlugin(), tailwindcss(), react()],
  build: {
    target: 'baseline-widely-available',
    manifest: true,
    modulePreload: { polyfill: false },
    // The petals of the landing page are fetched by address, so that a preload finds them.
    assetsInlineLimit: 1024,
    rolldownOptions: { treeshake: { manualPureFunctions: ['z'] } },
  },
  server: {
    port: 5173,
    proxy: {
      ...behind,
      '/socket.io': { target: server_origin, ws: true },
      '/signal': { target: server_origin, ws: true },
    },
  },
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}', 'build/**/*.test.ts'] },
})
