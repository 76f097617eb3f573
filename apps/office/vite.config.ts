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
        // A page has a file of its own; what pages share is loaded at the start, but for evidence, acts, translation, queues and tables.
        codeSplitting: {
          groups: [
            {
              name: 'libraries',
              test: /node_modules\/(?!@tanstack\/(react-table|table-core|react-virtual|virtual-core|react-store|store)\/)/,
            },
            {
              name: 'shared',
              test: /packages\/(ui(?!\/src\/controls\/chip)|protocol)\/|packages\/client\/src\/(?!page\/)|apps\/office\/src\/shared\/(?!evidence\/|sanctions\/|translation\/|table\/|queue\/(?!pending))/,
            },
            // A group takes what its files import, so this one comes after those of the start.
            { name: 'rows', test: /@tanstack\/(react-virtual|virtual-core)\// },
            { name: 'tables', test: /@tanstack\/|office\/src\/shared\/table\// },
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
