import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
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
import {
  forgetAllFaces,
  forgetUnbanned,
  keepFace,
  markCompared,
  type StoredLook,
} from './face-store.ts'
import { addFindings, setPicture } from './finding-store.ts'

/** A picture takes about half a second of a processor. */
const PICTURES_OF_RUN_MAX = 100
const SIDE_MAX_PIXELS = 512
const FACES_AT_ONCE = 500
/** Portraits that are compared in one read of all stored faces. A run that ends early looks at these again. */
const PORTRAITS_AT_ONCE = 20
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
    await app.transact((tx) => keepFace(tx, id, look, since))
  }
  // A portrait is compared once, so all faces of banned users are there first.
  if (unseen.length < PICTURES_OF_RUN_MAX)
    await compareNew(app, PICTURES_OF_RUN_MAX - unseen.length)
}

interface LookedPortrait extends NewPortrait {
  readonly look: StoredLook
}

async function compareNew(app: App, limit: number): Promise<void> {
  const since = app.clock.now().subtract({ hours: 24 * NEW_PORTRAIT_DAYS })
  const portraits = await uncomparedPortraits(app.db, since, limit)
  for (let first = 0; first < portraits.length; first += PORTRAITS_AT_ONCE) {
    const some = portraits.slice(first, first + PORTRAITS_AT_ONCE)
    const looked: LookedPortrait[] = []
    for (const portrait of some) {
      const look = await lookAt(app, portrait.id)
      if (!look || !setting(app, 'face_matching')) break
      looked.push({ ...portrait, look })
    }
    const matches = await findMatches(app, looked)
    for (const portrait of looked) {
      if (!setting(app, 'face_matching')) return
      await storeCompared(app, portrait, matches.get(portrait.id) ?? [])
    }
    if (looked.length < some.length) return
  }
}

function storeCompared(
  app: App,
  { id, owner_id, look }: LookedPortrait,
  others: readonly UserId[],
): Promise<void> {
  const findings = others.map((other_id) =>
    toFinding({ kind: 'banned_face', user_id: owner_id, other_id }),
  )
  return app.transact(async (tx) => {
    await addFindings(tx, findings)
    const keys = findings.map(({ key }) => key)
    await setPicture(tx, keys, id)
    await markCompared(tx, id, look)
  })
}

/**
 * The users with the nearest faces for each of these portraits, of each user the nearest face. The stored faces are read once for
 * all portraits.
 */
async function findMatches(
  app: App,
  looked: readonly LookedPortrait[],
): Promise<ReadonlyMap<string, readonly UserId[]>> {
  const compared = looked.flatMap(({ id, owner_id, look }) =>
    typeof look === 'string'
      ? []
      : [{ id, owner_id, face: look.face, nearest: new Map<UserId, number>() }],
  )
  let after: string | null = null
  for (let isMore = compared.length > 0; isMore;) {
    const stored: readonly StoredFace[] = await readFaces(app.db, { after, limit: FACES_AT_ONCE })
    for (const { owner_id, face, nearest } of compared)
      for (const one of stored) {
        const distance = app.faces.distance(face, one)
        const known = nearest.get(one.user_id) ?? app.faces.distance_max
        if (one.user_id !== owner_id && distance <= known) nearest.set(one.user_id, distance)
      }
    after = stored.at(-1)?.media_id ?? null
    isMore = stored.length === FACES_AT_ONCE
  }
  return new Map(compared.map(({ id, nearest }) => [id, nearestUsers(nearest)]))
}

function nearestUsers(nearest: ReadonlyMap<UserId, number>): UserId[] {
  return [...nearest]
    .toSorted(([, one], [, other]) => one - other)
    .slice(0, MATCHES_MAX)
    .map(([user_id]) => user_id)
}

/**
 * Undefined: no picture can be looked at now, and the next run tries again. A picture with which the model ends is not looked at
 * again: if it waited for another look, it would stop each run before all later pictures.
 */
async function lookAt(app: App, media_id: string): Promise<StoredLook | undefined> {
  const file = await storedPicture(app, media_id)
  const picture = file && (await app.images.decode(file, SIDE_MAX_PIXELS))
  if (!picture) {
    app.log.warn({ media_id }, 'the file of a picture cannot be read: no face is searched in it')
    return 'unreadable'
  }
  const look = await app.faces.look(picture)
  if (look === 'unavailable')
    app.log.error({ media_id }, 'the models of faces do not start: the next run tries again')
  else if (look === 'busy')
    app.log.warn({ media_id }, 'faces are not compared now: the next run goes on')
  else if (look === 'failed')
    app.log.warn(
      { media_id },
      'the models of faces ended with a picture: it is not looked at again',
    )
  else if (typeof look === 'string')
    app.log.info({ media_id, look }, 'a picture does not show exactly one face')
  return look === 'unavailable' || look === 'busy' ? undefined : look
}
