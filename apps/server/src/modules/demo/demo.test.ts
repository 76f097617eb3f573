import { wireRole } from '@duet/protocol/kernel/roles.ts'
import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { story } from '@duet/testkit/test-app.ts'
import { createLandingFiller } from '../../platform/http/landing-variant.ts'
import { mountPages } from '../../platform/http/pages.ts'
import { balances } from '../ledger/index.ts'
import { createDemoUsers } from './create-demo-users.ts'
import { DEMO_USERS } from './demo-users.ts'
import { fillDemoLanding } from './queries.ts'

story(
  'outside the demo installation the demo endpoints refuse every request',
  async ({ testApp, gina, boris }) => {
    equal('demo' in (await gina.get('system')), false)
    for (const user_id of [boris.id, 1, 2_000_000_000])
      await gina.isRefused('not_found', () => gina.post('demo/sign-in', { user_id }))
    await boris.isRefused('not_found', () => boris.post('demo/minutes'))
    deepEqual(await testApp.app.db.selectFrom('cast_members').selectAll().execute(), [])
    equal(await fillDemoLanding(testApp.app), undefined)
  },
)

const demo = story.with({ env: { DEMO: 'on', NODE_ENV: 'development' } })

demo(
  'the demo users are created once, and one request signs in as one of them',
  async ({ testApp, gina, boris }) => {
    const { cast } = (await gina.get('system')).demo!
    deepEqual(
      cast.map(({ nick }) => nick),
      DEMO_USERS.map(({ nick }) => nick),
    )
    deepEqual(Object.keys(cast[0]!).toSorted(), ['avatar', 'is_premium', 'nick', 'role', 'user_id'])
    ok(
      cast.every(({ avatar }) => avatar!.endsWith('/blur')),
      'a viewer without age confirmation sees blurred pictures only',
    )
    await createDemoUsers(testApp.app)
    equal(
      (
        await testApp.app.db
          .selectFrom('users')
          .select('id')
          .where('email', 'like', '%@demo.duet.example')
          .execute()
      ).length,
      DEMO_USERS.length,
    )
    const omar = cast.find(({ nick }) => nick === 'Omar')!
    deepEqual([omar.role, omar.is_premium], [wireRole('guy'), true])
    const { token } = await gina.post('demo/sign-in', { user_id: omar.user_id })
    const { user } = await gina.auth({ token })
    deepEqual(
      [user.id, user.nick, user.balance, user.is_premium, user.avatar_status, user.age_confirmed],
      [omar.user_id, 'Omar', '60', true, 'ready', true],
    )
    const sofia = cast.find(({ nick }) => nick === 'Sofia')!
    const hers = await boris.post('demo/sign-in', { user_id: sofia.user_id })
    const page = testApp.user('sofia', hers.token)
    const signed = (await page.auth()).user
    deepEqual([signed.role, signed.info.is_verify, signed.balance], ['girl', true, '0'])
    for (const wrong of [{}, { user_id: 'x' }, { user_id: 0 }])
      await boris.isRefused('invalid', () => boris.post('demo/sign-in', wrong))
    await boris.isRefused('not_found', () => boris.post('demo/sign-in', { user_id: boris.id }))
    await testApp
      .user('visitor')
      .isRefused('session_invalid', () =>
        testApp.user('visitor').post('demo/sign-in', { user_id: sofia.user_id }),
      )
    await page.isRefused('wrong_login', () =>
      testApp.user('a guesser').auth({ login: 'sofia@demo.duet.example', password: 'none' }),
    )
    equal((await balances(testApp.app.db, sofia.user_id)).balance_units, 0n)
  },
)

demo(
  'the landing page of a demo has the demo users in its first HTML, with blurred pictures',
  async ({ testApp, gina }) => {
    const folder = await mkdtemp(join(tmpdir(), 'duet-demo-page-'))
    try {
      await mkdir(join(folder, 'en'))
      await writeFile(join(folder, 'en/index.html'), 'plain')
      await writeFile(
        join(folder, 'en/demo.html'),
        '<img src="{{guy 0 avatar}}">{{guy 0 nick}} {{girl 1 nick}} {{unknown}}<i>{{cast}}</i>',
      )
      const { cast } = (await gina.get('system')).demo!
      const alex = cast.find(({ nick }) => nick === 'Alex')!
      const fastify = Fastify()
      await mountPages(fastify, folder, {
        is_rebuilt: false,
        fillLanding: createLandingFiller(testApp.app),
      })
      const get = (headers = {}) => fastify.inject({ url: '/', headers })
      const { body, headers } = await get()
      const [, shown, json] = /^(.*)<i>(.*)<\/i>$/.exec(body)!
      equal(shown, `<img src="${alex.avatar}">Alex Mira {{unknown}}`)
      deepEqual(JSON.parse(json!.replaceAll('&quot;', '"')), cast)
      const packed = await get({ 'accept-encoding': 'gzip, br' })
      equal(packed.headers['content-encoding'], 'br')
      equal(brotliDecompressSync(packed.rawPayload).toString(), body)
      equal((await get({ 'if-none-match': headers.etag })).statusCode, 304)
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

demo(
  'a database that was a demo starts without it with no demo user signed in',
  async ({ testApp, gina, boris }) => {
    const { cast } = (await gina.get('system')).demo!
    const sofia = cast.find(({ nick }) => nick === 'Sofia')!
    const { token } = await gina.post('demo/sign-in', { user_id: sofia.user_id })
    Object.assign(testApp.config, { demo: false })
    await testApp.crash()
    const kept = testApp.user('a visitor of the demo', token)
    await kept.isRefused('session_invalid', () => kept.auth())
    await kept.isRefused('session_invalid', () => kept.get('profile'))
    equal((await boris.comeBack()).user.id, boris.id, 'a member stays signed in')
  },
)
