import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import {
  MemoryRouter,
  Route,
  Routes,
  useLocation,
  useNavigate,
  type NavigateFunction,
} from 'react-router'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import {
  memoryStore,
  NoAnswerError,
  persistence,
  RefusedError,
  type ClientConnection,
} from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { FrameProvider } from '../../shared/frame.tsx'
import { changeAccount } from '../../shared/account/account-store.ts'
import { activate, loadTexts, t } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import type { OwnVerification } from './use-verification.ts'
import { mountToasts } from '../../shared/toasts.ts'
import { VerificationPage } from './verification-page.tsx'

let root: Root
let hold: Promise<void> | undefined
let holdRead: Promise<void> | undefined
let phase: string
let onPhase: Set<() => void>
let onProgress: (share: number) => void
let signal: AbortSignal
let path: string
let answer: OwnVerification | Error
let failures: Error[]
let navigate: NavigateFunction
let address: string
let queries: QueryClient
/** Every request in order: the side of a picture, or the fields of the last request. */
const sent: unknown[] = []
const SIDES = ['front', 'back', 'selfie']

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }))
  URL.createObjectURL = () => 'blob:picture'
  URL.revokeObjectURL = () => {}
  await activate('en')
  await loadTexts('verification', 'errors')
  sent.length = 0
  hold = undefined
  holdRead = undefined
  failures = []
  phase = 'ready'
  onPhase = new Set()
  answer = {
    state: 'none',
    provider: 'staff',
    challenge: { id: '0b0f4f3e-4a5e-4c38-9d55-3f9a5a4a7c01', says: 'left 3 chin' },
  }
})
afterEach(() => {
  // Another login: the draft of this test is forgotten.
  act(() => changeAccount(2))
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function openPage(address = '/verification'): Promise<void> {
  const user = {
    id: 1,
    role: 'girl',
    country: 'DE',
    info: { is_verify: false, verify_state: 'none' },
  }
  const snapshot = { phase: 'ready', auth: { user } }
  const lost = { ...snapshot, phase: 'connecting' }
  const connection = {
    getSnapshot: () => (phase === 'ready' ? snapshot : lost),
    subscribe(listener: () => void) {
      onPhase.add(listener)
      return () => onPhase.delete(listener)
    },
    ready: async () => {},
    http: {
      get: async () => {
        await holdRead
        if (answer instanceof Error) throw answer
        return answer
      },
      post: async (
        sentPath: string,
        fields: Record<string, unknown>,
        options: { onProgress: (share: number) => void; signal: AbortSignal },
      ) => {
        const isPicture = sentPath === 'upload_passport/picture'
        if (isPicture) ({ onProgress, signal } = options)
        await hold
        sent.push(isPicture ? fields.side : fields)
        if ((failures[0] as { call?: string } | undefined)?.call === `POST ${sentPath}`)
          throw failures.shift()!
        if (isPicture) return { state: 'none', document_id: `id of ${String(fields.side)}` }
        answer = { state: 'checking', provider: 'staff' }
        return { state: 'checking' }
      },
    },
  } as unknown as ClientConnection
  const services: AppServices = {
    connection,
    persistence: persistence(memoryStore()),
    report: (error) => {
      throw error
    },
  }
  queries = createQueryClient()
  queries.setDefaultOptions({ queries: { retry: false } })
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  await act(async () =>
    root.render(
      <QueryClientProvider client={queries}>
        <AppServicesProvider services={services}>
          <MemoryRouter initialEntries={[address]}>
            <FrameProvider header_end={null}>
              <Routes>
                <Route path="/verification" element={<VerificationPage />} />
                <Route path="*" element={<p>elsewhere</p>} />
              </Routes>
              <Navigation />
            </FrameProvider>
          </MemoryRouter>
        </AppServicesProvider>
      </QueryClientProvider>,
    ),
  )
}

function Navigation() {
  navigate = useNavigate()
  const location = useLocation()
  address = location.hash
  path = location.pathname
  return null
}

const shown = () => document.body.textContent
const button = (text: string, at = 0) =>
  [...document.querySelectorAll('button')].filter(({ textContent }) => textContent === text)[at]!
const press = (text: string, at = 0) => act(async () => button(text, at).click())

async function choose(index: number): Promise<void> {
  const input = document.querySelectorAll<HTMLInputElement>('input[type=file]')[index]!
  Object.defineProperty(input, 'files', { value: [new File(['x'], 'x.jpg')], configurable: true })
  await act(async () => {
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })
}

async function pick(label: string): Promise<void> {
  const row = [...document.querySelectorAll('label')].find(
    ({ textContent }) => textContent === label,
  )!
  await act(async () => (row.querySelector<HTMLElement>('[role=radio]') ?? row).click())
}

async function upToCheck(): Promise<void> {
  await openPage()
  await vi.waitFor(() => expect(shown()).toContain(t('verification.step.document')))
  expect(button(t('action.next')).disabled).toBe(true)
  await pick(t('verification.type.id_card'))
  await choose(0)
  expect(button(t('action.next')).disabled).toBe(true)
  await choose(1)
  await press(t('action.next'))
  expect(shown()).toContain('Hold up 3 fingers of your left hand next to your chin')
  await press(t('verification.choose'))
  await choose(0)
  await press(t('action.next'))
}

test.each([
  ['staff', true, 'here'],
  ['sumsub', false, 'provider'],
  ['sumsub', true, 'either'],
] as const)(
  'where %s checks (documents: %s), the page says where they go',
  async (provider, takesDocuments, way) => {
    const { challenge } = answer as OwnVerification
    answer = { state: 'none', provider, ...(takesDocuments ? { challenge } : {}) }
    await openPage()
    for (const line of ['what', 'who', 'long'] as const)
      await vi.waitFor(() =>
        expect(document.body.textContent).toContain(t(`verification.stored.${line}_text`, { way })),
      )
    expect(document.body.textContent!.includes('encrypted')).toBe(takesDocuments)
  },
)

test('three steps lead to the check, and an upload without an answer keeps the pictures', async () => {
  failures = [new NoAnswerError('POST upload_passport/picture')]
  await upToCheck()
  expect(button(t('verification.send')).disabled).toBe(true)
  await pick(t('verification.consent'))
  await press(t('verification.send'))
  expect(shown()).toContain(t('verification.no_answer'))
  await press(t('verification.retry'))
  await vi.waitFor(() => expect(shown()).toContain(t('verification.state.checking')))
  expect(shown()).not.toContain(t('verification.step.check'))
  expect(sent).toEqual([
    'front',
    ...SIDES,
    {
      type: 'id_card',
      country: 'DE',
      challenge_id: '0b0f4f3e-4a5e-4c38-9d55-3f9a5a4a7c01',
      consent: true,
      front_id: 'id of front',
      back_id: 'id of back',
      selfie_id: 'id of selfie',
    },
  ])
})

test('a draft that is begun before the state is read again keeps its pictures', async () => {
  await upToCheck()
  await pick(t('verification.consent'))
  const read = Promise.withResolvers<void>()
  holdRead = read.promise
  await press(t('verification.send'))
  await vi.waitFor(() => expect(sent).toHaveLength(4))
  const pictures = () => document.querySelectorAll('img[src^="blob:"]')
  await vi.waitFor(() => expect(shown()).toContain(t('verification.step.document')))
  expect(pictures(), 'what was sent is forgotten at once').toHaveLength(0)
  await pick(t('verification.type.id_card'))
  await choose(0)
  answer = {
    state: 'declined',
    reason: 'unreadable',
    provider: 'staff',
    challenge: { id: '0b0f4f3e-4a5e-4c38-9d55-3f9a5a4a7c02', says: 'right 2 cheek' },
  }
  await act(async () => read.resolve())
  await vi.waitFor(() => expect(shown()).toContain(t('verification.reason.unreadable')))
  expect(pictures()).toHaveLength(1)
})

test('each picture shows whether it arrived, and a retry sends only the pictures that did not', async () => {
  const first = Promise.withResolvers<void>()
  hold = first.promise
  await upToCheck()
  await pick(t('verification.consent'))
  await press(t('verification.send'))
  await act(async () => onProgress(0.4))
  const rows = () =>
    [...document.querySelectorAll('[role=progressbar]')].map((row) =>
      row.getAttribute('aria-label'),
    )
  expect(rows()).toEqual(['Front: 40% sent', 'Back: Waits', 'Selfie: Waits'])
  const second = Promise.withResolvers<void>()
  hold = second.promise
  await act(async () => first.resolve())
  await vi.waitFor(() => expect(rows()[0]).toBe('Front: Sent'))
  failures = [new NoAnswerError('POST upload_passport/picture')]
  await act(async () => second.resolve())
  await vi.waitFor(() =>
    expect(rows()).toEqual(['Front: Sent', 'Back: Not sent', 'Selfie: Not sent']),
  )
  hold = undefined
  await press(t('verification.retry'))
  await vi.waitFor(() => expect(shown()).toContain(t('verification.state.checking')))
  expect(sent.slice(0, -1)).toEqual(['front', 'back', 'back', 'selfie'])
})

test('pictures that the server has deleted meanwhile are sent again by themselves', async () => {
  failures = [
    new RefusedError('POST upload_passport', 'not_found', { additional: { what: 'picture' } }),
  ]
  await upToCheck()
  await pick(t('verification.consent'))
  await press(t('verification.send'))
  await vi.waitFor(() => expect(shown()).toContain(t('verification.state.checking')))
  expect(sent.filter((one) => typeof one === 'string')).toEqual([...SIDES, ...SIDES])
})

test('a gesture that is over asks for another selfie and keeps the document', async () => {
  failures = [
    new RefusedError('POST upload_passport', 'not_found', { additional: { what: 'challenge' } }),
  ]
  await upToCheck()
  await pick(t('verification.consent'))
  answer = {
    state: 'none',
    provider: 'staff',
    challenge: { id: '1b0f4f3e-4a5e-4c38-9d55-3f9a5a4a7c01', says: 'right 1 cheek' },
  }
  await press(t('verification.send'))
  await vi.waitFor(() =>
    expect(shown()).toContain('Hold up 1 finger of your right hand next to your cheek'),
  )
  expect(shown()).toContain(t('verification.gesture_over'))
  expect(button(t('action.next')).disabled).toBe(true)
  await press(t('action.back'))
  expect(document.querySelectorAll('img')).toHaveLength(2)
})

test('a selfie with a gesture that the server has replaced is not sent', async () => {
  await upToCheck()
  await pick(t('verification.consent'))
  answer = {
    state: 'none',
    provider: 'staff',
    challenge: { id: '1b0f4f3e-4a5e-4c38-9d55-3f9a5a4a7c01', says: 'right 1 cheek' },
  }
  await act(async () => queries.invalidateQueries())
  await vi.waitFor(() => expect(shown()).toContain(t('verification.gesture_over')))
  expect(shown()).toContain('Hold up 1 finger of your right hand next to your cheek')
  expect(button(t('verification.send'))).toBeUndefined()
  await press(t('verification.choose'))
  await choose(0)
  await press(t('action.next'))
  await press(t('verification.send'))
  expect(sent.at(-1)).toMatchObject({ challenge_id: '1b0f4f3e-4a5e-4c38-9d55-3f9a5a4a7c01' })
})

test('Back leads to the step before, and the pictures outlive the page', async () => {
  await upToCheck()
  await act(async () => navigate(-1))
  expect(shown()).toContain(t('verification.step.selfie'))
  await act(async () => navigate(-1))
  expect(shown()).toContain(t('verification.step.document'))
  act(() => root.unmount())
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
  document.body.replaceChildren()
  await openPage()
  await vi.waitFor(() => expect(document.querySelectorAll('img')).toHaveLength(2))
  await press(t('action.next'))
  expect(button(t('action.next')).disabled).toBe(false)
})

test('a step whose draft is gone gives way to the first', async () => {
  await openPage('/verification#check')
  await vi.waitFor(() => expect(shown()).toContain(t('verification.step.document')))
  await vi.waitFor(() => expect(address).toBe(''))
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true)
})

test('a birthday that is missing has a link to its field', async () => {
  failures = [new RefusedError('POST upload_passport', 'birthday_invalid')]
  await upToCheck()
  await pick(t('verification.consent'))
  await press(t('verification.send'))
  expect(shown()).toContain(t('verification.wrong.birthday'))
  expect(document.querySelector('a[href="/profile/#about"]')).not.toBeNull()
})

test('where nothing can be sent the page says so and leads back', async () => {
  answer = { state: 'none', provider: 'staff' }
  await openPage()
  await vi.waitFor(() => expect(shown()).toContain(t('verification.text.closed_girl')))
  expect(document.querySelector('a[href="/"]')).not.toBeNull()
})

test('without staff who take documents the provider is the only way', async () => {
  answer = { state: 'none', provider: 'sumsub' }
  await openPage()
  await vi.waitFor(() => expect(shown()).toContain(t('verification.provider.text')))
  expect(shown()).not.toContain(t('verification.provider.text_or_staff'))
  expect(shown()).not.toContain(t('verification.text.closed_girl'))
})

test('a picture that cannot be read has its sentence beside it', async () => {
  failures = [
    new RefusedError('POST upload_passport/picture', 'wrong_type', {
      additional: { field: 'back' },
    }),
  ]
  await upToCheck()
  await pick(t('verification.consent'))
  await press(t('verification.send'))
  expect(document.querySelector('[role=alert]')!.textContent).toBe(
    t('verification.wrong.wrong_type'),
  )
  expect(shown()).toContain(t('verification.step.document'))
})

test('a declined user reads the reason, and one whose state cannot be loaded may try again', async () => {
  answer = new NoAnswerError('GET kyc')
  await openPage()
  await vi.waitFor(() => expect(shown()).toContain(t('verification.failed')))
  answer = { state: 'declined', reason: 'unreadable', provider: 'staff' }
  await press(t('verification.retry'))
  await vi.waitFor(() => expect(shown()).toContain(t('verification.reason.unreadable')))
})

test('a verified user whose renewal needs something better stays verified and reads what', async () => {
  answer = {
    state: 'verified',
    reason: 'unreadable',
    asked_again: true,
    comment: 'A corner is hidden',
    provider: 'staff',
    expires_at: '2026-12-20T00:00:00.000Z',
  }
  await openPage()
  await vi.waitFor(() => expect(shown()).toContain(t('verification.state.verified')))
  expect(shown()).toContain(t('verification.reason.unreadable'))
  expect(shown()).toContain('A corner is hidden')
})

async function leaveWhileSending(): Promise<string[]> {
  const told: string[] = []
  mountToasts(({ title }) => void told.push(String(title)))
  let answerNow = () => {}
  hold = new Promise((resolve) => {
    answerNow = resolve
  })
  await upToCheck()
  await pick(t('verification.consent'))
  await press(t('verification.send'))
  await act(async () => navigate('/messenger'))
  await act(async () => answerNow())
  await vi.waitFor(() => expect(told).toHaveLength(1))
  return told
}

test('a user who left while the pictures were sent stays elsewhere and is told', async () => {
  expect(await leaveWhileSending()).toEqual([t('verification.state.checking')])
  expect(path).toBe('/messenger')
})

test('a user who left while the pictures were sent is told that they did not arrive', async () => {
  failures = [new NoAnswerError('POST upload_passport/picture')]
  expect(await leaveWhileSending()).toEqual([t('verification.not_sent')])
  expect(path).toBe('/messenger')
})

test('the upload shows its progress, also to a user who left and came back, and its failure', async () => {
  failures = [new NoAnswerError('POST upload_passport/picture')]
  const answered = Promise.withResolvers<void>()
  hold = answered.promise
  await upToCheck()
  await pick(t('verification.consent'))
  await press(t('verification.send'))
  await act(async () => onProgress(0.4))
  expect(shown()).toContain('40% sent')
  await act(async () => navigate('/messenger'))
  await act(async () => navigate('/verification#check'))
  await vi.waitFor(() => expect(shown()).toContain('40% sent'))
  await act(async () => answered.resolve())
  await vi.waitFor(() => expect(shown()).toContain(t('verification.no_answer')))
  expect(sent).toHaveLength(1)
})

test('documents that a lost connection ended are sent again by themselves', async () => {
  failures = [new NoAnswerError('POST upload_passport/picture')]
  const answered = Promise.withResolvers<void>()
  hold = answered.promise
  await upToCheck()
  await pick(t('verification.consent'))
  vi.useFakeTimers()
  try {
    await press(t('verification.send'))
    await act(async () => {
      for (const next of ['connecting', 'ready']) {
        phase = next
        for (const listener of onPhase) listener()
      }
      answered.resolve()
      await vi.advanceTimersByTimeAsync(3000)
    })
  } finally {
    vi.useRealTimers()
  }
  await vi.waitFor(() => expect(shown()).toContain(t('verification.state.checking')))
  expect(sent.slice(0, -1)).toEqual(['front', ...SIDES])
})

test('the documents of an account are not sent after another account signed in', async () => {
  const answered = Promise.withResolvers<void>()
  hold = answered.promise
  await upToCheck()
  await pick(t('verification.consent'))
  await press(t('verification.send'))
  await act(async () => changeAccount(2))
  expect(signal.aborted).toBe(true)
  await act(async () => answered.resolve())
  expect(shown()).not.toContain(t('verification.no_answer'))
})
