/** Names and folders. oxlint checks the lines of a file, kebab-case and warning comments. */
import { posix } from 'node:path'
import type { Tree } from '../tree.ts'

const FOLDER_ENTRIES = 25
const SAYS_NOTHING = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'types',
  'misc',
  'manager',
  'service',
  'services',
  'data',
  'info',
])
/**
 * Folders that grow with the product: migrations, decisions, pictures, contracts, texts. Contracts and texts are not
 * grouped, because `contracts/<module>.ts` is found by the module's name, and a file of texts by the feature's name.
 */
const COLLECTIONS =
  /(^|\/)(migrations|decisions|public|assets|portraits|gifts|fonts|icons)(\/|$)|^packages\/protocol\/src\/contracts$|^packages\/locales\/..$|^apps\/server\/src\/modules$/

const MARKS: { pattern: RegExp; says: string; except?: RegExp }[] = [
  {
    pattern: /^export \* from/m,
    says: 'no barrels: `export *` stands in index.ts only',
    except: /\/index\.tsx?$/,
  },
  {
    pattern: /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*=(?!=)|insertAdjacentHTML/,
    says: 'no raw HTML: text and components only',
  },
  { pattern: /["'`]\/work\//, says: 'no path of one machine' },
]

/** The files whose text is checked. The generator of a generated file is checked instead. */
export function SHAPE_FILES(path: string): boolean {
  return /\.(ts|tsx|css|mjs)$/.test(path) && !path.includes('.gen.')
}

export function shapeComplaints(tree: Tree, paths: string[]): string[] {
  return [...nameComplaints(paths), ...folderComplaints(paths), ...markComplaints(tree)]
}

function nameComplaints(paths: string[]): string[] {
  const complaints = new Set<string>()
  for (const path of paths.filter((each) => /^(apps|packages|tools|tests|bench)\//.test(each))) {
    for (const [index, part] of path.split('/').entries()) {
      const here = path
        .split('/')
        .slice(0, index + 1)
        .join('/')
      const stem = part.replace(/^\./, '').split('.')[0] ?? part
      if (SAYS_NOTHING.has(stem))
        complaints.add(`${here}: the name "${stem}" says nothing about what is inside`)
    }
  }
  return [...complaints]
}

function folderComplaints(paths: string[]): string[] {
  const entries = new Map<string, Set<string>>()
  for (const path of paths) {
    const parts = path.split('/')
    for (const [index, part] of parts.entries()) {
      const folder = parts.slice(0, index).join('/') || '.'
      entries.set(folder, (entries.get(folder) ?? new Set()).add(part))
    }
  }
  return [...entries]
    .filter(([folder, names]) => names.size > FOLDER_ENTRIES && !COLLECTIONS.test(folder))
    .map(([folder, names]) => `${folder}/: ${names.size} entries, ${FOLDER_ENTRIES} are the budget`)
}

function markComplaints(tree: Tree): string[] {
  const complaints: string[] = []
  for (const [path, text] of tree) {
    // These two files quote what they forbid.
    if (posix.basename(path).startsWith('shape.') && path.startsWith('tools/')) continue
    for (const { pattern, says, except } of MARKS) {
      const line = text.split('\n').findIndex((each) => pattern.test(each))
      if (line !== -1 && !except?.test(path)) complaints.push(`${path}:${line + 1}: ${says}`)
    }
  }
  return complaints
}
