import { randomBytes } from 'node:crypto'
import type { Actor } from '../../apps/server/test/actor.ts'
import type { Stage } from '../../apps/server/test/stage.ts'
import { addUser } from '../../apps/server/src/modules/identity/index.ts'

export interface Crowd {
  readonly guys: Actor[]
  readonly girls: Actor[]
  readonly all: Actor[]
}

/** Brings many people on stage: guys with these minutes, girls verified and with a portrait, all authenticated. */
export async function enterCrowd(
  stage: Stage,
  { guys, girls, minutes }: { guys: number; girls: number; minutes: number },
): Promise<Crowd> {
  const come = async (role: 'men' | 'girl', number: number) => {
    const nick = `${role === 'girl' ? 'Girl' : 'Guy'} ${number}`
    const { token } = await stage.app.transact(async (tx) => {
      const email = `${role}-${number}@duet.example`
      const verified = role === 'girl'
      const added = await addUser(tx, { role, nick, email, password: randomBytes(9).toString('base64url'), verified })
      if (verified) await tx.fact('avatar_asked', { user_id: added.id, source: 'demo' })
      return added
    })
    const actor = stage.actor(nick, token)
    await actor.auth()
    if (role === 'men' && minutes > 0) await stage.duet('grant', actor.id, minutes, 'diamond', '--reason', 'law')
    return actor
  }
  const crowd = { guys: [] as Actor[], girls: [] as Actor[] }
  for (let number = 1; number <= guys; number += 1) crowd.guys.push(await come('men', number))
  for (let number = 1; number <= girls; number += 1) crowd.girls.push(await come('girl', number))
  await stage.settle()
  const all = [...crowd.guys, ...crowd.girls]
  for (const one of all) one.forget()
  return { ...crowd, all }
}
