/**
 * Builds the web apps whose sources changed since their last build. The stamp is in the built folder, so
 * deleting the folder starts again.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './test/program.ts'
import { listFiles, ROOT } from './tree.ts'

const APPS = ['apps/web', 'apps/office']
/** Runs after Vite, in the app's folder: writes the pages that need no script. */
const PRERENDER = ['build/prerender.ts', 'prerender.ts']
const STAMP = 'dist/.sources'
/** Tests and notes change nothing that is served. */
const NOT_BUILT = /\.test\.tsx?$|\.md$|\.tsbuildinfo$/

interface Options {
  signal?: AbortSignal
  say: (line: string) => void
}

/** Returns what went wrong, or nothing. */
export async function buildWeb({ signal, say }: Options): Promise<string | undefined> {
  const apps = APPS.filter((folder) => existsSync(join(ROOT, folder, 'vite.config.ts')))
  if (apps.length === 0) return 'there is no web app to build'
  for (const app of apps) {
    const sources = fingerprint(app)
    const stamp = join(ROOT, app, STAMP)
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) continue
    say(`building ${app} …`)
    const trouble = await build(app, signal)
    if (trouble !== undefined) return trouble
    writeFileSync(stamp, sources)
  }
  return undefined
}

async function build(app: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const steps = [[join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn']]
  const prerender = PRERENDER.map((file) => join(ROOT, app, file)).find((file) => existsSync(file))
  if (prerender !== undefined) steps.push([prerender])
  for (const step of steps) {
    const ended = await run(process.execPath, step, {
      cwd: join(ROOT, app),
      env: { NODE_ENV: 'production' },
      ...(signal ? { signal } : {}),
    })
    if (ended.code !== 0) return ended.output || `${step.join(' ')} ended with code ${ended.code}`
  }
  return undefined
}

/** One hash over everything that ends up in the bundle: the app, the packages, the installed versions. */
function fingerprint(app: string): string {
  const hash = createHash('sha256')
  const wanted = (path: string) =>
    (path.startsWith(`${app}/`) || path.startsWith('packages/') || path === 'package-lock.json') &&
    !NOT_BUILT.test(path)
  for (const path of listFiles().filter(wanted))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0')
  return hash.digest('hex')
}
