import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { enforceRetention, retentionRules } from '@duet/server/platform/retention/retention.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { openTestApp, type TestApp, together } from '@duet/testkit/test-app.ts'
import { WireRefused } from '@duet/testkit/test-user.ts'
import { EARLY_ACTS, FINAL_ACTS, openActors } from './sealed/acts.ts'
import { JOBS, OUTBOX, PLACES, PLACES_WITHOUT_EVIDENCE, RULES } from './sealed/deletion-paths.ts'
import { deletionsInSource, jobNames, outboxKinds, ruleNames } from './sealed/find-deletions.ts'
import {
  assertComplete,
  captureAll,
  openCase,
  type ProvenCase,
  seals,
  SHAPES,
} from './sealed/sealed-case.ts'

/**
 * C2: sealed evidence and every way of the product to delete. An attempt is one act on one case, or one run of a retention
 * rule or of a job; refused acts are not counted. The long form by `npm run proof sealed-evidence`.
 */
const isLong = process.env.PROOF === 'long'
/** In the first round the acts come in their order, in which none is refused on all cases; later in any order. */
const ROUNDS = isLong ? 8 : 1
const SHAPES_HERE = isLong ? SHAPES : SHAPES.slice(0, 2)
const ATTEMPTS_MIN = 1_000
/** The part of the acts that are done twice at once. */
const REPEATED = 0.3
const ERASED_AFTER = '337 h'
const AGED_AFTER = '9600 h'
const random = randomFrom(testSeed())

test('every way to delete is named: places of the source, retention rules, jobs, work of the outbox', () => {
  deepEqual(deletionsInSource(), [...Object.keys(PLACES), ...PLACES_WITHOUT_EVIDENCE].toSorted())
  deepEqual(ruleNames(), RULES.toSorted())
  deepEqual(jobNames(), JOBS.toSorted())
  deepEqual(outboxKinds(), Object.keys(OUTBOX).toSorted())
})

/** How often each path was attempted and not refused. */
const attempts = new Map<string, number>()
let caseCount = 0
const ACTS = [...Object.keys(EARLY_ACTS), ...Object.keys(FINAL_ACTS)]
const paths = [
  ...ACTS,
  ...[...RULES.map((name) => `rule ${name}`), ...JOBS.map((name) => `job ${name}`)],
]

async function attempt(path: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (error instanceof WireRefused || String(error).startsWith('Error: duet ')) return
    throw error
  }
  attempts.set(path, (attempts.get(path) ?? 0) + 1)
}

/** The folders in which files were deleted. */
const folders = new Set<string>()

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)

/** Each path once or, at times, twice at once. */
async function attemptAll(
  acts: readonly (readonly [string, () => Promise<unknown>])[],
  isShuffled: boolean,
): Promise<void> {
  for (const [path, act] of isShuffled ? shuffled(acts) : acts)
    await together(isShuffled && random() < REPEATED ? 2 : 1, () => attempt(path, act))
}

/** The acts on all cases: one case after the other in the first round, then all cases at once. */
async function actOn(
  cases: readonly ProvenCase[],
  acts: Readonly<Record<string, (sealedCase: ProvenCase) => Promise<unknown>>>,
  isFirst: boolean,
): Promise<void> {
  const onOne = (one: ProvenCase) =>
    attemptAll(
      Object.entries(acts).map(([path, act]) => [path, () => act(one)] as const),
      !isFirst,
    )
  if (isFirst) for (const one of cases) await onOne(one)
  else await Promise.all(cases.map(onOne))
}

/** The rules and jobs, later at times beside each other. */
async function runAll({ app, running }: TestApp, isFirst: boolean): Promise<void> {
  const rules = retentionRules(running.modules).map(
    (rule) => [`rule ${rule.name}`, () => enforceRetention(app, [rule])] as const,
  )
  const jobs = JOBS.map((name) => [`job ${name}`, () => app.jobs.run(name)] as const)
  const all = [...rules, ...jobs]
  // `audit verify` fails where the end of the log was not kept for hours.
  await app.jobs.run('audit head')
  if (isFirst) return attemptAll(all, false)
  const half = Math.ceil(all.length / 2)
  await Promise.all([attemptAll(all.slice(0, half), true), attemptAll(all.slice(half), true)])
}

