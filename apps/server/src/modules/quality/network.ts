import { sql } from 'kysely'
import { limits } from '@duet/protocol'
import type { NetworkSource } from '../moderation/index.ts'
import type { StatsSample } from './rules/stats-sample.ts'

/** A page that has missed three reports says nothing about the present. */
const RECENT_MS = 3 * limits.quality_stats_ms
const BITRATES_MAX = 60

/** The reports of pages, as the live wall shows them. */
export const networks: NetworkSource = {
  async latest(db, sessionIds, now) {
    const since = now.subtract({ milliseconds: RECENT_MS })
    const rows = await db
      .selectFrom('quality_sessions')
      .select(['session_id', 'user_id', 'latest'])
      .where('session_id', 'in', sessionIds)
      .where('latest_at', '>=', since)
      .execute()
    return rows.map(({ session_id, user_id, latest }) => {
      const { in_score, out_score, rtt_ms, out_loss_percent, in_loss_percent, out_kbps } =
        latest as StatsSample
      const scores = [in_score, out_score].filter((score) => score !== undefined)
      return {
        session_id,
        user_id,
        score: scores.length > 0 ? Math.min(...scores) : null,
        rtt_ms: rtt_ms ?? null,
        loss_percent: out_loss_percent ?? in_loss_percent ?? null,
        out_kbps: out_kbps ?? null,
      }
    })
  },
  async bitrates(db, { session_id, user_id }) {
    const { rows } = await sql<{ kbps: number }>`
      select coalesce((details->>'out_kbps')::float8, 0) as kbps from quality_events
      where user_id = ${user_id} and session_id = ${session_id} and kind = 'stats'
      order by at desc limit ${BITRATES_MAX}`.execute(db)
    return rows.map(({ kbps }) => kbps).toReversed()
  },
}
