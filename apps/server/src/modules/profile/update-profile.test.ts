import { equal } from 'node:assert/strict'
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
