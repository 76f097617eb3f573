import type { App } from '../../../core/app.ts'
import type { OperatorCommand } from '../../../core/module.ts'
import { wireTime } from '../../../lib/clock.ts'
import { readAppealQueue } from './appeal-store.ts'

const LISTED_MAX = 100

async function list(app: App) {
  const rows = await readAppealQueue(app.db, 'waiting', { offset: 0, limit: LISTED_MAX })
  return rows.map(({ appeal_id, statement_id, user_id, text, created_at }) => ({
    appeal_id,
    statement_id,
    user_id,
    text,
    at: wireTime(created_at),
  }))
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'appeals list': {
    args: '',
    summary: `Appeals that wait, the oldest ${LISTED_MAX}; another person decides them in the office.`,
    run: list,
  },
}
