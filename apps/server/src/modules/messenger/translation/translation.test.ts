import { deepEqual, equal, ok } from 'node:assert/strict'
import { after } from 'node:test'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { startLibreTranslate } from '@duet/testkit/stand-ins/libre-translate.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const service = await startLibreTranslate()
after(() => service[Symbol.asyncDispose]())
const translated = story.with({ env: { TRANSLATE_URL: service.url } })

/** The service as it is at the start of a story. */
function reset(): void {
  service.requests.length = 0
  Object.assign(service, {
    status: 200,
    confidence: 90,
    body: undefined,
    translate: (q: string) => q,
    before: async () => {},
  })
}

async function written(writer: TestUser, reader: TestUser, text: string) {
  const dialogId = await dialogBetween(writer, reader)
  return { dialogId, ...(await writeMessage(writer, dialogId, text)) }
}

const translationRows = (testApp: TestApp) =>
  testApp.app.db.selectFrom('translations').selectAll().execute()

translated(
  'a message of an own dialog is translated once for all who read it',
  async ({ testApp, boris, anna, vera }) => {
    reset()
    const { message_id } = await written(anna, boris, 'Olá Boris')
    deepEqual(await boris.act('TRANSLATE', { message_id, locale: 'en' }), {
      translate_message: '[en] Olá Boris',
      from: 'pt',
    })
    await anna.act('TRANSLATE', { message_id, locale: 'en' })
    const same = await written(vera, boris, 'Olá Boris')
    await boris.act('TRANSLATE', { message_id: same.message_id, locale: 'en' })
    equal(service.requests.length, 1)
    await testApp.crash()
    for (const user of [boris, anna]) await user.auth()
    await boris.act('TRANSLATE', { message_id, locale: 'en' })
    equal(service.requests.length, 1)
    // A language that Duet does not have is English.
    await boris.act('TRANSLATE', { message_id, locale: 'nl' })
    equal(service.requests.length, 1)
    equal(
      (await boris.act('TRANSLATE', { message_id, locale: 'de-AT' })).translate_message,
      '[de] Olá Boris',
    )
    equal(service.requests.length, 2)
  },
)

translated('readers of one text at the same moment share a request', async ({ boris, anna }) => {
  reset()
  const { message_id } = await written(anna, boris, 'Olá')
  const both = await together(6, (at) =>
    (at % 2 ? boris : anna).act('TRANSLATE', { message_id, locale: 'en' }),
  )
  deepEqual(new Set(both.map((one) => one.translate_message)), new Set(['[en] Olá']))
  equal(service.requests.length, 1)
})

translated(
  'the service gets no text that the user may not read',
  async ({ testApp, boris, carl, anna }) => {
    reset()
    const foreign = await written(anna, carl, 'for Carl')
    const own = await written(anna, boris, 'to be read')
    const cleaned = await written(anna, boris, 'to be cleaned')
    const isRefused = (user: TestUser, message_id: number) =>
      user.isRefused('not_found', () => user.act('TRANSLATE', { message_id, locale: 'en' }))
    await isRefused(boris, foreign.message_id)
    await isRefused(boris, 2_000_000_000)
    await anna.act('CLEAN_DIALOG', { dialogId: own.dialogId })
    await isRefused(anna, cleaned.message_id)
    await boris.act('READ_MESSAGE', { dialogId: own.dialogId, message_ids: [own.message_id] })
    await testApp.leap('2 h')
    await isRefused(boris, own.message_id)
    await anna.act('LIKING_REACTION', { user_id: boris.id, like: true })
    const { dialog } = await boris.act('GET_DIALOG', { dialogId: own.dialogId })
    await isRefused(boris, dialog.last_message!.message_id)
    await boris.act('DELETE_DIALOG', { dialogId: own.dialogId })
    await isRefused(boris, cleaned.message_id)
    deepEqual(service.requests, [])
  },
)

translated(
  'a message that goes while it is translated is not answered',
  async ({ boris, anna }) => {
    reset()
    const { message_id, dialogId } = await written(anna, boris, 'Olá')
    service.before = async () => void (await boris.act('CLEAN_DIALOG', { dialogId }))
    await boris.isRefused('not_found', () => boris.act('TRANSLATE', { message_id, locale: 'en' }))
    equal(service.requests.length, 1)
  },
)

