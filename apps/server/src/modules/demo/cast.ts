import type { CastMember } from '@duet/protocol'
import { join } from 'node:path'
import { newToken } from '../../lib/ids.ts'
import { fromDecimal } from '../../lib/money.ts'
import type { App, Tx, UserId } from '../../context.ts'
import { addUser, interlocutors } from '../identity/index.ts'
import { portraits } from '../profile/index.ts'
import { grant } from '../wallet/index.ts'
import { people, type Person } from './people.ts'

/** What each man of the cast begins with. */
const minutes_to_spend = '60'
const premium_for_hours = 24 * 30

/** Makes whoever of the cast is missing. */
export async function raiseCast(app: App): Promise<void> {
  if (!app.config.demo) return
  const known = await app.db.selectFrom('cast_members').select('name').execute()
  const missing = people.filter((person) => !known.some(({ name }) => name === person.name))
  for (const person of missing) await app.transact((tx) => raise(tx, person))
  if (missing.length > 0) app.log.info({ people: missing.length }, 'the demo cast is here')
}

async function raise(tx: Tx, person: Person): Promise<void> {
  const { name, nick, role, birthday, locale, country, about } = person
  // Nobody knows this password, and nobody needs to: the cast is signed in by a press.
  const wish = {
    role,
    nick,
    birthday,
    locale,
    country,
    about,
    email: `${name}@demo.duet.example`,
    password: newToken(),
  }
  const { id } = await addUser(tx, { ...wish, verified: role === 'girl' })
  await tx.fact('avatar_asked', { user_id: id, source: join(portraits, `${name}.webp`) })
  if (role === 'men') {
    const amount = fromDecimal('diamond', minutes_to_spend)
    await grant(tx, {
      user_id: id,
      asset: 'diamond',
      amount,
      reason: 'demo cast',
      key: `demo-cast:${name}`,
      by: 'demo',
    })
  }
  if (person.premium) {
    await tx
      .updateTable('users')
      .set({ premium_until: tx.now.add({ hours: premium_for_hours }) })
      .where('id', '=', id)
      .execute()
  }
  await tx.insertInto('cast_members').values({ name, user_id: id }).execute()
  await tx.fact('user_changed', { user_id: id })
}

/** Who can be signed in as, in the order of the cast, with what this viewer may see of them. */
export async function castOf(app: App, viewer_id: UserId | null): Promise<CastMember[]> {
  const rows = await app.db.selectFrom('cast_members').select(['name', 'user_id']).execute()
  const ids = people.flatMap(({ name }) => rows.find((row) => row.name === name)?.user_id ?? [])
  const faces = await interlocutors(app, app.db, viewer_id, ids)
  return faces.map(({ id, nick, role, avatar, is_premium }) => ({ user_id: id, nick, role, avatar, is_premium }))
}
