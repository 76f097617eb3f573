import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { Accepted } from './sending.ts'

/** A statement of its own, because few batches have a picture: the others do not pay for it. */
export async function setPictures(tx: Tx, carrying: readonly Accepted[]): Promise<void> {
  const ids = carrying.map(({ facts }) => facts.message_id)
  const pictures = carrying.map(({ sending }) => sending.media_id)
  const waits = carrying.map(({ picture_waits }) => picture_waits)
  await sql`
    update messages set media_id = sent.media_id, picture_waits = sent.picture_waits
    from unnest(${ids}::bigint[], ${pictures}::uuid[], ${waits}::boolean[]) as sent (id, media_id, picture_waits)
    where messages.id = any(${ids}::bigint[]) and messages.id = sent.id`.execute(tx)
}
