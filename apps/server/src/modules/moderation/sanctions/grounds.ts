import { sql } from 'kysely'
import type { EvidenceKind, PenaltyPlace, Statement } from '@duet/protocol/contracts/moderation.ts'
import type { Query } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import { RawResponse } from '../../../core/raw-response.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { storedPicture } from '../../media/index.ts'
import { readEvidence } from '../complaints/evidence.ts'
import { evidenceFiles } from '../complaints/evidence-store.ts'
import { readFrame } from '../frames/frame-files.ts'
import { frameById } from '../frames/frame-store.ts'
import { pictureOfStatement } from '../penalties/penalty-picture.ts'

/** The grounds of a decision, from the case that led to it. */
export interface Grounds {
  readonly statement_id: number
  readonly user_id: UserId
  readonly complaint_id: number | null
  readonly order_id: number | null
  readonly session_id: number | null
  readonly call_at: Temporal.Instant | null
  readonly place: PenaltyPlace | null
  /** A removed upload, else the upload of the accused that a complaint names. */
  readonly media_id: string | null
  readonly removed_text: string | null
  readonly frame_id: string | null
  readonly has_camera: boolean
  readonly has_screenshot: boolean
  /**
   * A case about a minor, of the panic key, or with a picture of another person, or another decision about the call of
   * such a case: its user learns the reason only.
   */
  readonly is_closed: boolean
}

/** The frame that a check acted on; where staff acted in the call itself, else the last frame before that. */
const FRAME = sql`(select frame_id from call_frames frame
  left join frame_findings found using (frame_id)
  where frame.session_id = coalesce(statement.session_id, complaint.session_id, finding.session_id)
    and frame.girl_id = statement.user_id and frame.asked_at <= statement.at
    and (found.frame_id is not null or statement.session_id is not null)
  order by found.frame_id is null, frame.asked_at desc limit 1)`

/** Frames are of public calls. A call may become private after the decision. */
const PLACE = sql<PenaltyPlace | null>`case
  when ${FRAME} is not null or call.state = 'public' then 'public_call'
  when call.state = 'private' then 'private_call'
  when media.product = 'messenger' then 'messenger'
  when media.product = 'avatar' then 'profile'
  when media.id is not null then 'gallery' end`

/** `isClosed` of complaint-rules.ts, for a row of complaints. */
const isClosed = (complaint: 'complaint' | 'about') =>
  sql<boolean>`(${sql.ref(`${complaint}.is_panic`)} or ${sql.ref(`${complaint}.reason`)} in ('child', 'intimate_image'))`

export async function readGrounds(db: Db, ids: readonly number[]): Promise<Grounds[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Grounds>`
    select statement.statement_id, statement.user_id, complaint.complaint_id, finding.order_id,
      call.session_id, coalesce(call.connected_at, call.opened_at) as call_at,
      ${PLACE} as place, media.id as media_id, removal.text as removed_text, ${FRAME} as frame_id,
      exists (select from evidence_files where complaint_id = complaint.complaint_id
        and kind = 'accused' and user_id = statement.user_id) as has_camera,
      exists (select from penalty_pictures picture
        where picture.statement_id = statement.statement_id) as has_screenshot,
      coalesce(${isClosed('complaint')}, false)
        or exists (select from complaints about where about.session_id = call.session_id
          and about.accused_id = statement.user_id and ${isClosed('about')})
        or statement.reason = 'child'
        or (statement.kind = 'photo' and statement.reason in ('minor', 'intimate_image', 'known_image')) as is_closed
    from statements statement
    left join removals removal using (statement_id)
    left join lateral (select complaint_id, session_id, media_id, is_panic, reason from complaints
      where statement_id = statement.statement_id or suspension_id = statement.statement_id
      order by complaint_id limit 1) complaint on true
    left join lateral (select session_id, order_id from findings
      where statement_id = statement.statement_id order by finding_id desc limit 1) finding on true
    left join video_sessions call
      on call.session_id = coalesce(statement.session_id, complaint.session_id, finding.session_id)
    left join media on media.owner_id = statement.user_id
      and media.id = coalesce(removal.media_id, complaint.media_id)
    where statement.statement_id = any(${ids}::bigint[])`.execute(db)
  return rows
}

interface OwnText {
  readonly statement_id: number
  readonly text: string
  readonly place: PenaltyPlace
  readonly at: Temporal.Instant | null
}

/** The texts of users that these decisions are about. */
export async function readOwnTexts(db: Db, ids: readonly number[]): Promise<OwnText[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<OwnText>`
    select statement_id, text, place, at from statement_texts
    where statement_id = any(${ids}::bigint[])
    union all
    select statement_id, removal.text, case when field is null then 'messenger' else 'profile' end,
      message.create_time
    from removals removal left join messages message on message.id = removal.message_id
    where statement_id = any(${ids}::bigint[]) and removal.text <> ''
    order by at`.execute(db)
  return rows
}

/** The grounds of a decision as its user sees them: the own pictures and texts, the place and the time, and no other person. */
export function ownGrounds(
  { is_closed, place, call_at, media_id, frame_id, has_camera, has_screenshot }: Grounds,
  texts: readonly OwnText[],
): Pick<Statement, 'place' | 'call_at' | 'evidence' | 'texts'> & Pick<Grounds, 'is_closed'> {
  if (is_closed) return { is_closed, evidence: [], texts: [] }
  const kinds: Readonly<Record<EvidenceKind, boolean>> = {
    screenshot: has_screenshot,
    picture: media_id !== null,
    frame: frame_id !== null,
    camera: has_camera,
  }
  return {
    is_closed,
    ...(place && { place }),
    ...(call_at && { call_at: wireTime(call_at) }),
    evidence: (Object.keys(kinds) as EvidenceKind[]).filter((kind) => kinds[kind]),
    texts: texts.map(({ text, place, at }) => ({ text, place, ...(at && { at: wireTime(at) }) })),
  }
}

/** GET statements/{id}/evidence/{kind}. Refuses not_found, also to every other user. */
export async function ownEvidence(
  app: App,
  viewer: Guest | Member,
  { id, kind }: Query<'GET statements/{id}/evidence/{kind}'>,
): Promise<RawResponse> {
  const [grounds] = await readGrounds(app.db, [id])
  const isOwn = grounds?.user_id === viewer.id && ownGrounds(grounds, []).evidence.includes(kind)
  const body = isOwn ? await READERS[kind](app, grounds) : undefined
  return new RawResponse({
    body: body ?? refuse('not_found'),
    content_type: 'image/webp',
    headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
  })
}

const READERS: Readonly<
  Record<EvidenceKind, (app: App, grounds: Grounds) => Promise<Buffer | undefined>>
> = {
  screenshot: (app, { statement_id }) => pictureOfStatement(app, statement_id),
  picture: (app, { media_id }) => storedPicture(app, media_id!),
  async frame(app, { frame_id }) {
    const frame = await frameById(app.db, frame_id!)
    return frame && readFrame(app, frame)
  },
  async camera(app, { complaint_id }) {
    const files = await evidenceFiles(app.db, complaint_id!)
    const file = files.find(({ kind }) => kind === 'accused')
    return file && readEvidence(app, file)
  },
}
