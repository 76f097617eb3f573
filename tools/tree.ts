/** The files of the checkout, as git knows them: tracked ones and new ones that .gitignore does not name. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

const LISTING_LIMIT_BYTES = 64 * 1024 * 1024

/** Paths from the root of the checkout, with `/`, sorted. */
export function listFiles(root = ROOT): string[] {
  const listing = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: LISTING_LIMIT_BYTES,
  })
  // A file that somebody deleted but did not commit yet is still in the index.
  return [...new Set(listing.split('\0'))].filter((path) => path !== '' && existsSync(join(root, path))).sort()
}

/** A small tree to check: path → text. Tests make one up, the tools read the real one. */
export type Tree = Map<string, string>

export function readTree(wanted: (path: string) => boolean, root = ROOT): Tree {
  return new Map(
    listFiles(root)
      .filter(wanted)
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  )
}