translated(
  'what is stored names no text, user or dialog, and goes after its days',
  async ({ testApp, boris, anna }) => {
    reset()
    const { message_id } = await written(anna, boris, 'Segredo')
    await boris.act('TRANSLATE', { message_id, locale: 'en' })
    const [row, ...others] = await translationRows(testApp)
    deepEqual([others, Object.keys(row!)], [[], ['key', 'sealed', 'at']])
    ok(!row!.sealed.toString('latin1').includes('Segredo'))
    await testApp.leap(31 * 24 * 3_600_000)
    await testApp.app.jobs.run('retention')
    deepEqual(await translationRows(testApp), [])
  },
)

translated(
  'a translation is masked as a message is, and has no control characters',
  async ({ boris, anna }) => {
    reset()
    service.translate = () => 'write to\u202E me: anna@example.com'
    const { message_id } = await written(anna, boris, 'escreve-me')
    const { translate_message } = await boris.act('TRANSLATE', { message_id, locale: 'en' })
    equal(translate_message, '[en] write to me: ***')
  },
)

translated('a text without letters is its own translation', async ({ boris, anna }) => {
  reset()
  const { message_id } = await written(anna, boris, '😀 !!!')
  deepEqual(await boris.act('TRANSLATE', { message_id, locale: 'en' }), {
    translate_message: '😀 !!!',
  })
  deepEqual(service.requests, [])
})

translated(
  'a user has characters for a day, and so has the installation',
  async ({ testApp, boris, carl, anna }) => {
    reset()
    await testApp.setting('translation_characters_a_day', '10')
    const first = await written(anna, boris, 'seis seis')
    const second = await written(anna, boris, 'dois')
    const hers = await written(anna, carl, 'quatro')
    const ask = (user: TestUser, { message_id }: { message_id: number }) =>
      user.act('TRANSLATE', { message_id, locale: 'en' })
    service.status = 400
    await boris.isRefused('method_unavailable', () => ask(boris, first))
    service.status = 200
    // The characters of a text that the service did not work on are given back.
    await ask(boris, first)
    const { retry_after } = await boris.isRefused('too_many', () => ask(boris, second))
    ok((retry_after as number) > 0)
    // A stored translation costs nothing.
    await ask(boris, first)
    await testApp.setting('all_translation_characters_a_day', '12')
    await carl.isRefused('method_unavailable', () => ask(carl, hers))
    await testApp.leap('24 h')
    await ask(boris, second)
    await ask(carl, hers)
    equal(service.requests.length, 4)
  },
)

for (const [what, answer] of [
  ['without a translation', { body: '{}' }],
  ['with an answer that is too long', { body: 'a'.repeat(70_000) }],
  ['with an error', { status: 500 }],
  ['with nothing that can be seen', { body: '{"translatedText":"\\u200b"}' }],
] as const)
  translated(
    `a text that the service answers ${what} is paid with its characters`,
    async ({ testApp, boris, anna }) => {
      reset()
      await testApp.setting('translation_characters_a_day', '10')
      const { message_id } = await written(anna, boris, 'seis seis')
      const ask = () => boris.act('TRANSLATE', { message_id, locale: 'en' })
      Object.assign(service, answer)
      await boris.isRefused('method_unavailable', ask)
      await boris.isRefused('too_many', ask)
      equal(service.requests.filter(({ q }) => q === 'seis seis').length, 1)
    },
  )

translated(
  'a reader of a text that kept the service busy waits for half a minute, and is told how long',
  async ({ testApp, boris, carl, anna }) => {
    reset()
    await testApp.setting('translation_characters_a_day', '10')
    const odd = await written(anna, boris, 'odd')
    const next = await written(anna, boris, 'seis seis')
    const others = await written(anna, carl, 'quatro')
    service.before = async ({ q }) => void (service.status = q === 'odd' ? 503 : 200)
    const ask = (user: TestUser, { message_id }: { message_id: number }) =>
      user.act('TRANSLATE', { message_id, locale: 'en' })
    await boris.isRefused('method_unavailable', () => ask(boris, odd))
    await testApp.advance('10 s')
    const { retry_after } = await boris.isRefused('too_many', () => ask(boris, next))
    equal(retry_after, 20)
    equal((await ask(carl, others)).translate_message, '[en] quatro')
    await testApp.advance('20 s')
    // Waiting costs no characters.
    equal((await ask(boris, next)).translate_message, '[en] seis seis')
  },
)

