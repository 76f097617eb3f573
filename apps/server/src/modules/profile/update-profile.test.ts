import { deepEqual, equal } from 'node:assert/strict'
import { story } from '@duet/testkit/test-app.ts'

story('the birthday of a verified girl does not change', async ({ testApp, anna, boris }) => {
  const { db } = testApp.app
  const readBirthday = async (id: number) =>
    (await db.selectFrom('users').select('birthday').where('id', '=', id).executeTakeFirstOrThrow())
      .birthday
  const born = String(await readBirthday(anna.id))
  await anna.isRefused('birthday_fixed', () => anna.post('profile', { birthday: '1991-01-01' }))
  await anna.post('profile', { birthday: born, about: 'Hello' })
  equal(String(await readBirthday(anna.id)), born)
  await boris.post('profile', { birthday: '1991-01-01' })
  equal(String(await readBirthday(boris.id)), '1991-01-01')
})

story(
  'a text about the user and a title of a photo keep no character that turns the text around them',
  async ({ anna }) => {
    const { user } = await anna.post('profile', { about: ' \u202egnp.cod\u202c\u2066 hi\u2069 ' })
    equal(user.about, 'gnp.cod hi')
    const { user: blank } = await anna.post('profile', { about: '\u2066 \u202c' })
    deepEqual(blank.about ?? '', '')
  },
)
