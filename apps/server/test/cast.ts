import { addUser } from '../src/modules/identity/index.ts'
import type { Actor } from './actor.ts'
import type { Stage } from './stage.ts'

interface Part {
  readonly role: 'men' | 'girl'
  readonly verified?: true
}

/** Who may be called on stage. Guys have no minutes until a story gives them; girls are verified and have a portrait. */
const parts = {
  boris: { role: 'men' },
  carl: { role: 'men' },
  david: { role: 'men' },
  anna: { role: 'girl', verified: true },
  vera: { role: 'girl', verified: true },
  clara: { role: 'girl', verified: true },
  /** Registered a moment ago: no portrait, not verified. */
  nina: { role: 'girl' },
} as const satisfies Record<string, Part>

type Name = keyof typeof parts
export type Cast = Record<Name | 'gina' | 'greg', Actor>

export function castNames(wanted: readonly string[]): (keyof Cast)[] {
  return wanted.filter((name): name is keyof Cast => name in parts || name === 'gina' || name === 'greg')
}

/** Brings somebody on stage, authenticated: gina and greg are guests, the others members. */
export async function enter(stage: Stage, name: keyof Cast): Promise<Actor> {
  if (name === 'gina' || name === 'greg') return stage.guest(name)
  const { role, verified = false } = parts[name] as Part
  const nick = name[0]!.toUpperCase() + name.slice(1)
  const { token } = await stage.app.transact(async (tx) => {
    const added = await addUser(tx, {
      role,
      nick: nick.padEnd(3, '.'),
      email: `${name}@duet.example`,
      password: `${name}-secret-1`,
      verified,
    })
    if (verified) await tx.fact('avatar_asked', { user_id: added.id, source: 'demo' })
    return added
  })
  const actor = stage.actor(name, token)
  await actor.auth()
  actor.forget()
  return actor
}
