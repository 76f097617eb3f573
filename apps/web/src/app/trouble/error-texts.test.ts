import { beforeAll, expect, test } from 'vitest'
import { actions, endpoints, refusals } from '@duet/protocol'
import { activate, hasText } from '../../lib/i18n.ts'
import { areaOf, errorTexts } from './error-texts.ts'

beforeAll(() => activate('en'))
const failed = (change: Partial<Parameters<typeof errorTexts>[0]>) =>
  errorTexts({ area: 'general', code: 0, http_status: 0, additional: {}, ...change })

test.each([...new Set(Object.values(refusals).map(({ code }) => code))])(
  'code %i of the wire has a text',
  (code) => {
    expect(hasText(`error.${code}`)).toBe(true)
    expect(failed({ code }).text).not.toBe(failed({ code: 123_456 }).text)
  },
)

test('every action and call that can be refused has a title for its area', () => {
  for (const call of [...Object.keys(actions), ...Object.keys(endpoints)])
    expect(hasText(`error.title.${areaOf(call)}`)).toBe(true)
})

test('an answer without a code is told with its HTTP status', () => {
  expect(failed({ http_status: 502 }).meta).toContain('502')
})

test('a code that nobody knows has the undefined title and says its number', () => {
  const { title, meta } = failed({ code: 123_456 })
  expect(title).toBe(failed({ code: 654_321 }).title)
  expect(title).not.toBe(failed({ code: 305 }).title)
  expect(meta).toContain('123456')
})

test('the area has the first word, the code alone the second', () => {
  expect(failed({ area: 'chat', code: 305 }).text).not.toBe(failed({ code: 305 }).text)
  expect(failed({ area: 'chat', code: 312 }).text).toBe(failed({ code: 312 }).text)
})

test('numbers of the refusal stand in its sentence', () => {
  expect(failed({ code: 403, additional: { min_coins: '6250' } }).text).toContain('6250')
  expect(failed({ code: 999, additional: { id: 'abc-1' } }).text).toContain('abc-1')
})
