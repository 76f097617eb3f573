/**
 * The table of modules that share a script file. On a slow link a file of a few bytes costs as much time as a large
 * file.
 */
import type { Rolldown } from 'vite'

type Groups = Extract<Rolldown.OutputOptions['codeSplitting'], object>['groups']

/**
 * The script files of the application. A file has the modules of its pattern and their imports, without the modules of
 * the files above it. Before the working start screen no other script file is loaded.
 */
const FILES: Readonly<Record<string, RegExp>> = {
  loader: /vite\/preload-helper/,
  react: /\/node_modules\/(?:react|react-dom|scheduler)\//,
  application: /\/web\/src\/app\/(?:start\/start|application)\.tsx$/,
  runtime: /\/web\/src\/app\/runtime\/open-runtime\.ts$|\/node_modules\/socket\.io-client\//,
  'first-steps':
    /\/web\/src\/(?:app\/(?:system\/layers|dialogs\/error-dialog)\.tsx|features\/(?:identity\/dialogs\.ts|identity\/fingerprints\/|demo\/|ledger\/not-balance|messenger\/unread-title|notices\/push))/,
  screens:
    /\/packages\/(?:ui|protocol|client)\/|\/web\/src\/shared\/|\/node_modules\/@(?:base-ui|floating-ui|phosphor-icons)\//,
  frame: /\/web\/src\/(?:app\/layout\/|features\/[\w-]+\/navigation\.ts)/,
  video: /\/web\/src\/(?:app\/video\/index|features\/(?:calls|matchmaking)\/)/,
}
/** Modules that a single screen imports, such as the gallery of components, are no part of these files. */
const SHARED = new Set(['screens'])
const FEATURE = /\/web\/src\/features\/([\w-]+)\//
const TEXTS = /^\0texts:(\w+)\//

/** The groups of the bundler: the files above, a file for each feature, and a file for the texts of each language. */
export function scriptFiles(): Groups {
  const files = Object.entries(FILES).map(([name, test], at) => ({
    name,
    test,
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
  const locale = TEXTS.exec(id)?.[1]
  return locale && `texts-${locale}`
}

/** The files that the landing page needs until it is hydrated, without its entry and its texts. */
export const FIRST_SCRIPTS = ['react', 'application']

/** The landing page loads these files afterwards, without a press. The press then shows the next step at once. */
export const LATER_SCRIPTS = ['runtime', 'first-steps']
