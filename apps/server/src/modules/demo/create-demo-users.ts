import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromDecimal } from '../../lib/money.ts'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { addUser } from '../logins/index.ts'
import { givePremium } from '../identity/index.ts'
import { grant } from '../ledger/index.ts'
import { encodePicture, uploadEncoded } from '../media/index.ts'
import { PORTRAITS_FOLDER, setAvatar } from '../profile/index.ts'
import { DEMO_USERS, type DemoUser } from './demo-users.ts'
import { demoUsers } from './queries.ts'
import { addDemoUser } from './store.ts'

/** Each guy of the demo starts with this many minutes, as a decimal amount of diamonds. */
const START_DIAMONDS = '60'
const PREMIUM_DAYS = 30

/** Creates the demo users that do not exist yet (DE2). */
export async function createDemoUsers(app: App): Promise<void> {
  const existing = new Set((await demoUsers(app.db)).map(({ name }) => name))
  const missing = DEMO_USERS.filter(({ name }) => !existing.has(name))
  if (missing.length === 0) return
  app.log.info({ users: missing.length }, 'creating demo users')
  // All at once: the image worker encodes the portraits one after the other.
  await Promise.all(
    missing.map(async (user) => {
      const file = await readFile(join(PORTRAITS_FOLDER, `${user.name}.webp`))
      await uploadEncoded(app, await encodePicture(app, file), async (tx, add) => {
        const id = await createDemoUser(tx, user)
        await setAvatar(tx, id, await add(id, 'avatar'))
      })
    }),
  )
  app.log.info({ users: missing.length }, 'demo users created')
}

async function createDemoUser(tx: Tx, { name, premium, ...user }: DemoUser): Promise<UserId> {
  const email = `${name}@demo.duet.example`
  const { id } = await addUser(tx, { ...user, email, verified: user.role === 'girl' })
  if (user.role === 'guy') {
    const amount = fromDecimal('diamond', START_DIAMONDS)
    const cause = { reason: 'demo cast', key: `demo-cast:${name}`, by: 'demo' as const }
    await grant(tx, { user_id: id, asset: 'diamond', amount, ...cause })
  }
  if (premium) await givePremium(tx, id, PREMIUM_DAYS)
  await addDemoUser(tx, name, id)
  return id
}
