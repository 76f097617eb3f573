import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { FACE_FILES } from '../src/app/video/face/face-files.ts'

const MODULES = join(import.meta.dirname, '../../../node_modules')
const FILES = [
  '@vladmandic/human/models/blazeface.json',
  '@vladmandic/human/models/blazeface.bin',
  '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm',
  '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm',
]

/** The files that the finder of faces fetches by name: its model, and the WebAssembly that runs it. */
export function faceFilesPlugin(): Plugin {
  return {
    name: 'duet:face-files',
    apply: 'build',
    generateBundle() {
      for (const path of FILES)
        this.emitFile({
          type: 'asset',
          fileName: `${FACE_FILES.slice(1)}${path.split('/').at(-1)}`,
          source: readFileSync(join(MODULES, path)),
        })
    },
  }
}
