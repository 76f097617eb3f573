/**
 * Several test files in one process. Most of a story's time is the start of its process, which loads the
 * server. A group loads it once: its files are the suites of one generated file.
 */
import { writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const FILES_OF_A_GROUP = 8

/**
 * Writes the generated files into the folder and returns them with the names of their members. Neighbours in
 * the tree load the same modules, so they share a process.
 */
export function writeGroups(
  folder: string,
  { root, files }: { root: string; files: readonly string[] },
): ReadonlyMap<string, string> {
  const groups = new Map<string, string>()
  for (let from = 0; from < files.length; from += FILES_OF_A_GROUP) {
    const members = files.slice(from, from + FILES_OF_A_GROUP).map((file) => resolve(root, file))
    const path = join(folder, `group-${groups.size + 1}.test.mjs`)
    writeFileSync(path, groupText(root, members))
    groups.set(path, members.map((file) => basename(file)).join(', '))
  }
  return groups
}

function groupText(root: string, members: readonly string[]): string {
  const suites = members.map((file) => {
    const name = JSON.stringify(relative(root, file))
    const address = JSON.stringify(pathToFileURL(file).href)
    return `describe(${name}, async () => { await import(${address}) })\n`
  })
  return `import { describe } from 'node:test'\n${suites.join('')}`
}
