import type { DocumentSide } from '@duet/protocol/contracts/verification.ts'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { productDay } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { findSite, toNetwork } from '../../../platform/http/client-address.ts'
import { ageOn, userById } from '../../identity/index.ts'
import type { CleanPicture } from './store-documents.ts'

/** A document proves an age; an account without one of 18 or more has nothing to prove. */
export async function assertAdult(app: App, user_id: UserId): Promise<void> {
  const birthday = (await userById(app.db, user_id))?.birthday
  if (!birthday || ageOn(birthday, productDay(app.clock.now())) < limits.age_years)
    refuse('birthday_invalid')
}

/**
 * Decodes each file and encodes it again. A refusal names the side as its field.
 *
 * @param sender the addresses that a customer may have are one network
 */
export async function cleanPictures(
  app: App,
  { owner_id, address }: { readonly owner_id: UserId; readonly address: string },
  files: ReadonlyMap<DocumentSide, Uint8Array>,
): Promise<readonly CleanPicture[]> {
  const sender = { owner_id, network: findSite(address) ?? toNetwork(address) }
  const pictures: CleanPicture[] = []
  for (const [side, file] of files) {
    if (file.length > limits.passport_bytes) refuse('too_large', { field: side })
    const bytes = await app.images.encodeDocument(file, sender)
    if (bytes === 'busy') refuse('too_many', { retry_after: 5 })
    if (bytes === undefined) refuse('wrong_type', { field: side })
    pictures.push({ side, bytes })
  }
  return pictures
}
