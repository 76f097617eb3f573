import { enableCompileCache } from 'node:module'

// Before anything else is loaded: what is compiled once is not compiled at the next start.
enableCompileCache()
const major = Number(process.versions.node.split('.')[0])
if (major < 26) {
  console.error(
    `duet: this is Node ${process.versions.node}, Duet needs 26: \`npm start\` brings it along.`,
  )
  process.exit(1)
}
const { run } = await import('./run.ts')
await run()
