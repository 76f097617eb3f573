import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** The server's address while Vite serves the page. */
const serverOrigin = process.env.DUET_SERVER ?? 'http://127.0.0.1:3000'

export default defineConfig({
  base: '/office/',
  plugins: [tailwindcss(), react()],
  build: {
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    // The contracts are schemas of Zod, which the page does not run.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['z'] },
      output: {
        // A page has a file of its own; what pages share is loaded at the start, but for evidence, acts, translation and queues.
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules/ },
            {
              name: 'shared',
              test: /packages\/(ui(?!\/src\/controls\/chip)|protocol)\/|packages\/client\/src\/(?!page\/)|apps\/office\/src\/shared\/(?!evidence\/|sanctions\/|translation\/|queue\/(?!pending))/,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5174,
    // The server answers only its own origins, and this page has another origin.
    proxy: {
      '/api': { target: serverOrigin, changeOrigin: true, headers: { Origin: serverOrigin } },
    },
  },
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}'] },
})
