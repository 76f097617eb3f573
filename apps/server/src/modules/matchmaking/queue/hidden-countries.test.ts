import { deepEqual, equal } from 'node:assert/strict'
import { toGender } from '@duet/protocol/kernel/roles.ts'
import { fetchOffer, fetchState } from '@duet/testkit/searching.ts'
import { story } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

/** One proxy that writes the country; without X-Forwarded-For a request did not come through it. */
const proxied = story.with({ env: { TRUSTED_PROXIES: '1', COUNTRY_HEADER: 'X-Country' } })
const ADDRESS = '203.0.113.7'
const OFFLINE = { status: 'offline', sub_status: null }
const FREE = { status: 'online', sub_status: 'free' }

/** The user connects again, and the proxy names this country. Undefined: the proxy names no country. */
async function connectFrom(one: TestUser, country: string | undefined): Promise<void> {
  one.proxy_headers = {
    'x-forwarded-for': ADDRESS,
    ...(country !== undefined && { 'x-country': country }),
  }
  // Some countries ask guys for a proof of age before they search; that has stories of its own.
  await one.testApp.duet('settings', 'set', 'age_proof_countries', 'none')
  await one.drop()
  await one.comeBack()
}

async function fetchCountry(one: TestUser): Promise<unknown> {
  return (await one.get('profile')).user.country
}

async function statusFor(viewer: TestUser, of: TestUser): Promise<unknown> {
  const [found] = (await viewer.act('SUBSCRIBE', { user_ids: [of.id] })).statuses
  return { status: found!.status, sub_status: found!.sub_status }
}

async function hide(girl: TestUser, ...hide_countries: string[]): Promise<void> {
  await girl.act('UPDATE_PROFILE', { hide_countries })
}

proxied(
  'the country is what the trusted proxy writes, and is read again at each connection',
  async ({ boris, anna }) => {
    equal(await fetchCountry(boris), null)
    await connectFrom(boris, 'FR')
    equal(boris.user.country, 'FR')
    equal(await fetchCountry(boris), 'FR')
    await boris.act('UPDATE_PROFILE', { show_country: true })
    await anna.act('ADD_FAVOURITE', { user_id: boris.id })
    const seen = async () => (await anna.get('favourites_pagination')).items[0]!.country
    equal(await seen(), 'FR')
    await connectFrom(boris, 'DE')
    equal(await seen(), 'DE')
    await boris.act('UPDATE_PROFILE', { show_country: false })
    equal(await seen(), undefined)
    await connectFrom(boris, undefined)
    equal(await fetchCountry(boris), null)
  },
)

proxied('a registration stores the country of its connection', async ({ testApp }) => {
  for (const [country, index] of [
    ['FR', 1],
    ['T1', 2],
  ] as const) {
    const guest = testApp.user(`a guest from ${country}`)
    guest.proxy_headers = { 'x-forwarded-for': ADDRESS, 'x-country': country }
    await guest.auth()
    await guest.post('age/confirm', { confirmed: true, terms: true })
    const registration = {
      nick: 'Maria',
      email: `m${index}@duet.example`,
      password: 'maria-secret-1',
      birthday: '1998-02-03',
      gender: toGender('girl'),
    }
    const { user } = await guest.act('UPDATE_PROFILE', registration)
    equal(user.country, country === 'FR' ? 'FR' : null)
  }
})

proxied('a client that writes the header itself is not believed', async ({ boris, anna, vera }) => {
  await hide(anna, 'DE')
  await connectFrom(boris, 'DE')
  // This connection did not come through the proxy: it has no X-Forwarded-For.
  boris.proxy_headers = { 'x-country': 'FR' }
  await boris.drop()
  await boris.comeBack()
  equal(await fetchCountry(boris), null)
  deepEqual(await statusFor(boris, anna), OFFLINE)
  deepEqual(await statusFor(boris, vera), FREE)
  // This connection came through the proxy, which added its country to the client's header: two codes are no country.
  await connectFrom(boris, 'FR, DE')
  equal(await fetchCountry(boris), null)
  deepEqual(await statusFor(boris, anna), OFFLINE)
})

story.with({ env: { TRUSTED_PROXIES: '1' } })(
  'without a header the country is that of the address',
  async ({ boris }) => {
    for (const [address, country] of [
      ['91.10.1.1', 'DE'],
      ['2a01:cb00::1', 'FR'],
      ['192.168.1.1', null],
    ] as const) {
      boris.proxy_headers = { 'x-forwarded-for': address, 'x-country': 'GB', 'cf-ipcountry': 'GB' }
      await boris.drop()
      await boris.comeBack()
      equal(await fetchCountry(boris), country)
    }
  },
)

