import type { CallStart } from '@duet/call-engine'
import { wireRole } from '@duet/protocol/kernel/roles.ts'
import { type MissedEvents, NoAnswerError, RefusedError } from '@duet/client'
import { wire, type AuthSuccess, type EventName, type Session, type User } from '@duet/protocol'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { AppServices } from '../../shared/app-services.tsx'
import { captchaView } from '../../shared/account/captcha-view.ts'
import { activate } from '../../shared/i18n.ts'
import { mountToasts } from '../../shared/toasts.ts'
import { otherTabTookOver } from '../../shared/connection/takeover.ts'
import type { PageEngine } from './page-engine.ts'
import { createVideoRuntime } from './video-runtime.ts'

/** The server: it records requests, answers them, and sends events. */
function fakeConnection(missed?: MissedEvents) {
  const listeners = new Map<string, ((payload: never) => void)[]>()
  const requests: [action: string, sent: unknown][] = []
  const answers: Record<string, (sent: never) => unknown> = {}
  const line = { phase: 'ready', returned: Promise.withResolvers<void>() }
  const setOnline = (isOnline: boolean) => {
    line.phase = isOnline ? 'ready' : 'offline'
    if (isOnline) line.returned.resolve()
    else line.returned = Promise.withResolvers()
  }
  const connection = {
    on(event: string, listen: (payload: never) => void) {
      listeners.set(event, [...(listeners.get(event) ?? []), listen])
      return () => {}
    },
    subscribe: () => () => {},
    getSnapshot: () => ({
      phase: line.phase,
      // The client has applied the events to the own record already.
      ...(missed && { auth: { ...missed.auth, active_session: undefined } }),
    }),
    takeMissedEvents: () => missed,
    ready: () => (line.phase === 'ready' ? Promise.resolve() : line.returned.promise),
    patchUser: () => {},
    async act(action: string, sent: never) {
      requests.push([action, sent])
      return answers[action]?.(sent) ?? {}
    },
  }
  const emit = (event: EventName, payload: unknown) => {
    for (const listen of listeners.get(event) ?? []) listen(payload as never)
  }
  const listenerCount = (event: string) => listeners.get(event)?.length ?? 0
  return { connection, requests, answers, emit, listenerCount, setOnline }
}

/** A page: its runtime, with an engine and a camera that record their commands. */
function setUp(missed?: MissedEvents, { callHere }: { callHere?: number } = {}) {
  const { connection, requests, answers, emit, listenerCount, setOnline } = fakeConnection(missed)
  const done: string[] = []
  const errors: unknown[] = []
  const call = { phase: 'idle', picture: 'none', session_id: null as number | null }
  const watchers: (() => void)[] = []
  const devices = {
    video_track: {} as object | null,
    audio_track: {},
    camera: 'on',
    status: 'on',
    wanted: { camera: true, microphone: true },
  }
  const media = {
    subscribe: () => () => {},
    getSnapshot: () => devices,
    acquire: async ({ want }: { want?: 'both' } = {}) => void done.push(`acquire ${want}`),
    setCamera: async (on: boolean) => void done.push(`camera ${on}`),
    setMicrophone: (on: boolean) => void done.push(`microphone ${on}`),
    release: () => done.push('release'),
  }
  /** How much the partner's page wants. */
  const asked: string[] = []
  const engine = {
    media,
    subscribe: (watcher: () => void) => watchers.push(watcher),
    getSnapshot: () => call,
    data_use: { used_bytes: 0, want() {}, ask: (mode: string) => asked.push(mode) },
    start({ session_id, session_guid, prepare_id }: CallStart) {
      Object.assign(call, { phase: 'joining', session_id })
      const how = prepare_id ? ` as ${prepare_id}` : session_guid ? ' ahead' : ''
      done.push(`start ${session_id}${how}`)
    },
    end() {
      call.phase = 'ended'
      done.push('end')
    },
    async leave() {
      call.phase = 'ended'
      done.push('leave')
    },
    release() {
      call.phase = 'ended'
      done.push('release')
    },
  }
  const signaling = { port: {}, open: () => {}, close: () => {} }
  const stored = new Map<string, unknown>()
  const persistence = {
    get: (key: string) => stored.get(key),
    set: (key: string, value: unknown) => stored.set(key, value),
  }
  const services = {
    connection,
    persistence,
    report: (error: unknown) => errors.push(error),
  } as unknown as AppServices
  const tabStored = new Map<string, unknown>([['call_here', callHere]])
  const tab = {
    get: (key: string) => tabStored.get(key),
    set: (key: string, value: unknown) => tabStored.set(key, value),
  }
  const runtime = createVideoRuntime(services, {
    engine,
    media,
    signaling,
    tab,
  } as unknown as PageEngine)
  const closeDevices = () =>
    Object.assign(devices, { video_track: null, audio_track: null, camera: 'off', status: 'off' })
  const seePartner = () => {
    call.phase = 'connected'
    for (const watcher of watchers) watcher()
  }
  const seeDecoded = () => {
    call.picture = 'live'
    for (const watcher of watchers) watcher()
  }
  const switchCameraOff = () =>
    Object.assign(devices, {
      video_track: null,
      camera: 'off',
      wanted: { camera: false, microphone: true },
    })
  return {
    runtime,
    asked,
    switchCameraOff,
    closeDevices,
    tabStored,
    seeDecoded,
    emit,
    listenerCount,
    requests,
    answers,
    setOnline,
    done,
    errors,
    stored,
    seePartner,
    screen: () => runtime.screen.getSnapshot().name,
  }
}

