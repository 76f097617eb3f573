import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { endByStaff } from '../../calls/index.ts'
import { lockUser } from '../../identity/index.ts'
import { addNotice } from '../../notices/index.ts'
import { setting } from '../../settings/index.ts'
import { addFindings } from '../findings/finding-store.ts'
import { insertStatement } from '../sanctions/sanction-store.ts'
import { decideOnFrames } from './frame-rules.ts'
import { findingKinds, insertFinding, latestScores } from './frame-store.ts'

interface ScoredFrame {
  readonly girl_id: UserId
  readonly session_id: number
  readonly frame_id: string
  readonly nudity: number
}

const RULE = 'nudity_public'

/** A frame shows nudity: warns the girl, or ends the call. Each is recorded once a call, with a statement that she can read. */
export function followScore(app: App, frame: ScoredFrame): Promise<void> {
  const { girl_id, session_id } = frame
  return app.transact(async (tx) => {
    // Of two frames at once the second sees the finding of the first.
    await lockUser(tx, girl_id)
    const known = await findingKinds(tx, session_id)
    const course = {
      scores: await latestScores(tx, session_id),
      is_warned: known.has('warning'),
    }
    const decision = decideOnFrames(course, setting(app, 'nudity_end_score'))
    if (decision === 'none') return
    if (decision === 'warn') return warn(tx, frame)
    if (!known.has('end')) await record(tx, frame, 'end')
    // Also again: the server process may have ended between the commit and the end of the call.
    tx.afterCommit(() => endByStaff(app, session_id, 'moderator'))
  })
}

async function warn(tx: Tx, frame: ScoredFrame): Promise<void> {
  const { girl_id, session_id } = frame
  const statement_id = await record(tx, frame, 'warning')
  await tx.notify(girl_id, 'call_warning', {
    session_id,
    statement_id,
    rule: RULE,
    automatic: true,
  })
}

async function record(tx: Tx, frame: ScoredFrame, kind: 'warning' | 'end'): Promise<number> {
  const { girl_id: user_id, session_id } = frame
  const statement_id = await insertStatement(tx, {
    user_id,
    kind: kind === 'end' ? 'call_end' : 'warning',
    reason: RULE,
    comment: '',
    until: null,
    automatic: true,
    imposed_by: 'frames',
    session_id,
  })
  await insertFinding(tx, { ...frame, kind, statement_id })
  await addFindings(tx, [{ user_id, kind: 'nudity', session_id, key: `nudity:${session_id}` }])
  await addNotice(tx, {
    user_id,
    kind: 'statement',
    facts: { what: kind === 'end' ? 'call_end' : 'warning', statement_id },
    key: `statement:${statement_id}:begun`,
  })
  return statement_id
}
