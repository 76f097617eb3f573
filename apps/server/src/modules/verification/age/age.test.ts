import { deepEqual, equal, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { isProofMissing } from './age-rules.ts'

const guy = {
  role: 'guy',
  place: { country: 'GB', region: null },
  is_verified: false,
  has_proof: false,
} as const
const from = (country: string | null, region: string | null = null) => ({
  place: { country, region },
})

test('a guy of a named country proves his age once, by documents or by a provider', () => {
  const cases: readonly (readonly [Partial<Parameters<typeof isProofMissing>[0]>, boolean])[] = [
    [{}, true],
    [from('BR'), false],
    [from(null), false],
    [from('US', 'TX'), true],
    [from('US', 'CA'), false],
    [from('US'), true],
    [from('BR', 'TX'), false],
    [from('GB', 'ENG'), true],
    [{ role: 'girl' }, false],
    [{ role: null }, false],
    [{ is_verified: true }, false],
    [{ has_proof: true }, false],
  ]
  for (const [change, expected] of cases)
    equal(
      isProofMissing({ ...guy, ...change }, ['GB', 'DE', 'US-TX']),
      expected,
      JSON.stringify(change),
    )
  equal(isProofMissing(guy, []), false)
})

const state = { value: 'PENDING', passed: 'none' }
let sessions = 0
const provider = createServer((request, response) => {
  const answer =
    request.method === 'POST'
      ? { id: `s${(sessions += 1)}` }
      : {
          status: request.url?.includes(`/${state.passed}/`) ? 'COMPLETE' : state.value,
          method: 'AGE_ESTIMATION',
          age: 31,
          evidence_id: 'e1',
        }
  response.writeHead(state.value === 'DOWN' ? 500 : 200).end(JSON.stringify(answer))
})
provider.listen(0, '127.0.0.1')
await once(provider, 'listening')
provider.unref()
const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`

const proxied = { TRUSTED_PROXIES: '1', COUNTRY_HEADER: 'CF-IPCountry' }
const byDocuments = story.with({ env: proxied })
const byYoti = story.with({
  env: {
    ...proxied,
    AGE_PROVIDER: 'yoti',
    AGE_URL: url,
    AGE_CLIENT: 'sdk',
    AGE_SECRET: 'a-secret-of-the-provider',
  },
})

async function comesFrom(user: TestUser, country: string, region?: string): Promise<void> {
  user.proxy_headers = {
    'x-forwarded-for': '84.1.2.3',
    'cf-ipcountry': country,
    ...(region !== undefined && { 'cf-region-code': region }),
  }
  await user.comeBack()
}

async function ready(testApp: TestApp, user: TestUser, country: string, region?: string) {
  await comesFrom(user, country, region)
  await user.post('age/confirm', { confirmed: true, terms: true })
  await testApp.duet('grant', user.id, 5, 'diamond', '--reason', 'test')
}

byDocuments(
  'a guy from a named country is asked for a proof, and his documents are one',
  async ({ testApp, boris }) => {
    await ready(testApp, boris, 'GB')
    const additional = await boris.isRefused('age_unconfirmed', () => boris.act('MATCH_AWAIT', {}))
    deepEqual(additional, { proof: 'provider', provider: 'documents' })
    deepEqual(await boris.get('age/proof'), { state: 'needed', provider: 'documents' })
    deepEqual(await boris.post('age/proof'), { url: '/verification/' })
    await testApp.duet('verify', boris.id)
    deepEqual(await boris.get('age/proof'), { state: 'not_needed', provider: 'documents' })
    equal((await boris.act('MATCH_AWAIT', {})).state, 'waiting')
  },
)

byDocuments(
  'the gate of a country names the proof that it asks of a guy before he registers',
  async ({ testApp, boris, anna }) => {
    const fetchGate = async (user: TestUser, country: string) => {
      await comesFrom(user, country)
      return (await user.get('system')).age_gate
    }
    const provider = { proof: 'provider', provider: 'documents', terms_version: '2026-11' }
    const confirmation = { proof: 'confirmation', terms_version: '2026-11' }
    const visitor = await testApp.guest()
    deepEqual(await fetchGate(visitor, 'GB'), provider)
    deepEqual(await fetchGate(boris, 'DE'), provider)
    deepEqual(await fetchGate(anna, 'DE'), confirmation)
    for (const country of ['BR', 'XX']) deepEqual(await fetchGate(visitor, country), confirmation)
    await testApp.setting('age_proof_countries', 'BR')
    deepEqual(await fetchGate(visitor, 'BR'), provider)
    deepEqual(await fetchGate(visitor, 'GB'), confirmation)
  },
)

story.with({ env: { ...proxied, REGION_HEADER: 'CF-Region-Code' } })(
  'a named state asks for a proof, another state does not, and an unknown one counts as named',
  async ({ testApp, boris }) => {
    await testApp.setting('age_proof_countries', 'GB,US-TX,US-UT')
    const visitor = await testApp.guest()
    const fetchState = async (region?: string) => {
      await ready(testApp, boris, 'US', region)
      await comesFrom(visitor, 'US', region)
      return [(await visitor.get('system')).age_gate.proof, (await boris.get('age/proof')).state]
    }
    for (const region of ['TX', 'us-ut', undefined, 'not a state', 'T X'])
      deepEqual(await fetchState(region), ['provider', 'needed'], String(region))
    deepEqual(await fetchState('CA'), ['confirmation', 'not_needed'])
    await boris.act('MATCH_AWAIT', {})
    // The same letters in another country name another state.
    await comesFrom(visitor, 'BR', 'TX')
    equal((await visitor.get('system')).age_gate.proof, 'confirmation')
  },
)

byDocuments(
  'no other country and no unknown one asks, and the setting changes it at once',
  async ({ testApp, boris, carl }) => {
    await ready(testApp, boris, 'BR')
    await boris.act('MATCH_AWAIT', {})
    await ready(testApp, carl, 'XX')
    await carl.act('MATCH_AWAIT', {})
    await carl.act('OUT_FROM_SEARCH', {})
    await testApp.setting('age_proof_countries', 'BR')
    await boris.act('OUT_FROM_SEARCH', {})
    await boris.isRefused('age_unconfirmed', () => boris.act('MATCH_AWAIT', {}))
    await testApp.setting('age_proof_countries', 'none')
    await boris.act('MATCH_AWAIT', {})
  },
)

byYoti(
  'the result is read from the provider: a failed attempt may be followed by a passed one',
  async ({ testApp, boris }) => {
    state.value = 'PENDING'
    await ready(testApp, boris, 'DE')
    const started = await boris.post('age/proof')
    ok(started.url.startsWith(url) && started.url.includes('sdkId=sdk'))
    deepEqual(await boris.get('age/proof'), { state: 'pending', provider: 'yoti' })
    state.value = 'FAIL'
    equal((await boris.get('age/proof')).state, 'failed')
    await boris.isRefused('age_unconfirmed', () => boris.act('MATCH_AWAIT', {}))
    state.value = 'COMPLETE'
    equal((await boris.get('age/proof')).state, 'not_needed')
    await boris.act('MATCH_AWAIT', {})
    state.value = 'FAIL'
    equal((await boris.get('age/proof')).state, 'not_needed', 'a passed proof stays')
    const [row] = await testApp.app.db.selectFrom('age_proofs').selectAll().execute()
    deepEqual(
      [
        row!.provider,
        row!.country,
        row!.state,
        row!.method,
        row!.evidence_ref,
        row!.threshold,
        row!.rule_version,
      ],
      ['yoti', 'DE', 'passed', 'AGE_ESTIMATION', 'e1', 25, '2026-11'],
    )
    await boris.act('OUT_FROM_SEARCH', {})
    await testApp.leap('8784 h')
    await boris.comeBack()
    await boris.isRefused('age_unconfirmed', () => boris.act('MATCH_AWAIT', {}))
  },
)

byYoti('an age that a provider proved opens the adult gallery', async ({ testApp, boris }) => {
  await testApp.setting('nsfw_gallery', 'on')
  await testApp.setting('content_policy', 'adult')
  await ready(testApp, boris, 'DE')
  const wish = () => boris.post('user_nsfw', { show: true })
  state.value = 'PENDING'
  await boris.post('age/proof')
  await boris.isRefused('age_unconfirmed', wish)
  state.value = 'COMPLETE'
  await boris.get('age/proof')
  equal((await wish()).user.shows_adult, true)
})

byYoti('a guy who passes the older of two sessions is done', async ({ testApp, boris }) => {
  state.value = 'PENDING'
  await ready(testApp, boris, 'DE')
  await boris.post('age/proof')
  const older = `s${sessions}`
  await testApp.advance('1 s')
  await boris.post('age/proof')
  equal((await boris.get('age/proof')).state, 'pending')
  state.passed = older
  equal((await boris.get('age/proof')).state, 'not_needed')
  await boris.act('MATCH_AWAIT', {})
})

byYoti('a provider that does not answer is no proof', async ({ testApp, boris }) => {
  await ready(testApp, boris, 'FR')
  state.value = 'DOWN'
  await boris.isRefused('method_unavailable', () => boris.post('age/proof'))
  await boris.isRefused('age_unconfirmed', () => boris.act('MATCH_AWAIT', {}))
})
