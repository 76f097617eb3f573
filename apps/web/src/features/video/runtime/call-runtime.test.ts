import { wireRole } from '@duet/protocol/kernel/roles.ts'
import { RefusedError } from '@duet/client'
import type { AuthSuccess, EventName, Session as VideoSession, User } from '@duet/protocol'
import { describe, expect, test } from 'vitest'
import type { AppServices } from '../../../shared/app-services.tsx'
import { takeOver } from '../../../shared/takeover.ts'
import { sceneOf } from '../state/scene.ts'
import { createCallRuntime } from './call-runtime.ts'
import type { EngineInPage } from './engine-in-page.ts'

/** The server's side of the line: what it was asked, and what it tells. */
function line() {
  const listeners = new Map<string, ((payload: never) => void)[]>()
  const asked: [action: string, sent: unknown][] = []
  const answers: Record<string, (sent: never) => unknown> = {}
  const connection = {
    on(event: string, hear: (payload: never) => void) {
      listeners.set(event, [...(listeners.get(event) ?? []), hear])
      return () => {}
    },
    subscribe: () => () => {},
    getSnapshot: () => ({ phase: 'ready' }),
    patchUser: () => {},
    async act(action: string, sent: never) {
      asked.push([action, sent])
      return answers[action]?.(sent) ?? {}
    },
  }
  const tell = (event: EventName, payload: unknown) => {
    for (const hear of listeners.get(event) ?? []) hear(payload as never)
  }
  return { connection, asked, answers, tell }
}

/** A page: its runtime, with an engine and a camera that write down what they were told. */
function page() {
  const { connection, asked, answers, tell } = line()
  const done: string[] = []
  const errors: unknown[] = []
  const call = { phase: 'idle', session_id: null as number | null }
  const watchers: (() => void)[] = []
  const media = {
    subscribe: () => () => {},
    getSnapshot: () => ({ video_track: {}, status: 'on' }),
    acquire: async () => true,
    release: () => done.push('release'),
  }
  const engine = {
    media,
    subscribe: (watcher: () => void) => watchers.push(watcher),
    getSnapshot: () => call,
    start({ session_id, session_guid }: { session_id: number; session_guid?: string }) {
      Object.assign(call, { phase: 'joining', session_id })
      done.push(`start ${session_id}${session_guid ? ' ahead' : ''}`)
    },
    end() {
      call.phase = 'ended'
      done.push('end')
    },
    release() {
      call.phase = 'ended'
      done.push('release')
    },
  }
  const signaling = { port: {}, open: () => {}, close: () => {} }
  const kept = new Map<string, unknown>()
  const persistence = {
    get: (key: string) => kept.get(key),
    set: (key: string, value: unknown) => kept.set(key, value),
  }
  const session = {
    connection,
    persistence,
    report: (error: unknown) => errors.push(error),
  } as unknown as AppServices
  const runtime = createCallRuntime(session, {
    engine,
    media,
    signaling,
  } as unknown as EngineInPage)
  const seePartner = () => {
    call.phase = 'connected'
    for (const watcher of watchers) watcher()
  }
  return {
    runtime,
    tell,
    asked,
    answers,
    done,
    errors,
    kept,
    seePartner,
    scene: () => sceneOf(runtime.getSnapshot()).name,
  }
}

const him = {
  id: 1,
  role: wireRole('guy'),
  nick: 'Boris',
  email: 'b@example.org',
  avatar: null,
  auto_accept: false,
  balance: '10',
}
const user = (part: object = {}) => ({ ...him, info: { is_verify: false }, ...part }) as User
const auth = (part: Partial<AuthSuccess> = {}, of = user()) =>
  ({ user: of, free_quota: 0, ...part }) as AuthSuccess
const video = (id: number) =>
  ({
    id,
    state: 'public',
    price: '1',
    free_seconds: 10,
    quota_seconds: 0,
    session_guid: 'guid',
    initiator: true,
    started_at: '2026-11-21T20:00:00Z',
    user_interlocutor: { id: 2, nick: 'Anna' },
  }) as VideoSession
const receipt = (session_id: number) => ({
  session_id,
  reason: 'left',
  seconds: 5,
  paid_seconds: 0,
  free_seconds: 5,
  quota_seconds: 0,
  paused: [],
  balance: '10',
})

