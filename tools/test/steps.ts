import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ACCOUNT_STORE_FILES, accountStoreComplaints } from '../checks/web/account-stores.ts'
import { DIRECTION_FILES, directionComplaints } from '../checks/web/direction.ts'
import { FILTER_FILES, filterComplaints } from '../checks/filters.ts'
import { bundleComplaints } from './bundle-secrets.ts'
import { generatedComplaints } from '../generated.ts'
import { IMPORT_FILES, importComplaints } from '../checks/imports.ts'
import { GLOSSARY_FILES, glossaryComplaints } from '../checks/glossary.ts'
import { LOCALE_FILES, localeComplaints } from '../checks/locale-keys.ts'
import { commitSubjectComplaints } from '../checks/commit-subjects.ts'
import { DATA_FIELD_FILES, HOUSE_STYLE_FILES, houseStyleComplaints } from '../checks/house-style.ts'
import { SHAPE_FILES, shapeComplaints } from '../checks/shape.ts'
import { sqlWriteComplaints } from '../checks/sql-writes.ts'
import { typeNameComplaints } from '../checks/type-names.ts'
import { WORD_FILES, wordComplaints } from '../checks/words.ts'
import { CODE } from '../source/parse.ts'
import { CHROMIUM, COTURN, FFMPEG, HEADLESS_SHELL, type SystemPackage } from '../system-packages.ts'
import { listFiles, readTree, ROOT } from '../tree.ts'
import { buildWeb } from '../web-build.ts'
import { budgetComplaints } from '../web-budgets.ts'
import { runNodeTests } from './node-tests.ts'
import { merge, toResult, failed, nothing, passed, type TestResult } from './result.ts'
import { officeComplaints } from './office-budgets.ts'
import { checkByProgram } from './program.ts'
import { runVitest } from './vitest.ts'

/**
 * A step of `npm test`. `filters` are parts of file paths: a step of tests runs only the files that contain
 * a filter.
 */
export interface TestStep {
  name: string
  group: 'checks' | 'tests'
  says: string
  limit_ms: number
  /** It waits more than it computes, so it runs beside the next step. */
  waits?: true
  needs?: SystemPackage[]
  run: (asked: Asked) => Promise<TestResult> | TestResult
}

interface Asked {
  filters: string[]
  signal: AbortSignal
  say: (line: string) => void
}

const MINUTE_MS = 60_000
const CHECK_LIMIT_MS = 5 * MINUTE_MS
const FILE_LIMIT_MS = 8 * MINUTE_MS
const JOURNEY_FILE_LIMIT_MS = 15 * MINUTE_MS
const WEB_APPS = ['apps/web', 'apps/office']

const bin = (name: string) => join(ROOT, 'node_modules/.bin', name)

/** Journeys without video or with little of it. They run beside the others, which need the processor for the video of two pages. */
const LIGHT_JOURNEYS =
  /\/journeys\/(accounts\/(?!statistics).*|office\/.*|catalogue|dates|girl-page|history|hostile-texts|messenger|push)\.test\.ts$/
const JOURNEYS: TestStep = {
  name: 'journeys',
  says: 'people in real browsers',
  limit_ms: 50 * MINUTE_MS,
  group: 'tests',
  run: async (asked) => {
    const files = matchingFiles(/^tests\/journeys\/.*\.test\.ts$/, asked.filters)
    const { light = [], video = [] } = Object.groupBy(files, (path) =>
      LIGHT_JOURNEYS.test(path) ? 'light' : 'video',
    )
    const more = { root: ROOT, concurrency: 1, file_limit_ms: JOURNEY_FILE_LIMIT_MS }
    const runQueue = async (name: string, queue: string[]) => {
      const began = Date.now()
      const result = await runNodeTests({ ...more, files: queue, signal: asked.signal }, asked.say)
      return merge(result, nothing(`with ${name}: ${Math.round((Date.now() - began) / 1000)} s`))
    }
    return merge(
      ...(await Promise.all([runQueue('little video', light), runQueue('video', video)])),
    )
  },
}

