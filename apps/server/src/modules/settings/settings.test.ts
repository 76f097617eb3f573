import { deepEqual, equal, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { collectCommands, runCommand } from '../../platform/operator/commands.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { settings } from './defaults.ts'
import { phrasesFor } from './get-settings.ts'

function shell(testApp: TestApp, ...line: string[]) {
  return runCommand(testApp.app, collectCommands(testApp.running.modules, {}), [
    'settings',
    ...line,
  ])
}

test('every default is a valid value of its setting', () => {
  for (const [key, { schema, fallback }] of Object.entries(settings))
    ok(schema.safeParse(fallback).success, key)
})

test('every setting is read by code outside its definition', () => {
  const source = join(import.meta.dirname, '../..')
  const definition = join(import.meta.dirname, 'defaults.ts')
  const code = globSync('**/*.ts', { cwd: source })
    .map((path) => join(source, path))
    .filter((path) => path !== definition && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  // The forms of methods of payment are read by the name of the method.
  const isRead = (key: string) =>
    code.includes(`'${key}'`) || (key.endsWith('_form') && code.includes('`${method}_form`'))
  deepEqual(
    Object.keys(settings).filter((key) => !isRead(key)),
    [],
  )
})

test('what proves a complaint is kept for a month, and what explains a fault for a week', () => {
  const least = (key: keyof typeof settings) =>
    Array.from({ length: 3_651 }, (_, days) => days).find(
      (days) => settings[key].schema.safeParse(days).success,
    )
  for (const key of ['call_flag_days', 'text_original_days'] as const) equal(least(key), 30, key)
  for (const key of ['session_log_days', 'absence_days', 'ended_login_days'] as const)
    equal(least(key), 7, key)
  for (const key of ['pair_days', 'meeting_days'] as const) equal(least(key), 1, key)
})

test('phrases fall back to English ones and those without a language', () => {
  const phrases = ['en:Tell me more', 'de:Erzähl mir mehr', 'Hi!', 'de:Und du?']
  deepEqual(phrasesFor(phrases, 'de'), ['Erzähl mir mehr', 'Und du?'])
  deepEqual(phrasesFor(phrases, 'en'), ['Tell me more'])
  deepEqual(phrasesFor(phrases, 'fr'), ['Tell me more', 'Hi!'])
  deepEqual(phrasesFor([], 'fr'), [])
})

story(
  'a setting can be listed, read and changed at once, and the author of the change is recorded',
  async ({ testApp, boris }) => {
    const list = (await shell(testApp, 'list')).answer as {
      key: string
      value: unknown
      unit: string
      default: unknown
    }[]
    equal(list.length, Object.keys(settings).length)
    deepEqual(
      list.find(({ key }) => key === 'price_private'),
      { key: 'price_private', value: '1.5', unit: 'diamond/min', default: '1.5' },
    )
    deepEqual((await boris.get('getSettings')).prices, { public: '1', private: '1.5', message: 1 })
    deepEqual(await shell(testApp, 'set', 'price_private', '2.25'), {
      exit_code: 0,
      answer: { key: 'price_private', value: '2.25' },
    })
    deepEqual((await boris.get('getSettings')).prices.private, '2.25')
    deepEqual((await shell(testApp, 'get', 'price_private')).answer, {
      key: 'price_private',
      value: '2.25',
    })
    const row = await testApp.app.db.selectFrom('settings').selectAll().executeTakeFirstOrThrow()
    deepEqual([row.key, row.value, row.changed_by], ['price_private', '2.25', 'operator'])
    await testApp.crash()
    equal((await testApp.user('visitor').get('getSettings')).prices.private, '2.25')
  },
)

story('a change by another process takes effect within seconds', async ({ testApp }) => {
  await testApp.app.db
    .insertInto('settings')
    .values({
      key: 'paid_after',
      value: '7',
      changed_at: testApp.app.clock.now(),
      changed_by: 'another',
    })
    .execute()
  await testApp.advance('5 s')
  equal((await testApp.user('visitor').get('getSettings')).paid_after, 7)
})

story('rejects an invalid value with one sentence, and stores nothing', async ({ testApp }) => {
  for (const [key, ...words] of [
    ['paid_after', '', 'ten', '-1', '1.5', '1e3', '0x10', '99999999', 'NaN', ' '],
    ['meter_round', '0', '61'],
    ['hold_seconds', '0'],
    ['coin_rate', '0'],
    ['price_public', '-1', '1,5', '0.0000001', 'free', '1e2', ''],
    ['nsfw_gallery', 'yes', 'true', '1'],
    ['number_style', 'us', ''],
    ['nudity_end_score', '1.1', 'x'],
    ['sale_until', 'tomorrow'],
    ['sale_bonus', '0,five'],
    ['quality_watch_ids', '0', 'x'],
    ['spay_method', 'Two words'],
    ['competitor_words', 'x'.repeat(201), 'a,,b', 'ok', '***', '- -'],
  ] as const) {
    for (const word of words) {
      const { exit_code, answer } = await shell(testApp, 'set', key!, word)
      deepEqual(
        [exit_code, (answer as { refusal?: string }).refusal],
        [1, 'invalid'],
        `${key} ${word}`,
      )
    }
  }
  for (const key of ['nothing', 'constructor', '__proto__', '']) {
    equal((await shell(testApp, 'set', key, '1')).exit_code, 1)
    equal((await shell(testApp, 'get', key)).exit_code, 1)
  }
  deepEqual(await testApp.app.db.selectFrom('settings').selectAll().execute(), [])
})

story(
  'getSettings returns phrases of the requested language and exactly the fields of its contract',
  async ({ testApp, gina }) => {
    const phrases = (await gina.get('getSettings', { locale: 'ja' })).fast_phrases
    ok(phrases.length > 3 && phrases[0] === 'Hi! How are you?', 'English ones by default')
    await testApp.setting('fast_phrases', 'en:Tell me more,de:Erzähl mir mehr,en:Where from?')
    deepEqual((await gina.get('getSettings', { locale: 'de' })).fast_phrases, ['Erzähl mir mehr'])
    deepEqual((await gina.get('getSettings', { locale: 'fr' })).fast_phrases, [
      'Tell me more',
      'Where from?',
    ])
    const shown = await testApp.user('visitor').get('getSettings')
    deepEqual(shown.fast_phrases, ['Tell me more', 'Where from?'])
    deepEqual(
      [shown.paid_after, shown.free_messages_a_day, shown.number_style, shown.nsfw_gallery],
      [10, 10, 'ru', false],
    )
    await testApp.setting('nsfw_gallery', 'on')
    equal((await gina.get('getSettings')).nsfw_gallery, true)
    await testApp.setting('fast_phrases', 'none')
    deepEqual((await gina.get('getSettings')).fast_phrases, [])
    await testApp.setting('fast_phrases', 'Hello,de:Hallo')
    deepEqual((await gina.get('getSettings', { locale: 'xx' })).fast_phrases, ['Hello'])
    deepEqual((await gina.get('getSettings', { locale: 'de-AT' })).fast_phrases, ['Hallo'])
  },
)

story('a stored value that is no longer valid falls back to its default', async ({ testApp }) => {
  const stamp = { changed_at: testApp.app.clock.now(), changed_by: 'an older version' }
  await testApp.app.db
    .insertInto('settings')
    .values([
      { key: 'paid_after', value: '"soon"', ...stamp },
      { key: 'gone', value: '1', ...stamp },
    ])
    .execute()
  await testApp.advance('5 s')
  equal((await testApp.user('visitor').get('getSettings')).paid_after, 10)
})

story('each change of a setting is stored with its author and its reason', async ({ testApp }) => {
  await shell(testApp, 'set', 'price_private', '2', '--reason', 'a test of the price')
  await shell(testApp, 'set', 'price_private', '1.5')
  const rows = await testApp.app.db
    .selectFrom('setting_changes')
    .select(['key', 'value', 'changed_by', 'reason'])
    .orderBy('id')
    .execute()
  deepEqual(rows, [
    { key: 'price_private', value: '2', changed_by: 'operator', reason: 'a test of the price' },
    { key: 'price_private', value: '1.5', changed_by: 'operator', reason: null },
  ])
})

story('pages reserve the width of the number that the operator sets', async ({ testApp, gina }) => {
  equal((await gina.get('getSettings')).women_online_start, 20)
  await testApp.duet('settings', 'set', 'women_online_start', 1500)
  equal((await gina.get('getSettings')).women_online_start, 1500)
  equal((await gina.get('system')).women_online, 0)
})
