import { limits } from '@duet/protocol/kernel/limits.ts'
import { ReportDecision, reportKinds } from '@duet/protocol/contracts/reports.ts'
import { resolve } from 'node:path'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { App } from '../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../core/module.ts'
import { wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { operatorName } from '../../platform/operator/operator-name.ts'
import { neededText } from '../identity/index.ts'
import { storedPicture } from '../media/index.ts'
import { openFolder, writeNewFile } from '../verification/index.ts'
import { decideReport } from './decide-report.ts'
import { countNumbers } from './numbers.ts'
import { readReports, reportById } from './queries.ts'
import { readDetail, recordLook } from './show-report.ts'
import { staffView } from './views.ts'

const LISTED_MAX = 200

async function reportNamed(app: App, word = '') {
  const id = parseId(word) ?? refuse('not_found')
  return (await reportById(app.db, id)) ?? refuse('not_found')
}

async function list(app: App, { options }: CommandArguments) {
  const state = options.decided === true ? 'decided' : 'open'
  return (
    await readReports(app.db, state, {
      offset: 0,
      limit: LISTED_MAX,
      kinds: reportKinds,
      is_limited: false,
    })
  ).map((row) => staffView(row))
}

/** With a folder the pictures are written into it, each with the viewer's name over it. */
async function show(app: App, given: CommandArguments) {
  const row = await reportNamed(app, given.words[0])
  await app.transact((tx) => recordLook(tx, { operator: operatorName(given) }, row))
  const report = await readDetail(app, row)
  if (typeof given.options.out !== 'string') return report
  const folder = resolve(given.cwd, given.options.out)
  await openFolder(folder)
  const mark = `${operatorName(given)} ${wireTime(app.clock.now())} report ${report.id}`
  for (const { media_id } of report.pictures) {
    const picture = await storedPicture(app, media_id)
    if (picture)
      await writeNewFile(
        resolve(folder, `report-${report.id}-${media_id}.jpg`),
        await app.images.watermark(picture, mark),
      )
  }
  return report
}

async function decide(app: App, given: CommandArguments) {
  const { report_id } = await reportNamed(app, given.words[0])
  const decision = ReportDecision.safeParse(given.options.decision)
  if (!decision.success)
    return refuseOption('decision', `--decision is one of ${ReportDecision.options.join(', ')}`)
  const answer = neededText(given, 'answer').trim()
  if (answer === '' || [...answer].length > limits.comment_characters)
    return refuseOption('answer', `--answer has 1 to ${limits.comment_characters} characters`)
  const by = operatorName(given)
  const decided = { decision: decision.data, answer, by, actor: { operator: by } }
  await app.transact((tx) => decideReport(tx, report_id, decided))
  return staffView((await reportById(app.db, report_id))!)
}

function refuseOption(path: string, message: string): never {
  return refuse('invalid', { fields: [{ path, message }] })
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'report list': {
    args: '[--decided]',
    summary: `Reports of the public forms that wait, the first to be answered first; or the decided ones. At most ${LISTED_MAX}.`,
    run: list,
  },
  'report show': {
    args: 'REPORT [--out FOLDER] [--as NAME]',
    summary: 'A report with its contact and text; writes the pictures it is about into a folder.',
    run: show,
  },
  'report decide': {
    args: `REPORT --decision ${ReportDecision.options.join('|')} --answer TEXT [--as NAME]`,
    summary:
      'Decides a report: the reporter reads the answer. Pictures are removed, or shown again.',
    run: decide,
  },
  'report numbers': {
    args: '[MONTH]',
    summary: 'The numbers of a month (2026-11; default: this month) for the public report.',
    run: (app, { words: [month] }) =>
      countNumbers(app, month ?? wireTime(app.clock.now()).slice(0, 7)),
  },
}
