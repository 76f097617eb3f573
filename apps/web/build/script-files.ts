/**
 * The table of modules that share a script file. On a slow link a file of a few bytes costs as much time as a large
 * file.
 */
import type { Rolldown } from 'vite'

type Groups = Extract<Rolldown.OutputOptions['codeSplitting'], object>['groups']

/**
 * The script files of the application. A file has the modules of its paths and their imports, without the modules of
 * the files above it. Before the working start screen no other script file is loaded. A path is a file or a folder of
 * the repository.
 */
const FILES: Readonly<Record<string, readonly string[]>> = {
  loader: ['vite/preload-helper'],
  react: ['node_modules/react/', 'node_modules/react-dom/', 'node_modules/scheduler/'],
  application: ['apps/web/src/app/start/start.tsx', 'apps/web/src/app/application.tsx'],
  runtime: ['apps/web/src/app/runtime/open-runtime.ts', 'node_modules/socket.io-client/'],
  'first-steps': [
    'apps/web/src/app/system/layers.tsx',
    'apps/web/src/app/dialogs/error-dialog.tsx',
    'apps/web/src/features/identity/dialogs.ts',
    'apps/web/src/features/identity/fingerprints/',
    'apps/web/src/features/demo/',
    'apps/web/src/features/messenger/unread-title.ts',
    'apps/web/src/features/notices/push.ts',
  ],
  screens: [
    'packages/ui/',
    'packages/protocol/',
    'packages/client/',
    'apps/web/src/shared/',
    'node_modules/@base-ui/',
    'node_modules/@floating-ui/',
    'node_modules/@phosphor-icons/',
  ],
  frame: ['apps/web/src/app/layout/', 'apps/web/src/features/*/navigation.ts'],
  video: [
    'apps/web/src/app/video/index.ts',
    'apps/web/src/features/calls/',
    'apps/web/src/features/matchmaking/',
  ],
}
/** Vite makes this module. */
const MADE_BY_VITE = new Set(['vite/preload-helper'])

/** Every path of the table that is in the repository. */
export function scriptPaths(): string[] {
  return Object.values(FILES)
    .flat()
    .filter((path) => !MADE_BY_VITE.has(path))
}

/**
 * A pattern for the modules of some paths. `*` is the name of a folder. The check of unused files loads this on Node 20,
 * which has no `RegExp.escape`.
 */
function toPattern(paths: readonly string[]): RegExp {
  const escaped = paths.map((path) =>
    path.replaceAll(/[.+()[\]{}|^$?]/g, String.raw`\$&`).replaceAll('*', '[\\w-]+'),
  )
  return new RegExp(`(?:^|[\\0/])(?:${escaped.join('|')})`)
}

/** Modules that a single screen imports, such as the gallery of components, are no part of these files. */
const SHARED = new Set(['screens'])
const FEATURE = /\/web\/src\/features\/([\w-]+)\//
const TEXTS = /^\0texts:(\w+)\/([\w-]+)/
/** The catalogues of pages to read, which few people open: the start of the application does not wait for them. */
const READING = new Set(['legal', 'report'])

/** The groups of the bundler: the files above, a file for each feature, and a file for the texts of each language. */
export function scriptFiles(): Groups {
  const files = Object.entries(FILES).map(([name, paths], at) => ({
    name,
    test: toPattern(paths),
    priority: 100 - at,
    minShareCount: SHARED.has(name) ? 2 : 1,
  }))
  return [
    { name: textsFile, debugName: 'texts', priority: 200 },
    ...files,
    { name: (id: string) => FEATURE.exec(id)?.[1], debugName: 'feature' },
  ]
}

function textsFile(id: string): string | undefined {
  const [, locale, name = ''] = TEXTS.exec(id) ?? []
  return locale && (READING.has(name) ? `reading-${locale}` : `texts-${locale}`)
}

/** The files that the landing page needs until it is hydrated, without its entry and its texts. */
export const FIRST_SCRIPTS = ['react', 'application']

/** The landing page loads these files afterwards, without a press. The press then shows the next step at once. */
export const LATER_SCRIPTS = ['runtime', 'first-steps']
