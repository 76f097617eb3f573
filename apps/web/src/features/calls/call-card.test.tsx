import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { CallEngine } from '@duet/call-engine'
import { activate, t } from '../../shared/i18n.ts'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { createStore } from '../../shared/observable-store.ts'
import { OwnUserProvider, type OwnUser } from '../../shared/account/own-user.tsx'
import type { CallCommands } from './call-commands.ts'
import { CallProvider } from './call-context.tsx'
import { CallCard } from './call-card.tsx'
import { reduceCalls } from './call-reducer.ts'
import { INITIAL_CALLS, type CallsState } from './calls-state.ts'

const NOW_MS = Date.parse('2026-11-21T20:00:00Z')

let root: Root
let pressed: string[]

beforeAll(() => activate('en'))
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers({ now: NOW_MS })
  document.body.replaceChildren(document.createElement('div'))
  root = createRoot(document.body.firstElementChild!)
  pressed = []
  isBlocked = false
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function callWith(nick: string): CallsState {
  const session = {
    id: 7,
    state: 'public',
    price: '1',
    free_seconds: 10,
    quota_seconds: 0,
    paid_after: 10,
    partner_grace: 10,
    private_ask_again: 60,
    started_at: new Date(NOW_MS).toISOString(),
    user_interlocutor: { id: 2, nick, avatar: null },
  }
  const payload = { session } as Extract<
    Parameters<typeof reduceCalls>[1],
    { type: 'new_session' }
  >['payload']
  return reduceCalls(INITIAL_CALLS, { type: 'new_session', payload, at_ms: NOW_MS })
}

const inCall = (nick: string): CallsState =>
  reduceCalls(reduceCalls(callWith(nick), { type: 'partner_seen', session_id: 7 }), {
    type: 'meter',
    payload: {
      session_id: 7,
      phase: 'free',
      phase_since: new Date(NOW_MS).toISOString(),
      paid_seconds: 0,
      balance: '10',
    },
    at_ms: NOW_MS,
  })

let isBlocked: boolean

/** The engine as a card sees it. */
function getEngine(): CallEngine {
  const snapshot = createStore({ playback_blocked: isBlocked })
  return { ...snapshot, play: async () => void pressed.push('play') } as unknown as CallEngine
}

async function show(state: CallsState, role: OwnUser['role'] = 'guy'): Promise<void> {
  const commands = {
    leave: async (how: string) => void pressed.push(how),
    stay: () => void pressed.push('stay'),
    abandon: () => void pressed.push('abandon'),
    goOnWithSound: async () => void pressed.push('sound only'),
    answerPrivate: async (agrees: boolean) => void pressed.push(`private ${agrees}`),
  } as CallCommands
  const me = { id: 1, role, balance: '10' } as OwnUser
  const context = { calls: createStore(state), commands, engine: getEngine() }
  await act(async () =>
    root.render(
      <AppServicesProvider services={{ report() {} } as unknown as AppServices}>
        <OwnUserProvider user={me}>
          <CallProvider context={context}>
            <CallCard call={state.call!} onReturn={() => pressed.push('return')} />
          </CallProvider>
        </OwnUserProvider>
      </AppServicesProvider>,
    ),
  )
}

const card = () => document.querySelector('[data-call-card]')!
const buttons = () => [...card().querySelectorAll('button')]

test('names the partner and how long the call lasts', async () => {
  await show(inCall('Anna'))
  expect(card().textContent).toContain('Anna')
  await act(async () => vi.advanceTimersByTime(5_000))
  expect(card().textContent).toContain('0:05')
})

test('shows no time before the partner is connected', async () => {
  await show(callWith('Anna'))
  expect(card().textContent).not.toMatch(/\d:\d\d/)
})

test('Return leads back to the call, and only that', async () => {
  await show(inCall('Anna'))
  await act(async () => buttons()[0]!.click())
  expect(pressed).toEqual(['return'])
})

test.each([
  ['guy', 'end'],
  ['girl', 'break'],
] as const)('End of the %s leaves the call as %s', async (role, how) => {
  await show(inCall('Anna'), role)
  await act(async () => buttons()[1]!.click())
  expect(pressed).toEqual([how])
})

test('asks on every page whether to go on with sound while her camera is off', async () => {
  const state = reduceCalls(inCall('Anna'), {
    type: 'meter',
    payload: {
      session_id: 7,
      phase: 'paused',
      why: 'camera_off',
      phase_since: new Date(NOW_MS + 1).toISOString(),
      paid_seconds: 0,
      balance: '10',
    },
    at_ms: NOW_MS,
  })
  await show(state)
  await act(async () => buttons().at(-1)!.click())
  expect(pressed).toEqual(['sound only'])
})

test('End cannot be pressed again while the call is being left', async () => {
  await show(reduceCalls(inCall('Anna'), { type: 'leaving', session_id: 7, how: 'end' }))
  expect(buttons()[1]!.disabled).toBe(true)
  expect(card().textContent).toContain('Ending…')
})

test('a call that the server has not closed says so, and offers the way back and the way out', async () => {
  const leaving = reduceCalls(inCall('Anna'), { type: 'leaving', session_id: 7, how: 'end' })
  await show(leaving)
  expect(buttons()).toHaveLength(2)
  await show(reduceCalls(leaving, { type: 'leave_stuck', session_id: 7 }))
  expect(card().querySelector('[role=status]')!.textContent).toContain(
    'the call is still open there',
  )
  for (const name of ['Go on without waiting', 'Back to Anna'])
    await act(async () =>
      buttons()
        .find(({ textContent }) => textContent === name)!
        .click(),
    )
  expect(pressed).toEqual(['abandon', 'stay'])
})

test('the question to go private is answered from the card', async () => {
  const asked = reduceCalls(inCall('Anna'), {
    type: 'session_up',
    payload: { session_id: 7, user_id: 2, price: '2', expires_in_ms: 15_000 },
    at_ms: NOW_MS,
  } as unknown as Parameters<typeof reduceCalls>[1])
  await show(asked)
  expect(card().textContent).toContain(t('video.ask.title'))
  await act(async () =>
    buttons()
      .find(({ textContent }) => textContent === t('video.ask.accept'))!
      .click(),
  )
  expect(pressed).toEqual(['private true'])
})

test('the card says a pause and the last minute, and turns on sound that the browser blocks', async () => {
  isBlocked = true
  const meter = (phase: string, balance: string) =>
    reduceCalls(inCall('Anna'), {
      type: 'meter',
      payload: {
        session_id: 7,
        phase,
        phase_since: new Date(NOW_MS).toISOString(),
        paid_seconds: 40,
        balance,
      },
      at_ms: NOW_MS,
    } as Parameters<typeof reduceCalls>[1])
  await show(meter('paid', '0.5'))
  expect(card().textContent).toContain(t('video.call.seconds_left', { seconds: 40 }))
  await act(async () =>
    buttons()
      .find(({ textContent }) => textContent === t('video.call.sound_blocked'))!
      .click(),
  )
  expect(pressed).toEqual(['play'])
  await show(meter('paused', '9'))
  expect(card().textContent).toContain(t('video.call.paused'))
})
