import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Answer, Body } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { refuse } from '../../../lib/refusal.ts'
import { confirmOwner } from '../../logins/index.ts'

/** A download begins right after the confirmation; a person who finds the page open a little later has no use of the key. */
const KEY_SECONDS = 60

/** Confirms that the owner of the account asks for the copy of the data. Refuses password_required, second_factor. */
export async function confirmExport(
  app: App,
  viewer: Member,
  proof: Body<'POST account/export'>,
): Promise<Answer<'POST account/export'>> {
  await confirmOwner(app, viewer, proof)
  const expiresAt = app.clock.now().add({ seconds: KEY_SECONDS })
  const expires = expiresAt.epochMilliseconds
  return { key: `${expires}.${signature(app, viewer, expires)}`, expires_at: wireTime(expiresAt) }
}

/** The key is signed for the login that gave the proof, so nothing is stored. Refuses password_required. */
export function assertExportKey(app: App, viewer: Member, key: string | undefined): void {
  const [, expires = '', given = ''] =
    /^(\d{1,15})\.([\w-]{43})$/.exec(key ?? '') ?? refuse('password_required')
  const isSigned = timingSafeEqual(
    Buffer.from(given),
    Buffer.from(signature(app, viewer, Number(expires))),
  )
  if (!isSigned || Number(expires) < app.clock.now().epochMilliseconds) refuse('password_required')
}

function signature(app: App, { id, login_id }: Member, expires: number): string {
  return createHmac('sha256', keyFor(app.config, 'export of the own data'))
    .update(`${id} ${login_id} ${expires}`)
    .digest('base64url')
}
