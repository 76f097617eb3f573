import { deepEqual, equal, ok } from 'node:assert/strict'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { WireRefused } from '@duet/testkit/test-user.ts'

const page = (viewer: TestUser, ref_code: unknown) =>
  viewer.get('girl_info', { ref_code: String(ref_code) })

async function refusal(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
    return 'answered'
  } catch (error) {
    if (!(error instanceof WireRefused)) throw error
    return [error.status, error.code, error.message.replace(/^.*?: /, ''), error.additional]
  }
}

story(
  'a page has what a girl shows of herself, and nothing more',
  async ({ boris, gina, anna }) => {
    await anna.post('profile', { about: 'I like chess', phone: '+351910000777' })
    const code = anna.user.ref_code
    const { girl, can_call, can_write } = await page(boris, code)
    deepEqual(
      [girl.id, girl.nick, girl.about, girl.status],
      [anna.id, 'Anna', 'I like chess', 'online'],
    )
    ok(girl.avatar && girl.last_visit && girl.age! >= 18)
    deepEqual([girl.photos, girl.videos, girl.likes, girl.liked], [[], [], 0, false])
    ok(!JSON.stringify(girl).includes('351910000777'))
    deepEqual(
      [can_call, can_write],
      [
        { allowed: false, code: 301, name: 'no_balance' },
        { allowed: false, code: 302, name: 'premium_only' },
      ],
    )
    const visitor = await page(gina, code)
    deepEqual([visitor.can_call.code, visitor.can_write.code], [109, 109])
    equal((await page(anna, code)).can_call.code, 904)
  },
)

story(
  'her boundaries are reasons not to call, and are not told by themselves',
  async ({ testApp, boris, anna }) => {
    await testApp.duet('grant', boris.id, 10, 'diamond', '--reason', 'test')
    const reason = async () => (await page(boris, anna.user.ref_code)).can_call.code
    equal(await reason(), undefined)
    const now = testApp.clock.now().toZonedDateTimeISO('Asia/Tokyo')
    const clock = (hours: number) => now.add({ hours }).toPlainTime().toString().slice(0, 5)
    await anna.post('profile', {
      quiet_hours: { from: clock(-1), to: clock(1), zone: 'Asia/Tokyo' },
    })
    equal(await reason(), 311)
    await anna.post('profile', {
      quiet_hours: { from: clock(1), to: clock(2), zone: 'Asia/Tokyo' },
    })
    equal(await reason(), undefined)
    await anna.post('profile', { premium_calls_only: true })
    equal(await reason(), 302)
    await anna.post('profile', { premium_calls_only: false, available: false })
    equal(await reason(), 311)
  },
)

story(
  'a girl that the viewer may not see is refused exactly as a code that no girl has',
  async ({ testApp, boris, carl, anna, vera, clara, nina, gina }) => {
    const absent = await refusal(() => page(boris, 'abcdefghjk'))
    deepEqual((absent as unknown[]).slice(0, 2), [404, 305])
    await anna.act('BLOCK_USER', { user_id: boris.id })
    await boris.act('BLOCK_USER', { user_id: vera.id })
    await clara.post('profile', { hide_countries: ['PT'] })
    for (const girl of [anna, vera, clara, nina, carl]) {
      deepEqual(await refusal(() => page(boris, girl.user.ref_code)), absent, girl.name)
      deepEqual(
        await refusal(() => boris.post('stat/show_girl', { user_id: girl.id })),
        await refusal(() => boris.post('stat/show_girl', { user_id: 2_000_000_000 })),
      )
    }
    // If a girl hides from any country, a viewer from an unknown country cannot see her.
    deepEqual(await refusal(() => page(gina, clara.user.ref_code)), absent)
    equal((await page(nina, nina.user.ref_code)).girl.id, nina.id)
    equal(await views(testApp), 0)
  },
)

async function views(testApp: TestApp): Promise<number> {
  return (await testApp.app.db.selectFrom('profile_views').select('id').execute()).length
}

story(
  'a view counts once a viewer and day; visitors and the girl herself leave no row',
  async ({ testApp, boris, carl, anna, gina }) => {
    await together(10, () => boris.post('stat/show_girl', { user_id: anna.id }))
    await carl.post('stat/show_girl', { user_id: anna.id })
    for (const one of [gina, anna]) await one.post('stat/show_girl', { user_id: anna.id })
    equal(await views(testApp), 2)
    await testApp.leap('24 h')
    await boris.post('stat/show_girl', { user_id: anna.id })
    equal(await views(testApp), 3)
    equal(
      (await testApp.app.db.selectFrom('users').select('id').where('id', '=', gina.id).execute())
        .length,
      0,
    )
  },
)
