import type { Role } from '@duet/protocol/kernel/roles.ts'
import { randomBytes } from 'node:crypto'
import type { TestUser } from './test-user.ts'
import type { TestApp } from './test-app.ts'
import { addUser } from '@duet/server/modules/identity/index.ts'

export interface Crowd {
  readonly guys: TestUser[]
  readonly girls: TestUser[]
  readonly all: TestUser[]
}

/** Adds many users: guys with these minutes, girls verified and with a portrait, all authenticated. */
export async function enterCrowd(
  testApp: TestApp,
  { guys, girls, minutes }: { guys: number; girls: number; minutes: number },
): Promise<Crowd> {
  const come = async (role: Role, number: number) => {
    const nick = `${role === 'girl' ? 'Girl' : 'Guy'} ${number}`
    const { token } = await testApp.app.transact(async (tx) => {
      const email = `${role}-${number}@duet.example`
      const verified = role === 'girl'
      const added = await addUser(tx, {
        role,
        nick,
        email,
        password: randomBytes(9).toString('base64url'),
        verified,
      })
      if (verified) await tx.publish('avatar_requested', { user_id: added.id, source: 'demo' })
      return added
    })
    const user = testApp.user(nick, token)
    await user.auth()
    if (role === 'guy' && minutes > 0)
      await testApp.duet('grant', user.id, minutes, 'diamond', '--reason', 'law')
    return user
  }
  const crowd = { guys: [] as TestUser[], girls: [] as TestUser[] }
  for (let number = 1; number <= guys; number += 1) crowd.guys.push(await come('guy', number))
  for (let number = 1; number <= girls; number += 1) crowd.girls.push(await come('girl', number))
  await testApp.settle()
  const all = [...crowd.guys, ...crowd.girls]
  for (const one of all) one.forget()
  return { ...crowd, all }
}
