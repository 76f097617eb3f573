import type { App } from '../../../core/app.ts'
import type { ProcessedImage } from '../../../integrations/images/images.ts'
import { setting } from '../../settings/index.ts'
import { hasAdultGallery } from '../media-url.ts'
import { nearestKnownPicture } from './queries.ts'
import {
  isChecked,
  type PictureFindings,
  type PictureSubject,
  type PictureVerdict,
  decideVerdict,
} from './rules.ts'
import { addCheck } from './store.ts'

type CheckedImage = Pick<ProcessedImage, 'sample' | 'hashes'>

/**
 * Judges an upload before anything of it is stored or shown, and writes down what it found: refused uploads have no other
 * row. It runs outside of transactions.
 */
export async function checkPicture(
  app: App,
  subject: PictureSubject,
  picture: CheckedImage,
  media_id: string,
): Promise<PictureVerdict> {
  if (!isChecked(subject)) return { type: 'ready' }
  const findings = await readFindings(app, subject, picture)
  const verdict = decideVerdict(subject, findings, {
    upload_refuse: setting(app, 'upload_refuse'),
    upload_review: setting(app, 'upload_review'),
    accepts_adult: hasAdultGallery(app),
  })
  const { owner_id, product } = subject
  const hash = picture.hashes?.hash
  await app.transact((tx) =>
    addCheck(tx, { media_id, owner_id, product, verdict, hash, ...findings }),
  )
  return verdict
}

/** A known picture needs no judgement. */
async function readFindings(
  app: App,
  { owner_id }: PictureSubject,
  { hashes, sample }: CheckedImage,
): Promise<PictureFindings> {
  const known_picture_id = hashes && (await nearestKnownPicture(app.db, hashes, owner_id))
  if (known_picture_id !== undefined) return { known_picture_id, judgement: undefined }
  const answer = await app.vision.judge(sample)
  if (typeof answer === 'object') return { known_picture_id, judgement: answer }
  app.log.warn({ owner_id, answer }, 'a picture was not judged and waits for review')
  return { known_picture_id, judgement: undefined }
}