const guy = {
  id: 1,
  role: wireRole('guy'),
  nick: 'Boris',
  email: 'b@example.org',
  avatar: null,
  auto_accept: false,
  balance: '10',
}
const user = (part: object = {}) => ({ ...guy, info: { is_verify: false }, ...part }) as User
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
  }) as Session
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

test('subscribes once to each event of the matchmaking and calls contracts', () => {
  const { listenerCount } = setUp()
  const names = [...Object.keys(wire.matchmaking.events), ...Object.keys(wire.calls.events)]
  expect(Object.fromEntries(names.map((name) => [name, listenerCount(name)]))).toEqual(
    Object.fromEntries(names.map((name) => [name, 1])),
  )
})

describe('the engine of a page', () => {
  test('starts a call that just opened before it joins, once, and ends it with its receipt', () => {
    const { emit, done } = setUp()
    emit('auth_success', auth())
    emit('new_session', { session: video(7) })
    emit('new_session', { session: { ...video(7), price: '1.5' } })
    emit('close_session', receipt(7))
    expect(done).toEqual(['start 7 ahead', 'end'])
  })

  test('starts a call with the connection that was prepared for it', () => {
    const session = { ...video(7), prepare_id: 'prepared' }
    const open = setUp()
    open.emit('auth_success', auth())
    open.emit('new_session', { session })
    expect(open.done).toEqual(['start 7 as prepared'])
  })

  test('gives the engine the wish of the partner for less data', () => {
    const { emit, asked } = setUp()
    emit('auth_success', auth())
    emit('new_session', { session: video(7) })
    const media = { user_id: 2, audio: true, video: true, data_mode: 'stills' as const }
    emit('partner_media', { session_id: 7, ...media })
    expect(asked.at(-1)).toBe('stills')
  })

  test('resumes a call after a reload without connecting early', () => {
    const { emit, done, screen } = setUp(undefined, { callHere: 7 })
    emit('auth_success', auth({ active_session: video(7) }))
    expect(done).toEqual(['start 7'])
    expect(screen()).toBe('connecting')
  })

  test('continues the running call when only the main socket was lost', () => {
    const { emit, done, seePartner, screen } = setUp()
    emit('auth_success', auth())
    emit('new_session', { session: video(7) })
    seePartner()
    emit('auth_success', auth({ active_session: video(7) }))
    expect(done).toEqual(['start 7 ahead'])
    expect(screen()).toBe('in_call')
  })

  test('releases camera and call when another tab takes over, and starts again when this tab returns', () => {
    const { emit, done } = setUp()
    emit('auth_success', auth())
    emit('new_session', { session: video(7) })
    otherTabTookOver()
    emit('search_state', { state: 'idle' })
    expect(done).toEqual(['start 7 ahead', 'release'])
    emit('auth_success', auth({ active_session: video(7) }))
    expect(done.at(-1)).toBe('start 7 ahead')
  })

  test('ends the media of a call when AUTH names another call', () => {
    const { emit, done, screen } = setUp()
    emit('auth_success', auth())
    emit('new_session', { session: video(7) })
    emit('auth_success', auth({ active_session: video(8) }))
    expect(done).toEqual(['start 7 ahead', 'end'])
    expect(screen()).toBe('enter')
  })

  test('releases the camera when another user signs in', () => {
    const { emit, done, screen } = setUp()
    emit('auth_success', auth())
    emit('new_session', { session: video(7) })
    emit('auth_success', auth({}, user({ id: 9 })))
    expect(done).toContain('release')
    expect(screen()).toBe('idle')
  })

  test('counts each call that opens on this device, and none that is resumed', () => {
    const { emit, stored } = setUp()
    emit('auth_success', auth({ active_session: video(6) }))
    emit('close_session', receipt(6))
    emit('new_session', { session: video(7) })
    expect(stored.get('chat_count')).toBe(1)
  })
})