/** In the order in which they run: the fast steps with the most findings come first. */
export const STEPS: TestStep[] = [
  program('format', 'formatting (oxfmt)', 'oxfmt', ['--check', '--threads=2', '.']),
  program('lint', 'lint rules, with types (oxlint)', 'oxlint', [
    '--type-aware',
    '--deny-warnings',
    '--format=unix',
    '--threads=2',
  ]),
  { ...check('types', 'types of every workspace (tsc)'), run: types },
  {
    ...check('imports', 'which folder may import which (tools/checks/import-zones.ts)'),
    run: () => toResult('imports', importComplaints(readTree(IMPORT_FILES))),
  },
  {
    ...check('stores', 'stores that belong to an account (tools/checks/web/account-stores.ts)'),
    run: () => toResult('stores', accountStoreComplaints(readTree(ACCOUNT_STORE_FILES))),
  },
  {
    ...check('shape', 'names and folders (tools/checks/shape.ts)'),
    run: () => toResult('shape', shapeComplaints(readTree(SHAPE_FILES), listFiles())),
  },
  {
    ...check('direction', 'nothing is left or right (tools/checks/web/direction.ts)'),
    run: () => toResult('direction', directionComplaints(readTree(DIRECTION_FILES))),
  },
  {
    ...check('filters', 'no filter on pictures (tools/checks/filters.ts)'),
    run: () => toResult('filters', filterComplaints(readTree(FILTER_FILES))),
  },
  program('dead', 'unused exports, files and dependencies (knip)', 'knip', [
    '--no-progress',
    '--no-config-hints',
  ]),
  {
    ...check('generated', 'generated files are equal to the output of their generators'),
    run: async ({ signal }) => toResult('generated', await generatedComplaints(signal)),
  },
  {
    ...check('locales', 'every text has its key and every key its text'),
    run: () => toResult('locales', localeComplaints(readTree(LOCALE_FILES))),
  },
  guard('words', 'words that comments, documents and test names avoid', (filters) =>
    wordComplaints(readTree((path) => WORD_FILES(path) && matches(path, filters))),
  ),
  {
    ...check('type-names', 'an exported type name is declared once'),
    run: () => toResult('type-names', typeNameComplaints(readTree((path) => CODE.test(path)))),
  },
  guard('glossary', 'a term stands once in the glossary', () =>
    glossaryComplaints(readTree(GLOSSARY_FILES)),
  ),
  guard('sql-writes', 'SQL that writes stands in the stores of modules', () =>
    sqlWriteComplaints(readTree((path) => CODE.test(path))),
  ),
  guard('house-style', 'constants, locals and shapes of objects', (filters) =>
    houseStyleComplaints(
      readTree(
        (path) => DATA_FIELD_FILES(path) || (HOUSE_STYLE_FILES(path) && matches(path, filters)),
      ),
    ),
  ),
  guard('commits', 'subjects of commits', () => commitSubjectComplaints()),
  program('budgets', 'functions, complexity, import cycles (.oxlintrc.guards.json)', 'oxlint', [
    '--config=.oxlintrc.guards.json',
    '--deny-warnings',
    '--format=unix',
    '--threads=2',
  ]),
  nodeTests(
    'unit',
    'rules and laws of packages and tools',
    10 * MINUTE_MS,
    /^(packages\/[^/]+|tools)\/.*\.test\.ts$/,
  ),
  {
    ...nodeTests(
      'server',
      'the server: rules, stories, laws',
      20 * MINUTE_MS,
      /^apps\/server\/.*\.test\.ts$/,
      { in_groups: true },
    ),
    needs: [FFMPEG],
  },
  nodeTests('laws', 'laws over generated histories', 15 * MINUTE_MS, /^tests\/laws\/.*\.test\.ts$/),
  {
    ...nodeTests('proof', 'kill, race, fuzz', 10 * MINUTE_MS, /^tests\/proof\/.*\.test\.ts$/),
    waits: true,
  },
  {
    name: 'web',
    group: 'tests',
    says: 'the React apps (Vitest)',
    limit_ms: 10 * MINUTE_MS,
    run: vitest,
  },
  {
    name: 'build',
    group: 'tests',
    says: 'the web apps as they are served',
    limit_ms: 10 * MINUTE_MS,
    run: build,
  },
  {
    ...JOURNEYS,
    needs: [CHROMIUM, HEADLESS_SHELL, COTURN],
    run: async (asked) => {
      const built = await build(asked)
      // Otherwise each file of journeys would build it again.
      process.env.BUILT_WEB = join(ROOT, 'apps/web/dist')
      return built.failed > 0 ? built : JOURNEYS.run(asked)
    },
  },
]

