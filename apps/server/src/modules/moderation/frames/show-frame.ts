import type { App } from '../../../core/app.ts'
import type { RawResponse } from '../../../core/raw-response.ts'
import type { Staff } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { markedJpeg } from '../../media/index.ts'
import { readFrame } from './frame-files.ts'
import { type FrameRow, recordFrameView } from './frame-store.ts'

/** A sampled frame with the name of its viewer on it. The look is recorded before it is read. Refuses not_found. */
export async function showFrame(app: App, staff: Staff, frame: FrameRow): Promise<RawResponse> {
  const { session_id, girl_id: user_id } = frame
  await app.transact(async (tx) => {
    await recordFrameView(tx, session_id, staff.email)
    await writeAudit(tx, { staff, act: 'frames_view', user_id, facts: { session_id } })
  })
  const plain = (await readFrame(app, frame)) ?? refuse('not_found')
  return markedJpeg(app, staff, plain, `call ${session_id}`)
}