describe('a page that finds a call at AUTH', () => {
  const elsewhere = { ...video(7), own_media: { audio: true, video: false } }
  const grant = (state: PermissionState) =>
    vi.stubGlobal('navigator', {
      mediaDevices: { getUserMedia: () => {} },
      permissions: { query: async () => ({ state }) },
    })
  beforeEach(() => {
    vi.stubGlobal('RTCPeerConnection', class {})
    grant('granted')
  })
  afterEach(() => vi.unstubAllGlobals())

  test('opens no device and does not join when the call began on another page', async () => {
    const { runtime, emit, done, tabStored, closeDevices, screen } = setUp()
    closeDevices()
    emit('auth_success', auth({ active_session: elsewhere }))
    await settled()
    expect(done).toEqual(['camera false'])
    expect(screen()).toBe('enter')
    await runtime.enterCall.enter()
    expect(done).toEqual(['camera false', 'acquire undefined', 'start 7'])
    expect(tabStored.get('call_here')).toBe(7)
  })

  test('goes on after a reload with the devices that the browser gives without a question', async () => {
    const { emit, done, closeDevices, screen } = setUp(undefined, { callHere: 7 })
    closeDevices()
    emit('auth_success', auth({ active_session: video(7) }))
    expect(screen()).toBe('connecting')
    await settled()
    expect(done).toEqual(['start 7', 'acquire undefined'])
  })

  test('asks after a reload where the browser asks again, can end the call, and shows its receipt', async () => {
    grant('prompt')
    const { runtime, emit, done, requests, answers, closeDevices, screen } = setUp(undefined, {
      callHere: 7,
    })
    answers.BREAK_SESSION = () => receipt(7)
    closeDevices()
    emit('auth_success', auth({ active_session: video(7) }))
    await settled()
    expect([screen(), done]).toEqual(['enter', []])
    await runtime.callCommands.leave('end')
    expect(requests).toEqual([['BREAK_SESSION', { session_id: 7 }]])
    expect([screen(), done]).toEqual(['after', ['leave']])
  })

  test('a refused device leaves the call with a way on and closes its screen with the call', async () => {
    const { runtime, emit, closeDevices, answers, screen } = setUp()
    answers.BREAK_SESSION = () => receipt(7)
    closeDevices()
    vi.stubGlobal('navigator', {})
    emit('auth_success', auth({ active_session: video(7) }))
    await runtime.enterCall.enter()
    expect(screen()).toBe('denied')
    emit('close_session', receipt(7))
    expect(screen()).toBe('after')
  })

  test('the press that takes the call back keeps a camera off that the other page switched off', async () => {
    const { emit, done, closeDevices } = setUp()
    emit('auth_success', auth())
    emit('new_session', { session: video(7) })
    otherTabTookOver()
    closeDevices()
    emit('auth_success', auth({ active_session: elsewhere }))
    await settled()
    expect(done).toEqual([
      'start 7 ahead',
      'release',
      'camera false',
      'start 7 ahead',
      'acquire undefined',
    ])
  })

  test.each([
    ['next', {}],
    ['end', {}],
    ['break', { break: true }],
  ] as const)(
    'does not enter a call that the user left by %s before a reload, and shows its receipt',
    async (how, wish) => {
      const before = setUp()
      before.emit('auth_success', auth())
      before.emit('new_session', { session: video(7) })
      before.setOnline(false)
      void before.runtime.callCommands.leave(how)
      if (how === 'end') before.runtime.callCommands.abandon()
      const { emit, done, requests, answers, stored, screen } = setUp(undefined, { callHere: 7 })
      answers.BREAK_SESSION = () => receipt(7)
      stored.set('left_call', before.stored.get('left_call'))
      emit('auth_success', auth({ active_session: video(7) }))
      await settled()
      expect(done).toEqual([])
      expect(requests).toEqual([['BREAK_SESSION', { session_id: 7, ...wish }]])
      expect(screen()).toBe('after')
      expect(stored.get('left_call')).toBeUndefined()
    },
  )

  test('forgets the end of a call on the way back', () => {
    const { runtime, emit, stored, setOnline } = setUp()
    emit('auth_success', auth())
    emit('new_session', { session: video(7) })
    setOnline(false)
    void runtime.callCommands.leave('end')
    expect(stored.get('left_call')).toEqual({ session_id: 7, how: 'end' })
    runtime.callCommands.stay()
    expect(stored.get('left_call')).toBeUndefined()
  })
})

