import { resolve } from 'node:path'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { App } from '../../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../../core/module.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { operatorName } from '../../../platform/operator/operator-name.ts'
import { shellActor, writeAudit } from '../../audit/index.ts'
import { neededText } from '../../identity/index.ts'
import { openFolder, writeNewFile } from '../../verification/index.ts'
import { readFrame } from './frame-files.ts'
import { framesOfCall, newestFindings, newestMissing, recordFrameView } from './frame-store.ts'

const LISTED_MAX = 200

async function list(app: App) {
  const findings = await newestFindings(app.db, LISTED_MAX)
  const missing = await newestMissing(app.db, LISTED_MAX)
  return {
    findings: findings.map((finding) => ({ ...finding, at: wireTime(finding.at) })),
    missing: missing.map((row) => ({ ...row, at: wireTime(row.at) })),
  }
}

/** Writes the newest frames of a call into a folder, with the viewer's name on them. The look is recorded before it. */
async function show(app: App, given: CommandArguments) {
  const [word = ''] = given.words
  const session_id = parseId(word) ?? refuse('not_found')
  const viewer = operatorName(given)
  const rows = await framesOfCall(app.db, session_id, LISTED_MAX)
  if (rows.length === 0) refuse('not_found')
  const folder = resolve(given.cwd, neededText(given, 'out'))
  await openFolder(folder)
  await app.transact(async (tx) => {
    await recordFrameView(tx, session_id, viewer)
    await writeAudit(tx, { staff: shellActor(given), act: 'frames_view', facts: { session_id } })
  })
  const mark = `${viewer} ${wireTime(app.clock.now())} call ${session_id}`
  const frames = []
  for (const row of rows) {
    const plain = await readFrame(app, row)
    const name = `frame-${session_id}-${row.asked_at.epochMilliseconds}.jpg`
    if (plain) await writeNewFile(resolve(folder, name), await app.images.watermark(plain, mark))
    frames.push({ file: plain ? name : null, at: wireTime(row.at), nudity: row.nudity })
  }
  return frames
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'frames list': {
    args: '',
    summary:
      'What frames of public calls led to: warnings and ended calls. Then the calls whose page sent no frames.',
    run: list,
  },
  'frames show': {
    args: 'CALL --out FOLDER [--as NAME]',
    summary: 'Writes the frames of a call into a folder; the look is recorded.',
    run: show,
  },
}
