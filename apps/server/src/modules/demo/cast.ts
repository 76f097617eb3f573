import type { CastMember } from '@duet/protocol'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromDecimal } from '../../lib/money.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'
import { addUser, givePremium, interlocutors } from '../identity/index.ts'
import { portraits, showAvatar } from '../profile/index.ts'
import { keepFiles, type KeptPicture } from '../media/index.ts'
import { grant } from '../ledger/index.ts'
import { people, type Person } from './people.ts'

/** What each man of the cast begins with. */
const minutes_to_spend = '60'
const premium_days = 30

/** Makes whoever of the cast is missing, all at once: the pictures take their turns. */
export async function raiseCast(app: App): Promise<void> {
  if (!app.config.demo) return
  const known = await app.db.selectFrom('cast_members').select('name').execute()
  const missing = people.filter((person) => !known.some(({ name }) => name === person.name))
  if (missing.length === 0) return
  app.log.info({ people: missing.length }, 'the demo cast is getting ready')
  await Promise.all(
    missing.map(async (person) => {
      const portrait = await keepFiles(app, await readFile(join(portraits, `${person.name}.webp`)))
      await app.transact((tx) => raise(tx, person, portrait))
    }),
  )
  app.log.info({ people: missing.length }, 'the demo cast is here')
}

async function raise(
  tx: Tx,
  { name, premium, ...person }: Person,
  portrait: KeptPicture,
): Promise<void> {
  const email = `${name}@demo.duet.example`
  const { id } = await addUser(tx, { ...person, email, verified: person.role === 'girl' })
  await showAvatar(tx, id, portrait)
  if (person.role === 'guy') {
    const amount = fromDecimal('diamond', minutes_to_spend)
    const why = { reason: 'demo cast', key: `demo-cast:${name}`, by: 'demo' as const }
    await grant(tx, { user_id: id, asset: 'diamond', amount, ...why })
  }
  if (premium) await givePremium(tx, id, premium_days)
  await tx.insertInto('cast_members').values({ name, user_id: id }).execute()
}

/** Who can be signed in as, in the order of the cast, with what this viewer may see of them. */
export async function castOf(app: App, viewer_id: UserId | null): Promise<CastMember[]> {
  const rows = await app.db.selectFrom('cast_members').select(['name', 'user_id']).execute()
  const ids = people.flatMap(({ name }) => rows.find((row) => row.name === name)?.user_id ?? [])
  const faces = await interlocutors(app, app.db, viewer_id, ids)
  return faces.map(({ id, nick, role, avatar, is_premium }) => ({
    user_id: id,
    nick,
    role,
    avatar,
    is_premium,
  }))
}