function check(name: string, says: string): Omit<TestStep, 'run'> {
  return { name, says, group: 'checks', limit_ms: CHECK_LIMIT_MS }
}

/** A check of tools/checks. */
function guard(name: string, says: string, complaints: (filters: string[]) => string[]): TestStep {
  return {
    ...check(name, says),
    run: ({ filters }) => toResult(name, complaints(filters)),
  }
}

function program(name: string, says: string, command: string, args: string[]): TestStep {
  return {
    ...check(name, says),
    run: ({ signal }) => checkByProgram(name, bin(command), args, { cwd: ROOT, signal }),
  }
}

function matchingFiles(pattern: RegExp, filters: string[]): string[] {
  return listFiles().filter((path) => pattern.test(path) && matches(path, filters))
}

function nodeTests(
  name: string,
  says: string,
  limitMs: number,
  pattern: RegExp,
  more: { in_groups?: boolean; file_limit_ms?: number } = {},
): TestStep {
  return {
    name,
    says,
    limit_ms: limitMs,
    group: 'tests',
    run: ({ filters, signal, say }) => {
      const files = matchingFiles(pattern, filters)
      return runNodeTests({ root: ROOT, files, file_limit_ms: FILE_LIMIT_MS, signal, ...more }, say)
    },
  }
}

async function types({ signal }: Asked): Promise<TestResult> {
  const files = listFiles()
  const workspaces = files
    .filter((path) => /^(apps|packages)\/[^/]+\/package\.json$/.test(path))
    .map((path) => path.replace(/\/package\.json$/, ''))
  let all = nothing()
  for (const folder of ['.', ...workspaces]) {
    const config = folder === '.' ? 'tsconfig.json' : `${folder}/tsconfig.json`
    if (!existsSync(join(ROOT, config)))
      all = merge(all, failed(`types of ${folder}`, `${config} is missing`))
    else {
      const kept = join('node_modules/.cache/tsc', `${folder.replaceAll('/', '-')}.tsbuildinfo`)
      const args = ['-p', config, '--noEmit', '--incremental', '--tsBuildInfoFile', kept]
      all = merge(
        all,
        await checkByProgram(`types of ${folder}`, bin('tsc'), args, { cwd: ROOT, signal }),
      )
    }
  }
  return all.failed > 0 ? { ...all, passed: 0, failed: 1 } : passed()
}

async function vitest({ filters, signal }: Asked): Promise<TestResult> {
  let all = nothing()
  for (const app of WEB_APPS.filter((path) => existsSync(join(ROOT, path)))) {
    const within = filters.filter((filter) => !STEP_NAMES.has(filter))
    all = merge(all, await runVitest(ROOT, app, within, signal))
  }
  return all
}

async function build({ signal, say }: Asked): Promise<TestResult> {
  const trouble = await buildWeb({ signal, say })
  if (trouble !== undefined) return failed('build of the web apps', trouble)
  const dists = WEB_APPS.map((app) => join(ROOT, app, 'dist'))
  return merge(
    toResult('bytes of the landing page', budgetComplaints(join(ROOT, 'apps/web/dist'))),
    merge(
      toResult('bytes of the office', officeComplaints(join(ROOT, 'apps/office/dist'))),
      toResult('secrets in the web apps', dists.flatMap(bundleComplaints)),
    ),
  )
}

function matches(path: string, filters: string[]): boolean {
  return filters.length === 0 || filters.some((filter) => path.includes(filter))
}

const STEP_NAMES = new Set(STEPS.map(({ name }) => name))

/** Splits the arguments into steps and path filters. Without a named step: all steps, or with filters alone all steps of tests. */
export function chooseSteps(args: string[]): { steps: TestStep[]; filters: string[] } {
  const named = args.filter((arg) => arg === 'checks' || STEP_NAMES.has(arg))
  const filters = args.filter((arg) => !named.includes(arg))
  const steps = STEPS.filter(({ name, group }) => {
    if (named.length > 0)
      return named.includes(name) || (group === 'checks' && named.includes('checks'))
    return filters.length === 0 || (group === 'tests' && name !== 'build')
  })
  return { steps, filters }
}
