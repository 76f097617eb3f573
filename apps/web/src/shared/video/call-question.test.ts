import { expect, test, vi } from 'vitest'
import type { AppServices } from '../app-services.tsx'
import { mayAskAbout, sendOpinion } from './call-question.ts'

function createServices() {
  const post = vi.fn(async () => ({ ask: true }))
  const monitoring = { on: true, url: '/quality/v1/', key: 'key-1' }
  const connection = {
    http: { post },
    system: async () => ({ features: { monitoring } }),
    getSnapshot: () => ({ auth: { user: { id: 7, ortc_token: 'token-1' } } }),
  }
  return { services: { connection } as unknown as AppServices, post, monitoring }
}

test('the server says whether the user may be asked about a call', async () => {
  const { services, post } = createServices()
  expect(await mayAskAbout(services, 12)).toBe(true)
  expect(post).toHaveBeenCalledWith('quality/question', { session_id: 12 })
})

test('an opinion is sent to the collector with the tokens of its user', async () => {
  const sent = vi.fn(async (_url: string, _init: RequestInit) => new Response('{}'))
  vi.stubGlobal('fetch', sent)
  const { services, monitoring } = createServices()
  await sendOpinion(services, 12, 4)
  const [url, { headers, body }] = sent.mock.calls[0]!
  expect(url).toBe('/quality/v1/webrtc-score')
  expect(headers).toMatchObject({ 'Public-Key': 'key-1', 'Peer-Token': 'token-1' })
  expect(JSON.parse(body as string)).toMatchObject({
    sessionId: 12,
    peerId: 7,
    score: { opinion: 4 },
  })
  monitoring.on = false
  await sendOpinion(services, 12, 4)
  expect(sent).toHaveBeenCalledOnce()
  vi.unstubAllGlobals()
})
