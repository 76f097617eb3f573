/** The rules of import-zones.ts. Tests, benches and tools may import everything. */
import { posix } from 'node:path'
import {
  findImports,
  type ImportedModule,
  resolveFile,
  workspacesIn,
} from '../source/module-graph.ts'
import { CODE, TEST } from '../source/parse.ts'
import type { Tree } from '../tree.ts'
import { MODULES, RESERVED, ZONES } from './import-zones.ts'

const MOUNTS = 'apps/server/src/modules.ts'
const ORDER = 'the order of dependence (MODULES in tools/checks/import-zones.ts)'

/** Code, and the package.json of the workspaces for their names. */
export function IMPORT_FILES(path: string): boolean {
  return CODE.test(path) || /^(apps|packages)\/[^/]+\/package\.json$/.test(path)
}

/** One complaint a line, `file: what is wrong`. */
export function importComplaints(tree: Tree): string[] {
  const workspaces = workspacesIn(tree)
  const complaints: string[] = []
  for (const [path, text] of tree) {
    if (!CODE.test(path) || isFree(path)) continue
    for (const found of findImports(path, text)) {
      const wrong = complaintAbout(found, workspaces)
      if (wrong) complaints.push(`${path}: ${wrong}`)
    }
  }
  return [...new Set([...complaints, ...mountComplaints(tree.get(MOUNTS) ?? '')])]
}

/** Domain events reach the modules from top to bottom, so modules are mounted in the order of dependence. */
function mountComplaints(text: string): string[] {
  const names = new Map(
    [...text.matchAll(/import \{ (\w+) \} from '\.\/modules\/([\w-]+)\/index\.ts'/g)].map(
      (match) => [match[1], match[2]],
    ),
  )
  const list = /=\s*\[([^\]]*)\]/.exec(text)?.[1] ?? ''
  const mounted = [...list.matchAll(/\w+/g)].flatMap((match) => names.get(match[0]) ?? [])
  const unknown = mounted.filter((name) => !MODULES.includes(name))
  const known = mounted.filter((name) => MODULES.includes(name))
  const ordered = MODULES.filter((name) => known.includes(name))
  const misplaced = ordered.find((name, index) => name !== known[index])
  return [
    ...unknown.map((name) => `${MOUNTS}: the module ${name} has no place in ${ORDER}`),
    ...(misplaced === undefined ? [] : [`${MOUNTS}: ${misplaced} is not mounted in ${ORDER}`]),
  ]
}

/** Tests and generators of any zone, and everything outside of the product's code. */
function isFree(path: string): boolean {
  return (
    TEST.test(path) || /(^|\/)generate(-[a-z-]+)?\.ts$/.test(path) || findZone(path) === undefined
  )
}

function complaintAbout(
  found: ImportedModule,
  workspaces: ReadonlyMap<string, string>,
): string | undefined {
  const specifier = found.specifier.replace(/\?.*$/, '')
  const zone = findZone(found.from)
  if (zone === undefined) return undefined
  const path = resolveFile({ ...found, specifier }, workspaces)
  if (path !== undefined) return fileComplaint(found, zone, path)
  if (!specifier.startsWith('node:')) return packageComplaint(zone, packageName(specifier))
  return ZONES[zone]?.node
    ? undefined
    : `${zone} runs in the browser too and may not import ${specifier}`
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function packageComplaint(zone: string, name: string): string | undefined {
  const reserved = RESERVED.find(({ packages }) => packages.test(name))
  if (reserved && !reserved.zones.includes(zone))
    return `${name} belongs to ${reserved.zones.join(', ')}; ${zone} may not import it`
  const allowed = ZONES[zone]?.npm
  if (allowed === 'any' || allowed?.includes(name)) return undefined
  return `${zone} may not import the package ${name}`
}

function fileComplaint(found: ImportedModule, zone: string, path: string): string | undefined {
  const target = findZone(path)
  if (target === undefined) return strayComplaint(zone, path)
  if (found.isType && isSharedType(found.from, zone, target)) return undefined
  if (zone === 'modules' && target === 'modules') return moduleComplaint(found.from, path)
  if (zone === 'features' && target === 'features' && !isSameFeature(found.from, path))
    return `features never import each other (they meet in app/): ${path}`
  if (!mayImport(zone, target, found)) return `${zone} may not import ${target}: ${path}`
  // Outside of modules/ a module is entered through its index.ts, as by other modules.
  return target !== 'modules' || isModuleIndex(path)
    ? undefined
    : `a module is entered through its index.ts, not ${path}`
}

/** The application loads the pages for developers when they are opened, and never before. */
function mayImport(zone: string, target: string, { isLazy }: ImportedModule): boolean {
  if (zone === 'app' && target === 'dev') return isLazy === true
  return zone === target || ZONES[zone]?.may.includes(target) === true
}

/** A file of no zone: only texts may import it, unless it is not code. */
function strayComplaint(zone: string, path: string): string | undefined {
  if (zone === 'locales' || !CODE.test(path)) return undefined
  return `${path} is no product code: ${zone} may not import it`
}

/** Every file of the server may name the types of the core and of the configuration, modules and the core those of integrations, modules those of the companion process. */
function isSharedType(from: string, zone: string, target: string): boolean {
  if (target === 'integrations' && (zone === 'modules' || zone === 'core')) return true
  if (target === 'companion' && zone === 'modules') return true
  return from.startsWith('apps/server/') && (target === 'core' || target === 'configuration')
}

function isSameFeature(from: string, path: string): boolean {
  return nameAfter('features', from) === nameAfter('features', path)
}

function moduleComplaint(from: string, path: string): string | undefined {
  const [own, other] = [nameAfter('modules', from), nameAfter('modules', path)]
  const rank = MODULES.indexOf(own)
  if (rank === -1) return `the module ${own} has no place in ${ORDER}`
  if (own === other) return insideComplaint(posix.basename(from), posix.basename(path), path)
  if (!isModuleIndex(path)) return `another module is entered through its index.ts, not ${path}`
  const otherRank = MODULES.indexOf(other)
  return otherRank !== -1 && otherRank < rank
    ? undefined
    : `${own} stands before ${other} and may not import it; subscribe to its domain events`
}

function insideComplaint(from: string, target: string, path: string): string | undefined {
  if (from === 'rules.ts' && (target === 'store.ts' || target === 'queries.ts'))
    return `rules are pure and may not import ${target}`
  if (target === 'index.ts' && from !== 'index.ts')
    return `inside a module its index.ts is not imported: ${path}`
  return undefined
}

function isModuleIndex(path: string): boolean {
  return /^apps\/server\/src\/modules\/[^/]+\/index\.ts$/.test(path)
}

function nameAfter(folder: string, path: string): string {
  return path.split(`/${folder}/`)[1]?.split('/')[0] ?? ''
}

function findZone(path: string): string | undefined {
  return Object.entries(ZONES).find(([, zone]) => zone.path.test(path))?.[0]
}