describe('the commands of the user', () => {
  test('Next leaves and searches, also when the event of the server was missed', async () => {
    const { runtime, emit, requests, answers, screen } = setUp()
    answers.BREAK_SESSION = () => receipt(7)
    answers.MATCH_AWAIT = () => ({ state: 'waiting' })
    emit('auth_success', auth())
    emit('new_session', { session: video(7) })
    await runtime.callCommands.leave('next')
    expect(requests.map(([action]) => action)).toEqual(['BREAK_SESSION', 'MATCH_AWAIT'])
    expect(requests[0]![1]).toEqual({ session_id: 7, next: true })
    expect(screen()).toBe('searching')
  })

  test('the search after a receipt leaves a camera off that the user switched off, and so does Next', async () => {
    const { runtime, emit, requests, answers, done, switchCameraOff } = setUp()
    answers.BREAK_SESSION = () => receipt(8)
    emit('auth_success', auth())
    emit('new_session', { session: video(7) })
    switchCameraOff()
    emit('close_session', receipt(7))
    await runtime.searchCommands.start({ keepsWish: true })
    emit('new_session', { session: video(8) })
    await runtime.callCommands.leave('next')
    expect(requests.filter(([action]) => action === 'MATCH_AWAIT')).toHaveLength(2)
    expect(done.filter((each) => each.startsWith('acquire'))).toEqual([])
  })

  test('every search carries the languages that this user chose, and none of another user', async () => {
    const { runtime, emit, requests, answers } = setUp()
    answers.BREAK_SESSION = () => receipt(7)
    const wanted = () => runtime.matchmaking.getSnapshot().wanted_languages
    emit('auth_success', auth())
    runtime.searchCommands.chooseLanguages(['de', 'fr'])
    await runtime.searchCommands.search()
    emit('search_pair', { pair_id: 'p1', expires_in_ms: 10_000, user_interlocutor: {} })
    emit('new_session', { session: video(7) })
    await runtime.callCommands.leave('next')
    const searches = () => requests.filter(([action]) => action === 'MATCH_AWAIT')
    expect(searches().map(([, sent]) => sent)).toEqual(
      Array.from({ length: 2 }, () => ({ locales: ['de', 'fr'] })),
    )
    expect(wanted()).toEqual(['de', 'fr'])
    emit('auth_success', auth({}, user({ id: 9 })))
    await runtime.searchCommands.search()
    expect(wanted()).toEqual([])
    expect(searches().at(-1)![1]).toEqual({})
  })

  test('End of a girl is a break, and no search starts', async () => {
    const { runtime, emit, requests, answers } = setUp()
    answers.BREAK_SESSION = () => ({ ...receipt(7), reason: 'break' })
    emit('auth_success', auth({}, user({ role: 'girl' })))
    emit('new_session', { session: video(7) })
    await runtime.callCommands.leave('break')
    expect(requests).toEqual([['BREAK_SESSION', { session_id: 7, break: true }]])
  })

  test('a second press of End sends no second request', async () => {
    const { runtime, emit, requests, answers } = setUp()
    answers.BREAK_SESSION = () => receipt(7)
    emit('auth_success', auth())
    emit('new_session', { session: video(7) })
    await Promise.all([runtime.callCommands.leave('end'), runtime.callCommands.leave('end')])
    expect(requests).toHaveLength(1)
  })

  test('an offer that ended before it was accepted continues the search without an error', async () => {
    const { runtime, emit, answers, errors, screen } = setUp()
    answers.SEARCH_PAIR_ACCEPT = () => {
      throw new RefusedError('SEARCH_PAIR_ACCEPT', 'pair_over')
    }
    emit('auth_success', auth())
    emit('search_state', { state: 'waiting' })
    emit('search_pair', {
      kind: 'random',
      pair_id: 'p',
      user_interlocutor: { nick: 'Anna' },
      expires_in_ms: 9_000,
    })
    await runtime.searchCommands.accept()
    emit('search_state', { state: 'waiting' })
    expect(errors).toEqual([])
    expect(screen()).toBe('searching')
  })

  describe('a call that rings', () => {
    const ring = (role_in_call: 'caller' | 'callee') => ({
      kind: 'direct',
      role_in_call,
      pair_id: 'r',
      user_interlocutor: { id: 2, nick: 'Anna' },
      expires_in_ms: 30_000,
    })

    test('is beside the search, the offer and the running call', () => {
      const { runtime, emit, screen } = setUp()
      emit('auth_success', auth())
      emit('search_state', { state: 'waiting' })
      emit('search_pair', ring('callee'))
      expect(screen()).toBe('searching')
      emit('new_session', { session: video(7) })
      expect(runtime.matchmaking.getSnapshot().ring).toBeNull()
      emit('search_pair', ring('callee'))
      expect(screen()).toBe('connecting')
      expect(runtime.matchmaking.getSnapshot().ring?.pair.pair_id).toBe('r')
    })

    test('is accepted after the devices are open, and rings on without devices', async () => {
      const { runtime, emit, requests, done, closeDevices } = setUp()
      emit('auth_success', auth())
      emit('search_pair', ring('callee'))
      closeDevices()
      await runtime.searchCommands.acceptRing()
      expect(requests).toEqual([])
      expect(runtime.matchmaking.getSnapshot().ring?.answer).toBe('no_devices')
      expect(done).toEqual(['acquire both'])
    })

    test('is accepted within a call without a camera that the user switched off', async () => {
      const { runtime, emit, done, switchCameraOff } = setUp()
      emit('auth_success', auth())
      emit('new_session', { session: video(7) })
      emit('search_pair', { ...ring('callee'), user_interlocutor: { id: 3, nick: 'Clara' } })
      switchCameraOff()
      done.length = 0
      await runtime.searchCommands.acceptRing()
      expect(done).toEqual(['acquire undefined'])
    })

    test('opens the devices of its caller once, and none on a page that only finds it at AUTH', () => {
      const { emit, done } = setUp()
      emit('auth_success', auth({ search: { state: 'idle', pair: ring('caller') } as never }))
      expect(done).toEqual([])
      emit('auth_success', auth())
      emit('search_pair', ring('caller'))
      emit('search_pair', ring('caller'))
      emit('search_pair', { ...ring('callee'), pair_id: 'other' })
      expect(done).toEqual(['acquire both'])
    })

    test('that an answer finds ended leaves no dialog and no error', async () => {
      const { runtime, emit, answers, errors } = setUp()
      answers.SEARCH_PAIR_ACCEPT = () => {
        throw new RefusedError('SEARCH_PAIR_ACCEPT', 'pair_over')
      }
      emit('auth_success', auth())
      emit('search_pair', ring('callee'))
      await runtime.searchCommands.acceptRing()
      const { ring: open, ended_ring } = runtime.matchmaking.getSnapshot()
      expect([open, ended_ring, errors]).toEqual([null, null, []])
    })

    test('tells only its caller how it ended, unless the caller ended it', async () => {
      for (const [role, ends, told] of [
        ['caller', false, 'declined'],
        ['caller', true, undefined],
        ['callee', false, undefined],
      ] as const) {
        const { runtime, emit } = setUp()
        emit('auth_success', auth())
        emit('search_pair', ring(role))
        if (ends) await runtime.searchCommands.endRing()
        emit('search_pair_closed', { pair_id: 'r', reason: 'declined' })
        expect(runtime.matchmaking.getSnapshot().ended_ring?.reason).toBe(told)
      }
    })

    test('tells a callee who accepted why no call came of it', () => {
      const { runtime, emit, answers } = setUp()
      answers.SEARCH_PAIR_ACCEPT = () => {
        emit('search_pair_closed', { pair_id: 'r', reason: 'unable' })
        throw new RefusedError('SEARCH_PAIR_ACCEPT', 'pair_over')
      }
      emit('auth_success', auth())
      emit('search_pair', ring('callee'))
      return runtime.searchCommands.acceptRing().then(() => {
        expect(runtime.matchmaking.getSnapshot().ended_ring?.reason).toBe('unable')
      })
    })

    test('rings no more where another tab took over', () => {
      const { runtime, emit } = setUp()
      emit('auth_success', auth())
      emit('search_pair', ring('callee'))
      otherTabTookOver()
      expect(runtime.matchmaking.getSnapshot().ring).toBeNull()
    })

    test('is the one that AUTH names, and ends where AUTH names none', () => {
      const { runtime, emit } = setUp()
      emit('auth_success', auth({ search: { state: 'idle', pair: ring('caller') } as never }))
      expect(runtime.matchmaking.getSnapshot().ring?.pair.role_in_call).toBe('caller')
      emit('auth_success', auth())
      expect(runtime.matchmaking.getSnapshot().ring).toBeNull()
    })
  })

  test('a direct call ends without a break and without a next person', async () => {
    const { runtime, emit, requests, answers } = setUp()
    answers.BREAK_SESSION = () => receipt(7)
    emit('auth_success', auth({}, user({ role: wireRole('girl') })))
    emit('new_session', { session: { ...video(7), kind: 'direct' } })
    await runtime.callCommands.leave('break')
    expect(requests).toEqual([['BREAK_SESSION', { session_id: 7 }]])
    expect(runtime.calls.getSnapshot().left?.is_requeued).toBe(false)
  })

  test('a text without an answer is sent again under the same id', async () => {
    const { runtime, emit, requests, answers } = setUp()
    answers.TEXT_CHAT_MESSAGE = () => {
      throw new Error('no answer')
    }
    emit('auth_success', auth())
    emit('new_session', { session: video(7) })
    await runtime.callCommands.sendText(' Hello ')
    const [failed] = runtime.calls.getSnapshot().call!.texts
    expect(failed).toMatchObject({ text: 'Hello', state: 'failed' })
    answers.TEXT_CHAT_MESSAGE = ({ id, text }: { id: string; text: string }) => ({
      id,
      text,
      text_id: 1,
    })
    await runtime.callCommands.retryText(failed!.id)
    expect(requests.map(([, sent]) => (sent as { id: string }).id)).toEqual([
      failed!.id,
      failed!.id,
    ])
    expect(runtime.calls.getSnapshot().call!.texts).toMatchObject([{ state: 'sent' }])
  })

  test('leaving the page while searching stops the search and closes the camera', () => {
    const { runtime, emit, requests, done } = setUp()
    emit('auth_success', auth())
    emit('search_state', { state: 'waiting' })
    runtime.leaveSearch()
    expect(requests).toEqual([['OUT_FROM_SEARCH', {}]])
    expect(done).toContain('release')
  })

  test('the receipt of a girl whose call ends on another page stays when her search is left', () => {
    const { runtime, emit, requests, screen } = setUp()
    emit('auth_success', auth({}, user({ role: 'girl' })))
    emit('new_session', { session: video(7) })
    emit('close_session', receipt(7))
    expect(screen()).toBe('searching')
    runtime.leaveSearch()
    expect(requests).toEqual([['OUT_FROM_SEARCH', {}]])
    expect(screen()).toBe('after')
  })

  test('leaving the page while the browser asks for the camera leaves no false error behind', async () => {
    vi.stubGlobal('navigator', {})
    const { runtime, emit, closeDevices, screen } = setUp()
    emit('auth_success', auth())
    closeDevices()
    await runtime.searchCommands.start()
    expect(screen()).toBe('denied')
    runtime.leaveSearch()
    expect(screen()).toBe('idle')
    vi.unstubAllGlobals()
  })

  test('Next after a call in which the camera was lost searches only with a camera', async () => {
    vi.stubGlobal('navigator', {})
    const { runtime, emit, requests, answers, closeDevices, screen } = setUp()
    answers.BREAK_SESSION = () => receipt(7)
    emit('auth_success', auth())
    emit('new_session', { session: video(7) })
    closeDevices()
    await runtime.callCommands.leave('next')
    expect(requests.map(([action]) => action)).toEqual(['BREAK_SESSION'])
    expect(screen()).toBe('denied')
    vi.unstubAllGlobals()
  })

  test('the devices close a minute after Stop, at once after an absence, and not under a new search', async () => {
    vi.useFakeTimers()
    const { runtime, emit, done } = setUp()
    const releases = () => done.filter((each) => each === 'release').length
    emit('auth_success', auth())
    emit('search_state', { state: 'waiting' })
    await runtime.searchCommands.stop()
    vi.advanceTimersByTime(30_000)
    emit('search_state', { state: 'waiting' })
    vi.advanceTimersByTime(60_000)
    expect(releases()).toBe(0)
    await runtime.searchCommands.stop()
    vi.advanceTimersByTime(60_000)
    expect(releases()).toBe(1)
    emit('search_state', { state: 'waiting' })
    emit('search_state', { state: 'paused', reason: 'captcha' })
    vi.advanceTimersByTime(60_000)
    expect(releases()).toBe(1)
    emit('search_state', { state: 'waiting' })
    emit('search_state', { state: 'paused', reason: 'absence' })
    expect(releases()).toBe(2)
    vi.useRealTimers()
  })

  test('leaving the page in a call keeps the call running', () => {
    const { runtime, emit, requests, done } = setUp()
    emit('auth_success', auth())
    emit('new_session', { session: video(7) })
    runtime.leaveSearch()
    expect(requests).toEqual([])
    expect(done).toEqual(['start 7 ahead'])
  })

  test('a search that is refused without a balance shows the refusal and is idle', async () => {
    const { runtime, emit, answers, errors, screen } = setUp()
    answers.MATCH_AWAIT = () => {
      throw new RefusedError('MATCH_AWAIT', 'no_balance')
    }
    emit('auth_success', auth())
    await runtime.searchCommands.start()
    expect(screen()).toBe('idle')
    expect(errors).toMatchObject([{ code: 301 }])
  })
})