proxied(
  'a girl who hides from a country is offline there and where the country is unknown, on every path',
  async ({ testApp, boris, carl, david, anna, vera }) => {
    const viewers = [
      [boris, 'DE'],
      [carl, undefined],
      [david, 'FR'],
    ] as const
    for (const [viewer, country] of viewers) {
      await connectFrom(viewer, country)
      for (const girl of [anna, vera]) {
        await viewer.act('ADD_FAVOURITE', { user_id: girl.id })
        deepEqual(await statusFor(viewer, girl), FREE)
      }
      await viewer.act('SUBSCRIBTION_ROOM', { room: 'girls', on: true })
      viewer.forget()
    }
    await testApp.advance('1 s')
    const picture = async (viewer: TestUser) =>
      (await viewer.get('favourites_pagination')).items.find(({ id }) => id === anna.id)?.avatar
    const pictures = [await picture(boris), await picture(david)]
    await hide(anna, 'DE')
    await testApp.advance('1 s')
    for (const viewer of [boris, carl]) {
      await viewer.heard('update_status_user', { user_id: anna.id, ...OFFLINE }, { times: 1 })
      await viewer.heard(
        'update_status_girl',
        { user_id: anna.id, status: 'offline' },
        { times: 1 },
      )
      viewer.forget()
    }
    await david.notHeard('update_status_user', { user_id: anna.id, status: 'offline' })
    david.forget()
    await anna.drop()
    await testApp.advance('6 s')
    await anna.comeBack()
    await testApp.advance('1 s')
    for (const [viewer, country] of viewers) {
      const isHidden = country !== 'FR'
      deepEqual(await statusFor(viewer, anna), isHidden ? OFFLINE : FREE, viewer.name)
      deepEqual(await statusFor(viewer, vera), FREE)
      if (isHidden) {
        await viewer.notHeard('update_status_user', { user_id: anna.id })
        await viewer.notHeard('update_status_girl', { user_id: anna.id })
        await viewer.isRefused('not_found', () => viewer.act('ADD_FAVOURITE', { user_id: anna.id }))
      } else await viewer.heard('update_status_girl', { user_id: anna.id, status: 'online' })
      const nicks = (await viewer.get('favourites_pagination')).items.map(({ nick }) => nick)
      deepEqual(nicks, isHidden ? ['Vera'] : ['Vera', 'Anna'])
    }
    const answers = pictures.map(async (url) => (await fetch(`${testApp.origin}${url}`)).status)
    deepEqual(await Promise.all(answers), [404, 200])
    // A request from another place than the socket's is bound by both.
    david.proxy_headers['x-country'] = 'DE'
    deepEqual(
      (await david.get('favourites_pagination')).items.map(({ nick }) => nick),
      ['Vera'],
    )
    await hide(anna)
    await testApp.advance('1 s')
    await boris.heard('update_status_girl', { user_id: anna.id, status: 'online' })
    deepEqual(await statusFor(boris, anna), FREE)
  },
)

proxied(
  'a guest’s country is that of the connection, for statuses and for previews',
  async ({ testApp, greg, gina, anna }) => {
    await hide(anna, 'DE')
    await anna.act('MATCH_AWAIT', {})
    for (const [guest, country, state] of [
      [greg, 'DE', 'waiting'],
      [gina, 'FR', 'offered'],
    ] as const) {
      await connectFrom(guest, country)
      await guest.post('age/confirm', { confirmed: true, terms: true })
      deepEqual(
        await statusFor(guest, anna),
        state === 'waiting' ? OFFLINE : { status: 'online', sub_status: 'searching' },
      )
      deepEqual(await guest.act('MATCH_AWAIT', {}), { state })
    }
    // He comes back within the grace time, from another country.
    await connectFrom(greg, 'FR')
    await testApp.advance('1 s')
    await greg.heard('search_pair', { kind: 'preview' })
  },
)

proxied(
  'she is offered to no guy whose country is unknown or one that she hides from',
  async ({ testApp, boris, carl, david, anna }) => {
    await hide(anna, 'DE')
    for (const [guy, country] of [
      [boris, 'DE'],
      [carl, undefined],
    ] as const) {
      await connectFrom(guy, country)
      deepEqual(await guy.act('MATCH_AWAIT', {}), { state: 'waiting' })
    }
    deepEqual(await anna.act('MATCH_AWAIT', {}), { state: 'waiting' })
    await testApp.advance('30 s')
    await anna.notHeard('search_pair')
    await connectFrom(david, 'FR')
    deepEqual(await david.act('MATCH_AWAIT', {}), { state: 'offered' })
  },
)

proxied(
  'a country that changed at a reconnection takes effect at once',
  async ({ testApp, boris, anna }) => {
    await hide(anna, 'DE')
    await connectFrom(boris, 'DE')
    deepEqual(await boris.act('MATCH_AWAIT', {}), { state: 'waiting' })
    deepEqual(await anna.act('MATCH_AWAIT', {}), { state: 'waiting' })
    await connectFrom(boris, 'FR')
    await testApp.advance('1 s')
    await boris.heard('search_pair', { kind: 'random' })
    await connectFrom(boris, 'DE')
    await testApp.settle()
    await anna.heard('search_pair_closed', { reason: 'blocked' }, { times: 1 })
    equal((await fetchState(anna)).state, 'waiting')
    await testApp.advance('30 s')
    await anna.heard('search_pair', {}, { times: 1 })
  },
)

proxied(
  'hiding from his country ends an open offer; both keep waiting',
  async ({ testApp, boris, anna }) => {
    await connectFrom(boris, 'DE')
    await fetchOffer(boris, anna)
    await hide(anna, 'FR')
    await testApp.settle()
    await boris.notHeard('search_pair_closed')
    await hide(anna, 'FR', 'DE')
    for (const one of [boris, anna]) {
      await one.heard('search_pair_closed', { reason: 'blocked' }, { times: 1 })
      equal((await fetchState(one)).state, 'waiting')
    }
  },
)

proxied(
  'a girl who adds a guy in a country that she hides from does not show herself by it',
  async ({ boris, anna }) => {
    await connectFrom(boris, 'DE')
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    await hide(anna, 'DE')
    await anna.act('ADD_FAVOURITE', { user_id: boris.id })
    await boris.notHeard('added_your_favorites')
  },
)
