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

interface FoundVerdict {
  readonly verdict: PictureVerdict
  readonly findings: PictureFindings
}

/**
 * Judges an upload before anything of it is stored or shown, and writes down what it found: refused uploads have no other
 * row. It runs outside of transactions.
 */
export function checkPicture(
  app: App,
  subject: PictureSubject,
  picture: CheckedImage,
  media_id: string,
): Promise<PictureVerdict> {
  return checkFrames(app, subject, [picture], media_id)
}

/** The same for a video by some of its frames: the worst of them counts, and the first is the one it is known by. */
export async function checkFrames(
  app: App,
  subject: PictureSubject,
  frames: readonly [CheckedImage, ...CheckedImage[]],
  media_id: string,
): Promise<PictureVerdict> {
  if (!isChecked(subject)) return { type: 'ready' }
  let worst = await judgeFrame(app, subject, frames[0])
  for (const frame of frames.slice(1)) {
    if (worst.verdict.type === 'refused') break
    const found = await judgeFrame(app, subject, frame)
    if (isWorse(found, worst)) worst = found
  }
  const { verdict, findings } = worst
  const { owner_id, product } = subject
  const hash = frames[0].hashes?.hash
  await app.transact((tx) =>
    addCheck(tx, { media_id, owner_id, product, verdict, hash, ...findings }),
  )
  return verdict
}

async function judgeFrame(
  app: App,
  subject: PictureSubject,
  frame: CheckedImage,
): Promise<FoundVerdict> {
  const findings = await readFindings(app, subject, frame)
  const verdict = decideVerdict(subject, findings, {
    upload_refuse: setting(app, 'upload_refuse'),
    upload_review: setting(app, 'upload_review'),
    accepts_adult: hasAdultGallery(app),
  })
  return { verdict, findings }
}

const SEVERITY = { ready: 0, pending: 1, refused: 2 } as const

/** Of two frames of one verdict, the one with the higher score. */
function isWorse(one: FoundVerdict, other: FoundVerdict): boolean {
  const difference = SEVERITY[one.verdict.type] - SEVERITY[other.verdict.type]
  if (difference !== 0) return difference > 0
  return (one.findings.judgement?.nudity ?? 0) > (other.findings.judgement?.nudity ?? 0)
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