describe('the engine of a page', () => {
  test('begins a call that just opened ahead of its joining, once, and ends it with its receipt', () => {
    const { tell, done } = page()
    tell('auth_success', auth())
    tell('new_session', { session: video(7) })
    tell('new_session', { session: { ...video(7), price: '1.5' } })
    tell('close_session', receipt(7))
    expect(done).toEqual(['start 7 ahead', 'end'])
  })

  test('resumes a call after a reload without running ahead', () => {
    const { tell, done } = page()
    tell('auth_success', auth({ active_session: video(7) }))
    expect(done).toEqual(['start 7'])
  })

  test('goes on with the running call when only the line was lost', () => {
    const { tell, done, seePartner, scene } = page()
    tell('auth_success', auth())
    tell('new_session', { session: video(7) })
    seePartner()
    tell('auth_success', auth({ active_session: video(7) }))
    expect(done).toEqual(['start 7 ahead'])
    expect(scene()).toBe('in_call')
  })

  test('lets camera and call go when another tab takes over, and begins again when it comes back', () => {
    const { tell, done } = page()
    tell('auth_success', auth())
    tell('new_session', { session: video(7) })
    takeOver()
    tell('search_state', { state: 'idle' })
    expect(done).toEqual(['start 7 ahead', 'release'])
    tell('auth_success', auth({ active_session: video(7) }))
    expect(done.at(-1)).toBe('start 7 ahead')
  })

  test('lets the camera go when somebody else signs in', () => {
    const { tell, done, scene } = page()
    tell('auth_success', auth())
    tell('new_session', { session: video(7) })
    tell('auth_success', auth({}, user({ id: 9 })))
    expect(done).toContain('release')
    expect(scene()).toBe('idle')
  })

  test('every call that opens is counted on this device; one that goes on is not', () => {
    const { tell, kept } = page()
    tell('auth_success', auth({ active_session: video(6) }))
    tell('close_session', receipt(6))
    tell('new_session', { session: video(7) })
    expect(kept.get('chat_count')).toBe(1)
  })
})

describe('what a person does', () => {
  test('Next leaves and searches on, also when the server’s own word of it was missed', async () => {
    const { runtime, tell, asked, answers, scene } = page()
    answers.BREAK_SESSION = () => receipt(7)
    answers.MATCH_AWAIT = () => ({ state: 'waiting' })
    tell('auth_success', auth())
    tell('new_session', { session: video(7) })
    await runtime.commands.leave('next')
    expect(asked.map(([action]) => action)).toEqual(['BREAK_SESSION', 'MATCH_AWAIT'])
    expect(asked[0]![1]).toEqual({ session_id: 7, next: true })
    expect(scene()).toBe('searching')
  })

  test('her End is a break, and nothing searches for her', async () => {
    const { runtime, tell, asked, answers } = page()
    answers.BREAK_SESSION = () => ({ ...receipt(7), reason: 'break' })
    tell('auth_success', auth({}, user({ role: 'girl' })))
    tell('new_session', { session: video(7) })
    await runtime.commands.leave('break')
    expect(asked).toEqual([['BREAK_SESSION', { session_id: 7, break: true }]])
  })

  test('a second press of the same button is no second leaving', async () => {
    const { runtime, tell, asked, answers } = page()
    answers.BREAK_SESSION = () => receipt(7)
    tell('auth_success', auth())
    tell('new_session', { session: video(7) })
    await Promise.all([runtime.commands.leave('end'), runtime.commands.leave('end')])
    expect(asked).toHaveLength(1)
  })

  test('an offer that is over while it is accepted is searched past without an error', async () => {
    const { runtime, tell, answers, errors, scene } = page()
    answers.SEARCH_PAIR_ACCEPT = () => {
      throw new RefusedError('SEARCH_PAIR_ACCEPT', 'pair_over')
    }
    tell('auth_success', auth())
    tell('search_state', { state: 'waiting' })
    tell('search_pair', {
      kind: 'random',
      pair_id: 'p',
      user_interlocutor: { nick: 'Anna' },
      expires_in_ms: 9_000,
    })
    await runtime.commands.accept()
    tell('search_state', { state: 'waiting' })
    expect(errors).toEqual([])
    expect(scene()).toBe('searching')
  })

  test('a text that nobody answered is tried again under the same id', async () => {
    const { runtime, tell, asked, answers } = page()
    answers.TEXT_CHAT_MESSAGE = () => {
      throw new Error('no answer')
    }
    tell('auth_success', auth())
    tell('new_session', { session: video(7) })
    await runtime.commands.sendText(' Hello ')
    const [failed] = runtime.getSnapshot().call!.texts
    expect(failed).toMatchObject({ text: 'Hello', state: 'failed' })
    answers.TEXT_CHAT_MESSAGE = ({ id, text }: { id: string; text: string }) => ({
      id,
      text,
      text_id: 1,
    })
    await runtime.commands.retryText(failed!.id)
    expect(asked.map(([, sent]) => (sent as { id: string }).id)).toEqual([failed!.id, failed!.id])
    expect(runtime.getSnapshot().call!.texts).toMatchObject([{ state: 'sent' }])
  })

  test('who leaves the screen while searching is out of the search, and the camera is off', () => {
    const { runtime, tell, asked, done } = page()
    tell('auth_success', auth())
    tell('search_state', { state: 'waiting' })
    runtime.commands.leavePage()
    expect(asked).toEqual([['OUT_FROM_SEARCH', {}]])
    expect(done).toContain('release')
  })

  test('who leaves the screen in a call stays in it', () => {
    const { runtime, tell, asked, done } = page()
    tell('auth_success', auth())
    tell('new_session', { session: video(7) })
    runtime.commands.leavePage()
    expect(asked).toEqual([])
    expect(done).toEqual(['start 7 ahead'])
  })

  test('refused for want of minutes, the search is off and the refusal is shown', async () => {
    const { runtime, tell, answers, errors, scene } = page()
    answers.MATCH_AWAIT = () => {
      throw new RefusedError('MATCH_AWAIT', 'no_balance')
    }
    tell('auth_success', auth())
    await runtime.commands.start()
    expect(scene()).toBe('idle')
    expect(errors).toMatchObject([{ code: 301 }])
  })
})
