import type { App } from '../../../core/app.ts'
import type { FaceLook, FaceNumbers } from '../../../integrations/faces/faces.ts'
import { storedPicture } from '../../media/index.ts'
import { setting } from '../../settings/index.ts'
import { toFinding } from './evasion-pairs.ts'
import {
  type NewPortrait,
  readFaces,
  type StoredFace,
  uncomparedPortraits,
  unseenFaces,
} from './face-queries.ts'
import { forgetAllFaces, forgetUnbanned, keepFace, markCompared } from './face-store.ts'
import { addFindings, setPicture } from './finding-store.ts'

/** A picture takes about half a second of a processor. */
const PICTURES_OF_RUN_MAX = 100
const SIDE_MAX_PIXELS = 512
const FACES_AT_ONCE = 500
/** A portrait is compared once, soon after it was accepted: an older portrait is never looked at. */
export const NEW_PORTRAIT_DAYS = 30
const MATCHES_MAX = 5

/**
 * Compares new portraits with the faces of banned users. Each picture has a transaction of its own, so a run that ends early goes on
 * in the next one, and a match is a finding once by its key. Without the setting no face stays.
 */
export async function findFaceEvasions(app: App): Promise<void> {
  if (!setting(app, 'face_matching')) return app.transact(forgetAllFaces)
  const since = app.clock.now().subtract({ hours: 24 * setting(app, 'face_keep_days') })
  await app.transact((tx) => forgetUnbanned(tx, since))
  const unseen = await unseenFaces(app.db, since, PICTURES_OF_RUN_MAX)
  for (const id of unseen) {
    const look = await lookAt(app, id)
    if (!look || !setting(app, 'face_matching')) return
    await app.transact((tx) => keepFace(tx, id, toNumbers(look), since))
  }
  // A portrait is compared once, so all faces of banned users are there first.
  if (unseen.length < PICTURES_OF_RUN_MAX)
    await compareNew(app, PICTURES_OF_RUN_MAX - unseen.length)
}

async function compareNew(app: App, limit: number): Promise<void> {
  const since = app.clock.now().subtract({ hours: 24 * NEW_PORTRAIT_DAYS })
  for (const portrait of await uncomparedPortraits(app.db, since, limit)) {
    const look = await lookAt(app, portrait.id)
    if (!look || !setting(app, 'face_matching')) return
    const numbers = toNumbers(look)
    const matches = numbers ? await findMatches(app, portrait, numbers) : []
    const findings = matches.map(({ user_id: other_id }) =>
      toFinding({ kind: 'banned_face', user_id: portrait.owner_id, other_id }),
    )
    await app.transact(async (tx) => {
      await addFindings(tx, findings)
      const keys = findings.map(({ key }) => key)
      await setPicture(tx, keys, portrait.id)
      await markCompared(tx, portrait.id)
    })
  }
}

/** The nearest faces of others; of each other the nearest face. */
async function findMatches(
  app: App,
  { owner_id }: NewPortrait,
  { face }: FaceNumbers,
): Promise<readonly Pick<StoredFace, 'user_id'>[]> {
  const nearest = new Map<number, { user_id: StoredFace['user_id']; distance: number }>()
  let after: string | null = null
  for (;;) {
    const stored: readonly StoredFace[] = await readFaces(app.db, { after, limit: FACES_AT_ONCE })
    for (const one of stored) {
      const { user_id } = one
      const distance = app.faces.distance(face, one)
      const known = nearest.get(user_id)?.distance ?? app.faces.distance_max
      if (user_id !== owner_id && distance <= known) nearest.set(user_id, { user_id, distance })
    }
    after = stored.at(-1)?.media_id ?? null
    if (stored.length < FACES_AT_ONCE) break
  }
  return [...nearest.values()]
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, MATCHES_MAX)
}

/**
 * Undefined: the picture cannot be looked at now, and neither can others. A picture with which the model ends has no face: if it
 * waited for another look, it would stop each run before all later pictures.
 */
async function lookAt(app: App, id: string): Promise<FaceLook | undefined> {
  const file = await storedPicture(app, id)
  const picture = file && (await app.images.decode(file, SIDE_MAX_PIXELS))
  if (!picture) return 'none'
  const look = await app.faces.look(picture)
  if (look === 'failed') {
    app.log.warn({ media_id: id }, 'the face in a picture cannot be computed: it counts as none')
    return 'none'
  }
  if (look !== 'busy') return look
  app.log.warn({ media_id: id }, 'faces are not compared now: the next run goes on')
  return undefined
}

function toNumbers(look: FaceLook): FaceNumbers | undefined {
  return typeof look === 'string' ? undefined : look
}
