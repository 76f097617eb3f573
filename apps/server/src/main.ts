import { enableCompileCache } from 'node:module'

const NODE_MAJOR_MIN = 26

// Before anything else is loaded: what is compiled once is not compiled again at the next start.
enableCompileCache()
const major = Number(process.versions.node.split('.')[0])
if (major < NODE_MAJOR_MIN) {
  console.error(
    `duet: this is Node ${process.versions.node}, Duet needs ${NODE_MAJOR_MIN}: \`npm start\` installs it.`,
  )
  process.exit(1)
}
const { serve } = await import('./serve.ts')
await serve()