translated(
  'a reader of many texts at once is told to ask again for the texts that found no place',
  async ({ boris, anna }) => {
    reset()
    const dialogId = await dialogBetween(anna, boris)
    const ids: number[] = []
    for (let at = 0; at < 12; at += 1)
      ids.push(
        (await writeMessage(at % 2 ? boris : anna, dialogId, `texto ${'abcdefghijkl'[at]}`))
          .message_id,
      )
    const { promise: free, resolve } = Promise.withResolvers<void>()
    service.before = () => free
    const refused: unknown[] = []
    const asked = ids.map((message_id) =>
      boris.act('TRANSLATE', { message_id, locale: 'en' }).catch((error: { refusal: string }) => {
        refused.push(error.refusal)
        if (refused.length === 2) resolve()
      }),
    )
    await Promise.all(asked)
    deepEqual(refused, ['too_many', 'too_many'])
  },
)

translated(
  'while the service is left alone, no reader is told to wait',
  async ({ testApp, boris, carl, anna }) => {
    reset()
    const his = await written(anna, boris, 'um')
    const others = await written(anna, carl, 'dois')
    const ask =
      (user: TestUser, { message_id }: { message_id: number }) =>
      () =>
        user.act('TRANSLATE', { message_id, locale: 'en' })
    service.status = 503
    await boris.isRefused('method_unavailable', ask(boris, his))
    service.status = 200
    await testApp.advance('10 s')
    await boris.isRefused('method_unavailable', ask(boris, his))
    await carl.isRefused('method_unavailable', ask(carl, others))
    equal(service.requests.length, 2)
  },
)

translated(
  'a text of a call is translated for its two users only',
  async ({ testApp, boris, carl, anna }) => {
    reset()
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    const { text_id } = await anna.act('TEXT_CHAT_MESSAGE', { session_id, id: 'a', text: 'Olá' })
    const ask = (user: TestUser) => user.act('TRANSLATE', { text_id, locale: 'en' })
    equal((await ask(boris)).translate_message, '[en] Olá')
    await carl.isRefused('not_found', () => ask(carl))
    equal(service.requests.length, 1)
  },
)

translated('translation is offered where a service is configured', async ({ boris }) => {
  const { features } = await boris.get('system')
  deepEqual([features.translation, features.messenger], [{ on: true }, { on: true }])
})

story('without a service nothing is translated, and none is offered', async ({ boris, anna }) => {
  const { message_id } = await written(anna, boris, 'Olá')
  await boris.isRefused('method_unavailable', () =>
    boris.act('TRANSLATE', { message_id, locale: 'en' }),
  )
  equal((await boris.get('system')).features.translation.on, false)
})

translated(
  'staff read the translation of a text as it was written, and spend no characters of users',
  async ({ testApp, boris, anna }) => {
    reset()
    await testApp.duet('settings', 'set', 'all_translation_characters_a_day', '40', '--as', 'olga')
    const contact = 'Olá anna@example.com'
    const { message_id } = await written(anna, boris, contact)
    await boris.act('TRANSLATE', { message_id, locale: 'en' })
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const ask = (texts: readonly string[]) =>
      dana.post('v2/manager/translate', { texts, locale: 'en' })
    deepEqual(await ask([contact, '123', 'Tchau']), {
      translations: [`[en] ${contact}`, '[en] 123', '[en] Tchau'],
    })
    equal(service.requests.length, 4)
    await ask([contact])
    equal(service.requests.length, 4)
    const { characters } = await testApp.app.db
      .selectFrom('translation_days')
      .select('characters')
      .executeTakeFirstOrThrow()
    equal(Number(characters), 'Olá ***'.length)
    // A text that the service cannot translate leaves the others as they are.
    service.before = async ({ q = '' }) => {
      service.status = q === 'bad' ? 400 : 200
    }
    deepEqual(await ask(['good', 'bad']), { translations: ['[en] good', null] })
    await dana.isRefused('invalid', () => ask([]))
    await dana.isRefused('invalid', () => ask(Array.from({ length: 11 }, () => 'Olá')))
    await dana.isRefused('invalid', () => ask(['a'.repeat(2001)]))
  },
)

story('staff are told that there is no translation service', async ({ testApp }) => {
  const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
  equal((await dana.get('v2/manager/me'))['translates'], false)
  await dana.isRefused('method_unavailable', () =>
    dana.post('v2/manager/translate', { texts: ['Olá'], locale: 'en' }),
  )
})