/** In a call with Anna, whose picture is seen. */
function inCall() {
  const page = setUp()
  page.emit('auth_success', auth())
  page.emit('new_session', { session: video(7) })
  page.seePartner()
  return page
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('leaving a call', () => {
  test.each(['next', 'end', 'break'] as const)(
    '%s stops the media before the server is asked',
    async (how) => {
      const { runtime, requests, answers, done } = inCall()
      answers.BREAK_SESSION = () => {
        expect(done.at(-1)).toBe('leave')
        return receipt(7)
      }
      await runtime.callCommands.leave(how)
      expect(requests[0]![0]).toBe('BREAK_SESSION')
      expect(done).toEqual(['start 7 ahead', 'leave'])
    },
  )

  test.each(['next', 'end'] as const)(
    'offline %s stops the media, and the call is closed when the connection returns',
    async (how) => {
      const { runtime, requests, answers, done, screen, setOnline } = inCall()
      answers.BREAK_SESSION = () => receipt(7)
      setOnline(false)
      const left = runtime.callCommands.leave(how)
      expect(done).toEqual(['start 7 ahead', 'leave'])
      expect(screen()).toBe('leaving')
      await settled()
      expect(requests).toEqual([])
      setOnline(true)
      await left
      expect(requests[0]![0]).toBe('BREAK_SESSION')
      expect(screen()).toBe(how === 'end' ? 'after' : 'searching')
    },
  )

  test('the way back joins the call again as after a reload, and the call is not closed', async () => {
    const { runtime, emit, requests, done, screen, setOnline, seePartner } = inCall()
    setOnline(false)
    const left = runtime.callCommands.leave('end')
    runtime.callCommands.stay()
    expect(screen()).toBe('connecting')
    expect(done).toEqual(['start 7 ahead', 'leave', 'start 7'])
    setOnline(true)
    await left
    expect(requests).toEqual([])
    emit('auth_success', auth({ active_session: video(7) }))
    seePartner()
    expect(screen()).toBe('in_call')
  })

  test('a leaving that the server did not answer is repeated when AUTH still names the call', async () => {
    const { runtime, emit, requests, answers, screen } = inCall()
    answers.BREAK_SESSION = () => Promise.reject(new Error('no answer'))
    await runtime.callCommands.leave('end')
    expect(screen()).toBe('leaving')
    answers.BREAK_SESSION = () => receipt(7)
    emit('auth_success', auth({ active_session: video(7) }))
    await settled()
    expect(requests.map(([action]) => action)).toEqual(['BREAK_SESSION', 'BREAK_SESSION'])
    expect(screen()).toBe('after')
  })

  test('the floating picture ends with its call, and the full screen stays for the next person', async () => {
    const closed: string[] = []
    for (const [name, value] of Object.entries({
      pictureInPictureElement: {},
      fullscreenElement: {},
      exitPictureInPicture: async () => void closed.push('floating'),
      exitFullscreen: async () => void closed.push('full screen'),
    })) {
      Object.defineProperty(document, name, { value, configurable: true })
      onTestFinished(() => void Reflect.deleteProperty(document, name))
    }
    const { runtime, emit, answers } = inCall()
    answers.MATCH_AWAIT = () => ({ state: 'waiting' })
    answers.BREAK_SESSION = () => receipt(7)
    runtime.leaveSearch()
    expect(closed).toEqual([])
    await runtime.callCommands.leave('next')
    expect(closed).toEqual(['floating'])
    emit('new_session', { session: video(8) })
    expect(closed).toEqual(['floating'])
    answers.BREAK_SESSION = () => receipt(8)
    await runtime.callCommands.leave('end')
    expect(closed).toEqual(['floating', 'floating', 'full screen'])
  })

  test('a panic without an answer is repeated after each AUTH, until the server answers', async () => {
    await activate('en')
    const toasts: string[] = []
    onTestFinished(mountToasts(({ title }) => toasts.push(String(title))))
    const { runtime, emit, requests, answers, errors, stored, screen } = inCall()
    const panics = () => requests.filter(([action]) => action === 'PANIC')
    answers.BREAK_SESSION = () => receipt(7)
    answers.PANIC = () => Promise.reject(new NoAnswerError('PANIC'))
    await runtime.callCommands.panic()
    expect(screen()).toBe('after')
    emit('auth_success', auth())
    await settled()
    expect(panics()).toHaveLength(2)
    // A page that is loaded again repeats the panic, too.
    const next = setUp()
    next.stored.set('panic', stored.get('panic'))
    next.emit('auth_success', auth())
    await settled()
    expect(next.requests).toEqual([['PANIC', { session_id: 7 }]])
    expect(next.stored.get('panic')).toBeUndefined()
    answers.PANIC = () => ({ complaint_id: 1 })
    for (const _ of [1, 2]) emit('auth_success', auth())
    await settled()
    expect(panics()).toEqual(Array.from({ length: 3 }, () => ['PANIC', { session_id: 7 }]))
    expect(errors).toEqual([])
    const done = "It's over. Anna is blocked"
    const waiting = 'Your report is not sent yet'
    expect(toasts).toEqual([waiting, waiting, done, done])
  })

  test('a panic that is refused is not repeated', async () => {
    const { runtime, emit, requests, answers } = inCall()
    answers.PANIC = () => Promise.reject(new RefusedError('PANIC', 'not_found'))
    answers.BREAK_SESSION = () => receipt(7)
    await runtime.callCommands.panic()
    emit('auth_success', auth())
    await settled()
    expect(requests.map(([action]) => action)).toEqual(['PANIC', 'BREAK_SESSION'])
  })

  test('logging out ends the media of a call at once, whatever the server does', () => {
    const { runtime, emit, done, screen, setOnline } = inCall()
    setOnline(false)
    emit('logout' as EventName, undefined)
    expect(done).toContain('release')
    expect(runtime.calls.getSnapshot().call).toBeNull()
    expect(screen()).not.toBe('in_call')
  })

  test('the way out shows the start, and the server is asked when it returns; its receipt is shown', async () => {
    const { runtime, emit, requests, answers, done, screen, setOnline } = inCall()
    answers.BREAK_SESSION = () => receipt(7)
    setOnline(false)
    const left = runtime.callCommands.leave('end')
    runtime.callCommands.abandon()
    expect(screen()).toBe('idle')
    setOnline(true)
    await left
    expect(requests).toEqual([])
    emit('auth_success', auth({ active_session: video(7) }))
    await settled()
    expect(done).not.toContain('start 7')
    expect(requests).toEqual([['BREAK_SESSION', { session_id: 7 }]])
    expect(screen()).toBe('after')
  })

  test.each([
    ['before the connection returned', true],
    ['while the request was on its way', false],
  ])('Next searches when the server closed the call %s', async (_, isOffline) => {
    const { runtime, emit, requests, answers, screen, setOnline } = inCall()
    const closed = { ...receipt(7), reason: 'partner_lost' }
    answers.MATCH_AWAIT = () => ({ state: 'waiting' })
    answers.BREAK_SESSION = () => {
      emit('close_session', closed)
      return closed
    }
    if (isOffline) setOnline(false)
    const left = runtime.callCommands.leave('next')
    if (isOffline) {
      setOnline(true)
      emit('auth_success', auth())
      emit('close_session', closed)
    }
    await left
    expect(requests.map(([action]) => action)).toEqual(
      isOffline ? ['MATCH_AWAIT'] : ['BREAK_SESSION', 'MATCH_AWAIT'],
    )
    expect(screen()).toBe('searching')
  })

  test('a call that the server closed is followed by no search after End, nor after the way back', async () => {
    for (const isStaying of [false, true]) {
      const { runtime, emit, requests, setOnline } = inCall()
      setOnline(false)
      const left = runtime.callCommands.leave(isStaying ? 'next' : 'end')
      if (isStaying) runtime.callCommands.stay()
      setOnline(true)
      emit('auth_success', auth())
      emit('close_session', { ...receipt(7), reason: 'partner_lost' })
      await left
      expect(requests).toEqual([])
    }
  })

  test('a search that is started while a call is still open at the server waits for its end', async () => {
    const { runtime, emit, requests, answers, screen, setOnline } = inCall()
    const answered = Promise.withResolvers<unknown>()
    answers.BREAK_SESSION = () => answered.promise
    answers.MATCH_AWAIT = () => ({ state: 'waiting' })
    setOnline(false)
    void runtime.callCommands.leave('end')
    runtime.callCommands.abandon()
    const started = runtime.searchCommands.start()
    setOnline(true)
    emit('auth_success', auth({ active_session: video(7) }))
    await settled()
    expect(requests).toEqual([['BREAK_SESSION', { session_id: 7 }]])
    answered.resolve(receipt(7))
    await started
    expect(requests.slice(1)).toEqual([['MATCH_AWAIT', {}]])
    expect(screen()).toBe('searching')
  })

  test('Stop while the call is still open at the server starts no search', async () => {
    const { runtime, emit, requests, answers, screen, setOnline } = inCall()
    answers.BREAK_SESSION = () => receipt(7)
    setOnline(false)
    void runtime.callCommands.leave('end')
    runtime.callCommands.abandon()
    const started = runtime.searchCommands.start()
    await settled()
    void runtime.searchCommands.stop()
    setOnline(true)
    emit('auth_success', auth({ active_session: video(7) }))
    await started
    expect(requests.map(([action]) => action)).not.toContain('MATCH_AWAIT')
    expect(screen()).not.toBe('searching')
  })

  test('a search says why it did not start when the open call could not be closed', async () => {
    const { runtime, emit, answers, errors, setOnline } = inCall()
    answers.BREAK_SESSION = () => {
      throw new Error('no answer')
    }
    setOnline(false)
    void runtime.callCommands.leave('end')
    runtime.callCommands.abandon()
    const started = runtime.searchCommands.start()
    setOnline(true)
    emit('auth_success', auth({ active_session: video(7) }))
    await started
    expect(errors).toHaveLength(1)
  })

  test('a reconnection in the meantime does not start the media again', async () => {
    const { runtime, emit, done, setOnline } = inCall()
    setOnline(false)
    void runtime.callCommands.leave('end')
    emit('auth_success', auth({ active_session: video(7) }))
    expect(done).toEqual(['start 7 ahead', 'leave'])
  })

  test('a server that does not answer leaves a screen with both ways, and the press can be repeated', async () => {
    const { runtime, answers, errors, screen } = inCall()
    answers.BREAK_SESSION = () => {
      throw new Error('no answer')
    }
    await runtime.callCommands.leave('next')
    expect(screen()).toBe('leaving')
    expect(errors).toEqual([])
    answers.BREAK_SESSION = () => receipt(7)
    await runtime.callCommands.leave('end')
    expect(screen()).toBe('after')
  })

  test('a slow server leaves the search screen after two seconds', async () => {
    vi.useFakeTimers()
    const { runtime, answers, screen } = inCall()
    answers.BREAK_SESSION = () => new Promise(() => {})
    void runtime.callCommands.leave('next')
    expect(screen()).toBe('searching')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(screen()).toBe('leaving')
    vi.useRealTimers()
  })

  test('a call that the server does not know any more is over', async () => {
    const { runtime, answers, screen } = inCall()
    answers.BREAK_SESSION = () => {
      throw new RefusedError('BREAK_SESSION', 'not_found')
    }
    await runtime.callCommands.leave('end')
    expect(screen()).toBe('idle')
  })
})

test('the way back from devices that were refused ends a search, and not a call', async () => {
  const searching = setUp()
  searching.switchCameraOff()
  searching.emit('auth_success', auth({ search: { state: 'waiting' } }))
  await settled()
  searching.runtime.gate.close()
  expect(searching.requests).toEqual([['OUT_FROM_SEARCH', {}]])
  expect([searching.screen(), searching.done]).toEqual(['idle', ['release']])
  const { runtime, requests, done } = inCall()
  runtime.gate.close()
  expect([requests, done]).toEqual([[], ['start 7 ahead']])
})

describe('a search that the server has lost', () => {
  test('is asked for again by the page', async () => {
    const { emit, requests, screen } = setUp()
    emit('auth_success', auth())
    emit('search_state', { state: 'waiting' })
    emit('auth_success', auth())
    await settled()
    expect(requests).toEqual([['MATCH_AWAIT', {}]])
    expect(screen()).toBe('searching')
  })

  test('is asked for again without opening a camera that the user switched off', async () => {
    const { emit, requests, done, switchCameraOff } = setUp()
    emit('auth_success', auth())
    emit('search_state', { state: 'waiting' })
    switchCameraOff()
    emit('auth_success', auth())
    await settled()
    expect(requests).toEqual([['MATCH_AWAIT', {}]])
    expect(done).toEqual([])
  })

  describe('is not asked for, and the start says that it ended', () => {
    afterEach(() => {
      vi.useRealTimers()
      vi.restoreAllMocks()
    })
    test.each<[string, (page: ReturnType<typeof setUp>) => void]>([
      ['after more than a minute', () => vi.setSystemTime(Date.now() + 66_000)],
      [
        'after a long loss of the connection',
        (page) => {
          page.setOnline(false)
          vi.advanceTimersByTime(70_000)
          page.setOnline(true)
        },
      ],
      [
        'in a hidden page',
        () => vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden'),
      ],
      ['after another tab has taken over', () => otherTabTookOver()],
    ])('%s', async (_, leave) => {
      vi.useFakeTimers()
      const page = setUp()
      page.emit('auth_success', auth())
      page.emit('search_state', { state: 'waiting' })
      leave(page)
      page.emit('auth_success', auth())
      await vi.advanceTimersByTimeAsync(1)
      expect(page.requests).toEqual([])
      expect(page.done).toContain('release')
      expect(page.runtime.screen.getSnapshot()).toEqual({ name: 'idle', reason: 'away' })
      await page.runtime.searchCommands.search()
      expect(page.runtime.matchmaking.getSnapshot().is_lost).toBe(false)
    })
  })

  test.each<[string, Partial<AuthSuccess>]>([
    ['ended for a reason', { search: { state: 'idle', reason: 'missed_offers' } }],
    ['is paused', { search: { state: 'paused', reason: 'absence' } }],
    ['became a call', { active_session: video(7) }],
    ['goes on', { search: { state: 'waiting' } }],
  ])('is not asked for when it %s', async (_, answer) => {
    const { emit, requests } = setUp()
    emit('auth_success', auth())
    emit('search_state', { state: 'waiting' })
    emit('auth_success', auth(answer))
    await settled()
    expect(requests).toEqual([])
  })

  test('is not asked for by another user, nor after Stop', async () => {
    const { runtime, emit, requests } = setUp()
    emit('auth_success', auth())
    emit('search_state', { state: 'waiting' })
    emit('auth_success', auth({}, user({ id: 9 })))
    emit('search_state', { state: 'waiting' })
    await runtime.searchCommands.stop()
    emit('auth_success', auth({}, user({ id: 9 })))
    await settled()
    expect(requests).toEqual([['OUT_FROM_SEARCH', {}]])
  })
})

describe('Stop during a search that waits for a captcha', () => {
  /** The server asks for a captcha. `pass` answers the search that is sent again after the captcha. */
  function setUpCaptcha() {
    const page = setUp()
    const { promise, resolve, reject } = Promise.withResolvers<object>()
    page.answers.MATCH_AWAIT = () => promise
    const cancel = vi.fn(() => reject(new RefusedError('MATCH_AWAIT', 'captcha_required')))
    const view = { call: 'MATCH_AWAIT', place: 'search', phase: 'solving', cancel }
    page.emit('auth_success', auth())
    return { ...page, cancel, pass: resolve, ask: () => captchaView.set(view as never) }
  }
  afterEach(() => captchaView.set(undefined))

  test('ends the captcha', async () => {
    const { runtime, cancel, ask, screen, errors } = setUpCaptcha()
    const started = runtime.searchCommands.start()
    await settled()
    ask()
    await runtime.searchCommands.stop()
    await started
    expect(cancel).toHaveBeenCalledOnce()
    expect(screen()).toBe('idle')
    expect(errors).toEqual([])
  })

  test('leaves the queue again that the solution has entered', async () => {
    const { runtime, pass, requests, screen } = setUpCaptcha()
    const started = runtime.searchCommands.start()
    await settled()
    await runtime.searchCommands.stop()
    pass({ state: 'waiting' })
    await started
    expect(requests.map(([action]) => action)).toEqual([
      'MATCH_AWAIT',
      'OUT_FROM_SEARCH',
      'OUT_FROM_SEARCH',
    ])
    expect(screen()).toBe('idle')
  })
})

test('the picture is shown with the first decoded frame, before the call counts as connected', () => {
  const { emit, seeDecoded, screen } = setUp()
  emit('auth_success', auth())
  emit('new_session', { session: video(7) })
  expect(screen()).toBe('connecting')
  seeDecoded()
  expect(screen()).toBe('in_call')
})

test('a call that ended before the runtime was loaded shows its receipt', () => {
  const { screen, runtime } = setUp({
    auth: auth({ active_session: video(7) }),
    at_ms: 0,
    events: [
      { type: 'online.count', payload: { woman: 1 }, at_ms: 1 },
      { type: 'close_session', payload: receipt(7), at_ms: 2 },
    ],
  })
  expect(screen()).toBe('after')
  expect(runtime.calls.getSnapshot().call).toBeNull()
})