async function performRound(testApp: TestApp, round: number): Promise<void> {
  const isFirst = round === 0
  for (const act of ['bans', 'removals', 'lifts', 'penalties', 'warnings', 'dismissals'])
    await testApp.setting(`bulk_${act}_max`, '10000')
  const deleted = watchDeletions(testApp)
  const actors = await openActors(testApp)
  const cases: ProvenCase[] = []
  for (const shape of SHAPES_HERE)
    cases.push(await openCase(testApp, { shape, number: cases.length + 1 }))
  caseCount += cases.length
  const plain = await openCase(testApp, { shape: 'plain', number: cases.length + 1 })
  const withActors = (acts: typeof EARLY_ACTS) =>
    Object.fromEntries(
      Object.entries(acts).map(([path, act]) => [path, (one: ProvenCase) => act(actors, one)]),
    )
  // In later rounds the first acts come while the pictures are still copied.
  if (isFirst) await testApp.settle()
  const atFirst = await captureAll(testApp, cases)
  await actOn(cases, withActors(EARLY_ACTS), isFirst)
  await testApp.settle()
  const before = await captureAll(testApp, cases)
  for (const [index, one] of cases.entries())
    assertComplete(one, { files: before[index]!, early: atFirst[index]! })
  const sealsBefore = await seals(testApp)
  const assertUnchanged = async (after: string) => {
    await testApp.settle()
    deepEqual(await captureAll(testApp, cases), before, after)
    deepEqual(await seals(testApp), sealsBefore, after)
  }
  await actOn([...cases, plain], withActors(FINAL_ACTS), isFirst)
  await assertUnchanged('the last acts')
  await testApp.leap('2 h')
  await runAll(testApp, isFirst)
  await assertUnchanged('the jobs of the day')
  await testApp.leap(ERASED_AFTER)
  await testApp.advance('5 min')
  await assertUnchanged('the time of the erasures')
  await endHolds(testApp)
  await testApp.leap(AGED_AFTER)
  await testApp.advance('5 min')
  await runAll(testApp, isFirst)
  await assertUnchanged('the retention')
  for (const file of before.flat()) ok(!deleted.has(`evidence/${file.file_id}.bin`), file.kind)
  await assertEffects(testApp, [...cases, plain], deleted)
}

/** Decides every case, also those that acts of this proof opened, and ends what keeps the data of their users. */
async function endHolds(testApp: TestApp): Promise<void> {
  const waiting = await testApp.duet<{ complaint_id: number }[]>('complaints', 'list')
  const decided = ['--decision', 'no_violation', '--comment', 'x'] as const
  for (const { complaint_id } of waiting)
    await testApp.duet('complaints', 'decide', complaint_id, ...decided)
  for (const id of (await seals(testApp)).keys())
    await testApp.duet('seal', 'release', id, '--reason', 'x', '--as', 'olga')
  deepEqual(await testApp.duet('hold', 'list'), { holds: [] })
}

/** Records the keys of the files that the server deletes. */
function watchDeletions({ app: { storage } }: TestApp): ReadonlySet<string> {
  const keys = new Set<string>()
  const remove = storage.delete
  storage.delete = (key) => {
    keys.add(key)
    return remove(key)
  }
  return keys
}

/** The deletions were real: the accounts are erased, the originals are gone, and so is evidence that is not sealed. */
async function assertEffects(
  testApp: TestApp,
  cases: readonly ProvenCase[],
  deleted: ReadonlySet<string>,
): Promise<void> {
  const { db } = testApp.app
  for (const { photoId, sentId } of cases)
    for (const id of [photoId, sentId]) ok(deleted.has(`media/${id}/full.webp`), 'an original')
  deepEqual(await db.selectFrom('call_frames').select('frame_id').execute(), [])
  const files = await db.selectFrom('evidence_files').select('is_sealed').execute()
  ok(files.every(({ is_sealed }) => is_sealed))
  for (const key of deleted) folders.add(key.slice(0, key.indexOf('/')))
  const texts = await db.selectFrom('messages').select('text').where('text', '!=', '').execute()
  deepEqual(texts, [])
}

test('no attempt to delete loses or changes sealed evidence', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const testApp = await openTestApp()
    try {
      await performRound(testApp, round)
    } finally {
      await testApp.close()
    }
  }
  deepEqual(
    paths.filter((path) => !attempts.has(path)),
    [],
    'every path had an effect',
  )
  deepEqual([...folders].toSorted(), ['evidence', 'frames', 'media', 'passport', 'selfie'])
  const count = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + (attempts.get(name) ?? 0), 0)
  const onCases = count(ACTS)
  if (isLong) ok(onCases >= ATTEMPTS_MIN)
  console.log(
    `${count(paths)} attempts over ${paths.length} paths, 0 lost; ${onCases} of them are acts on ${caseCount} cases`,
  )
})
