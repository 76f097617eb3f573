import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { isInCall } from '../../presence/index.ts'
import { setting } from '../../settings/index.ts'
import { recordAbsence } from '../availability.ts'
import { type FaceReport, isAbsence } from './face-rules.ts'
import { findSearchSession, runExclusive } from '../search-sessions.ts'
import { endSearch } from '../stop-search.ts'
import { lastWithoutFace } from '../store.ts'

/** Her device says whether a face is before its camera: an absence is recorded, and ends her search. */
export function reportFace(
  app: App,
  girl_id: UserId,
  report: FaceReport,
  session_id: number | null,
): Promise<void> {
  return runExclusive(app, girl_id, async () => {
    const search = findSearchSession(app, girl_id)
    const recordedAt = await lastWithoutFace(app.db, girl_id)
    const facts = {
      is_expected: search !== undefined || isInCall(app, girl_id),
      recorded_at_ms: recordedAt?.epochMilliseconds,
      now_ms: app.clock.now().epochMilliseconds,
    }
    if (!isAbsence(report, facts, setting(app, 'face_absence') * 1000)) return
    await app.transact((tx) => recordAbsence(tx, girl_id, 'no_face', session_id))
    if (search && findSearchSession(app, girl_id) === search)
      await endSearch(app, search, 'stopped', 'absence')
  })
}
