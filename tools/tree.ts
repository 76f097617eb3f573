/** The files of the checkout, as git knows them: tracked files, and new files that .gitignore does not name. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

const LISTING_LIMIT_BYTES = 64 * 1024 * 1024

/** Without git (an unpacked archive) these are left out instead of what .gitignore names. */
const NOT_OURS = new Set(['node_modules', '.git', 'dist', 'data', '.cache', '.artifacts'])

/** Paths from the root of the checkout, with `/`, sorted. */
export function listFiles(root = ROOT): string[] {
  const listed = listByGit(root) ?? listByWalking(root)
  // A deleted file that is not committed yet is still in the index.
  return [...new Set(listed)].filter((path) => existsSync(join(root, path))).sort()
}

function listByGit(root: string): string[] | undefined {
  const git = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: LISTING_LIMIT_BYTES,
  })
  return git.status === 0 ? git.stdout.split('\0').filter((path) => path !== '') : undefined
}

function listByWalking(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : listByWalking(root, path)
    return entry.isFile() ? [path] : []
  })
}

/** A small tree to check: path → text. Tests create a tree, the tools read the real tree. */
export type Tree = Map<string, string>

export function readTree(wanted: (path: string) => boolean, root = ROOT): Tree {
  return new Map(
    listFiles(root)
      .filter(wanted)
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  )
}
