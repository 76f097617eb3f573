import { roleOf, roleOfGender } from '@duet/protocol/kernel/roles.ts'
import type { AuthSuccess, User } from '@duet/protocol'
import type { AppServices } from '../../../shared/app-services.tsx'
import { playSound } from '../../../shared/sound.ts'
import { onTakeover } from '../../../shared/takeover.ts'
import { holdToasts } from '../../../shared/toasts.ts'
import { NOBODY, type CallState, type Happened, type Me } from '../state/call-state.ts'
import { reduce } from '../state/call-store.ts'
import { isRegistered } from '../../../shared/auth-status.ts'
import { createCommands, type CallCommands } from './commands.ts'
import { createEngineInPage, type EngineInPage } from './engine-in-page.ts'
import { hearServer } from './hear-server.ts'

/** The calls of this page: what is known, what can be done, and the engine that does it. */
export interface CallRuntime extends Pick<EngineInPage, 'engine' | 'media'> {
  readonly commands: CallCommands
  getSnapshot(): CallState
  subscribe(listener: () => void): () => void
}

const runtimes = new WeakMap<AppServices['connection'], CallRuntime>()

/** One for the life of the page, whatever is mounted. */
export function callRuntime(session: AppServices): CallRuntime {
  const known = runtimes.get(session.connection)
  if (known) return known
  const made = createCallRuntime(
    session,
    createEngineInPage(session.connection, session.persistence),
  )
  runtimes.set(session.connection, made)
  return made
}

export function createCallRuntime(
  session: AppServices,
  { engine, media, signaling }: EngineInPage,
): CallRuntime {
  const { connection, persistence } = session
  let state = NOBODY
  /** The call that the engine was given; it is given each one once after each AUTH. */
  let given: number | null = null
  /** Another tab is the active one: nothing is begun here until this one authenticates again. */
  let is_away = false
  const listeners = new Set<() => void>()

  function apply(happened: Happened): void {
    const before = state
    state = reduce(before, happened)
    if (state === before) return
    follow(before)
    for (const listener of [...listeners]) listener()
  }

  /** What the world has to do after a change. */
  function follow(before: CallState): void {
    const { call, offer } = state
    if (before.me && before.me.id !== state.me?.id) letGo()
    if (offer && offer.pair.pair_id !== before.offer?.pair.pair_id) playSound('found')
    if (call?.is_met && !before.call?.is_met) playSound('connected')
    if (call && call.session.id !== before.call?.session.id) {
      holdToasts(true)
      if (call.is_fresh) persistence.set('chat_count', (persistence.get('chat_count') ?? 0) + 1)
    }
    if (!call && before.call) holdToasts(false)
    drive()
  }

  function drive(): void {
    if (is_away) return
    const { call, search, starting, left } = state
    if (call || starting || left || search.state === 'waiting' || search.state === 'offered')
      signaling.open()
    else signaling.close()
    if (call && given !== call.session.id) {
      given = call.session.id
      const { session_guid, initiator } = call.session
      engine.start({ session_id: given, ...(call.is_fresh && { session_guid, initiator }) })
    }
    if (!call && given !== null) {
      given = null
      engine.end()
    }
  }

  function letGo(): void {
    given = null
    engine.release()
    signaling.close()
  }

  function authenticated(auth: AuthSuccess): void {
    is_away = false
    if (engine.getSnapshot().phase === 'ended') given = null
    apply({ what: 'auth', auth, me: meOf(auth), at_ms: Date.now() })
    drive()
    commands.resume()
  }

  onTakeover(() => {
    is_away = true
    letGo()
  })
  engine.subscribe(() => {
    const { phase, session_id } = engine.getSnapshot()
    if (phase === 'connected' && session_id !== null) apply({ what: 'partner_seen', session_id })
  })
  const commands = createCommands({ session, media, apply, getState: () => state })
  hearServer(connection, { apply, authenticated })
  connection.subscribe(() => {
    const { auth } = connection.getSnapshot()
    if (!auth || !state.me) return
    const me = meOf(auth as AuthSuccess)
    if (state.me.id === me.id && !isSame(state.me, me)) apply({ what: 'own_record', me })
  })
  const { auth } = connection.getSnapshot()
  if (auth) authenticated(auth as AuthSuccess)

  return {
    engine,
    media,
    commands,
    getSnapshot: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A missing gender counts as man (`rules.md` section 3). */
export function meOf({ user, free_quota }: { user: User; free_quota: number }): Me {
  const { id, nick, avatar, auto_accept, balance, info } = user
  const role = user.role ? roleOf(user.role) : user.gender ? roleOfGender(user.gender) : 'guy'
  return {
    id,
    role,
    nick,
    avatar,
    auto_accept,
    balance,
    is_member: isRegistered(user),
    is_verified: info.is_verify,
    quota_seconds: free_quota,
  }
}

function isSame(a: Me, b: Me): boolean {
  return (Object.keys(b) as (keyof Me)[]).every((key) => a[key] === b[key])
}
