import type { Role } from '@duet/protocol/kernel/roles.ts'
import { randomBytes } from 'node:crypto'
import type { TestUser } from './test-user.ts'
import type { TestApp } from './test-app.ts'
import { addMember } from '@duet/server/modules/profile/index.ts'

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
  // Each guy gets a grant of the same operator.
  await testApp.setting('bulk_money_acts_max', '10000')
  const come = async (role: Role, number: number) => {
    const nick = `${role === 'girl' ? 'Girl' : 'Guy'} ${number}`
    const verified = role === 'girl'
    const { token } = await addMember(testApp.app, {
      role,
      nick,
      email: `${role}-${number}@duet.example`,
      password: randomBytes(9).toString('base64url'),
      verified,
      ...(verified && { avatar: 'demo' }),
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
