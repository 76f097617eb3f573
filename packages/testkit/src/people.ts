import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { App } from '@duet/server/core/app.ts'
import {
  addPreparedMember,
  type PreparedMember,
  prepareMember,
} from '@duet/server/modules/profile/index.ts'
import type { TestUser } from './test-user.ts'

interface Part {
  readonly role: Role
  readonly verified?: true
}

/** The members that a story may name. Guys have no minutes until a story grants them; girls are verified and have a portrait. */
const parts = {
  boris: { role: 'guy' },
  carl: { role: 'guy' },
  david: { role: 'guy' },
  anna: { role: 'girl', verified: true },
  vera: { role: 'girl', verified: true },
  clara: { role: 'girl', verified: true },
  /** Registered a moment ago: no portrait, not verified. */
  nina: { role: 'girl' },
} as const satisfies Record<string, Part>

type Name = keyof typeof parts
export type People = Record<Name | 'gina' | 'greg', TestUser>

export function peopleNames(wanted: readonly string[]): (keyof People)[] {
  return wanted.filter(
    (name): name is keyof People => name in parts || name === 'gina' || name === 'greg',
  )
}

/** The parts of the test app that adding a user needs. */
interface PeopleHost {
  readonly app: App
  guest(name: string): Promise<TestUser>
  user(name: string, token: string): TestUser
}

const prepared: Partial<Record<Name, Promise<PreparedMember>>> = {}

function preparedMember(app: App, name: Name): Promise<PreparedMember> {
  const { role, verified = false } = parts[name] as Part
  const nick = name[0]!.toUpperCase() + name.slice(1)
  return prepareMember(app, {
    role,
    nick: nick.padEnd(3, '.'),
    email: `${name}@duet.example`,
    password: `${name}-secret-1`,
    verified,
    ...(verified && { avatar: 'demo' }),
  })
}

/**
 * Adds an authenticated person: gina and greg are guests, the others members. A member who is added more than once needs
 * an `email` of its own each time.
 */
export async function addPerson(
  testApp: PeopleHost,
  name: keyof People,
  email?: string,
): Promise<TestUser> {
  if (name === 'gina' || name === 'greg') return testApp.guest(name)
  // Hashing and encoding take a tenth of a second, and stories name the same people.
  const member = (prepared[name] ??= preparedMember(testApp.app, name))
  const { user: account, ...picture } = await member
  const { token } = await addPreparedMember(testApp.app, {
    user: { ...account, ...(email !== undefined && { email }) },
    ...picture,
  })
  const user = testApp.user(name, token)
  await user.auth()
  user.forget()
  return user
}
