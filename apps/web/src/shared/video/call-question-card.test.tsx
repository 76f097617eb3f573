import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { AppServicesProvider, type AppServices } from '../app-services.tsx'
import { activate, loadTexts } from '../i18n.ts'
import { askedCall, CallQuestion } from './call-question-card.tsx'

const reported: unknown[] = []
/** The answer of the server to whether the user may be asked. */
const mayAsk = vi.fn<(path: string, body: object) => Promise<{ ask: boolean }>>()
const sent = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const monitoring = { on: true, url: '/quality/v1/', key: 'key-1' }
const services = {
  connection: {
    http: { post: mayAsk },
    system: async () => ({ features: { monitoring } }),
    getSnapshot: () => ({ auth: { user: { id: 7, ortc_token: 'token-1' } } }),
  },
  report: (error: unknown) => reported.push(error),
} as unknown as AppServices
let root: Root

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('calls')
  vi.clearAllMocks()
  reported.length = 0
  sent.mockResolvedValue(new Response('{}'))
  vi.stubGlobal('fetch', sent)
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function show(seconds = 60, session_id = 12): Promise<void> {
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <CallQuestion receipt={{ session_id, seconds }} />
      </AppServicesProvider>,
    ),
  )
}
const buttons = () => [...document.querySelectorAll('button')]

test('after a bad call the user is asked once, and the answer is sent', async () => {
  mayAsk.mockResolvedValue({ ask: true })
  await show()
  expect(askedCall.getSnapshot()).toBe(12)
  expect(buttons().map((one) => one.textContent)).toEqual(['Good', 'Not so good', 'Bad'])
  await act(async () => buttons()[2]!.click())
  expect(mayAsk).toHaveBeenCalledExactlyOnceWith('quality/question', { session_id: 12 })
  const body = JSON.parse(sent.mock.calls[0]![1].body as string)
  expect(body).toMatchObject({ sessionId: 12, peerId: 7, score: { opinion: 1 } })
  expect(document.querySelector('[role=status]')!.textContent).toContain('Thank you')
  expect(buttons()).toEqual([])
})

test('without the word of the server, or without an answer of it, no question is shown', async () => {
  mayAsk.mockResolvedValueOnce({ ask: false })
  await show(60, 20)
  expect(document.body.textContent).toBe('')
  expect(askedCall.getSnapshot()).toBe(null)
  act(() => root.render(null))
  mayAsk.mockRejectedValueOnce(new Error('no connection'))
  await show(60, 21)
  expect(document.body.textContent).toBe('')
})

test('a call without a connected second is not asked about', async () => {
  await show(0)
  expect(mayAsk).not.toHaveBeenCalled()
})

test('an answer that cannot be sent is no answer yet: the question stays', async () => {
  mayAsk.mockResolvedValue({ ask: true })
  sent.mockResolvedValueOnce(new Response('', { status: 404 }))
  await show(60, 15)
  await act(async () => buttons()[0]!.click())
  expect(reported).toHaveLength(1)
  expect(buttons()).toHaveLength(3)
  await act(async () => buttons()[0]!.click())
  expect(document.body.textContent).toContain('Thank you')
})

test('a question that was left without an answer is not asked again after the same call', async () => {
  mayAsk.mockResolvedValue({ ask: true })
  await show(60, 13)
  expect(buttons()).toHaveLength(3)
  act(() => root.render(null))
  await show(60, 13)
  expect(buttons()).toEqual([])
  await show(60, 14)
  expect(buttons()).toHaveLength(3)
})
