/** The graph of imports between files, types included. */
import { posix } from 'node:path'
import type { Tree } from '../tree.ts'
import { CODE, parse } from './parse.ts'

export interface ImportedModule {
  readonly from: string
  readonly specifier: string
  /** Every imported name is a type: nothing of it is there at run time. */
  readonly isType: boolean
  /** The import is a call, so that the module is loaded when the call runs. */
  readonly isLazy?: boolean
}

export function findImports(path: string, text: string): ImportedModule[] {
  const { staticImports, staticExports, dynamicImports } = parse(path, text).module
  const imports = staticImports.map(({ moduleRequest, entries, start, end }) => ({
    from: path,
    specifier: moduleRequest.value,
    isType: isTypeOnly(text.slice(start, end), entries),
  }))
  const exports = staticExports.flatMap(({ entries, start, end }) => {
    const request = entries.find(({ moduleRequest }) => moduleRequest)?.moduleRequest
    return request
      ? [
          {
            from: path,
            specifier: request.value,
            isType: isTypeOnly(text.slice(start, end), entries),
          },
        ]
      : []
  })
  const dynamic = dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const quoted = /^(['"`])([^'"`$]+)\1$/.exec(text.slice(start, end))
    return quoted ? [{ from: path, specifier: quoted[2] ?? '', isType: false, isLazy: true }] : []
  })
  return [...imports, ...exports, ...dynamic]
}

function isTypeOnly(statement: string, entries: readonly { readonly isType: boolean }[]): boolean {
  if (entries.length > 0) return entries.every(({ isType }) => isType)
  return /^(?:import|export)\s+type\b/.test(statement)
}

/** Package names of the workspaces by their folders: `@duet/server` → `apps/server`. */
export function workspacesIn(tree: Tree): Map<string, string> {
  const found = new Map<string, string>()
  for (const [path, text] of tree) {
    if (!/^(apps|packages)\/[^/]+\/package\.json$/.test(path)) continue
    found.set((JSON.parse(text) as { name: string }).name, posix.dirname(path))
  }
  return found
}

/** The file that a specifier names, from the root of the checkout; undefined for packages and builtins. */
export function resolveFile(
  { from, specifier }: Pick<ImportedModule, 'from' | 'specifier'>,
  workspaces: ReadonlyMap<string, string>,
): string | undefined {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), specifier))
  for (const [name, folder] of workspaces) {
    if (specifier === name) return `${folder}/src/index.ts`
    if (specifier.startsWith(`${name}/`)) return `${folder}/src/${specifier.slice(name.length + 1)}`
  }
  return undefined
}

/** Groups of files that import each other in a circle (strongly connected components), each sorted. */
export function cyclesIn(tree: Tree): string[][] {
  const workspaces = workspacesIn(tree)
  const edges = new Map<string, string[]>()
  for (const [path, text] of tree) {
    if (!CODE.test(path)) continue
    const targets = findImports(path, text).map((found) => resolveFile(found, workspaces) ?? '')
    edges.set(
      path,
      targets.filter((target) => tree.has(target)),
    )
  }
  return findComponents(edges)
}

interface Visit {
  readonly index: number
  low: number
  isOpen: boolean
}

/** Tarjan's algorithm; components of one file are left out. */
function findComponents(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const visits = new Map<string, Visit>()
  const stack: string[] = []
  const components: string[][] = []

  function visit(path: string): Visit {
    const own: Visit = { index: visits.size, low: visits.size, isOpen: true }
    visits.set(path, own)
    stack.push(path)
    for (const target of edges.get(path) ?? []) {
      const known = visits.get(target)
      if (!known) own.low = Math.min(own.low, visit(target).low)
      else if (known.isOpen) own.low = Math.min(own.low, known.index)
    }
    if (own.low === own.index) close(path)
    return own
  }

  function close(path: string): void {
    const component = stack.splice(stack.indexOf(path))
    for (const member of component) visits.get(member)!.isOpen = false
    if (component.length > 1) components.push(component.toSorted())
  }

  for (const path of edges.keys()) if (!visits.has(path)) visit(path)
  return components
}
